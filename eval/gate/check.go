package gate

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"evalctl/eval"
)

// Check returns one verdict for each rule, in their order. A rule holds when it holds
// in every cell (suite × variant × fault) that it selects and that has its metric. It
// is broken, with a reason that names the cell, when in one of these the value misses
// the limit, or would with the missing trials against it; is missing (no value, or
// n = 0) or is not finite; when a selected cell ran no trial; and when no selected cell
// has the metric at all.
//
// A label's metric (route.f1.LABEL, precision, recall) must also not get lost: a cell
// that lacks it, has trials that could not be judged, and stands in a suite where
// another cell has it, breaks the rule.
func Check(rules []Rule, s eval.Summary) []eval.GateVerdict {
	verdicts := make([]eval.GateVerdict, 0, len(rules))
	for _, r := range rules {
		verdicts = append(verdicts, r.check(s))
	}
	return verdicts
}

// finding is what a rule meets in one cell.
type finding struct {
	holds  bool
	margin float64 // among findings that have a value: the least is the worst
	empty  bool    // nothing was measured: worse than any value
	text   string
}

func (r Rule) check(s eval.Summary) eval.GateVerdict {
	worst, broken, met := finding{}, 0, 0
	for _, suite := range s.Suites {
		for _, f := range r.findings(suite) {
			if met == 0 || f.worseThan(worst) {
				worst = f
			}
			if !f.holds {
				broken++
			}
			met++
		}
	}
	if met == 0 {
		return verdict(r, false, r.nothing(s))
	}
	reason := worst.text
	if broken > 1 {
		reason += fmt.Sprintf("; broken in %d of %d cells", broken, met)
	} else if met > 1 {
		reason += fmt.Sprintf("; the worst of %d cells", met)
	}
	return verdict(r, broken == 0, reason)
}

func verdict(r Rule, passed bool, reason string) eval.GateVerdict {
	v := eval.GateVerdict{Rule: r.String(), Verdict: eval.GateFailed, Passed: passed, Reason: reason}
	if passed {
		v.Verdict = eval.GatePassed
	}
	return v
}

// worseThan puts a broken rule before a kept one, and nothing measured before a value.
func (f finding) worseThan(other finding) bool {
	if f.holds != other.holds {
		return !f.holds
	}
	if f.empty != other.empty {
		return f.empty
	}
	return !f.empty && f.margin < other.margin
}

// findings of the rule in the cells of a suite; none from cells it does not concern.
func (r Rule) findings(s eval.SuiteSummary) []finding {
	var list []finding
	known := false
	for _, c := range s.Variants {
		_, has := c.Metrics[r.Metric]
		known = known || has
	}
	for _, c := range s.Variants {
		if !r.selects(Cell{Suite: s.Name, Variant: c.Name, Fault: c.Fault}) {
			continue
		}
		e, has := c.Metrics[r.Metric]
		switch {
		case c.Trials < 1:
			list = append(list, nothingIn(s.Name, c, "no trial ran"))
		case has:
			list = append(list, r.judge(s.Name, c, e))
		case known && isOfLabel(r.Metric) && c.Metrics["route.accuracy"].Missing > 0:
			list = append(list, nothingIn(s.Name, c, "no trial with the label could be judged"))
		}
	}
	return list
}

func (r Rule) judge(suite string, c eval.CellSummary, e eval.Estimate) finding {
	switch {
	case e.Value == nil || e.N < 1:
		return nothingIn(suite, c, fmt.Sprintf("no value (n=%d%s)", e.N, missing(e)))
	case !finite(*e.Value):
		return nothingIn(suite, c, fmt.Sprintf("%v is not a number to judge by", *e.Value))
	}
	text := fmt.Sprintf("%s (n=%d%s) in %s", r.describe(e), e.N, missing(e), where(suite, c))
	low, high, bounded := bounds(e)
	if !bounded {
		return finding{margin: math.Inf(-1), text: text + ", and no bound for what is missing"}
	}
	f := finding{
		holds:  r.Op.holds(low, r.Limit) && r.Op.holds(high, r.Limit),
		margin: min(r.Op.margin(low, r.Limit), r.Op.margin(high, r.Limit)),
		text:   text,
	}
	if !f.holds && r.Op.holds(*e.Value, r.Limit) {
		f.text += fmt.Sprintf(", but from %.4g to %.4g with what is missing", low, high)
	}
	return f
}

// bounds are the values if all that is missing had turned out against the rule
// or for it: a gate must hold for either. Without bounds nobody can tell.
func bounds(e eval.Estimate) (low, high float64, ok bool) {
	if e.Missing == 0 {
		return *e.Value, *e.Value, true
	}
	if e.Worst == nil || e.Best == nil {
		return 0, 0, false
	}
	return min(*e.Worst, *e.Best), max(*e.Worst, *e.Best), true
}

func nothingIn(suite string, c eval.CellSummary, what string) finding {
	return finding{empty: true, text: what + " in " + where(suite, c)}
}

// nothing says why no cell was met.
func (r Rule) nothing(s eval.Summary) string {
	if len(s.Suites) == 0 {
		return "nothing was run"
	}
	return fmt.Sprintf("no cell%s has %s", r.selector(), r.Metric)
}

// describe shows the value with its interval and unit. Where rounding would hide on
// which side of the limit a value is, it is not rounded.
func (r Rule) describe(e eval.Estimate) string {
	v := strconv.FormatFloat(*e.Value, 'g', 6, 64)
	if rounded, err := strconv.ParseFloat(v, 64); err != nil || r.Op.holds(rounded, r.Limit) != r.Op.holds(*e.Value, r.Limit) {
		v = strconv.FormatFloat(*e.Value, 'g', -1, 64)
	}
	if e.Lo != nil && e.Hi != nil {
		v += fmt.Sprintf(" [%.4g, %.4g]", *e.Lo, *e.Hi)
	}
	return v + unit(r.Metric)
}

func missing(e eval.Estimate) string {
	if e.Missing == 0 {
		return ""
	}
	return fmt.Sprintf(", %d missing", e.Missing)
}

func isOfLabel(metric string) bool {
	for _, family := range []string{"route.f1.", "route.precision.", "route.recall."} {
		if strings.HasPrefix(metric, family) {
			return true
		}
	}
	return false
}

func (r Rule) selects(c Cell) bool {
	return cmp.Or(r.Suite, c.Suite) == c.Suite &&
		cmp.Or(r.Variant, c.Variant) == c.Variant &&
		cmp.Or(r.Fault, faultOf(c.Fault)) == faultOf(c.Fault)
}
