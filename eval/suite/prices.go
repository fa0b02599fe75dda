package suite

import (
	"slices"
	"strings"

	"evalctl/eval"
)

// prices knows what the suite says of its models. What is in the process costs
// nothing.
func (s Suite) prices() eval.Prices {
	known := map[string]eval.Price{}
	for _, m := range s.Models {
		if m.Price != nil {
			known[bareName(m.Model)] = *m.Price
		}
	}
	return func(provider, model string) (eval.Price, bool) {
		if slices.Contains(inProcess(), provider) {
			return eval.Price{}, true
		}
		p, ok := known[model]
		return p, ok
	}
}

// inProcess are the providers of what needs nobody outside.
func inProcess() []string { return []string{"placeholder", "knowledge"} }

// bareName is a model's name without its provider.
func bareName(model string) string {
	_, name, ok := strings.Cut(model, ":")
	if !ok {
		return model
	}
	return name
}
