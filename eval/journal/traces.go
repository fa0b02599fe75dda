package journal

import (
	"slices"

	"evalctl/eval"
	"evalctl/eval/suggest"
)

// TraceMode states for which trials a run stores the trace (the full event log).
type TraceMode string

const (
	AllTraces     TraceMode = ""        // traces of all trials
	FailingTraces TraceMode = "failing" // traces of trials that are wrong, unscored, or have an error or a fallback
	NoTraces      TraceMode = "none"    // no traces, and no traces file
)

// everyTrace is the name for AllTraces on the command line.
const everyTrace = "all"

// TraceModeNames returns the names that ParseTraceMode accepts.
func TraceModeNames() []string { return []string{string(NoTraces), string(FailingTraces), everyTrace} }

// ParseTraceMode returns the value for a name from the command line.
func ParseTraceMode(name string) (TraceMode, error) {
	if err := suggest.CheckKnown("choice", name, TraceModeNames()); err != nil {
		return "", err
	}
	if name == everyTrace {
		return AllTraces, nil
	}
	return TraceMode(name), nil
}

// MissingReason explains why trials of the run have no trace; "": every trial should have one.
func (t TraceMode) MissingReason() string {
	switch t {
	case FailingTraces:
		return "the run keeps the traces of failing trials alone (--traces failing)"
	case NoTraces:
		return "the run keeps no traces (--traces none)"
	}
	return ""
}

func (t TraceMode) stores(r eval.Result) bool {
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
	return r.Correct == nil || !*r.Correct || r.Error != nil || r.HasErrorReply() || len(r.Fallbacks) > 0 ||
		r.IsFailing() || slices.ContainsFunc(r.Scores, failed)
}
