package reports

import (
	"fmt"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/document"
	"evalctl/reports/finding"
)

// keyFigures returns the most important numbers of a suite, about its most accurate variant.
func keyFigures(s eval.SuiteSummary) (list []document.KeyFigure) {
	best, ok := bestCondition(s)
	if !ok {
		return nil
	}
	name := shorten(named(best.Variant), 24)
	if e := best.Metrics["route.accuracy"]; isKnown(e.Value) {
		f := document.KeyFigure{Label: "Accuracy, " + name, Value: finding.FormatShare(e)}
		if isKnown(e.Lo) && isKnown(e.Hi) {
			f.Note = fmt.Sprintf("95 %% interval %s to %s", percent(*e.Lo), percent(*e.Hi))
		}
		list = append(list, f)
	}
	if f, ok := differenceFigure(s, best); ok {
		list = append(list, f)
	}
	if e := best.Metrics["latency.p50"]; isKnown(e.Value) && *e.Value > 0 {
		value, unit, _ := strings.Cut(metric.FormatTime(*e.Value), " ")
		f := document.KeyFigure{Label: "Latency per turn, p50", Value: value, Unit: unit}
		if len(finding.ConditionsWithoutFault(s)) > 1 {
			f.Label += ", " + name
		}
		if p95 := best.Metrics["latency.p95"]; isKnown(p95.Value) {
			f.Note = "p95 " + metric.FormatQuantile("p95", p95)
		}
		list = append(list, f)
	}
	if e := best.Metrics["error_reply.rate"]; isKnown(e.Value) && *e.Value > 0 {
		list = append(list, document.KeyFigure{Label: "Error replies, " + name, Value: finding.FormatShare(e),
			Note: "of " + plural(e.N, trialNoun(s)) + ", also with a right decision"})
	}
	if e := best.Metrics["oos.recall"]; isKnown(e.Value) {
		list = append(list, document.KeyFigure{Label: "OOS recall, " + name, Value: finding.FormatShare(e),
			Note: "of " + plural(e.N, "out-of-scope case")})
	}
	if usd, ok := finding.USDPer1000Cases(best); ok && usd > 0 {
		list = append(list, document.KeyFigure{Label: "Cost per 1,000 cases", Value: strings.TrimPrefix(
			metric.FormatUSD(usd), "USD "), Unit: "USD", Note: name})
	}
	if f, ok := worstFaultFigure(s); ok {
		list = append(list, f)
	}
	if f, ok := unscoredFigure(s); ok {
		list = append(list, f)
	}
	return list
}

// differenceFigure compares the most accurate variant with the baseline variant or, if that is the
// most accurate one, with the next best.
func differenceFigure(s eval.SuiteSummary, best eval.ConditionSummary) (f document.KeyFigure, ok bool) {
	other := finding.BaselineVariant(s)
	if other == best.Variant {
		ranked := finding.RankedByAccuracy(s)
		if len(ranked) < 2 {
			return f, false
		}
		other = ranked[1].Variant
	}
	d, ok := finding.Difference(s, best.Variant, other)
	if !ok || !isKnown(d.Accuracy.Value) || d.State == eval.InsufficientData {
		return f, false
	}
	f = document.KeyFigure{Label: "Difference from " + shorten(named(other), 24),
		Value: metric.FormatPoints(*d.Accuracy.Value), Unit: "points"}
	switch d.State {
	case eval.Identical:
		f.Value, f.Note = "= 0", "identical decisions"
		return f, true
	case eval.Better:
		f.Tone = document.Good
	case eval.Worse:
		f.Tone = document.Bad
	default:
		f.Value = "~ " + f.Value
	}
	if isKnown(d.Accuracy.Lo) && isKnown(d.Accuracy.Hi) {
		f.Note = metric.FormatPoints(*d.Accuracy.Lo) + " to " + metric.FormatPoints(*d.Accuracy.Hi)
	}
	return f, true
}

// worstFaultFigure returns how many trials the worst fault makes worse, and in which ways.
func worstFaultFigure(s eval.SuiteSummary) (f document.KeyFigure, ok bool) {
	h, ok := finding.WorstFault(s)
	if !ok {
		return f, false
	}
	name := h.FaultNames()[0]
	if more := len(h.Conditions) - 1; more > 0 {
		name += " and " + thousands(int64(more)) + " more"
	}
	parts := []string{name + ", " + named(h.Variant)}
	for _, c := range h.DegradedClasses() {
		parts = append(parts, thousands(c.Trials)+" "+c.Name)
	}
	return document.KeyFigure{Label: "Worst fault", Value: thousands(h.Outcome.Degraded()), Tone: document.Bad,
		Unit: fmt.Sprintf("of %s worse (%s %%)", plural(h.Outcome.Trials, trialNoun(s)), percent(*h.DegradedShare().Value)),
		Note: strings.Join(parts, " · ")}, true
}

// unscoredFigure returns the number of trials without a fault that failed or have no scored decision. ok
// is false if no case has a label.
func unscoredFigure(s eval.SuiteSummary) (f document.KeyFigure, ok bool) {
	conditions := finding.ConditionsWithoutFault(s)
	var missing, all int64
	for _, c := range conditions {
		e := c.Metrics["route.accuracy"]
		missing, all = missing+e.Missing, all+e.N+e.Missing
	}
	f = document.KeyFigure{Label: "Not scored", Value: thousands(missing),
		Note: "of " + plural(all, "scorable trial")}
	if len(conditions) < len(s.Conditions) {
		f.Note += " without a fault"
	}
	if missing > 0 {
		f.Tone = document.Bad
	}
	return f, all > 0
}
