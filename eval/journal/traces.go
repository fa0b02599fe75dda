package journal

import (
	"slices"

	"evalctl/eval"
	"evalctl/eval/suggest"
)

// Traces selects the trials whose full event log is stored.
type Traces string

const (
	AllTraces     Traces = ""        // every trial
	FailingTraces Traces = "failing" // trials that are wrong, unscored, or have an error or a fallback
	NoTraces      Traces = "none"    // no trials, and no traces file
)

// everyTrace is the name of AllTraces for ParseTraces.
const everyTrace = "all"

// TracesNames lists the values that ParseTraces accepts.
func TracesNames() []string { return []string{string(NoTraces), string(FailingTraces), everyTrace} }

// ParseTraces parses a selection by its name.
func ParseTraces(name string) (Traces, error) {
	if err := suggest.CheckWord("choice", name, TracesNames()); err != nil {
		return "", err
	}
	if name == everyTrace {
		return AllTraces, nil
	}
	return Traces(name), nil
}

// MissingReason explains why trials of the run have no trace, "" if every trial should have one.
func (t Traces) MissingReason() string {
	switch t {
	case FailingTraces:
		return "the run keeps the traces of failing trials alone (--traces failing)"
	case NoTraces:
		return "the run keeps no traces (--traces none)"
	}
	return ""
}

// stores reports whether the trial's trace is stored.
func (t Traces) stores(r eval.Result) bool {
	switch t {
	case NoTraces:
		return false
	case FailingTraces:
		return isOfInterest(r)
	}
	return true
}

// isOfInterest reports whether a trial may require inspection.
func isOfInterest(r eval.Result) bool {
	failed := func(s eval.Score) bool { return s.Verdict == eval.Fail }
	return r.Correct == nil || !*r.Correct || r.Error != nil || r.ErrorReply != "" || len(r.Fallbacks) > 0 ||
		r.IsFailing() || slices.ContainsFunc(r.Scores, failed)
}
