package finding

import (
	"cmp"
	"slices"

	"evalctl/eval"
	"evalctl/eval/number"
)

// retrieval says which variant finds most of what is to be found, and from which it is
// told apart: by the interval of the mean difference over the cases that both measured.
func retrieval(s suite) *Sentence {
	conditions := s.finders()
	if len(conditions) < 2 {
		return nil
	}
	best := conditions[0]
	above, even := s.found(best.Name, conditions[1:], eval.RecallScore)
	if len(above)+len(even) == 0 {
		return nil
	}
	out := &Sentence{Kind: Retrieval}
	out.variants(best.Name)
	e := best.Metrics[eval.RecallScore]
	out.say(" has the highest recall@5: " + number.Share(*e.Value) + " of " + number.Thousands(e.N))
	if baselineModel, ok := s.baselineModelFinding(*e.Value); ok {
		out.say(" (baseline model ")
		out.variants(baselineModel.Name)
		out.say(": " + number.Share(*baselineModel.Metrics[eval.RecallScore].Value) + ")")
	}
	if len(above) > 0 {
		d := above[0].Metrics[eval.RecallScore]
		out.say(", " + plain(*d.Value) + " points above ")
		out.variants(above[0].ComparedWith)
		out.say(" [" + plain(*d.Lo) + ", " + plain(*d.Hi) + "]")
		out.others(len(above) - 1)
	}
	if len(even) > 0 {
		d := even[0].Metrics[eval.RecallScore]
		out.say(", not significantly above ")
		out.variants(even[0].ComparedWith)
		out.say(" [" + number.Points(*d.Lo) + ", " + number.Points(*d.Hi) + "]")
		out.others(len(even) - 1)
	}
	s.ranks(out, best, conditions[1:])
	return out
}

// finders are the cells without a fault of which recall is known, of enough cases, the
// highest first. A floor finds by the same means: it is none of what is to be told apart.
func (s suite) finders() []eval.ConditionSummary {
	return slices.DeleteFunc(s.finding(), func(c eval.ConditionSummary) bool { return c.BaselineModel })
}

// baselineModelFinding is the floor that finds most, where that is not less than so much.
func (s suite) baselineModelFinding(least float64) (eval.ConditionSummary, bool) {
	baselineModels := slices.DeleteFunc(s.finding(), func(c eval.ConditionSummary) bool { return !c.BaselineModel })
	if len(baselineModels) == 0 || *baselineModels[0].Metrics[eval.RecallScore].Value < least {
		return eval.ConditionSummary{}, false
	}
	return baselineModels[0], true
}

// finding are the cells that finders are of, and floors.
func (s suite) finding() []eval.ConditionSummary {
	conditions := slices.DeleteFunc(FaultFree(s.SuiteSummary), func(c eval.ConditionSummary) bool {
		e := c.Metrics[eval.RecallScore]
		return !number.IsKnown(e.Value) || IsSmallSample(e)
	})
	slices.SortStableFunc(conditions, func(a, b eval.ConditionSummary) int {
		return cmp.Compare(*b.Metrics[eval.RecallScore].Value, *a.Metrics[eval.RecallScore].Value)
	})
	return conditions
}

// found are the differences of the best from the others by a measure: those told apart,
// and those not; what equals it in every case is neither.
func (s suite) found(best string, rest []eval.ConditionSummary, measure string) (above, even []eval.Difference) {
	for _, c := range rest {
		d, ok := Difference(s.SuiteSummary, best, c.Name)
		switch by := d.Metrics[measure]; {
		case !ok || !number.IsKnown(by.Lo) || !number.IsKnown(by.Hi) || *by.Lo == 0 && *by.Hi == 0:
		case *by.Lo > 0:
			above = append(above, d)
		case *by.Hi >= 0:
			even = append(even, d)
		}
	}
	return above, even
}

// ranks says from whom the mean reciprocal rank tells the best apart.
func (s suite) ranks(out *Sentence, best eval.ConditionSummary, rest []eval.ConditionSummary) {
	e := best.Metrics[eval.MRRScore]
	above, even := s.found(best.Name, rest, eval.MRRScore)
	if !number.IsKnown(e.Value) || len(above)+len(even) == 0 {
		return
	}
	if len(above) == 0 {
		out.say("; MRR " + number.Score(*e.Value) + ", not significantly higher than any other")
		return
	}
	out.say("; MRR " + number.Score(*e.Value) + ", significantly higher than ")
	for i := range above {
		above[i] = reversed(above[i])
	}
	out.some(above)
}

// others says how many more are as the one named.
func (s *Sentence) others(n int) {
	if n > 0 {
		s.say(" and " + number.Thousands(int64(n)) + " more")
	}
}
