package suite

import (
	"evalctl/agent/imagegen"
	"evalctl/agent/llm"
	"evalctl/agent/system"
	"evalctl/eval"
	"evalctl/eval/price"
)

// prices knows what the suite says of its models, and of those that are real what is
// generally known. What is in the process costs nothing.
func (s Suite) prices() eval.Prices {
	known := map[string]eval.Price{}
	free := map[string]bool{llm.Baseline: true}
	for _, part := range s.System().Parts {
		if part.FreeProvider != "" {
			free[part.FreeProvider] = true
		}
		m := s.Models[part.Name]
		if m.Price == nil {
			continue
		}
		_, name := llm.SplitModel(m.Model)
		known[name] = *m.Price
		if part.Role == system.RoleImage { // a picture changed costs what a new one does
			known[imagegen.DefaultEditModel] = *m.Price
		}
	}
	listed := s.known()
	return func(provider, model string) (eval.Price, bool) {
		if free[provider] {
			return eval.Price{}, true
		}
		if p, ok := known[model]; ok {
			return p, true
		}
		p, ok := listed[provider+":"+model]
		return p, ok
	}
}

// known are the prices of the models of real endpoints that the table has, by
// PROVIDER:NAME.
func (s Suite) known() map[string]eval.Price {
	list := map[string]eval.Price{}
	for _, v := range s.Variants {
		for _, part := range s.System().Parts {
			if row, ok := s.priced(s.ModelFor(v, part.Name)); ok {
				list[row.asked] = row.Price
			}
		}
	}
	return list
}

// states tells whether the suite itself has a price of a model.
func (s Suite) states(name string) bool {
	for _, m := range s.Models {
		if _, stated := llm.SplitModel(m.Model); m.Price != nil && stated == name {
			return true
		}
	}
	return false
}

type pricedModel struct {
	price.Entry
	asked string // PROVIDER:NAME, as spans have it
}

func (s Suite) priced(m Model) (p pricedModel, ok bool) {
	provider, name := llm.SplitModel(m.Model)
	if m.BaseURL == "" || s.states(name) {
		return p, false
	}
	p.Entry, ok = s.Prices.Find(provider.Name, name, m.BaseURL)
	p.asked = provider.Name + ":" + name
	return p, ok
}

// PriceDate says of which day the price of a real model is that the suite does not state;
// "": there is none.
func (s Suite) PriceDate(m Model) string {
	if p, ok := s.priced(m); ok {
		return p.DateText()
	}
	return ""
}
