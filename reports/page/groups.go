package page

import (
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/finding"
)

// group is a set of conditions for which a figure shows the same content, so that it shows them as
// one.
type group struct {
	eval.ConditionSummary // first condition of the group

	Names []string
}

// groups merges conditions for which isSame returns true. It preserves the order.
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

// Title returns the joined names of the conditions in the group.
func (g group) Title() string { return joinNames(g.Names) }

func faultFree(s eval.SuiteSummary) []eval.ConditionSummary { return finding.ConditionsWithoutFault(s) }

func hasFault(c eval.ConditionSummary) bool { return c.Fault != "" && c.Fault != eval.NoFault }

func conditionName(c eval.ConditionSummary) string {
	if hasFault(c) {
		return c.Variant + " + " + c.Fault
	}
	return c.Variant
}

const maxNames = 6

func joinNames(names []string) string {
	shown := make([]string, 0, maxNames)
	for _, n := range names[:min(len(names), maxNames)] {
		shown = append(shown, ShortName(n))
	}
	if more := len(names) - len(shown); more > 0 {
		shown = append(shown, metric.FormatInteger(int64(more))+" more")
	}
	return joinWords(shown)
}

func joinWords(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}

// casesOf returns the address of the list of a condition's cases.
func casesOf(s eval.SuiteSummary, c eval.ConditionSummary) CasesLink {
	of := CasesLink{Suite: s.Name, Variant: c.Variant}
	if hasFault(c) {
		of.Fault = c.Fault
	}
	return of
}
