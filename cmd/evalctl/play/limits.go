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

func priced(prices eval.Prices, m suite.Model, part string) error {
	p, name := llm.SplitModel(m.Model)
	if prices != nil {
		if _, ok := prices(p.Name, name); ok {
			return nil
		}
	}
	return fmt.Errorf("--max-cost: the price of %s (%s) is not known: state it with --prices FILE, or in the suite as models.%s.price: {in: USD, out: USD} a million tokens", m.Model, part, part)
}
