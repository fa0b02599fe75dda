// Package fulltext brings texts, Chinese and of an alphabet, into the form in which they
// are searched: folded, and parted into terms. A Chinese word of two characters is a
// term, for all neighbours are.
package fulltext

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Normalize brings a text into the form in which texts are compared: half width, lower
// case, no accents, English words as their stems. Each run of Chinese characters and
// each word has a space before and behind it.
func Normalize(text string) string {
	var b strings.Builder
	var run []rune
	chinese := false
	end := func() {
		if len(run) > 0 {
			b.WriteByte(' ')
			b.WriteString(stem(string(run)))
		}
		run = run[:0]
	}
	for _, r := range norm.NFKD.String(text) {
		switch {
		case unicode.Is(unicode.Mn, r) || r == '\'' || r == '’':
		case !unicode.IsLetter(r) && !unicode.IsNumber(r):
			end()
		default:
			if IsUnsegmented(r) != chinese {
				end()
			}
			chinese = IsUnsegmented(r)
			run = append(run, unicode.ToLower(r))
		}
	}
	end()
	b.WriteByte(' ')
	return b.String()
}

// IsUnsegmented includes the scripts of Japanese: neither parts its words.
func IsUnsegmented(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || strings.ContainsRune("ー々〆", r)
}

// stem makes hike, hikes, hiked and hiking alike; what other words it makes alike
// does little harm.
func stem(word string) string {
	for _, ending := range []string{"ing", "ed", "es", "s"} {
		if rest, ok := strings.CutSuffix(word, ending); ok && isStem(rest) && !strings.HasSuffix(word, "ss") {
			word = rest
			if n := len(word); len(ending) > 1 && word[n-1] == word[n-2] && !strings.ContainsRune("lsz", rune(word[n-1])) {
				word = word[:n-1] // running
			}
			break
		}
	}
	if rest, ok := strings.CutSuffix(word, "e"); ok && isStem(rest) {
		return rest
	}
	if rest, ok := strings.CutSuffix(word, "y"); ok && isStem(rest) {
		return rest + "i"
	}
	return word
}

// isStem tells whether enough of a word is left.
func isStem(word string) bool { return len(word) > 2 && strings.ContainsAny(word, "aeiouy") }

// Terms are those of a run of a folded text: the word, or each character and each two
// neighbours of a Chinese run.
func Terms(run string) []string {
	first, _ := utf8.DecodeRuneInString(run)
	if !IsUnsegmented(first) {
		return []string{run}
	}
	return append(strings.Split(run, ""), Bigrams(run)...)
}

// Bigrams are each two neighbours of a run.
func Bigrams(run string) (pairs []string) {
	before, last := 0, 0 // where the last two characters begin
	for i := range run {
		if last > before {
			pairs = append(pairs, run[before:i])
		}
		before, last = last, i
	}
	if last > before {
		pairs = append(pairs, run[before:])
	}
	return pairs
}
