package journal

import (
	"slices"

	"evalctl/eval"
	"evalctl/eval/suggest"
)

// Traces says of which trials a run keeps what was said and done.
type Traces string

// The choices.
const (
	AllTraces     Traces = ""        // of every trial
	FailingTraces Traces = "failing" // of those that are wrong, in error, unjudged, or in which something took over
	NoTraces      Traces = "none"    // of none: there is no file of traces
)

// everyTrace is how AllTraces is asked for.
const everyTrace = "all"

// TracesNames are what ParseTraces reads.
func TracesNames() []string { return []string{string(NoTraces), string(FailingTraces), everyTrace} }

// ParseTraces reads a choice by its name.
func ParseTraces(name string) (Traces, error) {
	if err := suggest.CheckWord("choice", name, TracesNames()); err != nil {
		return "", err
	}
	if name == everyTrace {
		return AllTraces, nil
	}
	return Traces(name), nil
}

// Missing says why trials of the run have no trace, "" where each was to have one.
func (t Traces) Missing() string {
	switch t {
	case FailingTraces:
		return "the run keeps the traces of failing trials alone (--traces failing)"
	case NoTraces:
		return "the run keeps no traces (--traces none)"
	}
	return ""
}

// keeps tells whether the trial's trace is kept.
func (t Traces) keeps(r eval.Result) bool {
	switch t {
	case NoTraces:
		return false
	case FailingTraces:
		return isTelling(r)
	}
	return true
}

// isTelling tells a trial that somebody may want to look into.
func isTelling(r eval.Result) bool {
	failed := func(s eval.Score) bool { return s.Verdict == eval.Fail }
	return r.Correct == nil || !*r.Correct || r.Error != nil || r.ErrorReply != "" || len(r.Fallbacks) > 0 || r.IsFailing() || slices.ContainsFunc(r.Scores, failed)
}
