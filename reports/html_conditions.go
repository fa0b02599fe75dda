package reports

import (
	"reflect"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/document"
	"evalctl/reports/finding"
)

// simulationWarning states which parts of a suite are simulated; "" if none is.
func simulationWarning(s eval.SuiteSummary) string {
	if !slices.ContainsFunc(s.Models, func(m eval.ModelInfo) bool { return m.Kind == "simulated" }) {
		return ""
	}
	return strings.Join(origin(s), ", ")
}

func conditionNamed(conditions []eval.ConditionSummary, variant string) (c eval.ConditionSummary, ok bool) {
	at := slices.IndexFunc(conditions, func(c eval.ConditionSummary) bool { return c.Variant == variant })
	if at < 0 {
		return c, false
	}
	return conditions[at], true
}

// trialNoun returns the singular noun for what a suite counts: "case", or "trial" with several
// epochs.
func trialNoun(s eval.SuiteSummary) string {
	if s.Epochs > 1 {
		return "trial"
	}
	return "case"
}

// rankedConditions returns the conditions without a fault, the most accurate first, and those without
// scored decisions last.
func rankedConditions(s eval.SuiteSummary) []eval.ConditionSummary {
	ranked := finding.RankedByAccuracy(s)
	for _, c := range finding.ConditionsWithoutFault(s) {
		if !slices.ContainsFunc(ranked, func(r eval.ConditionSummary) bool { return r.Variant == c.Variant }) {
			ranked = append(ranked, c)
		}
	}
	return ranked
}

// costColumn returns the cost of 1,000 cases; ok is false if no condition has a cost.
func costColumn(conditions []eval.ConditionSummary) (column document.Column, ok bool) {
	column = document.Column{Head: costHead, Right: true}
	for _, c := range conditions {
		var cell document.Cell
		switch usd, known := finding.USDPer1000Cases(c); {
		case known && usd > 0:
			cell.Text, ok = strings.TrimPrefix(metric.FormatUSD(usd), "USD "), true
		case !known && !c.BaselineModel:
			cell = document.Cell{Text: "no price", Tone: document.Faint}
		}
		column.Cells = append(column.Cells, cell)
	}
	return column, ok
}

// equalGroup contains the variants that have the same value.
type equalGroup[T any] struct {
	names []string
	value T
}

// groupEqual groups conditions by a value. The groups have the order of their first conditions.
func groupEqual[T any](conditions []eval.ConditionSummary, value func(eval.ConditionSummary) T) (list []equalGroup[T]) {
	for _, c := range conditions {
		v := value(c)
		at := slices.IndexFunc(list, func(g equalGroup[T]) bool { return reflect.DeepEqual(g.value, v) })
		if at < 0 {
			at, list = len(list), append(list, equalGroup[T]{value: v})
		}
		list[at].names = append(list[at].names, named(c.Variant))
	}
	return list
}

// bestCondition returns the most accurate condition without a fault that is no baseline model, or the
// first condition if there is none. ok is false if the suite has no condition.
func bestCondition(s eval.SuiteSummary) (c eval.ConditionSummary, ok bool) {
	all := rankedConditions(s)
	for _, c := range all {
		if !c.BaselineModel {
			return c, true
		}
	}
	if len(all) == 0 {
		return c, false
	}
	return all[0], true
}

// costHead is the head of the columns with costs.
const costHead = "USD/1,000 cases"
