package reports

import (
	"slices"

	"evalctl/eval"
	"evalctl/eval/number"
	"evalctl/reports/finding"
)

// faultPanels returns a table for each variant, with the outcomes of its cases under each fault,
// largest effect first.
func faultPanels(s eval.SuiteSummary) (list []block) {
	hits := finding.FaultEffects(s)
	for _, c := range finding.ConditionsWithoutFault(s) {
		p := block{suite: s.Name, variant: c.Variant, grid: grid{keys: 1, columns: faultColumns()}}
		for _, h := range hits {
			for _, one := range h.Conditions {
				if h.Variant == c.Variant {
					p.grid.addRow(faultRow(s, one))
				}
			}
		}
		if p.grid.rows() > 0 {
			list = append(list, p)
		}
	}
	return list
}

const answeredText = "p95 covers answered turns only; p95 ratio is p95 divided by p95 without the fault."

func faultColumns() []column {
	return []column{
		{key: "fault", head: "fault"},
		{key: "accuracy", head: "accuracy", estimate: true, right: true},
		{key: "unchanged", head: "unchanged", right: true},
		{key: "more_fallbacks", head: "more fallbacks", right: true},
		{key: "label_changed", head: "label changed", right: true},
		{key: "now_wrong", head: "broken", right: true}, {key: "now_error_reply", head: "error reply", right: true},
		{key: "now_unscored", head: "unscored", right: true},
		{key: "fallback_rate", head: "fell back", estimate: true, right: true},
		{key: "fallback_correct", head: "correct fallback", estimate: true, right: true},
		{key: "fallback_recovered", head: "recovered", estimate: true, right: true},
		{key: "p95_ms", head: "p95", estimate: true, right: true}, {key: "p95_ratio", head: "p95 ratio", right: true}}
}

func faultRow(s eval.SuiteSummary, c eval.ConditionSummary) []cell {
	m := c.Metrics
	row := []cell{nameValue(c.Fault), shareOnlyValue(m["route.accuracy"])}
	at := slices.IndexFunc(s.FaultOutcomes,
		func(f eval.FaultOutcome) bool { return f.Variant == c.Variant && f.Fault == c.Fault })
	if at < 0 {
		row = append(row, make([]cell, 6)...)
	} else {
		f := s.FaultOutcomes[at]
		for _, n := range []int64{f.Unchanged, f.MoreFallbacks, f.LabelChanged, f.NowWrong, f.NowErrorReply,
			f.NowUnscored} {
			row = append(row, nonzeroValue(n))
		}
	}
	factor := cell{text: noValue}
	for _, before := range finding.ConditionsWithoutFault(s) {
		was, is := before.Metrics["latency.p95"].Value, m["latency.p95"].Value
		if before.Variant == c.Variant && isKnown(was) && isKnown(is) && *was > 0 {
			factor = cell{text: number.RatioTwoDigits(*is / *was), value: *is / *was}
		}
	}
	return append(row, shareOnlyValue(m["fallback.rate"]), countsValue(m["fallback.correct"]),
		countsValue(m["fallback.recovered"]),
		estimateValue(m["latency.p95"], number.Time), factor)
}

func countsValue(e eval.Estimate) cell {
	if !isKnown(e.Value) {
		return cell{text: noValue, value: e}
	}
	return cell{text: finding.FormatCounts(e), value: e}
}
