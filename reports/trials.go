package reports

import (
	"slices"

	"evalctl/eval"
	"evalctl/reports/export"
	htmlpage "evalctl/reports/page"
)

// TrialCollector collects the trials that HTML and JUnit reports show, so that the results of a run
// are read only once. It provides the trials of a format once; a format that is requested twice
// reads the results itself.
type TrialCollector struct {
	page  *htmlpage.TrialCollector // trials for the HTML format; nil: not requested
	junit *export.TrialCollector   // trials for the JUnit format; nil: not requested
}

// NewTrialCollector returns the collector for the formats that will be rendered. It does not use the
// summary of the report.
func NewTrialCollector(r Report, formats ...Format) *TrialCollector {
	t := &TrialCollector{}
	if r.Run == nil || r.View != "" { // views of a single aspect read the results themselves
		return t
	}
	if isOnce(HTML, formats) {
		t.page = newPageTrials(r, htmlpage.Server{})
	}
	if isOnce(JUnit, formats) {
		t.junit = export.NewTrialCollector(r.Run)
	}
	return t
}

func isOnce(format Format, list []Format) bool {
	at := slices.Index(list, format)
	return at >= 0 && !slices.Contains(list[at+1:], format)
}

// Sinks returns the sinks to which the caller must pass all results of the run.
func (t *TrialCollector) Sinks() (list []eval.Sink) {
	if t.page != nil {
		list = append(list, t.page)
	}
	if t.junit != nil {
		list = append(list, t.junit)
	}
	return list
}

func (t *TrialCollector) pageTrials() *htmlpage.TrialCollector {
	if t == nil {
		return nil
	}
	return t.page
}

func (t *TrialCollector) ciTrials() *export.TrialCollector {
	if t == nil {
		return nil
	}
	return t.junit
}
