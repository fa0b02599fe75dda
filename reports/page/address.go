package page

import (
	"net/url"
	"strings"
)

// Overview is the address of the view that a report page shows first.
const Overview = "#overview"

// RunList is the address of the view that lists the runs of a server.
const RunList = "#runs"

// SuiteLink returns the address of a suite's view, or of one of its sections if section is not "".
func SuiteLink(name, section string) string {
	at := "#suite/" + escape(name)
	if section != "" {
		at += "/" + escape(section)
	}
	return at
}

// CasesLink is the address of the list of a suite's cases in one condition. Its other fields filter
// and sort the list; an empty field does not filter.
type CasesLink struct {
	Suite     string
	Variant   string // "": the most accurate variant that is no baseline model
	Fault     string // "": without a fault
	Result    Result
	Change    Change
	Expected  string // expected label
	Predicted string // predicted label
	Tag       string
	Sort      Sort
}

// Result selects cases by the result of a trial.
type Result string

const (
	Wrong        Result = "wrong"        // wrong decision
	Unscored     Result = "unscored"     // no scored decision
	Inconsistent Result = "inconsistent" // right in some epochs, but not in all
	ErrorReply   Result = "error_reply"  // the answer of some turn is an error reply
	FellBack     Result = "fallback"     // something replaced a part that failed, found nothing or was unsure
	Degraded     Result = "degraded"     // worse because of the fault, in one of the next three ways

	NowWrong      Result = "now_wrong"       // right without the fault
	NowErrorReply Result = "now_error_reply" // no error reply without the fault
	NowUnscored   Result = "now_unscored"    // scored without the fault
)

// Change selects cases by how their result changed. Fixed and Broken compare with the baseline variant
// or, under a fault, with the same variant without the fault. NewPass and NewFailure compare with the
// baseline run.
type Change string

const (
	Fixed      Change = "fixed"       // wrong in the variant compared with, right in this one
	Broken     Change = "broken"      // right in the variant compared with, wrong in this one
	NewPass    Change = "new_pass"    // wrong in the baseline run, right in this run
	NewFailure Change = "new_failure" // right in the baseline run, wrong in this run
)

// Sort is the order of the list of cases; "" is the order of their ids.
type Sort string

const SlowestFirst Sort = "slowest" // slowest cases first

func (c CasesLink) String() string { return "#cases" + c.query() }

func (c CasesLink) query() string {
	var parts []string
	for _, p := range []struct{ key, value string }{
		{"suite", c.Suite}, {"variant", c.Variant}, {"fault", c.Fault}, {"result", string(c.Result)},
		{"change", string(c.Change)},
		{"expected", c.Expected}, {"predicted", c.Predicted}, {"tag", c.Tag}, {"sort", string(c.Sort)},
	} {
		if p.value != "" {
			parts = append(parts, p.key+"="+escape(p.value))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "?" + strings.Join(parts, "&")
}

// CaseLink is the address of a single case. It contains the filters of the list of cases, so that
// the reader can go back to it.
type CaseLink struct {
	List CasesLink // list of cases; its Suite is the suite of the case
	ID   string
}

func (c CaseLink) String() string {
	of := c.List
	of.Suite = ""
	return "#case/" + escape(c.List.Suite) + "/" + escape(c.ID) + of.query()
}

// escape encodes a text as a part of an address. It encodes blanks as %20.
func escape(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }
