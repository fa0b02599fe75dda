package finding

import (
	"cmp"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
)

// GateState is the verdict of a gate as reports show it.
type GateState int

// The states of gates, in the order in which reports list them.
const (
	GateFailed GateState = iota
	GateUndecided
	GatePassed
	gateStates
)

// StateOfGate returns the state of a gate.
func StateOfGate(g eval.GateVerdict) GateState {
	switch {
	case g.Passed:
		return GatePassed
	case g.Verdict == eval.GateUndecided:
		return GateUndecided
	}
	return GateFailed
}

// String returns the word for the state.
func (s GateState) String() string { return [...]string{"failed", "undecided", "passed"}[s] }

// Mark returns the symbol that precedes a gate in this state.
func (s GateState) Mark() string { return [...]string{"✗", "?", "✓"}[s] }

// SortedGates returns the gates in the order in which reports list them: failed ones first.
func SortedGates(all []eval.GateVerdict) []eval.GateVerdict {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b eval.GateVerdict) int { return cmp.Compare(StateOfGate(a), StateOfGate(b)) })
	return all
}

// GateCounts are numbers of gates by their state.
type GateCounts [gateStates]int64

// CountGates counts gates by state.
func CountGates(all []eval.GateVerdict) (n GateCounts) {
	for _, g := range all {
		n[StateOfGate(g)]++
	}
	return n
}

// String returns the numbers that are not 0, as in "1 failed, 2 passed".
func (n GateCounts) String() string {
	var parts []string
	for s, count := range n {
		if count > 0 {
			parts = append(parts, metric.FormatInteger(count)+" "+GateState(s).String())
		}
	}
	return strings.Join(parts, ", ")
}
