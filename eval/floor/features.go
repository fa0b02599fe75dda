package floor

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// gram is how often a text has what falls into a bucket.
type gram struct {
	bucket uint32
	times  float32
}

// Words and characters are hashed into buckets of their own.
const (
	bucketBits = 18
	buckets    = 1 << bucketBits
	allBuckets = 2 * buckets

	longestChars = 3 // characters of a gram: four or five learn no better, and take twice as long
)

// normal is a text in one width and case, a space before, after and between its
// words.
func normal(text string) []rune {
	list := []rune{' '}
	for _, r := range strings.ToLower(norm.NFKC.String(cut(text))) {
		if len(list) > maxText { // one character may have become eighteen
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

// cut keeps the beginning of a long text.
func cut(text string) string {
	n := 0
	for i := range text {
		if n++; n > maxText {
			return text[:i]
		}
	}
	return text
}

// gramsOf are the words and pairs of words of a text, and its runs of one to
// longestChars characters, in the order of their buckets.
func gramsOf(text []rune) (list []gram) {
	var at []uint32
	for i := range text {
		h := uint32(offset)
		for _, r := range text[i:min(i+longestChars, len(text))] {
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
			list = append(list, gram{bucket: b, times: 1})
		}
	}
	return list
}

// words are the buckets of words and of pairs of neighbours.
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

// offset and prime are those of the 32-bit FNV-1a hash, which here takes a
// character, or a hash, at a time.
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

// fold takes a hash to fewer bits, as FNV's authors advise.
func fold(h uint32) uint32 { return (h>>bucketBits ^ h) & (buckets - 1) }
