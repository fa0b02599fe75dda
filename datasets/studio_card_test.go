package datasets_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"evalctl/datasets"
)

func studioFigures(b *strings.Builder, d *datasets.Dataset) {
	tagTable(b, "kind", d, topicTags()...)
	tagTable(b, "manner or purpose", d, wordingTags()...)
	tagTable(b, "edge case", d, tagged(d, "edge:")...)
	faultFigures(b, d)
	imageFigures(b, d)
}

// tagged returns the tags of the dataset that start with a group name, the most frequent first.
func tagged(d *datasets.Dataset, group string) []string {
	tags := slices.DeleteFunc(slices.Sorted(maps.Keys(d.Tags)),
		func(t string) bool { return !strings.HasPrefix(t, group) })
	slices.SortStableFunc(tags, func(x, y string) int { return int(d.Tags[y] - d.Tags[x]) })
	return tags
}

// faultFigures writes the number of cases by fault and expected answering component.
func faultFigures(b *strings.Builder, d *datasets.Dataset) {
	image, errorReply := map[string]int{}, map[string]int{}
	for _, w := range studioTurns(d) {
		for fault, served := range w.Under {
			if served.Primary() == "failed" {
				errorReply[fault]++
				continue
			}
			image[fault]++
		}
	}
	b.WriteString("\n| fault | a picture all the same | an apology |\n|---|--:|--:|\n")
	for _, f := range slices.Sorted(maps.Keys(merged(image, errorReply))) {
		fmt.Fprintf(b, "| %s | %d | %d |\n", f, image[f], errorReply[f])
	}
}

func merged(a, b map[string]int) map[string]int {
	both := maps.Clone(a)
	maps.Copy(both, b)
	return both
}

// imageFigures writes counts of the labeled images by the primary label of their turn.
func imageFigures(b *strings.Builder, d *datasets.Dataset) {
	totals := map[string]attemptCounts{}
	for _, w := range studioTurns(d) {
		if len(w.ImageLabels) > 0 {
			totals[w.Action.Primary()] = totals[w.Action.Primary()].with(w)
			totals["all"] = totals["all"].with(w)
		}
	}
	b.WriteString("\n| pictures of | turns | entries | first good | good, not above 0.7 | above 0.7, not good |\n|---|--:|--:|--:|--:|--:|\n")
	for _, label := range []string{"generate_image", "inpainting", "adjust_parameters", "all"} {
		t := totals[label]
		fmt.Fprintf(b, "| %s | %d | %d | %d | %d | %d |\n", label, t.turns, t.entries, t.firstGood, t.lenient, t.picky)
	}
}

// attemptCounts counts labeled images. lenient and picky count those whose acceptability
// contradicts the quality threshold of profile v2.
type attemptCounts struct{ turns, entries, firstGood, lenient, picky int }

func (t attemptCounts) with(w studioTurn) attemptCounts {
	t.turns++
	if w.ImageLabels[0].Good {
		t.firstGood++
	}
	for _, p := range w.ImageLabels {
		t.entries++
		switch above := p.Quality > 0.7; {
		case p.Good && !above:
			t.lenient++
		case above && !p.Good:
			t.picky++
		}
	}
	return t
}
