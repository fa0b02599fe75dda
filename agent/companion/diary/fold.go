package diary

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// fold brings a text into the form in which days are compared: half width, lower
// case, no accents, English words as their stems. Each run of Chinese characters and
// each word has a space before and behind it.
func fold(text string) string {
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
			if isChinese(r) != chinese {
				end()
			}
			chinese = isChinese(r)
			run = append(run, unicode.ToLower(r))
		}
	}
	end()
	b.WriteByte(' ')
	return b.String()
}

// isChinese includes the scripts of Japanese: neither parts its words.
func isChinese(r rune) bool {
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

// indexed are the terms of a folded text, parted by spaces: its words, and each
// character and each two neighbours of its Chinese runs.
func indexed(folded string) string {
	var b strings.Builder
	for run := range strings.FieldsSeq(folded) {
		for _, t := range termsOf(run) {
			b.WriteString(t)
			b.WriteByte(' ')
		}
	}
	return b.String()
}

func termsOf(run string) (terms []string) {
	runes := []rune(run)
	if !isChinese(runes[0]) {
		return []string{run}
	}
	for i := range runes {
		terms = append(terms, string(runes[i:i+1]))
	}
	return append(terms, pairs(runes)...)
}

// pairs are each two neighbours.
func pairs(runes []rune) (terms []string) {
	for i := 1; i < len(runes); i++ {
		terms = append(terms, string(runes[i-1:i+1]))
	}
	return terms
}
