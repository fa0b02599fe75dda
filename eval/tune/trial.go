package tune

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"evalctl/agent"
	"evalctl/eval"
)

// trial is a scored trial and what it would decide at each threshold.
type trial struct {
	caseID       string // ID of the case
	label        string // label that the first labeled turn expects
	turns        int64  // number of labeled turns
	oosTurns     int64  // turns that accept only the out-of-scope label
	inScopeTurns int64  // turns that do not accept the out-of-scope label
	isOOS        bool   // the first labeled turn accepts only the out-of-scope label
	decidedInRun string // decisions of the run, joined as in state.decided
	cost         int64  // in billionths of a dollar; -1: unknown
	calls        int64
	states       []state
}

// state is the result of a trial for a range of thresholds: those above a confidence, up to the
// confidence of the next state.
type state struct {
	above    float64 // confidence; -1 in the first state, which is below all confidences
	right    bool    // all labeled turns are right
	rejected int64   // turns whose confidence is below the threshold, so the fallback decides
	decided  string  // labels that the turns decide, joined

	oosRight, inScopeRight int64 // right turns of the two classes
	inScopeRejected        int64 // in-scope turns that get the out-of-scope label
}

// turn is a labeled turn and what it would decide at each threshold.
type turn struct {
	isThresholded bool // the decision depends on the threshold
	confidence    float64
	ifAccepted    string // decision if the confidence is at least the threshold
	ifRejected    string // decision if the confidence is below the threshold
	want          eval.OneOf
}

// Labels returns the labels that some scored turn accepts, sorted.
func (t *Tuner) Labels() []string { return slices.Sorted(maps.Keys(t.labels)) }

// Add adds a result of the run. It ignores a result without a label. It returns an error if a
// confidence is not between 0 and 1.
func (t *Tuner) Add(r eval.Result) error {
	judgments := r.Decisions()
	switch {
	case len(judgments) == 0:
		return nil
	case slices.ContainsFunc(judgments, func(j eval.TurnScore) bool { return j.Verdict == eval.Unscored }):
		t.missing++ // the trial stays unscored at any threshold
		return nil
	}
	var turns []turn
	for _, j := range judgments {
		var decision *agent.ModelDecision
		if j.Turn >= 1 && j.Turn <= len(r.Turns) {
			decision = r.Turns[j.Turn-1].ModelDecision
		}
		one, err := t.turn(j, decision)
		if err != nil {
			return fmt.Errorf("case %q, epoch %d: %w", r.Case, r.Epoch, err)
		}
		turns = append(turns, one)
	}
	one := trial{
		caseID: r.Case,
		label:  judgments[0].Expected.Primary(),
		turns:  int64(len(turns)),
		cost:   -1,
		calls:  r.Calls,
	}
	if c := r.Cost; c != nil && !r.LacksUsage() && *c >= 0 && *c <= eval.MaxCost {
		one.cost = int64(math.Round(*c * 1e9))
	}
	var got []string
	for _, j := range judgments {
		got = append(got, j.Actual)
	}
	for i, turn := range turns {
		for _, label := range turn.want {
			t.labels[label] = true
		}
		switch t.cfg.classOf(turn.want) {
		case outOfScope:
			one.oosTurns++
			one.isOOS = one.isOOS || i == 0
		case inScope:
			one.inScopeTurns++
		}
	}
	one.decidedInRun, one.states = decided(got), t.cfg.states(turns)
	t.trials = append(t.trials, one)
	t.counts.Turns += one.turns
	t.counts.MultiTurn = t.counts.MultiTurn || len(turns) > 1
	return nil
}

