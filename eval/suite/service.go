package suite

import (
	"fmt"

	"evalctl/agent/llm"
	"evalctl/agent/system"
	"evalctl/eval/suggest"
)

// CheckService returns an error if the model does not fit the component. For example, a search
// component may call only a search service. Such a service has no models.
func CheckService(model string, p system.Component) error {
	asked, _ := llm.ParseModel(model)
	known := ServiceProviders(p.Role)
	switch {
	case model == "", asked.ServiceKind == string(p.Role):
		return nil
	case asked.ServiceKind != "":
		return fmt.Errorf("%s has no models", asked.Name)
	case known != nil:
		return suggest.UnknownWordError("service", model, known)
	}
	return nil
}

// ServiceProviders returns the names of the providers with a service for a role, such as web
// search. A service has no models.
func ServiceProviders(work system.Role) (names []string) {
	for _, p := range llm.Providers() {
		if p.ServiceKind != "" && p.ServiceKind == string(work) {
			names = append(names, p.Name)
		}
	}
	return names
}
