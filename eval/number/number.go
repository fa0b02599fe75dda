// Package number writes figures as people read them, in tables, in sentences
// and in the words of gates alike, and reads them as people type them.
package number

import (
	"math"
	"strconv"
	"strings"
)

// None stands where there is no value; 0 would be one.
const None = "–"

// IsKnown tells a value that can be shown.
func IsKnown(v *float64) bool { return v != nil && !math.IsNaN(*v) && !math.IsInf(*v, 0) }

// Thousands writes 1240 as 1,240.
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

// Plural writes 1 as "1 case", 2 as "2 cases" or "2 classes".
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

// Percent writes a fraction as percent, without the sign: 95.5. It tells exactly
// none and exactly all from what is rounded to them.
func Percent(v float64) string {
	if v == 0 || v == 1 {
		return fixed(v*100, 0)
	}
	return fixed(v*100, 1)
}

// Share is a fraction with its sign: 95.5 %.
func Share(v float64) string { return Percent(v) + " %" }

// minus is as wide as plus.
const minus = "−"

// Points writes a difference of fractions in points, with its sign: +22.5,
// −10.8; 0 is exactly none.
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

// USD writes US dollars without the sign, what is less than a dime with two
// significant digits: 1,204, 12.35, 0.14, 0.0042.
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

// Factor writes a ratio: 1.07.
func Factor(v float64) string { return fixed(v, 2) }

// Times writes how many times as much something is, with two significant digits:
// 0.0051, 0.97, 1.1, 24.
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

// Score writes what is between 0 and 1 and no share, such as F1: 0.906.
func Score(v float64) string { return fixed(v, 3) }

// Threshold writes what others are held against from 0 to 1, to the four digits that are
// known of it: 0.90, 0.965. Rounded, it would keep others than it does.
func Threshold(v float64) string {
	text := fixed(v, 4)
	for len(text) > len("0.00") && text[len(text)-1] == '0' {
		text = text[:len(text)-1]
	}
	return text
}

// Mean writes a mean count: 2.22.
func Mean(v float64) string { return fixed(v, 2) }

// Round rounds to a whole number, halves away from zero.
func Round(v float64) string { return groupedText(fixed(math.Round(v)+0, 0)) }

func fixed(v float64, decimals int) string { return strconv.FormatFloat(v, 'f', decimals, 64) }
