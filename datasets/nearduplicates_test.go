package datasets_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/datasets"
)

// texts returns a dataset with one case for each text.
func texts(texts ...string) *datasets.Dataset {
	var lines []string
	for i, t := range texts {
		lines = append(lines, short(fmt.Sprintf("c%03d", i), t))
	}
	return open(write(lines...))
}

func near(d *datasets.Dataset, threshold float64) []datasets.SimilarPair {
	pairs, err := d.NearDuplicates(threshold)
	Expect(err).NotTo(HaveOccurred())
	return pairs
}

var _ = Describe("NearDuplicates", func() {
	DescribeTable("computes the similarity of two texts from the multisets of their bigrams",
		func(a, b string, want float64) {
			pairs := near(texts(a, b), 0.001)
			if want == 0 {
				Expect(pairs).To(BeEmpty())
				return
			}
			Expect(pairs).To(HaveLen(1))
			Expect(pairs[0].Similarity).To(Equal(want))
		},
		Entry("equal texts: 1", "今天天气", "今天天气", 1.0),
		Entry("texts that are equal except for case and spaces: 1", "Draw a CAT", " draw\u3000acat", 1.0),
		Entry("texts that differ in one character", "画一只猫", "画一只狗", 2.0/4),
		Entry("a text and the same text repeated", "哈哈", "哈哈哈哈", 1.0/3),
		Entry("equal texts of a single character: 1", "嗯", "嗯", 1.0),
		Entry("a character and the same character doubled: 0", "嗯", "嗯嗯", 0.0),
		Entry("texts without a common bigram: 0", "abc", "def", 0.0),
	)

	It("returns both cases of a pair with their splits, the most similar pair first", func() {
		path := write(
			`{"id":"a","text":"帮我画一只猫","label":"chat","split":"train"}`, "\n",
			`{"id":"b","text":"明天下雨吗","label":"chat"}`, "\n",
			`{"id":"c","turns":[{"input":{"text":"帮我画"}},{"input":{"text":"一只猫"},"expect":{"route":"chat"}}],"split":"test"}`, "\n",
			`{"id":"d","text":"请帮我画一只猫","label":"chat"}`, "\n")
		refA := datasets.CaseRef{ID: "a", Split: "train"}
		refC := datasets.CaseRef{ID: "c", Split: "test"}
		refD := datasets.CaseRef{ID: "d"}
		Expect(near(open(path), datasets.NearDuplicateThreshold)).To(Equal([]datasets.SimilarPair{
			{A: refA, B: refC, Similarity: 1},
			{A: refA, B: refD, Similarity: 5.0 / 6},
			{A: refC, B: refD, Similarity: 5.0 / 6},
		}))
	})

	It("omits cases without a text", func() {
		image := func(id string) string {
			return `{"id":"` + id + `","input":{"text":"","images":["https://a/b"]},"expect":{"route":"chat"}}` + "\n"
		}
		Expect(near(open(write(image("a"), image("b"))), 0.1)).To(BeEmpty())
	})

	It("finds the same pairs as a full comparison, for any threshold", func() {
		r := rand.New(rand.NewPCG(1, 1))
		for round := range 60 {
			set := make([]string, 2+r.IntN(40))
			for i := range set {
				set[i] = randomText(r)
				if i > 0 && r.IntN(3) == 0 {
					set[i] = mutated(r, set[r.IntN(i)])
				}
			}
			threshold := []float64{0.05, 0.2, 1.0 / 3, 0.5, 0.6, 2.0 / 3, 0.75, 0.8, 0.9, 1}[round%10]
			found := near(texts(set...), threshold)
			Expect(found).To(Equal(bruteForce(set, threshold)), "%q at %v", set, threshold)
		}
	})

	DescribeTable("rejects an invalid threshold",
		func(threshold float64) {
			_, err := texts("a", "b").NearDuplicates(threshold)
			Expect(err).To(MatchError(fmt.Sprintf("threshold %v of near-duplicates is not above 0 and at most 1",
				threshold)))
		},
		Entry(nil, 0.0), Entry(nil, -0.5), Entry(nil, 1.5), Entry(nil, math.NaN()))

	It("stops with an error if there are too many pairs", func() {
		pairs, err := texts(slices.Repeat([]string{"一样"}, 600)...).NearDuplicates(datasets.NearDuplicateThreshold)
		Expect(err).To(MatchError(datasets.ErrTooManyPairs))
		Expect(pairs).To(HaveLen(100_000))
	})
})

func randomText(r *rand.Rand) string {
	const letters = "画一只猫狗abAB "
	chars := []rune(letters)
	text := make([]rune, 1+r.IntN(12))
	for i := range text {
		text[i] = chars[r.IntN(len(chars))]
	}
	return "x" + string(text)
}

// mutated returns the text with one character changed.
func mutated(r *rand.Rand, text string) string {
	chars := []rune(text)
	chars[r.IntN(len(chars))] = '图'
	return string(chars)
}

func bruteForce(texts []string, threshold float64) []datasets.SimilarPair {
	pairs := []datasets.SimilarPair{}
	for i, a := range texts {
		for k, b := range texts[:i] {
			if s := jaccard(countBigrams(a), countBigrams(b)); s >= threshold {
				pairs = append(pairs, datasets.SimilarPair{A: ref(k), B: ref(i), Similarity: s})
			}
		}
	}
	slices.SortFunc(pairs, func(x, y datasets.SimilarPair) int {
		return cmp.Or(cmp.Compare(y.Similarity, x.Similarity), cmp.Compare(x.A.ID, y.A.ID), cmp.Compare(x.B.ID, y.B.ID))
	})
	return pairs
}

func ref(i int) datasets.CaseRef { return datasets.CaseRef{ID: fmt.Sprintf("c%03d", i)} }

// countBigrams counts the bigrams of a text by a simple implementation, for comparison.
func countBigrams(text string) map[string]int {
	plain := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, text)
	chars, counts := []rune(plain), map[string]int{}
	if len(chars) == 1 {
		counts[plain]++
	}
	for i := range max(0, len(chars)-1) {
		counts[string(chars[i:i+2])]++
	}
	return counts
}

func jaccard(a, b map[string]int) float64 {
	both, either := 0, 0
	for g, n := range a {
		both, either = both+min(n, b[g]), either+max(n, b[g])
	}
	for g, n := range b {
		if a[g] == 0 {
			either += n
		}
	}
	return float64(both) / float64(either)
}
