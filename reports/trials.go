package reports

import (
	"slices"

	"evalctl/eval"
	"evalctl/reports/ci"
	htmlpage "evalctl/reports/page"
)

// Trials are what formats tell of single trials, taken while the results of a report's
// run are read once. Each format is written once of them: one that is asked for twice
// reads for itself.
type Trials struct {
	page  *htmlpage.Trials // nil: no format asks for it
	junit *ci.Trials       // the same
}

// TrialsFor makes ready for some formats of a report, which has all but its summary.
func TrialsFor(r Report, formats ...Format) *Trials {
	t := &Trials{}
	if r.Run == nil || r.By != "" { // views read for themselves
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

// Sinks are to be given the run's results.
func (t *Trials) Sinks() (list []eval.Sink) {
	if t.page != nil {
		list = append(list, t.page)
	}
	if t.junit != nil {
		list = append(list, t.junit)
	}
	return list
}

func (t *Trials) ofPage() *htmlpage.Trials {
	if t == nil {
		return nil
	}
	return t.page
}

func (t *Trials) ofCI() *ci.Trials {
	if t == nil {
		return nil
	}
	return t.junit
}