// turn returns what a scored turn would decide at each threshold. Without a model decision, it is
// the decision of the run at every threshold. The same applies if the current threshold contradicts
// the decision of the run.
func (t *Tuner) turn(j eval.TurnScore, decision *agent.ModelDecision) (turn, error) {
	fixed := turn{ifAccepted: j.Actual, want: j.Expected}
	t.hasModelDecision = t.hasModelDecision || decision != nil
	if decision == nil {
		return fixed, nil
	}
	one := turn{
		isThresholded: true,
		ifAccepted:    cmp.Or(decision.DecisionIfAccepted, decision.Label),
		ifRejected:    cmp.Or(decision.DecisionIfRejected, t.cfg.OOSLabel),
		want:          j.Expected,
	}
	switch {
	case one.ifRejected == "":
		return fixed, nil
	case decision.DecisionIfRejected == "" && one.ifAccepted != j.Actual:
		return fixed, nil
	case decision.DecisionIfRejected == "":
		t.counts.AgentLacksThreshold = true
	}
	if c := decision.Confidence; c != nil {
		if !(*c >= 0 && *c <= 1) {
			return one, fmt.Errorf("turn %d: a confidence of %v is not in 0..1", j.Turn, *c)
		}
		one.confidence = *c
	}
	if !t.explains(one, j.Actual) {
		t.counts.InconsistentTurns++
		return fixed, nil
	}
	t.counts.ThresholdedTurns++
	if decision.Confidence == nil {
		t.counts.WithoutConfidence++
	}
	return one, nil
}

// explains reports whether the current threshold leads to the decision got. If the current
// threshold is not configured, it records what the decision implies about it.
func (t *Tuner) explains(one turn, got string) bool {
	if p := t.cfg.CurrentThreshold; p != nil {
		return got == one.at(*p)
	}
	switch {
	case one.ifAccepted == one.ifRejected:
	case got == one.ifAccepted:
		t.lowestTrusted = min(t.lowestTrusted, one.confidence)
	case got == one.ifRejected:
		t.highestRejected = max(t.highestRejected, one.confidence)
	}
	return got == one.ifAccepted || got == one.ifRejected
}

// at returns the decision of the turn at a threshold.
func (one turn) at(threshold float64) string {
	if one.isThresholded && one.confidence < threshold {
		return one.ifRejected
	}
	return one.ifAccepted
}

// class is the class of a turn: out of scope, in scope, or neither.
type class int

const (
	noClass    class = iota // there is no out-of-scope label, or the turn accepts it and another label
	outOfScope              // the turn accepts only the out-of-scope label
	inScope                 // the turn does not accept the out-of-scope label
)

// classOf returns the class of a turn, as the metrics oos.* define it.
func (cfg Config) classOf(want eval.OneOf) class {
	switch {
	case cfg.OOSLabel == "":
		return noClass
	case !want.Has(cfg.OOSLabel):
		return inScope
	case len(want) == 1:
		return outOfScope
	}
	return noClass
}

// states returns the results of a trial with these turns, the lowest threshold first.
func (cfg Config) states(turns []turn) (list []state) {
	edges := []float64{-1} // below all confidences
	for _, one := range turns {
		if one.isThresholded {
			edges = append(edges, one.confidence)
		}
	}
	slices.Sort(edges)
	for _, above := range slices.Compact(edges) {
		s := state{above: above, right: true}
		labels := make([]string, len(turns))
		for i, one := range turns {
			labels[i] = one.ifAccepted
			if one.isThresholded && one.confidence <= above {
				labels[i] = one.ifRejected
				s.rejected++
			}
			right := one.want.Has(labels[i])
			s.right = s.right && right
			switch cfg.classOf(one.want) {
			case outOfScope:
				s.oosRight += count(right)
			case inScope:
				s.inScopeRight += count(right)
				s.inScopeRejected += count(labels[i] == cfg.OOSLabel)
			}
		}
		s.decided = decided(labels)
		list = append(list, s)
	}
	return list
}

// labelSeparator separates the labels of several turns in state.decided.
const labelSeparator = "\x00"

func decided(labels []string) string { return strings.Join(labels, labelSeparator) }
