// Package address builds the addresses of a report's views: what stands behind
// the # of a link. Values that are usual are left out, every part is
// percent-encoded, and no other code writes an address.
package address

import (
	"net/url"
	"strings"
)

// Overview is the page that comes first.
const Overview = "#overview"

// SuiteLink is a suite's page, or a section of it.
func SuiteLink(name, section string) string {
	at := "#suite/" + escape(name)
	if section != "" {
		at += "/" + escape(section)
	}
	return at
}

// CasesLink is the list of a suite's cases in one cell, filtered; "" filters nothing.
type CasesLink struct {
	Suite    string
	Variant  string // "": the first
	Fault    string // "": none
	Result   Result
	Change   Change
	Expected string
	Got      string
	Tag      string
	Search   string
	Sort     Sort
}

// Result is what became of a trial.
type Result string

const (
	Correct      Result = "correct"
	Wrong        Result = "wrong"
	Unscored     Result = "unscored"
	Inconsistent Result = "inconsistent" // right in some epochs, and not in others
	ErrorReply   Result = "error_reply"
	FellBack     Result = "fallback"
	Degraded     Result = "degraded" // by the fault: one of the three that follow

	NowWrong      Result = "now_wrong"       // under the fault, and right without
	NowErrorReply Result = "now_error_reply" // under the fault, and none without
	NowUnscored   Result = "now_unscored"    // under the fault there is no answer, or no verdict any more
)

// Change is against the suite's first variant, under a fault against the same variant
// without it, or against the earlier run.
type Change string

const (
	Fixed      Change = "fixed"
	Broken     Change = "broken"
	Differs    Change = "different"
	NewPass    Change = "new_pass"    // wrong in the earlier run, right now
	NewFailure Change = "new_failure" // right in the earlier run, wrong now
)

// Sort is an order of the list; "" is that of the cases.
type Sort string

const (
	Slow           Sort = "slowest"         // the slowest first
	LeastConfident Sort = "least_confident" // the least confident first
)

func (c CasesLink) String() string { return "#cases" + c.query() }

func (c CasesLink) query() string {
	var parts []string
	for _, p := range []struct{ key, value string }{
		{"suite", c.Suite}, {"variant", c.Variant}, {"fault", c.Fault}, {"result", string(c.Result)}, {"change", string(c.Change)},
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

// CaseLink is one case, out of the list whose filters it keeps.
type CaseLink struct {
	Of CasesLink // Suite is that of the case
	ID string
}

func (c CaseLink) String() string {
	of := c.Of
	of.Suite = ""
	return "#case/" + escape(c.Of.Suite) + "/" + escape(c.ID) + of.query()
}

// escape leaves nothing that could end a part, and no blank as a plus.
func escape(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }
