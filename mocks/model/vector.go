package model

import (
	"math"
	"strings"
	"unicode"

	"evalctl/mocks/random"
)

// maxGram is the maximum length, in characters, of the n-grams in an embedding.
const maxGram = 3

// FillEmbedding fills v with a simulated embedding of a text: a unit vector of hashed n-grams.
// Texts with common words or characters have similar vectors. The same text has the same vector in
// every process.
func FillEmbedding(text string, v []float32) {
	clear(v)
	runes := []rune(strings.ToLower(text))
	for i := range runes {
		h := uint64(0xcbf29ce484222325)
		for n := range min(maxGram, len(runes)-i) {
			r := runes[i+n]
			if unicode.IsSpace(r) || unicode.IsPunct(r) {
				break
			}
			h = (h ^ uint64(r)) * 0x100000001b3
			addFeature(v, random.Mix(h, uint64(n)), float32(n+1))
		}
	}
	normalize(v)
}

func addFeature(v []float32, h uint64, weight float32) {
	if h>>63 == 1 {
		weight = -weight
	}
	v[h%uint64(len(v))] += weight
}

// normalize scales v to length 1. If v is zero, it becomes the first unit vector.
func normalize(v []float32) {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 {
		v[0] = 1
		return
	}
	scale := float32(1 / math.Sqrt(sum))
	for i := range v {
		v[i] *= scale
	}
}
