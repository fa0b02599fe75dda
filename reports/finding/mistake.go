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
	pair, of, ok := commonest(best)
	if !ok {
		return nil
	}
	out := &Sentence{Kind: Mistake}
	out.say("Commonest mistake of ")
	out.variants(best.Name)
	out.say(": ")
	out.taken(best.Name, pair)
	out.say(", " + number.Grouped(pair.N) + " of " + number.Grouped(of))
	first, ok := s.cell(Against(s.SuiteSummary), eval.NoFault)
	if !ok || first.Name == best.Name {
		return out
	}
	if n := row(first, pair.Expected)[pair.Predicted]; n > 0 {
		out.say(" (")
		out.variants(first.Name)
		out.say(": ")
		out.say(number.Grouped(n))
		out.of(Cases{Variant: first.Name, Expected: pair.Expected, Got: pair.Predicted}, 1)
		out.say(")")
		return out
	}
	if other, _, ok := commonest(first); ok {
		out.say("; of ")
		out.variants(first.Name)
		out.say(": ")
		out.taken(first.Name, other)
		out.say(", " + number.Grouped(other.N))
	}
	return out
}

// taken names a mistake of a variant.
func (out *Sentence) taken(variant string, p eval.ConfusedPair) {
	out.name(p.Expected)
	out.say(" taken for ")
	out.name(p.Predicted)
	out.of(Cases{Variant: variant, Expected: p.Expected, Got: p.Predicted}, 3)
}

// leastMistakes is how often what is said to be the commonest mistake was made.
const leastMistakes = 3

// commonest is a cell's most frequent mistake of one label for another, of how many
// trials that expect the label; false where it is rare, or another is as frequent.
func commonest(c eval.CellSummary) (p eval.ConfusedPair, of int64, ok bool) {
	list := betweenLabels(c)
	if len(list) == 0 || list[0].N < leastMistakes || len(list) > 1 && list[1].N == list[0].N {
		return p, 0, false
	}
	p = list[0]
	for _, n := range row(c, p.Expected) {
		of += n
	}
	return p, of, of > 0
}

// betweenLabels are a cell's mistakes without the answers that are no label.
func betweenLabels(c eval.CellSummary) []eval.ConfusedPair {
	return slices.DeleteFunc(slices.Clone(c.Pairs), func(p eval.ConfusedPair) bool { return IsNoLabel(c, p.Predicted) })
}

// row counts what a label is taken for.
func row(c eval.CellSummary, expected string) map[string]int64 {
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
	for _, p := range slices.Concat(betweenLabels(best), best.Pairs) {
		if len(p.Cases) > 0 {
			return p.Cases[0], best.Name
		}
	}
	d, _ := Difference(s, best.Name, Against(s))
	if differ := slices.Concat(d.LostCases, d.GainedCases); len(differ) > 0 {
		return differ[0], best.Name
	}
	return "", ""
}
