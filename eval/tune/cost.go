package tune

import (
	"math"
	"strings"
)

// costs contains the costs of all trials, summed for each place: a range of thresholds with the
// same decisions (see curve). It uses integers, so that sums do not depend on the order of the
// results.
type costs struct {
	nanos, calls       []int64 // by threshold range: first the changes from the range below, later the sums
	estimated, unknown []int64
	priced             bool

	ways    map[string]costSum // costs of the run by decision
	isFixed bool               // the cost does not depend on the threshold
}

// costSum is the sum of the costs of trials that made the same decision.
type costSum struct{ n, nanos, calls int64 }

// callParts is the number of units per call. Fractions of calls can then be added as integers.
const callParts = 1000

// newCosts computes the costs for each range of thresholds with the same decisions. A trial costs
// the same as in the run if its decision is the same. Otherwise it costs as much as trials with the
// new decision on average.
func newCosts(c *curve, trials []trial) *costs {
	s := &costs{
		nanos:     make([]int64, len(c.cuts)+2),
		calls:     make([]int64, len(c.cuts)+2),
		estimated: make([]int64, len(c.cuts)+2),
		unknown:   make([]int64, len(c.cuts)+2),
		priced:    true,
	}
	ways := map[string]costSum{}
	s.ways, s.isFixed = ways, c.goal.fixedCost
	most := 0.0
	for _, t := range trials {
		way := ways[t.decidedInRun]
		ways[t.decidedInRun] = costSum{n: way.n + 1, nanos: way.nanos + t.cost, calls: way.calls + t.calls*callParts}
		s.priced = s.priced && t.cost >= 0
		most = max(most, float64(t.cost), float64(t.calls)*callParts)
	}
	if most*float64(len(trials)) > math.MaxInt64/2 { // the sum of the costs could overflow
		s.priced = false
		return s
	}
	for _, t := range trials {
		for i, at := range t.states {
			from, to := 0, len(c.cuts)+1
			if i > 0 {
				from = c.place(at.above) + 1
			}
			if i+1 < len(t.states) {
				to = c.place(t.states[i+1].above) + 1
			}
			s.add(from, to, t, at)
		}
	}
	for _, list := range [][]int64{s.nanos, s.calls, s.estimated, s.unknown} {
		for i := range list[1:] {
			list[i+1] += list[i]
		}
	}
	return s
}

func (s *costs) add(from, to int, t trial, at state) {
	put := func(list []int64, v int64) {
		list[from] += v
		list[to] -= v
	}
	nanos, calls, known := s.of(t, at)
	if at.decided != t.decidedInRun && !s.isFixed {
		put(s.estimated, 1)
	}
	if !known {
		put(s.unknown, 1)
		return
	}
	put(s.nanos, nanos)
	put(s.calls, calls)
}

// of returns the cost of a trial in a state; see newCosts.
func (s *costs) of(t trial, at state) (nanos, calls int64, known bool) {
	if at.decided == t.decidedInRun || s.isFixed {
		return t.cost, t.calls * callParts, true
	}
	return t.costIfDecided(at.decided, s.ways)
}

// costIfDecided estimates the cost of a trial with another decision: the average of trials that
// made this decision. If there are none, it adds for each changed turn of a conversation the
// difference between single-turn trials. known is false if these are missing too.
func (t trial) costIfDecided(as string, ways map[string]costSum) (nanos, calls int64, known bool) {
	if way, ok := ways[as]; ok {
		nanos, calls = way.mean()
		return nanos, calls, true
	}
	if t.turns == 1 {
		return 0, 0, false
	}
	nanos, calls = t.cost, t.calls*callParts
	played, then := strings.Split(t.decidedInRun, labelSeparator), strings.Split(as, labelSeparator)
	for i := range then {
		before, after := ways[played[i]], ways[then[i]]
		switch {
		case played[i] == then[i]:
		case before.n == 0 || after.n == 0:
			return 0, 0, false
		default:
			a, b := before.mean()
			c, d := after.mean()
			nanos, calls = nanos+c-a, calls+d-b
		}
	}
	return max(nanos, 0), max(calls, 0), true
}

func (s costSum) mean() (nanos, calls int64) {
	return int64(math.Round(float64(s.nanos) / float64(s.n))), int64(math.Round(float64(s.calls) / float64(s.n)))
}

// fill sets the cost fields of p, the Point of the threshold range with index at.
func (s *costs) fill(p *Point, at int, trials int64) {
	p.EstimatedShare = float64(s.estimated[at]) / float64(trials)
	if s.unknown[at] > 0 {
		return
	}
	calls := float64(s.calls[at]) / callParts / float64(trials)
	p.CallsPerTrial = &calls
	if s.priced {
		usd := float64(s.nanos[at]) / 1e9 / float64(trials)
		p.CostPerTrial = &usd
	}
}
