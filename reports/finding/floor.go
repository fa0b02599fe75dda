package finding

import (
	"math"
	"slices"

	"evalctl/eval"
	"evalctl/eval/number"
)

// notAbove says which variants are not proven to decide better than the best
// floor: their price buys nothing that is known. That one is below it is said only
// where it is proven; and of so few cases that they are counted, no more than that.
// Of cases that were picked because they failed nothing follows.
func notAbove(s suite) *Sentence {
	ranked := Ranked(s.SuiteSummary)
	at := slices.IndexFunc(ranked, func(c eval.ConditionSummary) bool { return c.BaselineModel })
	if at < 0 || s.FailedIn != "" {
		return nil
	}
	baselineModel := ranked[at]
	var below, unproven, untold []eval.Difference // the most accurate first
	for _, c := range ranked {
		d, ok := Difference(s.SuiteSummary, c.Name, baselineModel.Name)
		switch {
		case !ok || c.BaselineModel || d.State == eval.Better || d.State == eval.InsufficientData || !number.IsKnown(d.Accuracy.Value):
		case d.State == eval.Worse:
			below = append(below, d)
		case d.Cases < few:
			untold = append(untold, d)
		default:
			unproven = append(unproven, d)
		}
	}
	out := &Sentence{Kind: BaselineModel}
	out.standing(unproven, "not significantly better than", baselineModel)
	out.standing(below, "significantly worse than", baselineModel)
	out.tooFew(untold, baselineModel)
	if len(out.Parts) == 0 {
		return nil
	}
	return out
}

// standing says how variants stand to the floor, and by how much the best of them.
func (out *Sentence) standing(list []eval.Difference, how string, baselineModel eval.ConditionSummary) {
	if len(list) == 0 {
		return
	}
	isFirst := out.next()
	out.some(list)
	if d := list[0]; len(list) == 1 && d.State == eval.NotSignificant && *d.Accuracy.Value != 0 {
		side := "below"
		if *d.Accuracy.Value > 0 {
			side = "above"
		}
		out.say(" is " + plain(math.Abs(*d.Accuracy.Value)) + " points " + side)
		out.baselineModel(baselineModel, isFirst)
		out.say(span(d) + ", which is not significant" + shows(d))
		return
	}
	if len(list) == 1 {
		out.say(" is " + how)
	} else {
		out.say(" are " + how)
	}
	out.baselineModel(baselineModel, isFirst)
	best := list[0]
	if len(list) > 1 {
		out.say("; the best of them, ")
		out.variants(best.Variant)
	}
	out.say(": " + number.Points(*best.Accuracy.Value) + " points" + span(best))
	if best.State != eval.Worse {
		out.say(shows(best))
	}
}

// tooFew says that cases do not tell variants from the floor, and what they would show.
func (out *Sentence) tooFew(list []eval.Difference, baselineModel eval.ConditionSummary) {
	if len(list) == 0 {
		return
	}
	isFirst := out.next()
	out.say(number.Plural(list[0].Cases, "case") + " are too few to compare ")
	out.some(list)
	out.say(" with")
	out.baselineModel(baselineModel, isFirst)
	out.say(shows(list[0]))
}

// next begins a clause; isFirst: it is the first.
func (out *Sentence) next() (isFirst bool) {
	if len(out.Parts) == 0 {
		return true
	}
	out.say(". ")
	return false
}

// baselineModel names it, once.
func (out *Sentence) baselineModel(baselineModel eval.ConditionSummary, isFirst bool) {
	if !isFirst {
		out.say(" that baseline model")
		return
	}
	out.say(" the baseline model ")
	out.variants(baselineModel.Name)
	out.aside(" (" + share(baselineModel.Metrics[accuracy]) + ")")
}

// mostBelow are named one by one.
const mostBelow = 3

// some names variants: of many the first.
func (out *Sentence) some(list []eval.Difference) {
	var names []string
	for _, d := range list {
		names = append(names, d.Variant)
	}
	if len(names) <= mostBelow {
		out.variants(names...)
		return
	}
	out.variants(names[0])
	out.say(" and " + number.Thousands(int64(len(names)-1)) + " more")
}
