package scorer

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxNumberLength is the maximum length of a text that is parsed as a number, in bytes.
const maxNumberLength = 40

// startsNumber reports whether text starts with a number. before is the character in front of text.
// A hyphen after a letter or digit, as in GPT-4 and 3-5, is not a minus sign.
func startsNumber(text string, before rune) bool {
	joins := alphabetic(before) || unicode.IsDigit(before)
	switch {
	case isDigit(text, 0):
		return true
	case text[0] == '.':
		return !joins && isDigit(text, 1)
	case text[0] == '-':
		return !joins && !strings.ContainsRune("%)", before) &&
			(isDigit(text, 1) || strings.HasPrefix(text[1:], ".") && isDigit(text, 2))
	}
	return false
}

func isDigit(text string, i int) bool { return i < len(text) && '0' <= text[i] && text[i] <= '9' }

// readNumber parses the number at the start of text, with a multiplier such as 万 or million. It
// returns the number in canonical form, and its length in bytes. A text such as 1.2.3 is returned
// unchanged.
func readNumber(text string) (value string, n int) {
	if text[0] == '-' {
		n = 1
	}
	n = thousands(text, n)
	dots := 0
	for n < len(text) && text[n] == '.' && isDigit(text, n+1) {
		dots, n = dots+1, digits(text, n+1)
	}
	if dots > 1 || n > maxNumberLength {
		return text[:n], n
	}
	mantissa := text[:n]
	tens := 0
	if end := exponent(text, n); end > n {
		tens, _ = strconv.Atoi(strings.TrimPrefix(text[n+1:end], "+")) // cannot fail: at most three digits
		n = end
	}
	zeros, more := scale(text[n:])
	return number(mantissa, tens+zeros), n + more
}

// number returns mantissa·10^tens without redundant zeros: 1,200 and 1.2e3 are both 12e2.
func number(mantissa string, tens int) string {
	mantissa = strings.ReplaceAll(mantissa, ",", "")
	rest, isNegative := strings.CutPrefix(mantissa, "-")
	whole, part, _ := strings.Cut(rest, ".")
	significant := strings.TrimLeft(whole+part, "0")
	if significant == "" {
		return "0"
	}
	shown := strings.TrimRight(significant, "0")
	tens += len(significant) - len(shown) - len(part)
	if isNegative {
		shown = "-" + shown
	}
	return shown + "e" + strconv.Itoa(tens)
}

// digits returns the position after the digits that start at position i.
func digits(text string, i int) int {
	for isDigit(text, i) {
		i++
	}
	return i
}

// thousands returns the position after the integer that starts at position i. The integer may have
// thousands separators.
func thousands(text string, i int) int {
	end := digits(text, i)
	if end-i > 3 || end == i {
		return end
	}
	for end < len(text) && text[end] == ',' && digits(text, end+1) == end+4 {
		end += 4
	}
	return end
}

// exponent returns the position after an exponent such as e-3 at position i, or i.
func exponent(text string, i int) int {
	if i >= len(text) || text[i] != 'e' {
		return i
	}
	from := i + 1
	if from < len(text) && (text[from] == '-' || text[from] == '+') {
		from++
	}
	end := digits(text, from)
	after, _ := utf8.DecodeRuneInString(text[end:])
	if end == from || end-from > 3 || alphabetic(after) {
		return i
	}
	return end
}

// scales lists the multipliers that may follow a number, with their powers of ten.
var scales = []struct {
	name  string
	zeros int
}{
	{"万亿", 12}, {"千万", 7}, {"百万", 6}, {"千", 3}, {"万", 4}, {"亿", 8},
	{"hundred", 2}, {"thousand", 3}, {"million", 6}, {"billion", 9}, {"trillion", 12}, {"k", 3},
}

// scale parses a multiplier at the start of text. It returns the power of ten and the length in
// bytes. k is a multiplier only directly after the number; otherwise it is a unit.
func scale(text string) (zeros, n int) {
	rest := strings.TrimPrefix(text, " ")
	for _, s := range scales {
		after, ok := strings.CutPrefix(rest, s.name)
		if !ok || s.name == "k" && rest != text || s.name == "千" && startsUnitName(rest) {
			continue
		}
		last, _ := utf8.DecodeLastRuneInString(s.name)
		next, _ := utf8.DecodeRuneInString(after)
		if alphabetic(last) && (alphabetic(next) || unicode.IsDigit(next)) {
			continue // only the start of another word
		}
		return s.zeros, len(text) - len(after)
	}
	return 0, 0
}
