package floor

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// featureCount is how often the features of one hash bucket occur in a text.
type featureCount struct {
	bucket uint32
	times  float32
}

// Features are hashed into buckets: words into the first half, character n-grams into the second.
const (
	bucketBits = 18
	buckets    = 1 << bucketBits
	allBuckets = 2 * buckets

	maxNGram = 3 // maximum length of a character n-gram; four or five are not better and take twice as long
)

// normalized returns a text with normalized width and case. It has one space before, after and
// between its words.
func normalized(text string) []rune {
	list := []rune{' '}
	for _, r := range strings.ToLower(norm.NFKC.String(cut(text))) {
		if len(list) > maxText { // NFKC can expand one character to eighteen
			break
		}
		if unicode.IsSpace(r) {
			r = ' '
		}
		if r != ' ' || list[len(list)-1] != ' ' {
			list = append(list, r)
		}
	}
	if len(list) > 1 && list[len(list)-1] != ' ' {
		list = append(list, ' ')
	}
	return list
}

func cut(text string) string {
	n := 0
	for i := range text {
		if n++; n > maxText {
			return text[:i]
		}
	}
	return text
}

// gramsOf returns the features of a text, sorted by bucket: words, word pairs, and n-grams of one
// to maxNGram characters.
func gramsOf(text []rune) (list []featureCount) {
	var at []uint32
	for i := range text {
		h := uint32(offset)
		for _, r := range text[i:min(i+maxNGram, len(text))] {
			h = mix(h, uint32(r))
			at = append(at, buckets+fold(h))
		}
	}
	at = append(at, words(text)...)
	slices.Sort(at)
	for _, b := range at {
		if n := len(list); n > 0 && list[n-1].bucket == b {
			list[n-1].times++
		} else {
			list = append(list, featureCount{bucket: b, times: 1})
		}
	}
	return list
}

// words returns the buckets of the words and word pairs of a text.
func words(text []rune) (at []uint32) {
	word, before, inside := uint32(offset), uint32(offset), false
	for _, r := range text {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			word, inside = mix(word, uint32(r)), true
			continue
		}
		if inside {
			at = append(at, fold(word), fold(mix(before, word)))
			before, word, inside = word, offset, false
		}
	}
	return at
}

// offset and prime are the parameters of the 32-bit FNV-1a hash. Here the hash consumes one
// character, or another hash, at a time.
const (
	offset = 2166136261
	prime  = 16777619
)

func mix(h, with uint32) uint32 {
	for range 4 {
		h = (h ^ with&0xff) * prime
		with >>= 8
	}
	return h
}

// fold reduces a hash to bucketBits bits by XOR folding, as the authors of FNV recommend.
func fold(h uint32) uint32 { return (h>>bucketBits ^ h) & (buckets - 1) }
