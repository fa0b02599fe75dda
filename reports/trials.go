package reports

import (
	"slices"

	"evalctl/eval"
	"evalctl/reports/ci"
	htmlpage "evalctl/reports/page"
)

// Trials collects the trials that some formats need while the run's results are read once. It
// serves each format once; a format that is requested twice reads the results itself.
type Trials struct {
	page  *htmlpage.Trials // nil: HTML is not requested
	junit *ci.Trials       // nil: JUnit is not requested
}

// TrialsFor returns the collector for some formats of a report. The summary of the report is not
// used.
func TrialsFor(r Report, formats ...Format) *Trials {
	t := &Trials{}
	if r.Run == nil || r.By != "" { // views read the results themselves
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

// Sinks returns the receivers of the run's results.
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
