package eval

import (
	"cmp"
	"slices"
	"strings"
)

// IsWrong reports whether the trial was scored and failed. Its decision is wrong (as in
// route.accuracy), or it did not give the fallback answer that the case expects.
func (r Result) IsWrong() bool {
	s, _ := r.Decision()
	return s.Verdict == Fail || r.Correct != nil && !*r.Correct
}

// IsUnscored reports whether a trial has no answer, or has a label and no score, and is not wrong.
// The trial is unscored if its decision is unscored, even if its fallback answer was scored.
func (r Result) IsUnscored() bool {
	s, labeled := r.Decision()
	unscored := labeled && s.Verdict == Unscored || r.Correct == nil && len(r.Expected) > 0
	return !r.IsWrong() && (r.Error != nil || unscored)
}

// HasUnreportedCalls reports whether an external agent was called but did not report its model
// calls. The number of calls is then unknown.
func (r Result) HasUnreportedCalls() bool { return r.ExternalRequests > 0 && r.Calls == 0 }

// LacksUsage reports whether the trial failed before any call reported tokens or a cost. Its tokens
// and its cost are then unknown.
func (r Result) LacksUsage() bool {
	return r.Error != nil && r.Error.Kind != ScorerError && r.Tokens.In == 0 && r.Tokens.Out == 0 &&
		(r.Cost == nil || *r.Cost == 0)
}

// HasUnknownTokens reports whether the tokens of the trial are unknown: a call did not report them,
// or the trial failed without usage.
func (r Result) HasUnknownTokens() bool { return r.Tokens.UnreportedCalls > 0 || r.LacksUsage() }

// ErrorReplyCodes returns the codes of the error replies in all turns, each once. The code of the
// scored turn comes first.
func (r Result) ErrorReplyCodes() (codes []string) {
	if r.ErrorReply != "" {
		codes = append(codes, r.ErrorReply)
	}
	for _, t := range r.Turns {
		if t.ErrorReply != "" && !slices.Contains(codes, t.ErrorReply) {
			codes = append(codes, t.ErrorReply)
		}
	}
	return codes
}

// HasErrorReply reports whether the answer of any turn is an error reply.
func (r Result) HasErrorReply() bool {
	return r.ErrorReply != "" || slices.ContainsFunc(r.Turns, func(t TurnSummary) bool { return t.ErrorReply != "" })
}

// IsFailing reports whether the trial is wrong or unscored.
func (r Result) IsFailing() bool { return r.IsWrong() || r.IsUnscored() }

// FailedChecks lists the checks that the trial failed, other than the check of the decision, as
// texts for reports. They are wrong attributes, expected documents that were not found, facts that
// the answer does not state, and facts that the session lost.
func (r Result) FailedChecks() (list []string) {
	names := map[string]string{RecallScoreAt(slices.Max(RecallDepths())): "not found", CoverageScore: "not stated",
		FactsKeptScore: "not kept", CitationsScore: "cited but not shown"}
	for _, s := range r.Scores {
		if s.Verdict != Fail {
			continue
		}
		if label, ok := strings.CutSuffix(s.Name, ".accuracy"); ok {
			list = append(list, label+" "+cmp.Or(s.Actual, "none")+", not "+strings.Join(s.Expected, " or "))
			continue
		}
		if what, ok := names[s.Name]; ok {
			_, missing, _ := strings.Cut(s.Reason, "without ")
			list = append(list, what+": "+missing)
		}
	}
	return list
}

// InvalidLabelKind reports whether the model's answer contained no valid label, and returns the error
// kind of that answer. The predicted label is then "invalid", in parentheses if the dataset itself
// has a label of that name.
func (r Result) InvalidLabelKind() (kind string, ok bool) {
	if strings.Trim(r.Predicted, "()") != "invalid" {
		return "", false
	}
	i := slices.IndexFunc(r.Nodes, func(n NodeVisit) bool { return n.CallError.IsInvalidAnswer() })
	if i < 0 {
		return "", false
	}
	return string(r.Nodes[i].CallError), true
}

// Actual returns a short text for reports about what the trial did. It is usually the predicted
// label. If only the component that answered is wrong, it is that component.
func (r Result) Actual() string {
	switch s, judged := r.Decision(); {
	case r.IsWrong() && judged && s.Verdict == Pass:
		return "answered by " + cmp.Or(r.AnsweredBy, "nothing")
	case r.IsWrong():
		if kind, none := r.InvalidLabelKind(); none {
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
