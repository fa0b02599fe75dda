package limit

import (
	"math"
	"time"
)

// Constants of the rate estimate.
const (
	cutFactor        = 0.92            // factor for the accepted rate after a refusal
	recoveryTime     = 4 * time.Second // time until the accepted rate is tried again
	round            = time.Second     // minimal length of a round, with at least this many answers
	answers          = 10
	maxRound         = 30 * time.Second // maximal length of a round with at least one answer
	minRate          = 1.0 / 60         // lowest rate, in requests per second
	earlyRounds      = 2
	remembered       = 12   // number of rounds
	leastChance      = 0.1  // share of refusals that may be random
	randomShareDecay = 0.99 // factor per round for the share that counts as random

	clearlyBelow = 0.8  // factor of a known accepted rate; refusals below it are not caused by the rate
	slowDecay    = 0.25 // below this share, refusals come from growth within the round and not from a new limit
	leastOfSent  = 0.45 // a round halves the rate at most, approximately
	leastOfKnown = 0.7  // and keeps most of the recently accepted rate
)

// rateEstimate estimates the rate that a provider permits, in rounds. After a round with refusals,
// the rate falls below the accepted rate. It then returns to that rate and beyond along a cubic
// curve, as in RFC 9438:
//
//	rate
//	top  |\	    ___/    <- accepted rate, then probing above it
//		 | \   __/
//	cut  |  \_/
//		 +-----------------> time, 4 s from the cut back to top
//
// If a lower rate has as many refusals as an accepted rate had, the rate is not the cause: that
// share of refusals counts as random.
type rateEstimate struct {
	rate float64 // requests per second; 0: unlimited
	top  float64 // accepted rate at the last cut
	cut  time.Time

	roundStart     time.Time // start of the round
	taken, refused float64
	limited        bool // the pace delayed a request in this round

	randomShare float64
	rounds      int
	history     []sample // of the last rounds
}

// sample is the result of a round.
type sample struct {
	sent, taken, share float64
	early              bool // may include an initial burst that the provider permits
}

// record updates the estimate with an answer. refused means that the provider limited the rate.
func (p *rateEstimate) record(now time.Time, refused bool) {
	if p.roundStart.IsZero() {
		p.roundStart = now
	}
	if refused {
		p.refused++
	} else {
		p.taken++
	}
	if p.limited && p.refused <= p.randomShare*(p.taken+p.refused) {
		p.rate = max(p.rate, p.cubic(now))
	}
	duration := now.Sub(p.roundStart)
	if n := p.taken + p.refused; duration >= round &&
		(n >= answers && (p.randomShare == 0 || n >= 3*answers) || duration >= maxRound) {
		p.end(now, duration.Seconds())
	}
}

// end evaluates a round.
func (p *rateEstimate) end(now time.Time, seconds float64) {
	n := p.taken + p.refused
	s := sample{
		sent:  n / seconds,
		taken: p.taken / seconds,
		share: p.refused / n,
		early: p.rounds < earlyRounds,
	}
	p.rounds++
	tolerance := 3 * math.Sqrt(p.randomShare*(1-p.randomShare)/n)
	switch known := p.acceptedRate(); {
	case s.share <= p.randomShare+tolerance:
		if p.rate > 0 && p.limited {
			p.rate = max(p.rate, p.cubic(now))
		}
	case s.share > leastChance && s.sent < clearlyBelow*known:
		p.randomShare = s.share
		p.top, p.cut = p.fastest(), now
		p.rate = p.top
	default:
		p.top = max(s.taken/(1-p.randomShare), minRate)
		if s.share < slowDecay {
			p.top = max(p.top, p.rate*(1-s.share))
		}
		p.rate = max(cutFactor*p.top, leastOfSent*s.sent, leastOfKnown*known)
		p.cut = now
	}
	p.randomShare *= randomShareDecay
	p.history = append(p.history, s)
	p.history = p.history[max(0, len(p.history)-remembered):]
	p.roundStart = now
	p.taken = 0
	p.refused = 0
	p.limited = false
}

// acceptedRate returns a rate that was accepted in at least two recent rounds.
func (p *rateEstimate) acceptedRate() (second float64) {
	first := 0.0
	for _, s := range p.history {
		switch {
		case s.early:
		case s.taken > first:
			first, second = s.taken, first
		default:
			second = max(second, s.taken)
		}
	}
	return second
}

// fastest returns the highest recent sending rate.
func (p *rateEstimate) fastest() (most float64) {
	for _, s := range p.history {
		most = max(most, s.sent)
	}
	return most
}

// cubic returns the rate at a time after a cut.
func (p *rateEstimate) cubic(now time.Time) float64 {
	t := 1 - float64(now.Sub(p.cut))/float64(recoveryTime)
	return p.top * (1 - (1-cutFactor)*t*t*t)
}
