package eval

import (
	"cmp"
	"math"

	"evalctl/agent/cache"
	"evalctl/agent/trace"
)

// Price is what a model's calls cost, in US dollars.
type Price struct {
	In     float64 `yaml:"in" json:"in"`                   // for a million tokens
	Cached float64 `yaml:"cached" json:"cached,omitempty"` // for a million of those that the provider had in its cache; 0: as In
	Out    float64 `yaml:"out" json:"out"`                 // for a million tokens
	Image  float64 `yaml:"image" json:"picture"`           // for a picture
}

// MaxCost is the most that is believed of a trial, in US dollars. What would be
// more has no cost: the price is a slip, or the count of what was billed.
const MaxCost = 100_000

const maxNanos int64 = MaxCost * 1e9

// nanos is a call's cost in billionths of a dollar: whole numbers add up the
// same in every order. It is at most a billionth above MaxCost.
func (p Price) nanos(s *trace.Span) int64 {
	in := p.In*float64(s.Tokens.In-s.Tokens.Cached) + cmp.Or(p.Cached, p.In)*float64(s.Tokens.Cached)
	v := math.Round(1000*(in+p.Out*float64(s.Tokens.Out)) + 1e9*p.Image*float64(s.Images))
	if !(v <= float64(maxNanos)) {
		return maxNanos + 1
	}
	return int64(v)
}

// Prices tells what a model's calls cost, false where that is not known; nil
// knows no price.
type Prices func(provider, model string) (Price, bool)

// bill adds up calls and what they cost.
type bill struct {
	calls   int64 // but for the look-ups and stores of a cache, and questions to foreign agents
	asked   int64 // foreign agents
	tokens  Tokens
	nanos   int64
	unknown bool // something has no price, or no count
}

func (b *bill) add(s *trace.Span, prices Prices) {
	switch {
	case s.External:
		b.asked++
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
	b.unknown = b.unknown || !ok || s.UsageUnreported && p != (Price{})
	b.nanos = min(b.nanos+p.nanos(s), maxNanos+1)
}

// Cost is what a trial's calls of some nodes cost, its grading included, in billionths of
// a dollar; false where one has no price, or no count. What was answered with what is kept
// of an earlier run cost nothing.
func (p Prices) Cost(r Result, counts func(node string) bool) (nanos int64, known bool) {
	var b bill
	for _, turn := range r.Outcome.Turns {
		for _, e := range turn.Events {
			if e.Kind == trace.KindSpan && !e.Span.Cached && counts(e.Node) && (e.Span.Error == "" || e.Span.UsageUnreported || e.Span.Tokens != trace.Tokens{}) {
				b.add(e.Span, p)
			}
		}
	}
	if r.Grading != nil && r.Grading.Cost != nil {
		b.nanos += int64(math.Round(*r.Grading.Cost * 1e9))
	}
	return b.nanos, !b.unknown
}

// usd is nil where something has no price, or no count, and beyond MaxCost.
func (b bill) usd() *float64 {
	if b.unknown || b.nanos > maxNanos {
		return nil
	}
	v := float64(b.nanos) / 1e9
	return &v
}
