package eval

import (
	"cmp"
	"slices"
	"strings"
)

// IsWrong reports whether the trial was scored and failed: either its decision (as in
// route.accuracy) or the answer expected instead.
func (r Result) IsWrong() bool {
	s, _ := r.Decision()
	return s.Verdict == Fail || r.Correct != nil && !*r.Correct
}

// IsUnscored reports whether the trial is not wrong but has no answer, or has a label but no score.
// A decision without a score is enough, even if the answering component was scored.
func (r Result) IsUnscored() bool {
	s, labeled := r.Decision()
	unscored := labeled && s.Verdict == Unscored || r.Correct == nil && len(r.Expected) > 0
	return !r.IsWrong() && (r.Error != nil || unscored)
}

// HasUnreportedCalls reports whether an external agent was called but reported no calls.
func (r Result) HasUnreportedCalls() bool { return r.ExternalRequests > 0 && r.Calls == 0 }

// IsFailing reports whether the trial is wrong or unscored.
func (r Result) IsFailing() bool { return r.IsWrong() || r.IsUnscored() }

// FailedChecks lists the failed checks other than the decision: wrong attributes, expected
// documents that were not found, facts that are not stated, and facts that a session lost.
func (r Result) FailedChecks() (list []string) {
	names := map[string]string{RecallAt(slices.Max(RecallDepths())): "not found", CoverageScore: "not stated",
		FactsKeptScore: "not kept"}
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

// IsInvalidLabel reports whether the answer contained no valid label, and returns the error kind.
// The predicted label is then "invalid", in parentheses if the data have a label of that name.
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

// Actual describes the result of the trial: the decision, or the answering component if only that
// is wrong.
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
