package eval

import (
	"cmp"
	"math"

	"evalctl/agent/cache"
	"evalctl/agent/trace"
)

// Price is the price of a model's calls, in US dollars.
type Price struct {
	In float64 `yaml:"in" json:"in"` // per million tokens
	// per million tokens in the provider's cache; 0: the price of In
	Cached float64 `yaml:"cached" json:"cached,omitempty"`
	Out    float64 `yaml:"out" json:"out"`       // per million tokens
	Image  float64 `yaml:"image" json:"picture"` // per image
}

// MaxCost is the highest plausible cost of a trial, in US dollars. A higher cost counts as unknown:
// the price or the reported usage is wrong.
const MaxCost = 100_000

const maxNanos int64 = MaxCost * 1e9

// nanos returns a call's cost in billionths of a dollar, so that sums do not depend on the order.
// It is at most a billionth above MaxCost.
func (p Price) nanos(s *trace.Span) int64 {
	in := p.In*float64(s.Tokens.In-s.Tokens.Cached) + cmp.Or(p.Cached, p.In)*float64(s.Tokens.Cached)
	v := math.Round(1000*(in+p.Out*float64(s.Tokens.Out)) + 1e9*p.Image*float64(s.Images))
	if !(v <= float64(maxNanos)) {
		return maxNanos + 1
	}
	return int64(v)
}

// PriceFunc returns the price of a model's calls, and false if it is unknown. A nil Prices has no
// prices.
type PriceFunc func(provider, model string) (Price, bool)

// bill sums calls, tokens and cost. Cache operations are not counted as calls.
type bill struct {
	calls            int64 // without cache operations and requests to external agents
	externalRequests int64 // requests to external agents
	tokens           Tokens
	nanos            int64
	isUnknown        bool // a call has no price or no token count
}

func (b *bill) add(s *trace.Span, prices PriceFunc) {
	switch {
	case s.External:
		b.externalRequests++
	case s.Provider != cache.Provider:
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
	b.isUnknown = b.isUnknown || !ok || s.UsageUnreported && p != (Price{})
	b.nanos = min(b.nanos+p.nanos(s), maxNanos+1)
}

// Cost returns the cost of a trial's calls in some nodes, including its grading, in billionths of a
// dollar. It returns false if a call has no price or no token count. Cached calls cost nothing.
func (p PriceFunc) Cost(r Result, counts func(node string) bool) (nanos int64, known bool) {
	var b bill
	for _, turn := range r.Outcome.Turns {
		for _, e := range turn.Events {
			if e.Kind == trace.KindSpan && !e.Span.Cached && counts(e.Node) &&
				(e.Span.Error == "" || e.Span.UsageUnreported || e.Span.Tokens != trace.Tokens{}) {
				b.add(e.Span, p)
			}
		}
	}
	if r.Grading != nil && r.Grading.Cost != nil {
		b.nanos += int64(math.Round(*r.Grading.Cost * 1e9))
	}
	return b.nanos, !b.isUnknown
}

// usd returns nil if a call has no price or no token count, or if the cost exceeds MaxCost.
func (b bill) usd() *float64 {
	if b.isUnknown || b.nanos > maxNanos {
		return nil
	}
	v := float64(b.nanos) / 1e9
	return &v
}
