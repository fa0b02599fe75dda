package finding

import (
	"slices"

	"evalctl/eval"
	"evalctl/eval/number"
)

// mistake reports the top confusion of the best variant, and compares it with the baseline variant.
func mistake(s suite) *Sentence {
	ranked := Ranked(s.SuiteSummary)
	if len(ranked) == 0 {
		return nil
	}
	best := ranked[0]
	pairs := commonest(best)
	if len(pairs) == 0 {
		return nil
	}
	out := &Sentence{Kind: TopConfusion}
	out.say("Top confusion")
	if len(pairs) > 1 {
		out.say("s")
	}
	out.say(" of ")
	out.mistakes(best.Name, pairs)
	if len(pairs) > 1 {
		return out
	}
	of := int64(0)
	for _, n := range row(best, pairs[0].Expected) {
		of += n
	}
	out.say(" of " + number.Thousands(of))
	if first, ok := s.condition(BaselineVariant(s.SuiteSummary), eval.NoFault); ok && first.Name != best.Name {
		out.first(first, pairs[0])
	}
	return out
}

// first reports how often the baseline variant makes the same confusion, or else its own top
// confusion.
func (out *Sentence) first(first eval.ConditionSummary, pair eval.ConfusedPair) {
	if n := row(first, pair.Expected)[pair.Predicted]; n > 0 {
		out.say(" (")
		out.variants(first.Name)
		out.say(": ")
		out.say(number.Thousands(n))
		out.of(Cases{Variant: first.Name, Expected: pair.Expected, Got: pair.Predicted}, 1)
		out.say(")")
	} else if others := commonest(first); len(others) > 0 {
		out.say("; ")
		out.mistakes(first.Name, others)
	}
}

// mistakes names equally frequent confusions of a variant, with their number.
func (out *Sentence) mistakes(variant string, pairs []eval.ConfusedPair) {
	out.variants(variant)
	out.say(": ")
	for i, p := range pairs {
		if i > 0 {
			out.say(" and ")
		}
		out.taken(variant, p)
	}
	out.say(", " + number.Thousands(pairs[0].N))
	if len(pairs) > 1 {
		out.say(" each")
	}
}

// taken names one confusion of a variant.
func (out *Sentence) taken(variant string, p eval.ConfusedPair) {
	out.name(p.Expected)
	out.say(" → ")
	out.name(p.Predicted)
	out.of(Cases{Variant: variant, Expected: p.Expected, Got: p.Predicted}, 3)
}

// leastMistakes is the minimum frequency of a top confusion.
const leastMistakes = 3

// mostTied limits the equally frequent confusions that are named.
const mostTied = 2

// commonest returns the top confusion of a condition, or two with equal frequency. It returns none
// if they are rare or more than two are equally frequent.
func commonest(c eval.ConditionSummary) []eval.ConfusedPair {
	list := betweenLabels(c)
	if len(list) == 0 || list[0].N < leastMistakes {
		return nil
	}
	n := 1
	for n < len(list) && list[n].N == list[0].N {
		n++
	}
	if n > mostTied {
		return nil
	}
	return list[:n]
}

// betweenLabels returns the confusions of a condition without invalid labels.
func betweenLabels(c eval.ConditionSummary) []eval.ConfusedPair {
	return slices.DeleteFunc(slices.Clone(c.ConfusedPairs), func(p eval.ConfusedPair) bool { return IsNoLabel(c, p.Predicted) })
}

// row counts the predictions for an expected label.
func row(c eval.ConditionSummary, expected string) map[string]int64 {
	counts := map[string]int64{}
	if c.Confusion == nil {
		return counts
	}
	at := slices.Index(c.Confusion.Labels, expected)
	if at < 0 || at >= len(c.Confusion.Counts) {
		return counts
	}
	for i, n := range c.Confusion.Counts[at] {
		counts[c.Confusion.Labels[i]] += n
	}
	return counts
}

// Example returns a case that is worth reading: one with the top confusion of the best variant, or
// else one in which it differs from the baseline variant. variant is "" if there is none.
func Example(s eval.SuiteSummary) (id, variant string) {
	ranked := Ranked(s)
	if len(ranked) == 0 {
		return "", ""
	}
	best := ranked[0]
	for _, p := range slices.Concat(betweenLabels(best), best.ConfusedPairs) {
		if len(p.Cases) > 0 {
			return p.Cases[0], best.Name
		}
	}
	d, _ := Difference(s, best.Name, BaselineVariant(s))
	if differ := slices.Concat(d.BrokenCases, d.FixedCases); len(differ) > 0 {
		return differ[0], best.Name
	}
	return "", ""
}
