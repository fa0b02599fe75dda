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

// Suite is a suite's page, or a section of it.
func Suite(name, section string) string {
	at := "#suite/" + escape(name)
	if section != "" {
		at += "/" + escape(section)
	}
	return at
}

// Cases is the list of a suite's cases in one cell, filtered; "" filters nothing.
type Cases struct {
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
	Right    Result = "correct"
	Wrong    Result = "wrong"
	Unjudged Result = "unscored"
	Unsteady Result = "inconsistent" // right in some epochs, and not in others
	Apology  Result = "error_reply"
	FellBack Result = "fallback"
	Hurt     Result = "degraded" // by the fault: one of the three that follow

	NowWrong    Result = "now_wrong"       // under the fault, and right without
	NowApology  Result = "now_error_reply" // under the fault, and none without
	NowUnjudged Result = "now_unscored"    // under the fault there is no answer, or no verdict any more
)

// Change is against the suite's first variant, under a fault against the same variant
// without it, or against the earlier run.
type Change string

const (
	Gained  Change = "fixed"
	Lost    Change = "broken"
	Differs Change = "different"
	Fixed   Change = "new_pass"    // wrong in the earlier run, right now
	Broken  Change = "new_failure" // right in the earlier run, wrong now
)

// Sort is an order of the list; "" is that of the cases.
type Sort string

const (
	Slow   Sort = "slowest"         // the slowest first
	Unsure Sort = "least_confident" // the least confident first
)

func (c Cases) String() string { return "#cases" + c.query() }

func (c Cases) query() string {
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

// Case is one case, out of the list whose filters it keeps.
type Case struct {
	Of Cases // Suite is that of the case
	ID string
}

func (c Case) String() string {
	of := c.Of
	of.Suite = ""
	return "#case/" + escape(c.Of.Suite) + "/" + escape(c.ID) + of.query()
}

// escape leaves nothing that could end a part, and no blank as a plus.
func escape(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }
