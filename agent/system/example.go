package system

import (
	"cmp"
	"hash/fnv"
	"math/rand/v2"
	"slices"
)

// Example is a labelled text.
type Example struct{ Text, Label string }

// Shuffled puts examples into an order that only the seed and what they say
// decide, whatever order they come in.
func Shuffled(list []Example, seed uint64) []Example {
	at := make(map[Example]uint64, len(list))
	for _, e := range list {
		at[e] = SeededHash(seed, e.Text, e.Label)
	}
	return slices.SortedFunc(slices.Values(list), func(a, b Example) int {
		return cmp.Or(cmp.Compare(at[a], at[b]), cmp.Compare(a.Text, b.Text), cmp.Compare(a.Label, b.Label))
	})
}

// SeededHash is the number that falls to words, the same in every process.
func SeededHash(seed uint64, words ...string) uint64 {
	h := fnv.New64a()
	for _, w := range words {
		h.Write([]byte(w))
		h.Write([]byte{0})
	}
	return rand.NewPCG(seed, h.Sum64()).Uint64()
}
