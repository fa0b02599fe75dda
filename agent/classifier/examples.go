package classifier

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"evalctl/agent/system"
)

// maxPool limits the pool of examples. A larger pool is sampled with the seed.
const maxPool = 20_000

// sampled returns at most maxPool examples with different texts, independent of their order.
func sampled(list []system.Example, seed uint64) []system.Example {
	var sample []system.Example
	seen := map[string]bool{}
	for _, e := range system.Shuffled(list, seed) {
		if key := plain(e.Text); len(sample) < maxPool && !seen[key] {
			seen[key] = true
			sample = append(sample, e)
		}
	}
	return sample
}

// byLabel selects the same examples for every text: one of each label in turn.
type byLabel struct {
	list []system.Example // in order, with one more than needed
	k    int
}

var _ ExampleSelector = byLabel{}

func newByLabel(pool []system.Example, k int) byLabel {
	var order []string
	of := map[string][]system.Example{}
	for _, e := range pool { // in the order of the seed
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

// Pick skips the text itself, because its example would reveal the label.
func (p byLabel) Pick(text string) (list []system.Example) {
	for _, e := range p.list {
		if len(list) < p.k && plain(e.Text) != plain(text) {
			list = append(list, e)
		}
	}
	return list
}

// plain returns the letters, digits and symbols of a text in lower case and normal width.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsPunct(r) {
			return -1
		}
		return r
	}, strings.ToLower(norm.NFKC.String(text)))
}
