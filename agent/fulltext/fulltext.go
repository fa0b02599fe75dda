// Package fulltext normalizes Chinese and alphabetic texts for search and splits them into terms.
// Every pair of neighboring Chinese characters is a term, so each Chinese word of two characters is
// one.
package fulltext

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Normalize returns the normal form of a text for comparison: half width, lower case, no accents,
// English words stemmed. Each run of Chinese characters and each word is surrounded by spaces.
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

// IsUnsegmented reports whether r belongs to a script without spaces between words: Chinese or
// Japanese.
func IsUnsegmented(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || strings.ContainsRune("ー々〆", r)
}

// stem maps hike, hikes, hiked and hiking to the same stem. Some unrelated words get the same stem,
// which does little harm.
func stem(word string) string {
	for _, ending := range []string{"ing", "ed", "es", "s"} {
		if rest, ok := strings.CutSuffix(word, ending); ok && isStem(rest) && !strings.HasSuffix(word, "ss") {
			word = rest
			if n := len(word); len(ending) > 1 && word[n-1] == word[n-2] &&
				!strings.ContainsRune("lsz", rune(word[n-1])) {
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

// isStem reports whether the rest of a word is long enough.
func isStem(word string) bool { return len(word) > 2 && strings.ContainsAny(word, "aeiouy") }

// Terms returns the terms of a run of a normalized text: the word, or each character and each pair
// of neighbors of a Chinese run.
func Terms(run string) []string {
	first, _ := utf8.DecodeRuneInString(run)
	if !IsUnsegmented(first) {
		return []string{run}
	}
	return append(strings.Split(run, ""), Bigrams(run)...)
}

// Bigrams returns each pair of neighboring characters of a run.
func Bigrams(run string) (pairs []string) {
	before, last := 0, 0 // start of the last two characters
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
