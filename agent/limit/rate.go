package limit

import (
	"math"
	"time"
)

// Constants of rateEstimate. A round is a period at whose end the estimate is updated.
const (
	cutFactor        = 0.92            // factor for the accepted rate after a refusal
	recoveryTime     = 4 * time.Second // time from a cut until the accepted rate is tried again
	minRound         = time.Second     // minimum length of a round, which also has a minimum number of answers
	minAnswers       = 10
	maxRound         = 30 * time.Second // maximum length of a round
	minRate          = 1.0 / 60         // lowest estimate, in requests per second
	earlyRounds      = 2
	historyLength    = 12   // number of rounds in the history
	minRandomShare   = 0.1  // a smaller share of refusals is never taken as random
	randomShareDecay = 0.99 // factor per round for the share that counts as random

	clearlyBelow     = 0.8  // factor of the known accepted rate: refusals below it are not caused by the rate
	slowDecay        = 0.25 // a smaller share of refusals comes from growth within the round, not from a new limit
	minFactorOfSent  = 0.45 // lowest new rate as a factor of the sent rate
	minFactorOfKnown = 0.7  // lowest new rate as a factor of the known accepted rate
)

// rateEstimate estimates the request rate that a provider accepts, in rounds. After a round with
// refusals, the rate is cut below the accepted rate (top). It then returns to top within 4 s, and
// beyond, along a cubic curve as in RFC 9438:
//
//	rate
//	|\  top  ___/
//	| \   __/
//	|  \_/ cut
//	+--------------> time
//
// If a clearly lower rate is refused as well, the rate is not the cause. That share of refusals
// counts as random from then on.
type rateEstimate struct {
	rate float64 // estimate, in requests per second; 0: unlimited
	top  float64 // accepted rate at the last cut
	cut  time.Time

	roundStart        time.Time // start of the current round
	accepted, refused float64
	limited           bool // the estimate has delayed a request in this round

	randomShare float64
	rounds      int
	history     []sample // results of the last rounds
}

// sample is the result of a round: rates of sent and accepted requests, and share of refusals.
type sample struct {
	sent, accepted, share float64
	early                 bool // may include an initial burst that the provider permits
}

// record updates the estimate with the answer to a request. refused means that the provider refused
// it because of a rate limit.
func (p *rateEstimate) record(now time.Time, refused bool) {
	if p.roundStart.IsZero() {
		p.roundStart = now
	}
	if refused {
		p.refused++
	} else {
		p.accepted++
	}
	if p.limited && p.refused <= p.randomShare*(p.accepted+p.refused) {
		p.rate = max(p.rate, p.cubic(now))
	}
	duration := now.Sub(p.roundStart)
	if n := p.accepted + p.refused; duration >= minRound &&
		(n >= minAnswers && (p.randomShare == 0 || n >= 3*minAnswers) || duration >= maxRound) {
		p.end(now, duration.Seconds())
	}
}

// end ends a round and computes the new rate.
func (p *rateEstimate) end(now time.Time, seconds float64) {
	n := p.accepted + p.refused
	s := sample{
		sent:     n / seconds,
		accepted: p.accepted / seconds,
		share:    p.refused / n,
		early:    p.rounds < earlyRounds,
	}
	p.rounds++
	tolerance := 3 * math.Sqrt(p.randomShare*(1-p.randomShare)/n)
	switch known := p.acceptedRate(); {
	case s.share <= p.randomShare+tolerance:
		if p.rate > 0 && p.limited {
			p.rate = max(p.rate, p.cubic(now))
		}
	case s.share > minRandomShare && s.sent < clearlyBelow*known:
		p.randomShare = s.share
		p.top, p.cut = p.fastest(), now
		p.rate = p.top
	default:
		p.top = max(s.accepted/(1-p.randomShare), minRate)
		if s.share < slowDecay {
			p.top = max(p.top, p.rate*(1-s.share))
		}
		p.rate = max(cutFactor*p.top, minFactorOfSent*s.sent, minFactorOfKnown*known)
		p.cut = now
	}
	p.randomShare *= randomShareDecay
	p.history = append(p.history, s)
	p.history = p.history[max(0, len(p.history)-historyLength):]
	p.roundStart = now
	p.accepted = 0
	p.refused = 0
	p.limited = false
}

// acceptedRate returns the second highest rate that the provider accepted in the recent measuring
// rounds, in requests a second. 0: there are fewer than two rounds.
func (p *rateEstimate) acceptedRate() (second float64) {
	first := 0.0
	for _, s := range p.history {
		switch {
		case s.early:
		case s.accepted > first:
			first, second = s.accepted, first
		default:
			second = max(second, s.accepted)
		}
	}
	return second
}

// fastest returns the highest rate at which requests were sent recently.
func (p *rateEstimate) fastest() (highest float64) {
	for _, s := range p.history {
		highest = max(highest, s.sent)
	}
	return highest
}

// cubic returns the point of the cubic curve at a time after the last cut.
func (p *rateEstimate) cubic(now time.Time) float64 {
	t := 1 - float64(now.Sub(p.cut))/float64(recoveryTime)
	return p.top * (1 - (1-cutFactor)*t*t*t)
}
