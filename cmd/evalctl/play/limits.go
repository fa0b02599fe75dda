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

// withRequestBudget returns a middleware that applies rate limits and the request budget.
func withRequestBudget(limits *limit.RateLimits, a *requestBudget) backend.Middleware {
	over := WithRateLimits(limits)
	return func(c backend.Call, next http.RoundTripper) http.RoundTripper {
		key := c.Trial.Key()
		return budgetTransport{RoundTripper: over(c, countingTransport{RoundTripper: next, key: key, budget: a}),
			key: key, budget: a}
	}
}

// WithRateLimits returns a middleware that delays requests according to the rate limits of each
// endpoint.
func WithRateLimits(limits *limit.RateLimits) backend.Middleware {
	return func(c backend.Call, next http.RoundTripper) http.RoundTripper {
		p, _ := llm.SplitModel(c.Model.Model)
		host := c.Model.BaseURL
		if u, err := url.Parse(host); err == nil {
			host = u.Host
		}
		return limits.Transport(p, host, c.Model.APIKeyEnv, next)
	}
}

func priced(prices eval.PriceFunc, m suite.Model, part string) error {
	p, name := llm.SplitModel(m.Model)
	if prices != nil {
		if _, ok := prices(p.Name, name); ok {
			return nil
		}
	}
	const price = "{in: USD, out: USD}"
	return fmt.Errorf("--max-cost: the price of %s (%s) is not known: state it with --prices FILE, where FILE holds - {provider: %s, models: {%q: %s}}, "+
		"or in the suite as models.%s.price: %s, each of a million tokens", m.Model, part, p.Name,
		name, price, part, price)
}

// reportRateLimits reports how many requests of each endpoint were rejected by rate limits.
func reportRateLimits(limits *limit.RateLimits, report func(string)) {
	for _, e := range limits.Stats() {
		rate := ""
		if e.Rate > 0 {
			rate = fmt.Sprintf("; found: %.3g a second", e.Rate)
		}
		report(fmt.Sprintf("%s at %s rate-limited %d of %d requests, which were retried%s", e.Provider,
			e.Host, e.RateLimited, e.Requests, rate))
	}
}
