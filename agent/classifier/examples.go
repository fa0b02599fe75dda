package classifier

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"evalctl/agent/system"
)

// maxPool limits the examples that the few-shot examples are selected from. From a longer list, a
// random sample is taken.
const maxPool = 20_000

// sampled returns a random sample of at most maxPool examples with different texts. It depends on
// the seed but not on the order of the list.
func sampled(list []system.LabeledExample, seed uint64) []system.LabeledExample {
	var sample []system.LabeledExample
	seen := map[string]bool{}
	for _, e := range system.ShuffleExamples(list, seed) {
		if key := normalize(e.Text); len(sample) < maxPool && !seen[key] {
			seen[key] = true
			sample = append(sample, e)
		}
	}
	return sample
}

// byLabel is an ExampleSelector that returns the same examples for every text: one of each label,
// then a second one of each, up to k.
type byLabel struct {
	list []system.LabeledExample // k examples in this order, and one in reserve in case the text itself is among them
	k    int
}

var _ ExampleSelector = byLabel{}

func newByLabel(pool []system.LabeledExample, k int) byLabel {
	var order []string
	of := map[string][]system.LabeledExample{}
	for _, e := range pool { // already shuffled with the seed
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

// Select returns the examples without the text itself, whose label would reveal the answer.
func (p byLabel) Select(text string) (list []system.LabeledExample) {
	for _, e := range p.list {
		if len(list) < p.k && normalize(e.Text) != normalize(text) {
			list = append(list, e)
		}
	}
	return list
}

// normalize returns a text in lower case and normal width, without spaces and punctuation. Texts
// that differ only in these become equal.
func normalize(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsPunct(r) {
			return -1
		}
		return r
	}, strings.ToLower(norm.NFKC.String(text)))
}
