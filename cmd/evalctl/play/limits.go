package play

import (
	"fmt"
	"net/http"
	"net/url"

	"evalctl/agent/limit"
	"evalctl/agent/llm"
	"evalctl/agent/secret"
	"evalctl/eval"
	"evalctl/eval/suite"
	"evalctl/mocks/backend"
)

// withRequestBudget returns a middleware that applies rate limits and the request budget.
func withRequestBudget(limits *limit.Limiter, a *requestBudget) backend.Middleware {
	over := WithRateLimits(limits)
	return func(c backend.Call, next http.RoundTripper) http.RoundTripper {
		key := c.Trial.Key()
		return budgetTransport{RoundTripper: over(c, countingTransport{RoundTripper: next, key: key, budget: a}),
			key: key, budget: a}
	}
}

// WithRateLimits returns a middleware that delays requests according to the rate limits of each
// endpoint.
func WithRateLimits(limits *limit.Limiter) backend.Middleware {
	return func(c backend.Call, next http.RoundTripper) http.RoundTripper {
		p, _ := llm.ParseModel(c.Model.Model)
		host := c.Model.BaseURL
		if u, err := url.Parse(host); err == nil {
			host = u.Host
		}
		return limits.Transport(p, host, c.Model.APIKeyEnv, next)
	}
}

func priced(prices eval.PriceFunc, m suite.Model, part string) error {
	p, name := llm.ParseModel(m.Model)
	if prices != nil {
		if _, ok := prices(p.Name, name); ok {
			return nil
		}
	}
	if m.Model == "" {
		return fmt.Errorf("--max-cost: the cost of the agent at %s is unknown, because evalctl does not see the models that it calls",
			secret.RedactURL(m.BaseURL))
	}
	if hint := PricedModelHint(m.Model); hint != "" {
		return fmt.Errorf("--max-cost: the price of %s (%s) is not known: %s", m.Model, part, hint)
	}
	const price = "{in: USD, out: USD}"
	return fmt.Errorf("--max-cost: the price of %s (%s) is not known: state it with --prices FILE, where FILE holds - {provider: %s, models: {%q: %s}}, "+
		"or in the suite as models.%s.price: %s, each of a million tokens", m.Model, part, p.Name,
		name, price, part, price)
}

// PricedModelHint returns how to name a model so that it has the price of the built-in table. It
// returns "" if the table has no model of that name, or if the name has a provider.
func PricedModelHint(model string) string {
	known := suite.BuiltinPrices().ProvidersOf(model)
	if len(known) == 0 {
		return ""
	}
	return fmt.Sprintf("for the price of %s, write %[1]s:%s", known[0], model)
}

// reportRateLimits reports how many requests of each endpoint were rejected by rate limits.
func reportRateLimits(limits *limit.Limiter, report func(string)) {
	for _, e := range limits.Stats() {
		rate := ""
		if e.Rate > 0 {
			rate = fmt.Sprintf("; found: %.3g a second", e.Rate)
		}
		report(fmt.Sprintf("%s at %s rate-limited %d of %d requests, which were retried%s", e.Provider,
			e.Host, e.RateLimited, e.Requests, rate))
	}
}
