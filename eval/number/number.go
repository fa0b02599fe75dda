// Package number formats numbers for tables, sentences and gate messages, and parses numbers that
// users type.
package number

import (
	"math"
	"strconv"
	"strings"
)

// Missing replaces a missing value; 0 would be a value.
const Missing = "–"

// IsKnown reports whether a value can be shown: not nil and finite.
func IsKnown(v *float64) bool { return v != nil && !math.IsNaN(*v) && !math.IsInf(*v, 0) }

// Thousands formats 1240 as 1,240.
func Thousands(n int64) string { return groupedText(strconv.FormatInt(n, 10)) }

func groupedText(text string) string {
	sign, digits := "", text
	if strings.HasPrefix(text, "-") {
		sign, digits = "-", text[1:]
	}
	var parts []string
	for len(digits) > 3 {
		parts = append([]string{digits[len(digits)-3:]}, parts...)
		digits = digits[:len(digits)-3]
	}
	return sign + strings.Join(append([]string{digits}, parts...), ",")
}

// Plural formats 1 as "1 case", 2 as "2 cases" or "2 classes".
func Plural(n int64, noun string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(noun, "s"):
		noun += "es"
	default:
		noun += "s"
	}
	return Thousands(n) + " " + noun
}

// Percent formats a fraction as a percentage, without the sign: 95.5. Exactly 0 and 1 have no
// decimals, unlike values rounded to them.
func Percent(v float64) string {
	if v == 0 || v == 1 {
		return fixed(v*100, 0)
	}
	return fixed(v*100, 1)
}

// Share formats a fraction with the sign: 95.5 %.
func Share(v float64) string { return Percent(v) + " %" }

// minus has the same width as plus.
const minus = "−"

// Points formats a difference of fractions in points, with a sign: +22.5, −10.8. Only an exact 0 is
// "0".
func Points(v float64) string {
	switch text := fixed(math.Abs(v)*100, 1); {
	case v == 0:
		return "0"
	case v < 0:
		return minus + text
	default:
		return "+" + text
	}
}

// USD formats US dollars without the sign. Amounts below a dime have two significant digits: 1,204,
// 12.35, 0.14, 0.0042.
func USD(v float64) string {
	switch a := math.Abs(v); {
	case v == 0:
		return "0"
	case a >= 999.5:
		return Round(v)
	case a >= 0.0995:
		return fixed(v, 2)
	default:
		return fixed(v, 1-int(math.Floor(math.Log10(a))))
	}
}

// Factor formats a ratio: 1.07.
func Factor(v float64) string { return fixed(v, 2) }

// Times formats a ratio with two significant digits: 0.0051, 0.97, 1.1, 24.
func Times(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return Factor(v)
	}
	text := strconv.FormatFloat(v, 'e', 1, 64)
	exponent, _ := strconv.Atoi(text[strings.IndexByte(text, 'e')+1:])
	rounded, _ := strconv.ParseFloat(text, 64)
	if exponent > 0 {
		return Round(rounded)
	}
	return fixed(rounded, 1-exponent)
}

// Score formats a value between 0 and 1 that is not a share, such as F1: 0.906.
func Score(v float64) string { return fixed(v, 3) }

// Threshold formats a threshold from 0 to 1 with up to four decimals: 0.90, 0.965. Rounding to
// fewer would change the decisions.
func Threshold(v float64) string {
	text := fixed(v, 4)
	for len(text) > len("0.00") && text[len(text)-1] == '0' {
		text = text[:len(text)-1]
	}
	return text
}

// Mean formats a mean count: 2.22.
func Mean(v float64) string { return fixed(v, 2) }

// Round formats a value rounded to an integer, halves away from zero.
func Round(v float64) string { return groupedText(fixed(math.Round(v)+0, 0)) }

func fixed(v float64, decimals int) string { return strconv.FormatFloat(v, 'f', decimals, 64) }
