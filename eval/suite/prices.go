package suite

import (
	"fmt"
	"maps"
	"slices"

	"evalctl/agent/imagegen"
	"evalctl/agent/llm"
	"evalctl/eval"
)

// prices knows what the suite says of its models. What is in the process costs
// nothing.
func (s Suite) prices() eval.Prices {
	known := map[string]eval.Price{}
	for component, m := range s.Models {
		if m.Price == nil {
			continue
		}
		_, name := llm.SplitModel(m.Model)
		known[name] = *m.Price
		if component == "image" { // a picture changed costs what a new one does
			known[imagegen.DefaultEditModel] = *m.Price
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

// checkPrices finds one that is no price, and models of one name at two prices:
// a call bears its model's name alone.
func (s Suite) checkPrices() error {
	seen := map[string]string{} // component by model
	for _, component := range slices.Sorted(maps.Keys(s.Models)) {
		m := s.Models[component]
		if m.Price == nil {
			continue
		}
		for _, v := range []float64{m.Price.In, m.Price.Out, m.Price.Picture} {
			if !(v >= 0) {
				return fmt.Errorf("models.%s.price: %v is no price", component, v)
			}
		}
		_, name := llm.SplitModel(m.Model)
		if other, ok := seen[name]; ok && *s.Models[other].Price != *m.Price {
			return fmt.Errorf("models.%s.price: differs from that of %s, which is the same model %q", component, other, name)
		}
		seen[name] = component
	}
	return nil
}
