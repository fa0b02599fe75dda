package suite

import (
	"fmt"

	"evalctl/agent/llm"
	"evalctl/agent/system"
	"evalctl/eval/suggest"
)

// CheckService finds a model of a part whose work is done by services that have none,
// and a service that does not do a part's work.
func CheckService(model string, p system.Part) error {
	asked, _ := llm.SplitModel(model)
	known := Serving(p.Work)
	switch {
	case model == "", asked.Serves == string(p.Work):
		return nil
	case asked.Serves != "":
		return fmt.Errorf("%s has no models", asked.Name)
	case known != nil:
		return suggest.Unknown("service", model, known)
	}
	return nil
}

// Serving are the providers without models that do such work.
func Serving(work system.Work) (names []string) {
	for _, p := range llm.Providers() {
		if p.Serves != "" && p.Serves == string(work) {
			names = append(names, p.Name)
		}
	}
	return names
}
