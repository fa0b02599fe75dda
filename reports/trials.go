package reports

import (
	"slices"

	"evalctl/eval"
	"evalctl/reports/ci"
	htmlpage "evalctl/reports/page"
)

// Trials collects the trials that HTML and JUnit reports show, so that the results of a run are
// read only once. It provides the trials of a format once; a format that is requested twice reads
// the results itself.
type Trials struct {
	page  *htmlpage.Trials // trials for the HTML format; nil: not requested
	junit *ci.Trials       // trials for the JUnit format; nil: not requested
}

// TrialsFor returns the collector for the formats that will be rendered. It does not use the
// summary of the report.
func TrialsFor(r Report, formats ...Format) *Trials {
	t := &Trials{}
	if r.Run == nil || r.View != "" { // views of a single aspect read the results themselves
		return t
	}
	if isOnce(HTML, formats) {
		t.page = htmlpage.NewTrials(r.page())
	}
	if isOnce(JUnit, formats) {
		t.junit = ci.NewTrials(r.Run)
	}
	return t
}

func isOnce(format Format, list []Format) bool {
	at := slices.Index(list, format)
	return at >= 0 && !slices.Contains(list[at+1:], format)
}

// Sinks returns the sinks to which the caller must pass all results of the run.
func (t *Trials) Sinks() (list []eval.Sink) {
	if t.page != nil {
		list = append(list, t.page)
	}
	if t.junit != nil {
		list = append(list, t.junit)
	}
	return list
}

func (t *Trials) pageTrials() *htmlpage.Trials {
	if t == nil {
		return nil
	}
	return t.page
}

func (t *Trials) ciTrials() *ci.Trials {
	if t == nil {
		return nil
	}
	return t.junit
}
