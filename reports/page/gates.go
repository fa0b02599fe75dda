package page

import (
	"fmt"
	"html/template"
	"slices"

	"evalctl/eval"
	"evalctl/eval/metric"
)

// Gates renders the verdicts of the gates with their reasons: failed ones first, then undecided
// ones.
func Gates(all []eval.GateVerdict) template.HTML {
	if len(all) == 0 {
		return ""
	}
	type shown struct{ Class, Mark, Word, Rule, Reason, Needed string }
	data := struct {
		Passed, Of, Undecided int
		Gates                 []shown
	}{Of: len(all)}
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b eval.GateVerdict) int { return gateOrder(a) - gateOrder(b) })
	for _, g := range sorted {
		one := shown{Rule: g.Rule, Reason: g.Reason}
		switch {
		case g.Passed:
			data.Passed++
			one.Class = "holds"
			one.Mark = "✓"
			one.Word = "holds"
		case g.Verdict == eval.GateUndecided:
			data.Undecided++
			one.Class = "open"
			one.Mark = "?"
			one.Word = "undecided"
			if g.CasesNeeded > 0 {
				one.Needed = fmt.Sprintf("%s are needed to decide it.", metric.Plural(g.CasesNeeded, "case"))
			}
		default:
			one.Class = "broken"
			one.Mark = "✗"
			one.Word = "broken"
		}
		data.Gates = append(data.Gates, one)
	}
	return fragment("gates", data)
}

func gateOrder(g eval.GateVerdict) int {
	switch {
	case g.Passed:
		return 2
	case g.Verdict == eval.GateUndecided:
		return 1
	}
	return 0
}
