package eval

import (
	"cmp"
	"slices"
	"strings"
)

// IsWrong tells a trial that was judged and is not right: its decision is not, as
// route.accuracy counts it, or what served in its place.
func (r Result) IsWrong() bool {
	s, _ := r.Decision()
	return s.Verdict == Fail || r.Correct != nil && !*r.Correct
}

// IsUnscored tells a trial that is not wrong, but has no answer, or none that could
// be judged where something is expected: one whose decision could not be, whatever
// served.
func (r Result) IsUnscored() bool {
	s, labeled := r.Decision()
	unscored := labeled && s.Verdict == Unscored || r.Correct == nil && len(r.Expected) > 0
	return !r.IsWrong() && (r.Error != nil || unscored)
}

// HasUnreportedCalls tells a trial of a foreign agent that told of no call: what it asked, nobody knows.
func (r Result) HasUnreportedCalls() bool { return r.ExternalRequests > 0 && r.Calls == 0 }

// IsFailing tells a trial that is worth a second look.
func (r Result) IsFailing() bool { return r.IsWrong() || r.IsUnscored() }

// FailedChecks says what a trial's answer lacks besides its decision: further labels that are
// wrong, what was to be found and was not, facts that it does not state or that a session
// has forgotten.
func (r Result) FailedChecks() (list []string) {
	names := map[string]string{RecallAt(slices.Max(RecallDepths())): "not found", CoverageScore: "not stated", FactsKeptScore: "not kept"}
	for _, s := range r.Scores {
		if s.Verdict != Fail {
			continue
		}
		if label, ok := strings.CutSuffix(s.Name, ".accuracy"); ok {
			list = append(list, label+" "+cmp.Or(s.Actual, "unsaid")+", not "+strings.Join(s.Expected, " or "))
			continue
		}
		if what, ok := names[s.Name]; ok {
			_, missing, _ := strings.Cut(s.Reason, "without ")
			list = append(list, what+": "+missing)
		}
	}
	return list
}

// IsInvalidLabel tells a decision that is none of the labels to choose from: a call's
// whole answer was turned down, and what stands in its place is the name kept for
// that, invalid, or in brackets where the data have a label of that name.
func (r Result) IsInvalidLabel() (kind string, ok bool) {
	if strings.Trim(r.Predicted, "()") != "invalid" {
		return "", false
	}
	i := slices.IndexFunc(r.Nodes, func(n NodeVisit) bool { return n.CallError.IsInvalidAnswer() })
	if i < 0 {
		return "", false
	}
	return string(r.Nodes[i].CallError), true
}

// Actual is what came of a trial: the decision, or where another answer than the one
// decided is wrong, what served.
func (r Result) Actual() string {
	switch s, judged := r.Decision(); {
	case r.IsWrong() && judged && s.Verdict == Pass:
		return "served by " + cmp.Or(r.AnsweredBy, "nobody")
	case r.IsWrong():
		if kind, none := r.IsInvalidLabel(); none {
			return "no label: " + kind
		}
		return cmp.Or(r.Predicted, "nothing")
	case !r.IsUnscored():
		return cmp.Or(r.Predicted, r.AnsweredBy, "nothing")
	case r.Error != nil:
		return string(r.Error.Kind) + " error"
	}
	return cmp.Or(r.ErrorReply, "nothing")
}
