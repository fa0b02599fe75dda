package suite

import (
	"fmt"

	"evalctl/agent/llm"
	"evalctl/agent/system"
	"evalctl/eval/suggest"
)

// CheckService rejects a model for a component that uses services without models. It also rejects a
// service that does not do the component's work.
func CheckService(model string, p system.Component) error {
	asked, _ := llm.SplitModel(model)
	known := ServiceProviders(p.Role)
	switch {
	case model == "", asked.Service == string(p.Role):
		return nil
	case asked.Service != "":
		return fmt.Errorf("%s has no models", asked.Name)
	case known != nil:
		return suggest.UnknownWordError("service", model, known)
	}
	return nil
}

// ServiceProviders returns the providers without models for this work.
func ServiceProviders(work system.Role) (names []string) {
	for _, p := range llm.Providers() {
		if p.Service != "" && p.Service == string(work) {
			names = append(names, p.Name)
		}
	}
	return names
}
