package suite

import (
	"evalctl/agent/imagegen"
	"evalctl/agent/llm"
	"evalctl/agent/system"
	"evalctl/eval"
	"evalctl/eval/price"
)

// prices returns a function that returns the price of a model: from the suite, or else from the
// price table for a real model. Models that run inside evalctl are free.
func (s Suite) prices() eval.PriceFunc {
	known := map[string]eval.Price{}
	free := map[string]bool{llm.BaselineProvider: true}
	for _, part := range s.System().Components {
		if part.FreeProvider != "" {
			free[part.FreeProvider] = true
		}
		m := s.Models[part.Name]
		if m.Price == nil {
			continue
		}
		_, name := llm.SplitModel(m.Model)
		known[name] = *m.Price
		if part.Role == system.RoleImage { // editing an image costs as much as generating one
			known[imagegen.DefaultEditModel] = *m.Price
		}
	}
	listed := s.tablePrices()
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

// tablePrices returns the prices of real models from the price table, by PROVIDER:NAME.
func (s Suite) tablePrices() map[string]eval.Price {
	list := map[string]eval.Price{}
	for _, v := range s.Variants {
		for _, part := range s.System().Components {
			if row, ok := s.findPrice(s.ModelFor(v, part.Name)); ok {
				list[row.spanName] = row.Price
			}
		}
	}
	return list
}

// hasPrice reports whether the suite file sets a price for a model.
func (s Suite) hasPrice(name string) bool {
	for _, m := range s.Models {
		if _, stated := llm.SplitModel(m.Model); m.Price != nil && stated == name {
			return true
		}
	}
	return false
}

type pricedModel struct {
	price.Entry
	spanName string // PROVIDER:NAME, as in the trace
}

func (s Suite) findPrice(m Model) (p pricedModel, ok bool) {
	provider, name := llm.SplitModel(m.Model)
	if m.BaseURL == "" || s.hasPrice(name) {
		return p, false
	}
	p.Entry, ok = s.Prices.Find(provider.Name, name, m.BaseURL)
	p.spanName = provider.Name + ":" + name
	return p, ok
}

// PriceDate returns the date of a real model's entry in the price table. It returns "" if the suite
// sets the price, or if the table has no entry.
func (s Suite) PriceDate(m Model) string {
	if p, ok := s.findPrice(m); ok {
		return p.DateText()
	}
	return ""
}
