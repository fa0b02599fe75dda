package classifier

import (
	"cmp"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"evalctl/agent/system"
)

// maxPool bounds the examples that are picked from: of more a seeded sample is
// kept.
const maxPool = 20_000

// sampled keeps at most maxPool examples of different texts, the same whatever
// their order.
func sampled(list []system.Example, seed uint64) []system.Example {
	type drawn struct {
		system.Example
		at uint64
	}
	all := make([]drawn, len(list))
	for i, e := range list {
		all[i] = drawn{Example: e, at: hash(seed, e.Text, e.Label)}
	}
	slices.SortFunc(all, func(a, b drawn) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.Text, b.Text), cmp.Compare(a.Label, b.Label))
	})
	var kept []system.Example
	seen := map[string]bool{}
	for _, d := range all {
		if key := plain(d.Text); len(kept) < maxPool && !seen[key] {
			seen[key] = true
			kept = append(kept, d.Example)
		}
	}
	return kept
}

func hash(seed uint64, parts ...string) uint64 {
	h := fnv.New64a()
	for _, p := range parts {
		h.Write([]byte(p))
		h.Write([]byte{0})
	}
	return rand.NewPCG(seed, h.Sum64()).Uint64()
}

// byLabel shows every text the same examples: one of each label in turn.
type byLabel struct {
	list []system.Example // in the order in which they are shown, more than are wanted
	k    int
}

var _ Picker = byLabel{}

func newByLabel(pool []system.Example, k int) byLabel {
	var order []string
	of := map[string][]system.Example{}
	for _, e := range pool { // in seeded order
		if of[e.Label] == nil {
			order = append(order, e.Label)
		}
		of[e.Label] = append(of[e.Label], e)
	}
	p := byLabel{k: k}
	for round := 0; len(p.list) < min(k+1, len(pool)); round++ {
		for _, label := range order {
			if round < len(of[label]) {
				p.list = append(p.list, of[label][round])
			}
		}
	}
	return p
}

// Pick passes the text itself over: its label would be told.
func (p byLabel) Pick(text string) (list []system.Example) {
	for _, e := range p.list {
		if len(list) < p.k && plain(e.Text) != plain(text) {
			list = append(list, e)
		}
	}
	return list
}

// nearest shows a text the examples that share most with it, by the Jaccard
// similarity of their sets of character bigrams; the most similar comes last.
type nearest struct {
	pool  []system.Example
	sizes []int32            // bigrams of each
	uses  map[bigram][]int32 // places in the pool, ascending
	k     int
}

var _ Picker = (*nearest)(nil)

type bigram [2]rune

func newNearest(pool []system.Example, k int) *nearest {
	p := &nearest{pool: pool, sizes: make([]int32, len(pool)), uses: map[bigram][]int32{}, k: k}
	for i, e := range pool {
		grams := bigrams(e.Text)
		p.sizes[i] = int32(len(grams))
		for g := range grams {
			p.uses[g] = append(p.uses[g], int32(i))
		}
	}
	return p
}

// Pick passes the text itself over: its label would be told.
func (p *nearest) Pick(text string) []system.Example {
	grams := bigrams(text)
	shared := make([]int32, len(p.pool))
	for g := range grams {
		for _, i := range p.uses[g] {
			shared[i]++
		}
	}
	similarity := func(i int32) float64 {
		if shared[i] == 0 {
			return 0
		}
		return float64(shared[i]) / float64(int32(len(grams))+p.sizes[i]-shared[i])
	}
	var best []int32
	for i := range int32(len(p.pool)) {
		s := similarity(i)
		if len(best) == p.k && s <= similarity(best[p.k-1]) || plain(p.pool[i].Text) == plain(text) {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, s, func(j int32, s float64) int {
			if similarity(j) >= s { // earlier ones win ties
				return -1
			}
			return 1
		})
		best = slices.Insert(best, at, i)
		best = best[:min(len(best), p.k)]
	}
	list := make([]system.Example, 0, len(best))
	for _, i := range slices.Backward(best) {
		list = append(list, p.pool[i])
	}
	return list
}

// plain is what is said, however it is typed: letters, digits and symbols of a
// text, whatever their case and width.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsPunct(r) {
			return -1
		}
		return r
	}, strings.ToLower(norm.NFKC.String(text)))
}

// bigrams are the pairs of neighbouring characters in lower case, without
// spaces; a single character stands for itself.
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
