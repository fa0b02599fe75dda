package classifier

import (
	"slices"
	"strings"
	"unicode"

	"evalctl/agent/system"
)

// nearest is an ExampleSelector that returns the k examples most similar to a text, by the Jaccard
// similarity of their character bigrams. The most similar example comes last in the prompt.
type nearest struct {
	pool  []system.LabeledExample
	plain []string           // normalized text of each example
	sizes []int32            // number of bigrams of each example
	uses  map[bigram][]int32 // for each bigram: ascending indexes of the examples that contain it
	k     int
}

var _ ExampleSelector = (*nearest)(nil)

type bigram [2]rune

func newNearest(pool []system.LabeledExample, k int) *nearest {
	p := &nearest{pool: pool, uses: map[bigram][]int32{}, k: k}
	for i, e := range pool {
		grams := bigrams(e.Text)
		p.plain, p.sizes = append(p.plain, normalize(e.Text)), append(p.sizes, int32(len(grams)))
		for g := range grams {
			p.uses[g] = append(p.uses[g], int32(i))
		}
	}
	return p
}

// similarities returns the similarity, in 0..1, of a text to each example of the pool.
func (p *nearest) similarities(text string) []float64 {
	grams, shared := bigrams(text), make([]int32, len(p.pool))
	for g := range grams {
		for _, i := range p.uses[g] {
			shared[i]++
		}
	}
	list := make([]float64, len(p.pool))
	for i, n := range shared {
		if n > 0 {
			list[i] = float64(n) / float64(int32(len(grams))+p.sizes[i]-n)
		}
	}
	return list
}

// Select returns the most similar examples without the text itself, which would reveal the answer.
func (p *nearest) Select(text string) []system.LabeledExample {
	similarity, own := p.similarities(text), normalize(text)
	var best []int
	for i, s := range similarity {
		if len(best) == p.k && s <= similarity[best[p.k-1]] || p.plain[i] == own {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, s, func(j int, s float64) int {
			if similarity[j] >= s { // of two equally similar examples, the earlier one in the pool has priority
				return -1
			}
			return 1
		})
		best = slices.Insert(best, at, i)
		best = best[:min(len(best), p.k)]
	}
	list := make([]system.LabeledExample, 0, len(best))
	for _, i := range slices.Backward(best) {
		list = append(list, p.pool[i])
	}
	return list
}

// closest returns the most similar example, even the text itself. ok is false if none is similar.
func (p *nearest) closest(text string) (e system.LabeledExample, ok bool) {
	highest := 0.0
	for i, s := range p.similarities(text) {
		if s > highest {
			highest, e = s, p.pool[i]
		}
	}
	return e, highest > 0
}

// bigrams returns the pairs of neighboring characters of a text in lower case, without spaces. A
// text of one character has that character as its bigram.
func bigrams(text string) map[bigram]struct{} {
	var chars []rune
	for _, r := range strings.ToLower(text) {
		if !unicode.IsSpace(r) {
			chars = append(chars, r)
		}
	}
	grams := map[bigram]struct{}{}
	if len(chars) == 1 {
		grams[bigram{chars[0]}] = struct{}{}
	}
	for i := 1; i < len(chars); i++ {
		grams[bigram{chars[i-1], chars[i]}] = struct{}{}
	}
	return grams
}
