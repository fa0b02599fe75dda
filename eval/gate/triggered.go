package gate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/number"
)

// notTriggered are the cells in which the fault struck nothing, so that nothing can be said about
// them, and what nobody says of others that a rule of what fired alone leaves out.
type notTriggered struct {
	faults          []string
	untold, partial int64 // struck trials of which nobody says what should come; cells of those
}

// take tells whether a cell is none of a rule's findings: it never fired, or nobody says what should come of its
// fault and the rule is of what fired alone.
func (u *notTriggered) take(r Rule, c eval.ConditionSummary) bool {
	struck, told := c.Metrics[struckShare]
	if !r.isUnderFault() || r.Metric == struckShare || !told || struck.Value == nil {
		return false
	}
	if *struck.Value == 0 && (!r.TriggeredOnly || struck.Missing == 0) {
		u.faults = append(u.faults, c.Fault)
		return true
	}
	_, has := c.Metrics[r.Metric]
	if n := r.untold(c); has && n > 0 {
		u.untold, u.partial = u.untold+n, u.partial+1
	}
	return r.TriggeredOnly && *struck.Value > 0 && !has
}

// untold is how many trials a rule leaves out that a fault struck, because nobody says what
// should come of it.
func (r Rule) untold(c eval.ConditionSummary) int64 {
	e := c.Metrics["fault.unspecified"]
	if !r.TriggeredOnly || r.Metric != eval.FaultCorrectScore || e.Value == nil {
		return 0
	}
	return int64(math.Round(*e.Value * float64(e.N)))
}

// mostNamed is how many faults a reason names.
const mostNamed = 5

// words name what is left out, "" where nothing is.
func (u notTriggered) words() string {
	var list []string
	if u.faults != nil {
		list = append(list, u.never())
	}
	if u.untold > 0 {
		list = append(list, fmt.Sprintf("no expected outcome for %s in %s", number.Plural(u.untold, "affected trial"), number.Plural(u.partial, "condition")))
	}
	return strings.Join(list, "; ")
}

// never names the faults that never fired.
func (u notTriggered) never() string {
	names := slices.Compact(slices.Sorted(slices.Values(u.faults)))
	more := ""
	if n := len(names) - mostNamed; n > 0 {
		names, more = names[:mostNamed], fmt.Sprintf(" and %d more", n)
	}
	return "not triggered in " + number.Plural(int64(len(u.faults)), "condition") + ": " + strings.Join(names, ", ") + more
}
