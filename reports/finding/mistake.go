package finding

import (
	"slices"

	"evalctl/eval"
	"evalctl/eval/number"
)

// mistake says what the best variant mistakes most often, and whether the first
// does so as well.
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

// first says what the first variant makes of the best one's mistake, or mistakes in its
// place.
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

// mistakes names those of a variant that are as frequent, and how often each was made.
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

// taken names a mistake of a variant.
func (out *Sentence) taken(variant string, p eval.ConfusedPair) {
	out.name(p.Expected)
	out.say(" → ")
	out.name(p.Predicted)
	out.of(Cases{Variant: variant, Expected: p.Expected, Got: p.Predicted}, 3)
}

// leastMistakes is how often what is said to be the commonest mistake was made.
const leastMistakes = 3

// mostTied are named where mistakes are as frequent.
const mostTied = 2

// commonest is a cell's most frequent mistake of one label for another, or two that are
// as frequent; none where it is rare, or more are.
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

// betweenLabels are a cell's mistakes without the answers that are no label.
func betweenLabels(c eval.ConditionSummary) []eval.ConfusedPair {
	return slices.DeleteFunc(slices.Clone(c.ConfusedPairs), func(p eval.ConfusedPair) bool { return IsNoLabel(c, p.Predicted) })
}

// row counts what a label is taken for.
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

// Example is a case to look at: the first of the best variant's commonest
// mistake, else one that tells it from the first. None: variant is "".
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
