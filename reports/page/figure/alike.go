package figure

import (
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/number"
	"evalctl/reports/finding"
	"evalctl/reports/page/address"
)

// group is variants of which a figure shows the same: it has one part for all of them.
type group struct {
	eval.ConditionSummary // the first

	Names []string
}

// groups are of cells, in their order, those that are the same together.
func groups(cells []eval.ConditionSummary, same func(a, b eval.ConditionSummary) bool) (list []group) {
	for _, c := range cells {
		at := slices.IndexFunc(list, func(g group) bool { return same(g.ConditionSummary, c) })
		if at < 0 {
			at, list = len(list), append(list, group{ConditionSummary: c})
		}
		list[at].Names = append(list[at].Names, cellName(c))
	}
	return list
}

// Title names them all, or the first of many.
func (g group) Title() string { return listed(g.Names) }

// sound are a suite's variants without a fault.
func sound(s eval.SuiteSummary) []eval.ConditionSummary { return finding.FaultFree(s) }

// isFaulty tells a cell with a fault.
func isFaulty(c eval.ConditionSummary) bool { return c.Fault != "" && c.Fault != eval.NoFault }

// cellName is a variant, with its fault if it has one.
func cellName(c eval.ConditionSummary) string {
	if isFaulty(c) {
		return c.Name + " + " + c.Fault
	}
	return c.Name
}

// mostNames are told of a group.
const mostNames = 6

// listed are names as a, b and c; of many the first.
func listed(names []string) string {
	shown := make([]string, 0, mostNames)
	for _, n := range names[:min(len(names), mostNames)] {
		shown = append(shown, Name(n))
	}
	if more := len(names) - len(shown); more > 0 {
		shown = append(shown, number.Thousands(int64(more))+" more")
	}
	return inWords(shown)
}

// inWords joins what is to be read as a, b and c.
func inWords(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}

// casesOf is the list of a cell's cases.
func casesOf(s eval.SuiteSummary, c eval.ConditionSummary) address.CasesLink {
	of := address.CasesLink{Suite: s.Name, Variant: c.Name}
	if isFaulty(c) {
		of.Fault = c.Fault
	}
	return of
}
