package scorer

import (
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// ratio is a part of a whole: half, 2/3, one in five, 14 of the 52, 一半, 52口井中有14口.
type ratio struct {
	part, whole int64
	isCount     bool // counts things, such as 14 of 52, and states no percentage
}

// maxWhole is the largest whole of a ratio that states a percentage: 1/20 is 5%.
const maxWhole = 20

var (
	denominators = map[string]int64{"third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
		"eighth": 8, "ninth": 9, "tenth": 10, "twentieth": 20}

	// halfOfTwo are words before "half" that make it one of two parts; afterHalf are words after it with another meaning.
	halfOfTwo = strings.Fields("first second last latter former other upper lower top bottom")
	afterHalf = strings.Fields("past way time term life as a an")

	// wholes are the wholes of ratios with "in": one in five, but not 14 in 2024.
	wholes = []int64{2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 20, 50, 100, 1000}
)

// Characters in the form 52口井中有14口: those after the whole, those before the part, and measure words after both.
const (
	ofWhole      = "中里"
	beforePart   = "有仅只的共就约大概也还近达"
	measureWords = "个人名位口只例篇家次项幅张条台辆座所件种户"
)

// percentage matches a percentage in a folded text, with its decimals as the group.
var percentage = regexp.MustCompile(`[0-9](?:\.([0-9]+))?\s*(?:%|percent\b)`)

// percentDecimals returns the largest number of decimals of the percentages in a text; -1 if there are none.
func percentDecimals(text string) int {
	decimals := -1
	for _, found := range percentage.FindAllStringSubmatch(folded(text), -1) {
		decimals = max(decimals, len(found[1]))
	}
	return decimals
}

// statesShare reports whether the text contains the fact if both write their ratios and percentages in one form. A
// percentage states a ratio if it is the ratio, rounded to the decimals of the percentage: 33% is one third.
func (w wording) statesShare(fact wording, factText string) bool {
	isPercentage := slices.ContainsFunc(fact.tokens, func(t token) bool { return fact.form[t.at:t.end] == "%" })
	if isPercentage {
		// 0 for a percentage in words, such as 三成
		if text, ok := w.withRatios(percentWith(max(percentDecimals(factText), 0))); ok && text.has(fact) {
			return true
		}
	}
	asRatios, ok := fact.withRatios(ratio.wording)
	if !ok {
		return false
	}
	if text, ok := w.withRatios(ratio.wording); ok && text.has(asRatios) {
		return true
	}
	for decimals := range 3 {
		if percent, ok := fact.withRatios(percentWith(decimals)); ok && w.has(percent) {
			return true
		}
	}
	return false
}

func (w wording) text(i int) string { return w.form[w.tokens[i].at:w.tokens[i].end] }

// isWord reports whether token i exists, belongs to the same clause as the token before it, and is one of the words.
func (w wording) isWord(i int, words ...string) bool {
	return i >= 0 && i < len(w.tokens) && (w.tokens[i].kind == word || w.tokens[i].kind == character) &&
		w.tokens[i].mark == 0 && slices.Contains(words, w.text(i))
}

// wording returns the ratio as tokens, such as 14 of 52.
func (r ratio) wording() (wording, bool) {
	return wordingOf(strconv.FormatInt(r.part, 10) + " of " + strconv.FormatInt(r.whole, 10)), true
}

// percentWith returns a function that writes a ratio as a percentage with this number of decimals. ok is false if the
// ratio states no percentage.
func percentWith(decimals int) func(ratio) (wording, bool) {
	return func(r ratio) (wording, bool) {
		if r.isCount || r.whole > maxWhole {
			return wording{}, false
		}
		return wordingOf(big.NewRat(100*r.part, r.whole).FloatString(decimals) + "%"), true
	}
}

// withRatios replaces the ratios. ok is false if there are none.
func (w wording) withRatios(replacement func(ratio) (wording, bool)) (_ wording, ok bool) {
	var form strings.Builder
	var tokens []token
	next := 0 // first token that is not yet copied
	copySeparator := func(i int) {
		if i > 0 {
			form.WriteString(w.form[w.tokens[i-1].end:w.tokens[i].at])
		}
	}
	copyUpTo := func(end int) {
		for ; next < end; next++ {
			copySeparator(next)
			t := w.tokens[next]
			at := form.Len()
			form.WriteString(w.text(next))
			t.at, t.end = at, form.Len()
			tokens = append(tokens, t)
		}
	}
	for i := 0; i < len(w.tokens); i++ {
		r, n := w.ratioAt(i)
		if n == 0 {
			continue
		}
		with, isReplaced := replacement(r)
		if !isReplaced {
			continue
		}
		copyUpTo(i)
		copySeparator(i)
		for k, t := range with.tokens {
			if k == 0 {
				t.link, t.mark = w.tokens[i].link, w.tokens[i].mark
			}
			t.at, t.end = t.at+form.Len(), t.end+form.Len()
			tokens = append(tokens, t)
		}
		form.WriteString(with.form)
		i += n - 1
		next = i + 1
	}
	if next == 0 {
		return w, false
	}
	copyUpTo(len(w.tokens))
	return wording{form: form.String(), tokens: tokens}, true
}

// ratioAt returns the ratio that starts at token i and its number of tokens; 0 if there is none.
func (w wording) ratioAt(i int) (r ratio, n int) {
	switch t := w.tokens[i]; t.kind {
	case figure:
		r, n = w.ratioOfFigure(i)
	case word:
		switch w.text(i) {
		case "half":
			if w.isShareHalf(i) {
				return ratio{part: 1, whole: 2}, 1
			}
		case "a":
			if i+1 < len(w.tokens) && w.isWord(i+2, "of") && w.tokens[i+1].mark == 0 {
				r, n = ratio{part: 1, whole: denominators[w.text(i+1)]}, 2
			}
		case "of", "among":
			r, n = w.ratioAfterWhole(i)
		}
	case character:
		if w.text(i) == "半" && w.isWord(i+1, "数") {
			return ratio{part: 1, whole: 2}, 2
		}
	}
	if r.part < 1 || r.whole < 2 || r.part > r.whole {
		return ratio{}, 0
	}
	return r, n
}

// ratioOfFigure returns the ratio that starts with the number at token i: 14 of 52, 2/3, two thirds, one in five, 一半,
// 52口井中有14口.
func (w wording) ratioOfFigure(i int) (r ratio, n int) {
	if part, whole, ok := strings.Cut(w.text(i), "of"); ok { // 三分之二
		return ratio{part: integer(part), whole: integer(whole)}, 1
	}
	first := w.integerAt(i)
	isOf := w.isWord(i+1, "of")
	switch {
	case i+1 == len(w.tokens) || w.isWord(i-1, "of") && !w.isWord(i-2, "a"):
	case isOf && !w.isWord(i+3, "of"), w.isWord(i+1, "in") && slices.Contains(wholes, w.integerAt(i+2)):
		isAmount := !isOf && i+3 < len(w.tokens) && (w.tokens[i+3].kind == unitOf || w.tokens[i+3].kind == sign)
		if !isAmount {
			isSlash := w.tokens[i+1].link == apart // 14/52, whose "of" is not in the text
			return ratio{part: first, whole: w.integerAt(i + 2), isCount: isOf && !isSlash}, 3
		}
	case w.tokens[i+1].kind == word && w.tokens[i+1].mark == 0:
		return ratio{part: first, whole: denominators[strings.TrimSuffix(w.text(i+1), "s")]}, 2
	case first == 1 && w.isWord(i+1, "半") && w.tokens[i+1].link == none && !w.isWord(i-1, "第"):
		return ratio{part: 1, whole: 2}, 2
	}
	return w.ratioInChinese(i, first)
}

// ratioInChinese returns the ratio that starts with its whole, as in 52口井中有14口 and 在52口井中，14口.
func (w wording) ratioInChinese(i int, whole int64) (r ratio, n int) {
	const longest = 6 // characters between the whole and 中
	at := i + 1
	for at < min(len(w.tokens), i+1+longest) && w.tokens[at].mark == 0 &&
		(w.tokens[at].kind == character || w.tokens[at].kind == unitOf) && !strings.Contains(ofWhole, w.text(at)) {
		at++
	}
	if at >= len(w.tokens) || w.tokens[at].mark != 0 || w.tokens[at].kind != character ||
		!strings.Contains(ofWhole, w.text(at)) {
		return ratio{}, 0
	}
	at++
	for at < len(w.tokens) && w.tokens[at].kind == character && strings.Contains(beforePart, w.text(at)) {
		at++
	}
	r = ratio{part: w.integerAt(at), whole: whole, isCount: true}
	if end := at + 1; end < len(w.tokens) && w.tokens[end].mark == 0 &&
		(w.tokens[end].kind == unitOf || strings.Contains(measureWords, w.text(end))) {
		at++
	}
	return r, at - i + 1
}

// ratioAfterWhole returns the ratio in "of the 52 wells, 14" at the start of a clause.
func (w wording) ratioAfterWhole(i int) (r ratio, n int) {
	const longest = 3 // words between the whole and the part
	if i > 0 && w.tokens[i-1].kind == figure && w.tokens[i].mark == 0 {
		return ratio{}, 0
	}
	at := i + 1
	for w.isWord(at, "the", "all", "these", "those") {
		at++
	}
	whole := w.integerAt(at)
	at++
	for from := at; at < min(len(w.tokens), from+longest) && w.tokens[at].kind == word && w.tokens[at].mark == 0; {
		at++
	}
	if at >= len(w.tokens) || w.tokens[at].mark != ',' {
		return ratio{}, 0
	}
	return ratio{part: w.integerAt(at), whole: whole, isCount: true}, at - i + 1
}

// isShareHalf reports whether the word "half" at token i is a share: not in "the second half", "half-life" and "half
// past".
func (w wording) isShareHalf(i int) bool {
	if w.tokens[i].link == hyphen || i+1 < len(w.tokens) && w.tokens[i+1].link == hyphen {
		return false
	}
	isOfTwo := i > 0 && slices.Contains(halfOfTwo, w.text(i-1)) // "second" is a unit
	return !isOfTwo && !w.isWord(i+1, afterHalf...) && !(w.isWord(i-1, "a") && w.isWord(i-2, "and"))
}

// integerAt returns the positive integer at token i; 0 if there is none.
func (w wording) integerAt(i int) int64 {
	if i >= len(w.tokens) || w.tokens[i].kind != figure {
		return 0
	}
	return integer(w.text(i))
}

// integer returns the value of a number in canonical form; 0 if it is not a positive integer below 10^9.
func integer(value string) int64 {
	mantissa, exponent, _ := strings.Cut(value, "e")
	tens, err := strconv.Atoi(exponent)
	if err != nil || tens < 0 || len(mantissa)+tens > 9 {
		return 0
	}
	n, _ := strconv.ParseInt(mantissa+strings.Repeat("0", tens), 10, 64) // 0 if it is no integer
	return max(n, 0)
}
