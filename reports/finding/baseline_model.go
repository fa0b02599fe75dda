package finding

import (
	"math"
	"slices"

	"evalctl/eval"
	"evalctl/eval/number"
)

// notBetterThanBaseline reports the variants that are not significantly better than the best
// baseline model. Nothing then justifies their cost. A variant is reported as worse only if that is
// significant. If there are few cases, only their number is reported. Cases that were selected
// because they failed allow no conclusion.
func notBetterThanBaseline(s suite) *Sentence {
	ranked := Ranked(s.SuiteSummary)
	at := slices.IndexFunc(ranked, func(c eval.ConditionSummary) bool { return c.BaselineModel })
	if at < 0 || s.FailedIn != "" {
		return nil
	}
	baselineModel := ranked[at]
	var below, unproven, tooSmall []eval.Difference // most accurate first
	for _, c := range ranked {
		d, ok := Difference(s.SuiteSummary, c.Name, baselineModel.Name)
		switch {
		case !ok || c.BaselineModel || d.State == eval.Better || d.State == eval.InsufficientData ||
			!number.IsKnown(d.Accuracy.Value):
		case d.State == eval.Worse:
			below = append(below, d)
		case d.Cases < minPercentSample:
			tooSmall = append(tooSmall, d)
		default:
			unproven = append(unproven, d)
		}
	}
	out := &Sentence{Kind: BaselineModel}
	out.addComparison(unproven, "not significantly better than", baselineModel)
	out.addComparison(below, "significantly worse than", baselineModel)
	out.tooFew(tooSmall, baselineModel)
	if len(out.Parts) == 0 {
		return nil
	}
	return out
}

// addComparison compares variants with the baseline model, with the difference of the most accurate
// one.
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
	out.add(": " + number.Points(*best.Accuracy.Value) + " points" + intervalText(best))
	if best.State != eval.Worse {
		out.add(detectableText(best))
	}
}

// tooFew reports that there are too few cases for a comparison, and what they can detect.
func (out *Sentence) tooFew(list []eval.Difference, baselineModel eval.ConditionSummary) {
	if len(list) == 0 {
		return
	}
	isFirst := out.startClause()
	out.add(number.Plural(list[0].Cases, "case") + " are too few to compare ")
	out.addSome(list)
	out.add(" with")
	out.baselineModel(baselineModel, isFirst)
	out.add(detectableText(list[0]))
}

// startClause starts a clause. isFirst is true for the first one.
func (out *Sentence) startClause() (isFirst bool) {
	if len(out.Parts) == 0 {
		return true
	}
	out.add(". ")
	return false
}

// baselineModel names the baseline model in the first clause and refers to it in later ones.
func (out *Sentence) baselineModel(baselineModel eval.ConditionSummary, isFirst bool) {
	if !isFirst {
		out.add(" that baseline model")
		return
	}
	out.add(" the baseline model ")
	out.addVariants(baselineModel.Name)
	out.addDetail(" (" + share(baselineModel.Metrics[accuracy]) + ")")
}

// maxNamedBelow is the number of variants worse than the baseline model up to which each is named.
const maxNamedBelow = 3

// addSome names all variants if they are few, else the first.
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
	out.add(" and " + number.Thousands(int64(len(names)-1)) + " more")
}
