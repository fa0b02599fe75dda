package reports

import (
	"slices"

	"evalctl/eval"
	"evalctl/eval/number"
	"evalctl/reports/finding"
)

// faultPanels returns a table for each variant, with the outcomes of its cases under each fault,
// largest effect first.
func faultPanels(s eval.SuiteSummary) (list []panel) {
	hits := finding.FaultEffects(s)
	for _, c := range finding.ConditionsWithoutFault(s) {
		p := panel{suite: s.Name, variant: c.Variant, columns: faultColumns()}
		for _, h := range hits {
			for _, one := range h.Conditions {
				if h.Variant == c.Variant {
					p.rows = append(p.rows, faultRow(s, one))
				}
			}
		}
		if len(p.rows) > 0 {
			list = append(list, p)
		}
	}
	return list
}

const answeredText = "p95 covers answered turns only; p95 ratio is p95 divided by p95 without the fault."

func faultColumns() []panelColumn {
	return []panelColumn{
		{name: "fault", head: "fault"},
		{name: "accuracy", head: "accuracy", estimate: true, right: true},
		{name: "unchanged", head: "unchanged", right: true},
		{name: "more_fallbacks", head: "more fallbacks", right: true},
		{name: "label_changed", head: "label changed", right: true},
		{name: "now_wrong", head: "broken", right: true}, {name: "now_error_reply", head: "error reply", right: true},
		{name: "now_unscored", head: "unscored", right: true},
		{name: "fallback_rate", head: "fell back", estimate: true, right: true},
		{name: "fallback_correct", head: "correct fallback", estimate: true, right: true},
		{name: "fallback_recovered", head: "recovered", estimate: true, right: true},
		{name: "p95_ms", head: "p95", estimate: true, right: true}, {name: "p95_ratio", head: "p95 ratio", right: true}}
}

func faultRow(s eval.SuiteSummary, c eval.ConditionSummary) []cellValue {
	m := c.Metrics
	row := []cellValue{nameValue(c.Fault), shareOnlyValue(m["route.accuracy"])}
	at := slices.IndexFunc(s.FaultOutcomes,
		func(f eval.FaultOutcome) bool { return f.Variant == c.Variant && f.Fault == c.Fault })
	if at < 0 {
		row = append(row, make([]cellValue, 6)...)
	} else {
		f := s.FaultOutcomes[at]
		for _, n := range []int64{f.Unchanged, f.MoreFallbacks, f.LabelChanged, f.NowWrong, f.NowErrorReply,
			f.NowUnscored} {
			row = append(row, nonzeroValue(n))
		}
	}
	factor := cellValue{text: noValue}
	for _, before := range finding.ConditionsWithoutFault(s) {
		was, is := before.Metrics["latency.p95"].Value, m["latency.p95"].Value
		if before.Variant == c.Variant && isKnown(was) && isKnown(is) && *was > 0 {
			factor = cellValue{text: number.RatioTwoDigits(*is / *was), value: *is / *was}
		}
	}
	return append(row, shareOnlyValue(m["fallback.rate"]), countsValue(m["fallback.correct"]),
		countsValue(m["fallback.recovered"]),
		estimateValue(m["latency.p95"], number.Time), factor)
}

func countsValue(e eval.Estimate) cellValue {
	if !isKnown(e.Value) {
		return cellValue{text: noValue, value: e}
	}
	return cellValue{text: finding.FormatCounts(e), value: e}
}
