package tune

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"evalctl/agent"
	"evalctl/eval"
)

// trial is a judged trial at every threshold: its states hold one after the other
// as the threshold rises.
type trial struct {
	of     string // the case
	label  string // that its first labelled turn wants
	turns  int64  // labelled ones
	played string // what was decided, as a state has it
	cost   int64  // billionths of a dollar; -1: not known
	calls  int64
	states []state
}

// state is a trial for thresholds above a confidence, and up to the next state's.
type state struct {
	above   float64 // of the first: none is below it
	right   bool    // all turns are
	doubted int64   // turns that are decided otherwise than the model says, for its confidence is too low
	decided string  // the turns' labels
}

// turn is one labelled turn.
type turn struct {
	free       bool // a threshold stands over it
	confidence float64
	trusted    string // the decision where the confidence is not below the threshold
	doubted    string // and where it is
	want       eval.OneOf
}

// Add takes a row. One that no label judges says nothing.
func (t *Tuner) Add(r eval.Result) error {
	judgments := r.Decisions()
	switch {
	case len(judgments) == 0:
		return nil
	case slices.ContainsFunc(judgments, func(j eval.TurnScore) bool { return j.Verdict == eval.Unscored }):
		t.missing++ // at any threshold
		return nil
	}
	var turns []turn
	for _, j := range judgments {
		var said *agent.ModelDecision
		if j.Turn >= 1 && j.Turn <= len(r.Turns) {
			said = r.Turns[j.Turn-1].ModelDecision
		}
		one, err := t.turn(j, said)
		if err != nil {
			return fmt.Errorf("case %q, epoch %d: %w", r.Case, r.Epoch, err)
		}
		turns = append(turns, one)
	}
	one := trial{of: r.Case, label: judgments[0].Expected.Primary(), turns: int64(len(turns)), cost: -1, calls: r.Calls}
	if c := r.Cost; c != nil && *c >= 0 && *c <= eval.MaxCost {
		one.cost = int64(math.Round(*c * 1e9))
	}
	var got []string
	for _, j := range judgments {
		got = append(got, j.Actual)
	}
	one.played, one.states = decided(got), states(turns)
	t.trials = append(t.trials, one)
	t.rest.Turns += one.turns
	t.rest.MultiTurn = t.rest.MultiTurn || len(turns) > 1
	return nil
}

// turn is what a threshold makes of a judged turn. What was played stands where the
// model had no say, and where the present threshold is not what decided.
func (t *Tuner) turn(j eval.TurnScore, said *agent.ModelDecision) (turn, error) {
	fixed := turn{trusted: j.Actual, want: j.Expected}
	t.asked = t.asked || said != nil
	if said == nil || said.IfRejected == "" {
		return fixed, nil
	}
	one := turn{free: true, trusted: cmp.Or(said.IfAccepted, said.Label), doubted: said.IfRejected, want: j.Expected}
	if c := said.Confidence; c != nil {
		if !(*c >= 0 && *c <= 1) {
			return one, fmt.Errorf("turn %d: a confidence of %v is not in 0..1", j.Turn, *c)
		}
		one.confidence = *c
	}
	if !t.explains(one, j.Actual) {
		t.rest.InconsistentTurns++
		return fixed, nil
	}
	t.rest.ThresholdedTurns++
	if said.Confidence == nil {
		t.rest.WithoutConfidence++
	}
	return one, nil
}

// explains tells that a decision is what the present threshold makes of a turn.
func (t *Tuner) explains(one turn, got string) bool {
	if p := t.cfg.Current; p != nil {
		return got == one.at(*p)
	}
	switch {
	case one.trusted == one.doubted:
	case got == one.trusted:
		t.trusted = min(t.trusted, one.confidence)
	case got == one.doubted:
		t.doubted = max(t.doubted, one.confidence)
	}
	return got == one.trusted || got == one.doubted
}

// at is the decision at a threshold.
func (one turn) at(threshold float64) string {
	if one.free && one.confidence < threshold {
		return one.doubted
	}
	return one.trusted
}

// states are those of a trial with such turns, the lowest threshold's first.
func states(turns []turn) (list []state) {
	edges := []float64{-1} // nothing is below 0
	for _, one := range turns {
		if one.free {
			edges = append(edges, one.confidence)
		}
	}
	slices.Sort(edges)
	for _, above := range slices.Compact(edges) {
		s := state{above: above, right: true}
		labels := make([]string, len(turns))
		for i, one := range turns {
			labels[i] = one.trusted
			if one.free && one.confidence <= above {
				labels[i] = one.doubted
				s.doubted++
			}
			s.right = s.right && one.want.Has(labels[i])
		}
		s.decided = decided(labels)
		list = append(list, s)
	}
	return list
}

// between stands between the labels of several turns.
const between = "\x00"

func decided(labels []string) string { return strings.Join(labels, between) }
