package figure

import (
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/number"
	"evalctl/reports/finding"
	"evalctl/reports/page/address"
)

// group is a set of variants for which a figure shows the same content. The figure shows it once.
type group struct {
	eval.ConditionSummary // the first condition

	Names []string
}

// groups merges conditions that are the same according to a function. The order is preserved.
func groups(conditions []eval.ConditionSummary, isSame func(a, b eval.ConditionSummary) bool) (list []group) {
	for _, c := range conditions {
		at := slices.IndexFunc(list, func(g group) bool { return isSame(g.ConditionSummary, c) })
		if at < 0 {
			at, list = len(list), append(list, group{ConditionSummary: c})
		}
		list[at].Names = append(list[at].Names, conditionName(c))
	}
	return list
}

// Title joins the names of the group.
func (g group) Title() string { return joinNames(g.Names) }

// faultFree returns a suite's conditions without a fault.
func faultFree(s eval.SuiteSummary) []eval.ConditionSummary { return finding.FaultFree(s) }

// hasFault reports whether a condition has a fault.
func hasFault(c eval.ConditionSummary) bool { return c.Fault != "" && c.Fault != eval.NoFault }

// conditionName formats the name of a condition: the variant, and the fault if it has one.
func conditionName(c eval.ConditionSummary) string {
	if hasFault(c) {
		return c.Name + " + " + c.Fault
	}
	return c.Name
}

// maxNames is the maximum number of names in a title.
const maxNames = 6

// joinNames joins names as "a, b and c". Only the first maxNames are listed.
func joinNames(names []string) string {
	shown := make([]string, 0, maxNames)
	for _, n := range names[:min(len(names), maxNames)] {
		shown = append(shown, Name(n))
	}
	if more := len(names) - len(shown); more > 0 {
		shown = append(shown, number.Thousands(int64(more))+" more")
	}
	return joinWords(shown)
}

// joinWords joins texts as "a, b and c".
func joinWords(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}

// casesOf returns the link to the list of a condition's cases.
func casesOf(s eval.SuiteSummary, c eval.ConditionSummary) address.CasesLink {
	of := address.CasesLink{Suite: s.Name, Variant: c.Name}
	if hasFault(c) {
		of.Fault = c.Fault
	}
	return of
}
