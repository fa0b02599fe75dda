package suite

import (
	"evalctl/agent/imagegen"
	"evalctl/agent/llm"
	"evalctl/agent/system"
	"evalctl/eval"
)

// prices knows what the suite says of its models. What is in the process costs
// nothing.
func (s Suite) prices() eval.Prices {
	known := map[string]eval.Price{}
	free := map[string]bool{llm.Floor: true}
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
