package journal

import (
	"slices"

	"evalctl/eval"
	"evalctl/eval/suggest"
)

// Traces states for which trials a run stores the trace (the full event log).
type Traces string

const (
	AllTraces     Traces = ""        // traces of all trials
	FailingTraces Traces = "failing" // traces of trials that are wrong, unscored, or have an error or a fallback
	NoTraces      Traces = "none"    // no traces, and no traces file
)

// everyTrace is the name for AllTraces on the command line.
const everyTrace = "all"

// TracesNames returns the names that ParseTraces accepts.
func TracesNames() []string { return []string{string(NoTraces), string(FailingTraces), everyTrace} }

// ParseTraces returns the value for a name from the command line.
func ParseTraces(name string) (Traces, error) {
	if err := suggest.CheckWord("choice", name, TracesNames()); err != nil {
		return "", err
	}
	if name == everyTrace {
		return AllTraces, nil
	}
	return Traces(name), nil
}

// MissingReason explains why trials of the run have no trace; "": every trial should have one.
func (t Traces) MissingReason() string {
	switch t {
	case FailingTraces:
		return "the run keeps the traces of failing trials alone (--traces failing)"
	case NoTraces:
		return "the run keeps no traces (--traces none)"
	}
	return ""
}

func (t Traces) stores(r eval.Result) bool {
	switch t {
	case NoTraces:
		return false
	case FailingTraces:
		return isOfInterest(r)
	}
	return true
}

// isOfInterest reports whether something failed in the trial, so that its trace may be needed.
func isOfInterest(r eval.Result) bool {
	failed := func(s eval.Score) bool { return s.Verdict == eval.Fail }
	return r.Correct == nil || !*r.Correct || r.Error != nil || r.ErrorReply != "" || len(r.Fallbacks) > 0 ||
		r.IsFailing() || slices.ContainsFunc(r.Scores, failed)
}
