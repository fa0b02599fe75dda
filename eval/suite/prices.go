package suite

import (
	"fmt"
	"maps"
	"slices"

	"evalctl/agent/imagegen"
	"evalctl/agent/llm"
	"evalctl/agent/system"
	"evalctl/eval"
)

// prices knows what the suite says of its models. What is in the process costs
// nothing.
func (s Suite) prices() eval.Prices {
	known := map[string]eval.Price{}
	free := map[string]bool{}
	for _, part := range s.System().Parts {
		if part.Free != "" {
			free[part.Free] = true
		}
		m := s.Models[part.Name]
		if m.Price == nil {
			continue
		}
		_, name := llm.SplitModel(m.Model)
		known[name] = *m.Price
		if part.Work == system.Paints { // a picture changed costs what a new one does
			known[imagegen.DefaultEditModel] = *m.Price
		}
	}
	return func(provider, model string) (eval.Price, bool) {
		if free[provider] {
			return eval.Price{}, true
		}
		p, ok := known[model]
		return p, ok
	}
}

// checkPrices finds one that is no price, and models of one name at two prices:
// a call bears its model's name alone.
func (s Suite) checkPrices() error {
	seen := map[string]string{} // part by model
	for _, part := range slices.Sorted(maps.Keys(s.Models)) {
		m := s.Models[part]
		if m.Price == nil {
			continue
		}
		for _, v := range []float64{m.Price.In, m.Price.Out, m.Price.Picture} {
			if !(v >= 0) {
				return fmt.Errorf("models.%s.price: %v is no price", part, v)
			}
		}
		_, name := llm.SplitModel(m.Model)
		if other, ok := seen[name]; ok && *s.Models[other].Price != *m.Price {
			return fmt.Errorf("models.%s.price: differs from that of %s, which is the same model %q", part, other, name)
		}
		seen[name] = part
	}
	return nil
}
