// Package fulltext prepares Chinese and alphabetic texts for full-text search: it normalizes them
// and splits them into terms. Chinese has no spaces between words, so every pair of neighboring
// characters is a term. This covers all words of two characters.
package fulltext

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Normalize returns a text in a form for comparison: half width, lower case, without accents,
// English words reduced to stems. Each word and each run of Chinese characters is surrounded by
// spaces.
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

// IsUnsegmented reports whether r is in a script without spaces between words: Chinese or Japanese.
func IsUnsegmented(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || strings.ContainsRune("ー々〆", r)
}

// stem reduces an English word to a stem, so that hike, hikes, hiked and hiking are equal. Some
// unrelated words get the same stem, which does little harm.
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

// isStem reports whether the rest of a word is long enough to be a stem.
func isStem(word string) bool { return len(word) > 2 && strings.ContainsAny(word, "aeiouy") }

// Terms returns the search terms of a word or run of a normalized text. For an alphabetic word it
// is the word. For a Chinese run these are its characters and its pairs of neighboring characters.
func Terms(run string) []string {
	first, _ := utf8.DecodeRuneInString(run)
	if !IsUnsegmented(first) {
		return []string{run}
	}
	return append(strings.Split(run, ""), Bigrams(run)...)
}

// Bigrams returns the pairs of neighboring characters of a run.
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
