package limit

import (
	"math"
	"time"
)

// How the pace is found.
const (
	backTo      = 0.92            // of the rate that was taken, after a refusal
	regain      = 4 * time.Second // until it is tried again
	round       = time.Second     // at least, and until so many answers
	answers     = 10
	longest     = 30 * time.Second // a round with at least one
	slowest     = 1.0 / 60         // requests a second
	earlyRounds = 2
	remembered  = 12   // rounds
	leastChance = 0.1  // a share of refusals that may be chance
	decaying    = 0.99 // of the share that is taken for chance, round by round

	clearlyBelow = 0.8  // of a rate that is known to be taken: refusals there are none of the pace
	slowDecay    = 0.25 // a share of refusals of a rate that grew within the round, not of a new limit
	leastOfSent  = 0.45 // a round of refusals halves the rate at most, about
	leastOfKnown = 0.7  // and leaves most of what was taken lately
)

// pace finds the rate that a provider permits, round by round: after a round with
// refusals it goes below the rate that was taken, and comes back to that rate, and
// beyond, along a cubic (as RFC 9438 does with windows). Where as many are refused
// although fewer were sent than had been taken before, it is none of the pace: that
// share is chance.
type pace struct {
	rate float64 // requests a second; 0: as they come
	top  float64 // that was taken at the last cut
	cut  time.Time

	began          time.Time // of the round
	taken, refused float64
	limited        bool // somebody waited for the pace in this round

	chance  float64
	rounds  int
	history []sample // of the last rounds
}

// sample is what came of a round.
type sample struct {
	sent, taken, share float64
	early              bool // may have had what a provider permits at once, after a pause
}

// hear counts an answer.
func (p *pace) hear(now time.Time, refused bool) {
	if p.began.IsZero() {
		p.began = now
	}
	if refused {
		p.refused++
	} else {
		p.taken++
	}
	if p.limited && p.refused <= p.chance*(p.taken+p.refused) {
		p.rate = max(p.rate, p.cubic(now))
	}
	duration := now.Sub(p.began)
	if n := p.taken + p.refused; duration >= round && (n >= answers && (p.chance == 0 || n >= 3*answers) || duration >= longest) {
		p.end(now, duration.Seconds())
	}
}

// end judges a round.
func (p *pace) end(now time.Time, seconds float64) {
	n := p.taken + p.refused
	s := sample{sent: n / seconds, taken: p.taken / seconds, share: p.refused / n, early: p.rounds < earlyRounds}
	p.rounds++
	tolerance := 3 * math.Sqrt(p.chance*(1-p.chance)/n)
	switch known := p.borne(); {
	case s.share <= p.chance+tolerance:
		if p.rate > 0 && p.limited {
			p.rate = max(p.rate, p.cubic(now))
		}
	case s.share > leastChance && s.sent < clearlyBelow*known:
		p.chance = s.share
		p.top, p.cut = p.fastest(), now
		p.rate = p.top
	default:
		p.top = max(s.taken/(1-p.chance), slowest)
		if s.share < slowDecay {
			p.top = max(p.top, p.rate*(1-s.share))
		}
		p.rate = max(backTo*p.top, leastOfSent*s.sent, leastOfKnown*known)
		p.cut = now
	}
	p.chance *= decaying
	p.history = append(p.history, s)
	p.history = p.history[max(0, len(p.history)-remembered):]
	p.began, p.taken, p.refused, p.limited = now, 0, 0, false
}

// borne is a rate that was taken lately, in more than one round.
func (p *pace) borne() (second float64) {
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

// fastest is the highest rate at which was sent lately.
func (p *pace) fastest() (most float64) {
	for _, s := range p.history {
		most = max(most, s.sent)
	}
	return most
}

// cubic is the pace so long after a cut.
func (p *pace) cubic(now time.Time) float64 {
	t := 1 - float64(now.Sub(p.cut))/float64(regain)
	return p.top * (1 - (1-backTo)*t*t*t)
}
