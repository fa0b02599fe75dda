package play

import (
	"fmt"
	"net/http"
	"net/url"

	"evalctl/agent/limit"
	"evalctl/agent/llm"
	"evalctl/eval"
	"evalctl/eval/suite"
	"evalctl/mocks/backend"
)

// within leads calls through their endpoints' limits.
func within(limits *limit.Limits) backend.Via {
	return func(c backend.Call, next http.RoundTripper) http.RoundTripper {
		p, _ := llm.SplitModel(c.To.Model)
		host := c.To.BaseURL
		if u, err := url.Parse(host); err == nil {
			host = u.Host
		}
		return limits.Over(p, host, c.To.KeyEnv, next)
	}
}

// prices are those of a suite.
func (p *Plan) prices(name string) eval.Prices {
	for _, one := range p.suites {
		if one.suite.Name == name && len(one.cells) > 0 {
			return one.cells[0].Prices
		}
	}
	return nil
}

// checkPriced finds a model of a real endpoint without a price, where there is a budget
// of dollars.
func (p *Plan) checkPriced() error {
	if p.budget.Cost <= 0 {
		return nil
	}
	for _, one := range p.suites {
		prices := p.prices(one.suite.Name)
		for _, v := range one.suite.Variants {
			for _, part := range one.suite.System().Parts {
				if !one.suite.Reaches(v, part.Name) || !one.backend.IsReal(v, part.Name) {
					continue
				}
				if err := priced(prices, one.suite.Behind(v, part.Name), part.Name); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func priced(prices eval.Prices, m suite.Model, part string) error {
	p, name := llm.SplitModel(m.Model)
	if prices != nil {
		if _, ok := prices(p.Name, name); ok {
			return nil
		}
	}
	return fmt.Errorf("--max-cost: the price of %s (%s) is not known: state it with --prices FILE, or in the suite as models.%s.price: {in: USD, out: USD} a million tokens", m.Model, part, part)
}
