package finding

import (
	"cmp"
	"slices"

	"evalctl/eval"
	"evalctl/eval/metric"
)

// retrieval returns the finding on the variant with the highest recall, and on which variants it
// significantly exceeds. A difference is significant if the confidence interval of the mean
// difference over common cases excludes 0.
func retrieval(s suite) *Sentence {
	conditions := s.comparedRetrievalConditions()
	if len(conditions) < 2 {
		return nil
	}
	best := conditions[0]
	above, even := s.retrievalDifferences(best.Variant, conditions[1:], eval.RecallScore)
	if len(above)+len(even) == 0 {
		return nil
	}
	out := &Sentence{Kind: KindRetrieval}
	out.addVariants(best.Variant)
	e := best.Metrics[eval.RecallScore]
	out.add(" has the highest recall@5: " + metric.FormatShare(*e.Value) + " of " + metric.FormatInteger(e.N))
	if baselineModel, ok := s.bestBaselineModel(*e.Value); ok {
		out.add(" (baseline model ")
		out.addVariants(baselineModel.Variant)
		out.add(": " + metric.FormatShare(*baselineModel.Metrics[eval.RecallScore].Value) + ")")
	}
	if len(above) > 0 {
		d := above[0].Metrics[eval.RecallScore]
		out.add(", " + unsignedPoints(*d.Value) + " points above ")
		out.addVariants(above[0].ComparedWith)
		out.add(" [" + unsignedPoints(*d.Lo) + ", " + unsignedPoints(*d.Hi) + "]")
		out.addOthers(len(above) - 1)
	}
	if len(even) > 0 {
		d := even[0].Metrics[eval.RecallScore]
		out.add(", not significantly above ")
		out.addVariants(even[0].ComparedWith)
		out.add(" [" + metric.FormatPoints(*d.Lo) + ", " + metric.FormatPoints(*d.Hi) + "]")
		out.addOthers(len(even) - 1)
	}
	s.addRanks(out, best, conditions[1:])
	return out
}

// comparedRetrievalConditions returns the variants with a recall, without baseline models. Baseline
// models use the same retrieval as the variants, so a comparison would be meaningless.
func (s suite) comparedRetrievalConditions() []eval.ConditionSummary {
	return slices.DeleteFunc(s.retrievalConditions(), func(c eval.ConditionSummary) bool { return c.BaselineModel })
}

// bestBaselineModel returns the baseline model with the highest recall. It returns false if
// there is none, or if its recall is below least.
func (s suite) bestBaselineModel(least float64) (eval.ConditionSummary, bool) {
	baselineModels := slices.DeleteFunc(s.retrievalConditions(),
		func(c eval.ConditionSummary) bool { return !c.BaselineModel })
	if len(baselineModels) == 0 || *baselineModels[0].Metrics[eval.RecallScore].Value < least {
		return eval.ConditionSummary{}, false
	}
	return baselineModels[0], true
}

// retrievalConditions returns the conditions without a fault that have enough cases for a recall,
// highest recall first.
func (s suite) retrievalConditions() []eval.ConditionSummary {
	conditions := slices.DeleteFunc(ConditionsWithoutFault(s.SuiteSummary), func(c eval.ConditionSummary) bool {
		e := c.Metrics[eval.RecallScore]
		return !metric.IsKnown(e.Value) || IsSmallSample(e)
	})
	slices.SortStableFunc(conditions, func(a, b eval.ConditionSummary) int {
		return cmp.Compare(*b.Metrics[eval.RecallScore].Value, *a.Metrics[eval.RecallScore].Value)
	})
	return conditions
}

// retrievalDifferences returns how the best variant differs from the others in a metric. above
// contains the significant differences, even the others. It omits variants without any difference.
func (s suite) retrievalDifferences(best string, rest []eval.ConditionSummary, measure string) (above,
	even []eval.Difference) {
	for _, c := range rest {
		d, ok := Difference(s.SuiteSummary, best, c.Variant)
		switch by := d.Metrics[measure]; {
		case !ok || !metric.IsKnown(by.Lo) || !metric.IsKnown(by.Hi) || *by.Lo == 0 && *by.Hi == 0:
		case *by.Lo > 0:
			above = append(above, d)
		case *by.Hi >= 0:
			even = append(even, d)
		}
	}
	return above, even
}

// addRanks states which variants the best one significantly exceeds in mean reciprocal rank (MRR).
func (s suite) addRanks(out *Sentence, best eval.ConditionSummary, rest []eval.ConditionSummary) {
	e := best.Metrics[eval.MRRScore]
	above, even := s.retrievalDifferences(best.Variant, rest, eval.MRRScore)
	if !metric.IsKnown(e.Value) || len(above)+len(even) == 0 {
		return
	}
	if len(above) == 0 {
		out.add("; MRR " + metric.FormatScore(*e.Value) + ", not significantly higher than any other")
		return
	}
	out.add("; MRR " + metric.FormatScore(*e.Value) + ", significantly higher than ")
	for i := range above {
		above[i] = reversed(above[i])
	}
	out.addSome(above)
}

func (s *Sentence) addOthers(n int) {
	if n > 0 {
		s.add(" and " + metric.FormatInteger(int64(n)) + " more")
	}
}
