package finding

import (
	"cmp"
	"slices"

	"evalctl/eval"
	"evalctl/eval/metric"
)

// suite is a suite's summary with methods that the findings share.
type suite struct{ eval.SuiteSummary }

// BaselineVariant returns the variant that the other variants of a suite are compared with.
func BaselineVariant(s eval.SuiteSummary) string {
	if s.BaselineVariant == "" && len(s.Conditions) > 0 {
		return s.Conditions[0].Variant
	}
	return s.BaselineVariant
}

// ConditionsWithoutFault returns the conditions of a suite without a fault, in their order.
func ConditionsWithoutFault(s eval.SuiteSummary) (list []eval.ConditionSummary) {
	for _, c := range s.Conditions {
		if cmp.Or(c.Fault, eval.NoFault) == eval.NoFault {
			list = append(list, c)
		}
	}
	return list
}

// RankedByAccuracy returns the conditions without a fault, most accurate first. It omits those in
// which more than half of the decisions are unscored. Among equally accurate ones, the baseline
// variant comes first.
func RankedByAccuracy(s eval.SuiteSummary) []eval.ConditionSummary {
	list := slices.DeleteFunc(ConditionsWithoutFault(s), func(c eval.ConditionSummary) bool {
		e := c.Metrics[accuracy]
		return !metric.IsKnown(e.Value) || e.Missing > e.N
	})
	first := BaselineVariant(s)
	slices.SortStableFunc(list, func(a, b eval.ConditionSummary) int {
		if by := cmp.Compare(*b.Metrics[accuracy].Value, *a.Metrics[accuracy].Value); by != 0 ||
			a.Variant == b.Variant {
			return by
		}
		switch first {
		case a.Variant:
			return -1
		case b.Variant:
			return 1
		}
		return 0
	})
	return list
}

const accuracy = "route.accuracy"

// condition returns the condition of the suite with this variant and fault, or false if there is
// none.
func (s suite) condition(variant, fault string) (eval.ConditionSummary, bool) {
	at := slices.IndexFunc(s.Conditions, func(c eval.ConditionSummary) bool {
		return c.Variant == variant && cmp.Or(c.Fault, eval.NoFault) == fault
	})
	if at < 0 {
		return eval.ConditionSummary{}, false
	}
	return s.Conditions[at], true
}

// Difference returns how a variant differs from the variant against, without a fault. The order of
// the two in the summary does not matter. It returns false if the summary does not compare them.
func Difference(s eval.SuiteSummary, variant, against string) (eval.Difference, bool) {
	for _, d := range s.Differences {
		if cmp.Or(d.Fault, eval.NoFault) != eval.NoFault {
			continue
		}
		switch {
		case d.Variant == variant && d.ComparedWith == against:
			return d, true
		case d.Variant == against && d.ComparedWith == variant:
			return reversed(d), true
		}
	}
	return eval.Difference{}, false
}

// reversed swaps the two variants of a comparison.
func reversed(d eval.Difference) eval.Difference {
	d.Variant, d.ComparedWith = d.ComparedWith, d.Variant
	d.Fixed, d.Broken = d.Broken, d.Fixed
	d.FixedCases, d.BrokenCases = d.BrokenCases, d.FixedCases
	d.State = opposite(d.State)
	d.Accuracy, d.MacroF1, d.Ratios = negative(d.Accuracy), negative(d.MacroF1), nil
	tags := make([]eval.TagDifference, len(d.SignificantTags))
	for i, t := range d.SignificantTags {
		t.State, t.Accuracy = opposite(t.State), negative(t.Accuracy)
		tags[i] = t
	}
	d.SignificantTags = tags
	measures := map[string]eval.Contrast{}
	for name, c := range d.Metrics {
		measures[name] = negative(c)
	}
	d.Metrics = measures
	return d
}

func opposite(s eval.ComparisonState) eval.ComparisonState {
	switch s {
	case eval.Better:
		return eval.Worse
	case eval.Worse:
		return eval.Better
	}
	return s
}

func negative(c eval.Contrast) eval.Contrast {
	minus := func(v *float64) *float64 {
		if v == nil {
			return nil
		}
		return new(0 - *v)
	}
	c.Value, c.Lo, c.Hi = minus(c.Value), minus(c.Hi), minus(c.Lo)
	return c
}

// unit returns the word for a trial of the suite. With one epoch, this is "case".
func (s suite) unit() string {
	if s.Epochs > 1 {
		return "trial"
	}
	return "case"
}

// scoredUnit returns the word for what an accuracy counts: "decision" if cases have several
// decisions, otherwise the word for a trial.
func (s suite) scoredUnit(e eval.Estimate) string {
	if e.N+e.Missing > s.Cases*int64(max(s.Epochs, 1)) {
		return "decision"
	}
	return s.unit()
}

// HasMultiTurnCases reports whether some cases have several turns, so that a turn's latency differs
// from the case's.
func HasMultiTurnCases(s eval.SuiteSummary) bool {
	return slices.ContainsFunc(s.Conditions, func(c eval.ConditionSummary) bool {
		turns, cases := c.Metrics[p95], c.Metrics["episode.p95"]
		return metric.IsKnown(cases.Value) && turns.N+turns.Missing > cases.N+cases.Missing
	})
}
