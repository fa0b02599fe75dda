package system

import (
	"cmp"
	"hash/fnv"
	"math/rand/v2"
	"slices"
)

// LabeledExample is a labeled text that trains a classifier or is shown to a model in its prompt.
type LabeledExample struct{ Text, Label string }

// ShuffleExamples returns the examples in a pseudorandom order. The order depends only on the seed
// and the contents, not on the order of the input.
func ShuffleExamples(list []LabeledExample, seed uint64) []LabeledExample {
	hashes := make(map[LabeledExample]uint64, len(list))
	for _, e := range list {
		hashes[e] = SeededHash(seed, e.Text, e.Label)
	}
	return slices.SortedFunc(slices.Values(list), func(a, b LabeledExample) int {
		return cmp.Or(cmp.Compare(hashes[a], hashes[b]), cmp.Compare(a.Text, b.Text), cmp.Compare(a.Label, b.Label))
	})
}

// SeededHash returns a hash of the seed and the words. It is the same in every process, so it can
// replace a random number in reproducible runs.
func SeededHash(seed uint64, words ...string) uint64 {
	h := fnv.New64a()
	for _, w := range words {
		h.Write([]byte(w))
		h.Write([]byte{0})
	}
	return rand.NewPCG(seed, h.Sum64()).Uint64()
}
