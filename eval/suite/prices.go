package suite

import (
	"cmp"

	"evalctl/agent/imagegen"
	"evalctl/agent/llm"
	"evalctl/agent/system"
	"evalctl/eval"
)

// suiteSource is the source of a price that the suite file states.
const suiteSource = "the suite file"

// PriceOf returns the price of a model. For a real model it is the price from --prices, or else
// from the suite file, or else from the built-in table.
func (s Suite) PriceOf(m Model) (PriceEntry, bool) {
	provider, name := llm.ParseModel(m.Model)
	if m.BaseURL == "" {
		return s.statedPrice(name)
	}
	listed, ok := s.Prices.Find(provider.Name, name, m.BaseURL)
	if ok && listed.FromUserFile || s.SimulatedPrices {
		return listed, ok
	}
	if stated, ok := s.statedPrice(name); ok {
		return stated, true
	}
	return listed, ok
}

// statedPrice returns the price that the suite file states for a model.
func (s Suite) statedPrice(name string) (PriceEntry, bool) {
	for _, m := range s.Models {
		if p, stated := llm.ParseModel(m.Model); m.Price != nil && stated == name {
			return PriceEntry{
				Provider: p.Name,
				Model:    name,
				Price:    *m.Price,
				Source:   suiteSource,
			}, true
		}
	}
	return PriceEntry{}, false
}

// modelKey identifies a model in spans.
type modelKey struct{ provider, model string }

// prices returns the prices of all models of the suite. In-process models are free.
func (s Suite) prices() eval.PriceFunc {
	simulated := map[string]eval.Price{}
	free := map[string]bool{llm.BaselineProvider: true}
	for _, part := range s.components() {
		if part.LocalProviderName != "" {
			free[part.LocalProviderName] = true
		}
		m := s.Models[part.Name]
		if m.Price == nil {
			continue
		}
		_, name := llm.ParseModel(m.Model)
		simulated[name] = *m.Price
		if part.Role == system.RoleImage { // editing an image costs as much as generating one
			simulated[imagegen.DefaultEditModel] = *m.Price
		}
	}
	real := s.realPrices()
	return func(provider, model string) (eval.Price, bool) {
		if free[provider] {
			return eval.Price{}, true
		}
		if p, ok := real[modelKey{provider, model}]; ok {
			if p == nil {
				return eval.Price{}, false
			}
			return *p, true
		}
		p, ok := simulated[model]
		return p, ok
	}
}

// realPrices returns the prices of the real models; nil: the price is unknown.
func (s Suite) realPrices() map[modelKey]*eval.Price {
	prices := map[modelKey]*eval.Price{}
	for _, v := range s.Variants {
		for _, part := range s.SystemOf(v).Components {
			m := s.ModelFor(v, part.Name)
			if m.BaseURL == "" || !s.UsesComponent(v, part.Name) {
				continue
			}
			price := s.priceOrNil(m)
			prices[keyOf(m)] = price
			if part.Role == system.RoleImage { // editing an image costs as much as generating one
				m.Model = "dashscope:" + imagegen.DefaultEditModel
				prices[keyOf(m)] = cmp.Or(s.priceOrNil(m), price)
			}
		}
	}
	return prices
}

func (s Suite) priceOrNil(m Model) *eval.Price {
	if p, ok := s.PriceOf(m); ok {
		return &p.Price
	}
	return nil
}

func keyOf(m Model) modelKey {
	provider, name := llm.ParseModel(m.Model)
	return modelKey{provider.Name, name}
}
