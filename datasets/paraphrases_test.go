package datasets_test

import (
	"math"
	"strings"
	"unicode"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/datasets"
	"evalctl/eval"
)

// pairOfIDs names two cases, in file order.
type pairOfIDs struct{ a, b string }

// readAndDifferent are the pairs across splits that share rare words, and why
// that gives nothing away.
var readAndDifferent = map[pairOfIDs]string{
	{"tr-en-155", "tr-time-044"}:  "what becomes of code with a timestamp; a timestamp",
	{"tr-en-121", "tr-en-155"}:    "a timestamp; what becomes of code with one",
	{"tr-en-154", "tr-en-282"}:    "code that prints the date; the date",
	{"tr-web-214", "tr-time-076"}: "two questions about one day of 2008",
	{"tr-img-218", "tr-time-036"}: "the clock's few questions are asked in every split",
}

var _ = It("no text of toolrouter shares so many rare words with one of another split that it may say the same", func() {
	cases := all(shipped("toolrouter"), datasets.Filter{})
	found := map[pairOfIDs]bool{}
	for pair, likeness := range alike(cases, 0.35) {
		Expect(readAndDifferent).To(HaveKey(pair), "%.2f", likeness)
		found[pair] = true
	}
	for pair := range readAndDifferent {
		Expect(found).To(HaveKey(pair), "the list holds what is no longer alike")
	}
})

// alike are the pairs across splits whose texts, as vectors of the characters,
// pairs and triples in them, have at least this cosine. What is rare weighs
// more: tf-idf, with 1+ln(n) for the count and ln(N/df) for the rarity.
func alike(cases []eval.Case, threshold float64) map[pairOfIDs]float64 {
	type weight struct {
		at    int
		value float64
	}
	places := map[string][]weight{}
	pairs := map[pairOfIDs]float64{}
	vectors := weighed(cases)
	for i, vector := range vectors {
		cosines := map[int]float64{}
		for gram, value := range vector {
			for _, w := range places[gram] {
				cosines[w.at] += w.value * value
			}
			places[gram] = append(places[gram], weight{at: i, value: value})
		}
		for k, cosine := range cosines {
			if cosine >= threshold && cases[i].Split != cases[k].Split {
				pairs[pairOfIDs{a: cases[k].ID, b: cases[i].ID}] = cosine
			}
		}
	}
	return pairs
}

// weighed are the texts' vectors, each of length 1.
func weighed(cases []eval.Case) []map[string]float64 {
	vectors, having := make([]map[string]float64, len(cases)), map[string]float64{}
	for i, c := range cases {
		vectors[i] = grams(userText(c))
		for gram := range vectors[i] {
			having[gram]++
		}
	}
	for _, vector := range vectors {
		squares := 0.0
		for gram, n := range vector {
			vector[gram] = (1 + math.Log(n)) * math.Log(float64(len(cases))/having[gram])
			squares += vector[gram] * vector[gram]
		}
		for gram := range vector {
			vector[gram] /= math.Sqrt(squares)
		}
	}
	return vectors
}

// grams counts a text's characters, pairs and triples of them, in lower case
// and without spaces.
func grams(text string) map[string]float64 {
	plain := []rune(strings.ToLower(strings.Join(strings.FieldsFunc(text, unicode.IsSpace), "")))
	counts := map[string]float64{}
	for n := 1; n <= 3; n++ {
		for i := range max(0, len(plain)-n+1) {
			counts[string(plain[i:i+n])]++
		}
	}
	return counts
}
