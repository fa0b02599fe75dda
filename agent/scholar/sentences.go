package scholar

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// sentences splits a text into sentences without headings. Simulated models answer with sentences.
func sentences(text string) (list []string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		list = append(list, sentencesIn(line)...)
	}
	return list
}

func sentencesIn(line string) (list []string) {
	from := 0
	runes := []rune(line)
	for i, r := range runes {
		last := i == len(runes)-1
		ends := strings.ContainsRune("。！？；", r) || strings.ContainsRune(".!?;", r) && (last || runes[i+1] == ' ')
		if !ends && !last {
			continue
		}
		if s := strings.TrimSpace(string(runes[from : i+1])); s != "" {
			list = append(list, s)
		}
		from = i + 1
	}
	return list
}

// features returns the words of a text and its pairs of Chinese characters, for comparing texts.
func features(text string) map[string]bool {
	set := map[string]bool{}
	var word []rune
	var last rune
	flush := func() {
		if len(word) > 2 || len(word) > 0 && unicode.IsDigit(word[0]) {
			set[string(word)] = true
		}
		word = word[:0]
	}
	for _, r := range strings.ToLower(text) {
		switch {
		case unicode.Is(unicode.Han, r):
			flush()
			if last != 0 {
				set[string([]rune{last, r})] = true
			}
			last = r
			continue
		case unicode.IsLetter(r), unicode.IsDigit(r):
			word = append(word, r)
		default:
			flush()
		}
		last = 0
	}
	flush()
	return set
}

// wordOverlap returns the share of the question's features that a sentence contains, in 0..1. See
// features.
func wordOverlap(question map[string]bool, sentence string) float64 {
	if len(question) == 0 {
		return 0
	}
	n := 0
	for f := range features(sentence) {
		if question[f] {
			n++
		}
	}
	return float64(n) / float64(len(question))
}

// informativeness returns a score in 0..1 that grows with the numbers and names in a sentence.
func informativeness(sentence string) float64 {
	figures, names := 0, 0
	inFigure, inName := false, false
	for i, r := range sentence {
		digit, upper := unicode.IsDigit(r), unicode.IsUpper(r) && i > 0
		if digit && !inFigure {
			figures++
		}
		if upper && !inName {
			names++
		}
		inFigure = digit || inFigure && strings.ContainsRune(".,%", r)
		inName = unicode.IsLetter(r) && r < unicode.MaxLatin1 && (upper || inName)
	}
	return min(1, 0.25*float64(figures)+0.1*float64(names))
}

// topSentences returns the sentences with the highest scores, in the order of the text. Their total
// length is about most tokens.
func topSentences(list []string, most int, score func(string) float64) []string {
	type scored struct {
		at    int
		score float64
	}
	all := make([]scored, len(list))
	for i, s := range list {
		all[i] = scored{i, score(s)}
	}
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	var taken []int
	for _, s := range all {
		need := approxTokens(list[s.at])
		if need > most && len(taken) > 0 {
			continue
		}
		most -= need
		taken = append(taken, s.at)
		if most <= 0 {
			break
		}
	}
	slices.Sort(taken)
	chosen := make([]string, len(taken))
	for i, at := range taken {
		chosen[i] = list[at]
	}
	return chosen
}

// approxTokens estimates the number of tokens of a text.
func approxTokens(text string) (n int) {
	letters := 0
	for _, r := range text {
		if r >= 0x2E80 {
			n++
		} else {
			letters++
		}
	}
	return n + letters/4 + 1
}

func isChinese(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}
