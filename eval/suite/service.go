package suite

import (
	"fmt"

	"evalctl/agent/llm"
	"evalctl/agent/system"
	"evalctl/eval/suggest"
)

// CheckService returns an error if the model does not fit the component. A component such as a
// search calls a service, which has no models, and only a service that does its work.
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

// ServiceProviders returns the names of the providers that offer this work as a service without
// models, such as a search.
func ServiceProviders(work system.Role) (names []string) {
	for _, p := range llm.Providers() {
		if p.Service != "" && p.Service == string(work) {
			names = append(names, p.Name)
		}
	}
	return names
}
