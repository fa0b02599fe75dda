package reports

import (
	"slices"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/document"
	"evalctl/reports/finding"
)

// faultPanels returns a table for each variant, with the outcomes of its cases under each fault,
// largest effect first.
func faultPanels(s eval.SuiteSummary) (list []document.Block) {
	hits := finding.FaultEffects(s)
	for _, c := range finding.ConditionsWithoutFault(s) {
		p := document.Block{Suite: s.Name, Variant: c.Variant, Table: document.Table{Keys: 1, Columns: faultColumns()}}
		for _, h := range hits {
			for _, one := range h.Conditions {
				if h.Variant == c.Variant {
					p.Table.AddRow(faultRow(s, one))
				}
			}
		}
		if p.Table.Rows() > 0 {
			list = append(list, p)
		}
	}
	return list
}

const answeredText = "p95 covers answered turns only; p95 ratio is p95 divided by p95 without the fault."

func faultColumns() []document.Column {
	return []document.Column{
		{Key: "fault", Head: "fault"},
		{Key: "accuracy", Head: "accuracy", Estimate: true, Right: true},
		{Key: "unchanged", Head: "unchanged", Right: true},
		{Key: "more_fallbacks", Head: "more fallbacks", Right: true},
		{Key: "label_changed", Head: "label changed", Right: true},
		{Key: "now_wrong", Head: "broken", Right: true}, {Key: "now_error_reply", Head: "error reply", Right: true},
		{Key: "now_unscored", Head: "unscored", Right: true},
		{Key: "fallback_rate", Head: "fell back", Estimate: true, Right: true},
		{Key: "fallback_correct", Head: "correct fallback", Estimate: true, Right: true},
		{Key: "fallback_recovered", Head: "recovered", Estimate: true, Right: true},
		{Key: "p95_ms", Head: "p95", Estimate: true, Right: true}, {Key: "p95_ratio", Head: "p95 ratio", Right: true}}
}

func faultRow(s eval.SuiteSummary, c eval.ConditionSummary) []document.Cell {
	m := c.Metrics
	row := []document.Cell{nameValue(c.Fault), shareOnlyValue(m["route.accuracy"])}
	at := slices.IndexFunc(s.FaultOutcomes,
		func(f eval.FaultOutcome) bool { return f.Variant == c.Variant && f.Fault == c.Fault })
	if at < 0 {
		row = append(row, make([]document.Cell, 6)...)
	} else {
		f := s.FaultOutcomes[at]
		for _, n := range []int64{f.Unchanged, f.MoreFallbacks, f.LabelChanged, f.NowWrong, f.NowErrorReply,
			f.NowUnscored} {
			row = append(row, nonzeroValue(n))
		}
	}
	factor := document.Cell{Text: noValue}
	for _, before := range finding.ConditionsWithoutFault(s) {
		was, is := before.Metrics["latency.p95"].Value, m["latency.p95"].Value
		if before.Variant == c.Variant && isKnown(was) && isKnown(is) && *was > 0 {
			factor = document.Cell{Text: metric.FormatRatioTwoDigits(*is / *was), Value: *is / *was}
		}
	}
	return append(row, shareOnlyValue(m["fallback.rate"]), countsValue(m["fallback.correct"]),
		countsValue(m["fallback.recovered"]),
		estimateValue(m["latency.p95"], metric.FormatTime), factor)
}

func countsValue(e eval.Estimate) document.Cell {
	if !isKnown(e.Value) {
		return document.Cell{Text: noValue, Value: e}
	}
	return document.Cell{Text: finding.FormatCounts(e), Value: e}
}
