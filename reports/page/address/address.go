// Package address builds the addresses of a report's views, that is, the fragments of their URLs.
// Default values are omitted and every part is percent-encoded. Only this package builds addresses.
package address

import (
	"net/url"
	"strings"
)

// Overview is the address of the first view.
const Overview = "#overview"

// SuiteLink returns the address of a suite's view or of one of its sections.
func SuiteLink(name, section string) string {
	at := "#suite/" + escape(name)
	if section != "" {
		at += "/" + escape(section)
	}
	return at
}

// CasesLink is the address of the list of a suite's cases in one condition. Empty fields do not
// filter.
type CasesLink struct {
	Suite    string
	Variant  string // "": the first variant
	Fault    string // "": no fault
	Result   Result
	Change   Change
	Expected string
	Got      string
	Tag      string
	Search   string
	Sort     Sort
}

// Result filters by the outcome of a trial.
type Result string

const (
	Correct      Result = "correct"
	Wrong        Result = "wrong"
	Unscored     Result = "unscored"
	Inconsistent Result = "inconsistent" // right in some epochs but not in all
	ErrorReply   Result = "error_reply"
	FellBack     Result = "fallback"
	Degraded     Result = "degraded" // by the fault: one of the following three

	NowWrong      Result = "now_wrong"       // right without the fault
	NowErrorReply Result = "now_error_reply" // no error reply without the fault
	NowUnscored   Result = "now_unscored"    // scored without the fault
)

// Change filters by a change. The reference is the suite's baseline variant; with a fault, the same
// variant without it; or the earlier run.
type Change string

const (
	Fixed      Change = "fixed"
	Broken     Change = "broken"
	Differs    Change = "different"
	NewPass    Change = "new_pass"    // wrong in the earlier run, right now
	NewFailure Change = "new_failure" // right in the earlier run, wrong now
)

// Sort is the order of the list; "" is the order of the cases.
type Sort string

const (
	Slow           Sort = "slowest"         // the slowest first
	LeastConfident Sort = "least_confident" // the least confident first
)

func (c CasesLink) String() string { return "#cases" + c.query() }

func (c CasesLink) query() string {
	var parts []string
	for _, p := range []struct{ key, value string }{
		{"suite", c.Suite}, {"variant", c.Variant}, {"fault", c.Fault}, {"result", string(c.Result)},
		{"change", string(c.Change)},
		{"expected", c.Expected}, {"predicted", c.Got}, {"tag", c.Tag}, {"q", c.Search}, {"sort", string(c.Sort)},
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

// CaseLink is the address of a case. It preserves the filters of the list.
type CaseLink struct {
	Of CasesLink // Suite is the suite of the case
	ID string
}

func (c CaseLink) String() string {
	of := c.Of
	of.Suite = ""
	return "#case/" + escape(c.Of.Suite) + "/" + escape(c.ID) + of.query()
}

// escape encodes a text so that it cannot end a part of the address. Blanks become %20.
func escape(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }
