package finding

import (
	"math"
	"slices"

	"evalctl/eval"
	"evalctl/eval/compare"
	"evalctl/eval/metric"
)

// notBetterThanBaseline returns the finding that some variants are not significantly better than
// the best baseline model, so that nothing justifies their cost. It calls a variant worse only if
// the difference is significant. With few cases, it states only the number of cases. It returns nil
// if the cases were selected because they failed.
func notBetterThanBaseline(s suite) *Sentence {
	ranked := RankedByAccuracy(s.SuiteSummary)
	at := slices.IndexFunc(ranked, func(c eval.ConditionSummary) bool { return c.BaselineModel })
	if at < 0 || s.FailedInRun != "" {
		return nil
	}
	baselineModel := ranked[at]
	var below, unproven, tooSmall []eval.Difference // most accurate variant first
	for _, c := range ranked {
		d, ok := Difference(s.SuiteSummary, c.Variant, baselineModel.Variant)
		switch {
		case !ok || c.BaselineModel || d.State == eval.Better || d.State == eval.InsufficientData ||
			!metric.IsKnown(d.Accuracy.Value):
		case d.State == eval.Worse:
			below = append(below, d)
		case d.Cases < minPercentSample:
			tooSmall = append(tooSmall, d)
		default:
			unproven = append(unproven, d)
		}
	}
	out := &Sentence{Kind: KindBaselineModel}
	out.addComparison(unproven, "not significantly better than", baselineModel)
	out.addComparison(below, "significantly worse than", baselineModel)
	out.tooFew(tooSmall, baselineModel)
	if len(out.Parts) == 0 {
		return nil
	}
	return out
}

// addComparison compares variants with the baseline model. It gives the difference only for the
// most accurate variant.
func (out *Sentence) addComparison(list []eval.Difference, how string, baselineModel eval.ConditionSummary) {
	if len(list) == 0 {
		return
	}
	isFirst := out.startClause()
	out.addSome(list)
	if d := list[0]; len(list) == 1 && d.State == eval.NotSignificant && *d.Accuracy.Value != 0 {
		side := "below"
		if *d.Accuracy.Value > 0 {
			side = "above"
		}
		out.add(" is " + unsignedPoints(math.Abs(*d.Accuracy.Value)) + " points " + side)
		out.baselineModel(baselineModel, isFirst)
		out.add(intervalText(d) + ", which is not significant" + detectableText(d))
		return
	}
	if len(list) == 1 {
		out.add(" is " + how)
	} else {
		out.add(" are " + how)
	}
	out.baselineModel(baselineModel, isFirst)
	best := list[0]
	if len(list) > 1 {
		out.add("; the best of them, ")
		out.addVariants(best.Variant)
	}
	out.add(": " + metric.FormatPoints(*best.Accuracy.Value) + " points" + intervalText(best))
	if best.State != eval.Worse {
		out.add(detectableText(best))
	}
}

// tooFew states that a comparison with the baseline model has too few cases, and which difference
// these cases can detect.
func (out *Sentence) tooFew(list []eval.Difference, baselineModel eval.ConditionSummary) {
	if len(list) == 0 {
		return
	}
	isFirst := out.startClause()
	out.add(metric.Plural(list[0].Cases, "case") + " are too few to compare ")
	out.addSome(list)
	out.add(" with")
	out.baselineModel(baselineModel, isFirst)
	out.add(detectableText(list[0]))
}

// startClause starts a clause of the sentence and reports whether it is the first one.
func (out *Sentence) startClause() (isFirst bool) {
	if len(out.Parts) == 0 {
		return true
	}
	out.add(". ")
	return false
}

// baselineModel names the baseline model in the first clause. Later clauses refer to "that baseline
// model".
func (out *Sentence) baselineModel(baselineModel eval.ConditionSummary, isFirst bool) {
	if !isFirst {
		out.add(" that baseline model")
		return
	}
	out.add(" the baseline model ")
	out.addVariants(baselineModel.Variant)
	out.addDetail(" (" + share(baselineModel.Metrics[accuracy]) + ")")
}

// maxNamedBelow is the maximum number of variants for which a sentence contains every name.
const maxNamedBelow = 3

// addSome names all variants if there are at most maxNamedBelow, otherwise the first and the number
// of the others.
func (out *Sentence) addSome(list []eval.Difference) {
	var names []string
	for _, d := range list {
		names = append(names, d.Variant)
	}
	if len(names) <= maxNamedBelow {
		out.addVariants(names...)
		return
	}
	out.addVariants(names[0])
	out.add(" and " + metric.FormatInteger(int64(len(names)-1)) + " more")
}

// BaselineChanges returns a sentence on how the variants of a suite changed since an earlier run.
// list compares each variant with the earlier run, and fresh names the variants that are new.
// Variants with identical decisions come first, then changed ones, then new ones. It returns false
// if there are no variants.
func BaselineChanges(run string, list []compare.Comparison, fresh []string) (Sentence, bool) {
	out := Sentence{Kind: KindBaselineChange}
	out.add("Compared with ")
	out.addName(run)
	lead := ": "
	next := func() { out.add(lead); lead = "; " }
	for _, same := range unchangedGroups(list) {
		next()
		out.addVariants(same.variants...)
		out.add(verb(same.variants, " makes", " make") + " identical decisions in all " +
			metric.Plural(same.cases, "case"))
	}
	for _, c := range list {
		if c.Pairs[0].State != eval.Identical {
			next()
			out.addChange(c)
		}
	}
	if len(fresh) > 0 {
		next()
		out.addVariants(fresh...)
		out.add(verb(fresh, " is", " are") + " new")
	}
	out.add(".")
	return out, len(list)+len(fresh) > 0
}

// unchangedGroup contains variants that make the same decisions as in the baseline run, over the
// same number of cases.
type unchangedGroup struct {
	variants []string
	cases    int64
}

func unchangedGroups(list []compare.Comparison) (all []unchangedGroup) {
	for _, c := range list {
		v := c.Pairs[0]
		if v.State != eval.Identical {
			continue
		}
		at := slices.IndexFunc(all, func(u unchangedGroup) bool { return u.cases == v.Cases })
		if at < 0 {
			at, all = len(all), append(all, unchangedGroup{cases: v.Cases})
		}
		all[at].variants = append(all[at].variants, c.Candidates[v.Candidate].Variant)
	}
	return all
}

func verb(names []string, one, several string) string {
	if len(names) == 1 {
		return one
	}
	return several
}

// addChange describes how the accuracy of one variant changed, and in how many cases.
func (s *Sentence) addChange(c compare.Comparison) {
	v := c.Pairs[0]
	name := c.Candidates[v.Candidate].Variant
	if v.State == eval.InsufficientData || !metric.IsKnown(v.Accuracy.Value) {
		s.add("too few cases of ")
		s.addVariants(name)
		s.add(" are scored in both runs")
		return
	}
	s.addVariants(name)
	switch v.State {
	case eval.Better:
		s.add(" is better by " + unsignedPoints(*v.Accuracy.Value) + " points (")
	case eval.Worse:
		s.add(" is worse by " + unsignedPoints(-*v.Accuracy.Value) + " points (")
	default:
		s.add(": ")
		s.noDifference(v.Difference)
		s.add(" (")
	}
	fixed, broken := " fixed", " broken"
	if c.Epochs > 1 {
		fixed, broken = " right more often", " less often"
	}
	s.addCount(v.Fixed, fixed, CaseFilter{Variant: name, Change: newPassCases})
	s.add(", ")
	s.addCount(v.Broken, broken, CaseFilter{Variant: name, Change: newFailureCases})
	s.add(")")
}

func (s *Sentence) addCount(n int64, what string, cases CaseFilter) {
	s.add(metric.FormatInteger(n) + what)
	if n > 0 {
		s.linkCases(cases, 1)
	}
}
