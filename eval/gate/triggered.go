package gate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
)

// notTriggered collects what a rule on faults cannot evaluate: conditions whose fault was not
// triggered, and trials without an expected outcome. A rule with the option triggered leaves both
// out.
type notTriggered struct {
	faults []string
	// number of affected trials without an expected outcome, and of the conditions that have them
	unspecified, partial int64
}

// excludes reports whether the rule leaves out a condition. That is so if its fault was never
// triggered, or if the rule has the option triggered and the fault has no expected outcome.
func (u *notTriggered) excludes(r Rule, c eval.ConditionSummary) bool {
	affected, hasShare := c.Metrics[affectedShare]
	if !r.isUnderFault() || r.Metric == affectedShare || !hasShare || affected.Value == nil {
		return false
	}
	if *affected.Value == 0 && (!r.TriggeredOnly || affected.Missing == 0) {
		u.faults = append(u.faults, c.Fault)
		return true
	}
	_, has := c.Metrics[r.Metric]
	if n := r.unspecifiedTrials(c); has && n > 0 {
		u.unspecified, u.partial = u.unspecified+n, u.partial+1
	}
	return r.TriggeredOnly && *affected.Value > 0 && !has
}

// unspecifiedTrials returns how many affected trials the rule leaves out because they have no
// expected outcome.
func (r Rule) unspecifiedTrials(c eval.ConditionSummary) int64 {
	e := c.Metrics["fault.unspecified"]
	if !r.TriggeredOnly || r.Metric != eval.FaultCorrectScore || e.Value == nil {
		return 0
	}
	return int64(math.Round(*e.Value * float64(e.N)))
}

// maxNamedFaults is the maximum number of faults that a reason names.
const maxNamedFaults = 5

// words returns a text about everything that is left out; "": nothing.
func (u notTriggered) words() string {
	var list []string
	if u.faults != nil {
		list = append(list, u.untriggeredText())
	}
	if u.unspecified > 0 {
		list = append(list, fmt.Sprintf("no expected outcome for %s in %s",
			metric.Plural(u.unspecified, "affected trial"), metric.Plural(u.partial, "condition")))
	}
	return strings.Join(list, "; ")
}

func (u notTriggered) untriggeredText() string {
	names := slices.Compact(slices.Sorted(slices.Values(u.faults)))
	more := ""
	if n := len(names) - maxNamedFaults; n > 0 {
		names, more = names[:maxNamedFaults], fmt.Sprintf(" and %d more", n)
	}
	return "not triggered in " + metric.Plural(int64(len(u.faults)), "condition") + ": " +
		strings.Join(names, ", ") + more
}
