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

// pairOfIDs is the IDs of two cases, in file order.
type pairOfIDs struct{ a, b string }

// knownDifferent contains pairs of cases in different splits that share rare words but are no
// paraphrases, with the reason.
var knownDifferent = map[pairOfIDs]string{
	{"tr-en-155", "tr-time-044"}:   "what becomes of code with a timestamp; a timestamp",
	{"tr-en-121", "tr-en-155"}:     "a timestamp; what becomes of code with one",
	{"tr-en-154", "tr-en-282"}:     "code that prints the date; the date",
	{"tr-web-214", "tr-time-076"}:  "two questions about one day of 2008",
	{"tr-en-074", "tr-web-012"}:    "the newest version of one thing, and of another",
	{"tr-turn-103", "tr-turn-118"}: "news of a strike; a picture of a newsstand",
	{"tr-img-218", "tr-time-036"}:  "the clock's few questions are asked in every split",
}

// knownParaphrases lists cases that have the same meaning in other words, often in another
// language. No comparison of characters can detect them.
const knownParaphrases = `
	en-098 chat-073
	day-086 en-177 hard-096
	web-002 en-184
	day-175 en-175
	day-173 web-026 img-082
	turn-021 img-021
	turn-085 turn-076 turn-078 turn-086
	time-079 hard-194 turn-111 turn-119
	hard-043 en-212
	web-108 chat-076 web-248 turn-011 en-265
	img-256 en-038 img-223
	time-052 web-227
	time-049 en-268
	time-050 en-159
	en-289 en-143
	en-153 time-069
	chat-074 en-174
	web-228 turn-140 en-272
	chat-078 web-239 web-177
	web-165 chat-040
	en-029 img-108
	en-236 img-071
	turn-144 img-242
	en-131 time-028 en-286
	time-030 en-125
	en-279 time-003
	en-282 time-012 en-124
	en-280 time-026
	time-042 time-027 en-290
	en-291 time-015
	en-116 en-252
	img-270 img-092 web-013 turn-134
	en-185 web-054 day-029 hard-020
	web-014 en-250
	web-015 en-112
	en-141 chat-084
	img-088 en-227
	img-273 en-248
	time-023 en-134
	en-135 en-283
	en-032 img-155
	chat-019 web-195
	turn-011 web-248
	day-189 hard-154`

var _ = It("known paraphrases in the dataset toolrouter are in the same split", func() {
	splits := map[string]string{}
	for _, c := range all(shipped("toolrouter"), datasets.Filter{}) {
		splits[strings.TrimPrefix(c.ID, "tr-")] = c.Split
	}
	for group := range strings.Lines(strings.TrimSpace(knownParaphrases)) {
		ids := strings.Fields(group)
		for _, id := range ids {
			Expect(splits).To(HaveKeyWithValue(id, splits[ids[0]]), group)
		}
	}
})

var _ = It("no two texts of the dataset toolrouter in different splits share so many rare words that they are probably paraphrases", func() {
	cases := all(shipped("toolrouter"), datasets.Filter{})
	found := map[pairOfIDs]bool{}
	for pair, likeness := range similarPairs(cases, 0.35) {
		Expect(knownDifferent).To(HaveKey(pair), "%.2f", likeness)
		found[pair] = true
	}
	for pair := range knownDifferent {
		Expect(found).To(HaveKey(pair), "the list holds what is no longer alike")
	}
})

// similarPairs returns the pairs of cases in different splits whose texts have at least the cosine
// similarity threshold. The texts are compared as vectors of characters, pairs and triples with
// tf-idf weights: 1+ln(n) for the count and ln(N/df) for the rarity.
func similarPairs(cases []eval.Case, threshold float64) map[pairOfIDs]float64 {
	type weight struct {
		at    int
		value float64
	}
	places := map[string][]weight{}
	pairs := map[pairOfIDs]float64{}
	vectors := tfidfVectors(cases)
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

// tfidfVectors returns a vector for each case, normalized to length 1.
func tfidfVectors(cases []eval.Case) []map[string]float64 {
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

// grams counts the characters, pairs and triples of a text, in lower case and without spaces.
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
