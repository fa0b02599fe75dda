package eval

import (
	"cmp"
	"math"

	"evalctl/agent/cache"
	"evalctl/agent/trace"
)

// Price is what a provider charges for the calls of a model, in US dollars.
type Price struct {
	In float64 `yaml:"in" json:"in"` // price per million input tokens
	// price per million input tokens that the provider reads from its cache; 0: the same as In
	CachedIn float64 `yaml:"cached" json:"cached,omitempty"`
	Out      float64 `yaml:"out" json:"out"`       // price per million output tokens
	Image    float64 `yaml:"image" json:"picture"` // price per generated image
}

// MaxCost is the highest plausible cost of a trial, in US dollars. A higher cost is treated as
// unknown, because the price or the reported usage must be wrong.
const MaxCost = 100_000

const maxNanos int64 = MaxCost * 1e9

// nanos returns the cost of a call in billionths of a dollar. It is an integer, so that the order
// of a sum has no effect. The result is at most a billionth above MaxCost.
func (p Price) nanos(s *trace.Span) int64 {
	in := p.In*float64(s.Tokens.In-s.Tokens.CachedIn) + cmp.Or(p.CachedIn, p.In)*float64(s.Tokens.CachedIn)
	v := math.Round(1000*(in+p.Out*float64(s.Tokens.Out)) + 1e9*p.Image*float64(s.Images))
	if !(v <= float64(maxNanos)) {
		return maxNanos + 1
	}
	return int64(v)
}

// PriceFunc returns the price of a model's calls, and false if the price is unknown. With a nil
// PriceFunc, all prices are unknown.
type PriceFunc func(provider, model string) (Price, bool)

// bill sums the calls, the tokens and the cost of a trial, or of one part of it.
type bill struct {
	calls            int64 // number of model calls, without cache operations and requests to external agents
	externalRequests int64 // number of requests to external agents
	tokens           Tokens
	nanos            int64
	hasUnknownCost   bool // the sum is unknown, because a call has no price or no token count
}

func (b *bill) add(s *trace.Span, prices PriceFunc) {
	switch {
	case s.IsExternalAgent:
		b.externalRequests++
	case s.Provider != cache.ProviderName:
		b.calls++
	}
	b.tokens.In += s.Tokens.In
	b.tokens.Out += s.Tokens.Out
	if s.UsageUnreported {
		b.tokens.UnreportedCalls++
	}
	p, ok := Price{}, false
	if prices != nil {
		p, ok = prices(s.Provider, s.Model)
	}
	b.hasUnknownCost = b.hasUnknownCost || !ok || s.UsageUnreported && p != (Price{})
	b.nanos = min(b.nanos+p.nanos(s), maxNanos+1)
}

// Cost returns the cost of a trial in billionths of a dollar: that of the fact grading and of calls
// by nodes for which counts returns true. It returns false if a call has no price or no token
// count. Calls that the cache answered cost nothing.
func (p PriceFunc) Cost(r Result, counts func(node string) bool) (nanos int64, known bool) {
	var b bill
	for _, turn := range r.Outcome.Turns {
		for _, e := range turn.Events {
			if e.Kind == trace.KindSpan && !e.Span.FromCache && counts(e.Node) &&
				(e.Span.Error == "" || e.Span.UsageUnreported || e.Span.Tokens != trace.Tokens{}) {
				b.add(e.Span, p)
			}
		}
	}
	if r.Grading != nil && r.Grading.Cost != nil {
		b.nanos += int64(math.Round(*r.Grading.Cost * 1e9))
	}
	return b.nanos, !b.hasUnknownCost
}

// usd returns the sum in US dollars. It returns nil if a call has no price or no token count, or if
// the sum exceeds MaxCost.
func (b bill) usd() *float64 {
	if b.hasUnknownCost || b.nanos > maxNanos {
		return nil
	}
	v := float64(b.nanos) / 1e9
	return &v
}
