package gate

import (
	"fmt"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/number"
)

// unfired are the cells in which the fault struck nothing, so that nothing can be said about
// them.
type unfired struct{ faults []string }

// take tells whether a cell is none of a rule's findings: it never fired, or nobody says what should come of its
// fault and the rule is of what fired alone.
func (u *unfired) take(r Rule, c eval.CellSummary) bool {
	struck, told := c.Metrics[struckShare]
	if !r.isUnderFault() || r.Metric == struckShare || !told || struck.Value == nil {
		return false
	}
	if *struck.Value == 0 && (!r.Fired || struck.Missing == 0) {
		u.faults = append(u.faults, c.Fault)
		return true
	}
	_, has := c.Metrics[r.Metric]
	return r.Fired && *struck.Value > 0 && !has
}

// mostNamed is how many faults a reason names.
const mostNamed = 5

// words name the faults, "" where all fired.
func (u unfired) words() string {
	if u.faults == nil {
		return ""
	}
	names := slices.Compact(slices.Sorted(slices.Values(u.faults)))
	more := ""
	if n := len(names) - mostNamed; n > 0 {
		names, more = names[:mostNamed], fmt.Sprintf(" and %d more", n)
	}
	return "never fired in " + number.Counted(int64(len(u.faults)), "cell") + ": " + strings.Join(names, ", ") + more
}
