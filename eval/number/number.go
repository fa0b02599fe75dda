// Package number formats numbers for tables, sentences and gate messages, and parses numbers that
// users type.
package number

import (
	"math"
	"strconv"
	"strings"
)

// MissingText is the text for a missing value (an en dash). 0 would look like a measured value.
const MissingText = "–"

// IsKnown reports whether a value can be shown: it is not nil and is finite.
func IsKnown(v *float64) bool { return v != nil && !math.IsNaN(*v) && !math.IsInf(*v, 0) }

// Integer formats an integer with commas: 1240 as 1,240.
func Integer(n int64) string { return groupedText(strconv.FormatInt(n, 10)) }

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

// Plural formats a number with a noun, in the plural if necessary: "1 case", "2 cases", "2
// classes".
func Plural(n int64, noun string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(noun, "s"):
		noun += "es"
	default:
		noun += "s"
	}
	return Integer(n) + " " + noun
}

// Percent formats a fraction as a percentage without the percent sign: 0.955 as 95.5. Exactly 0 and
// 1 have no decimals, unlike values that are only rounded to them.
func Percent(v float64) string {
	if v == 0 || v == 1 {
		return fixed(v*100, 0)
	}
	return fixed(v*100, 1)
}

// Share formats a fraction as a percentage with the percent sign: 0.955 as 95.5 %.
func Share(v float64) string { return Percent(v) + " %" }

// minus is the minus sign of formatted differences. It has the same width as a plus sign.
const minus = "−"

// PercentagePoints formats a difference of two fractions in percentage points, with a sign: +22.5,
// −10.8. Only an exact 0 is "0".
func PercentagePoints(v float64) string {
	switch text := fixed(math.Abs(v)*100, 1); {
	case v == 0:
		return "0"
	case v < 0:
		return minus + text
	default:
		return "+" + text
	}
}

// USD formats an amount in US dollars without the dollar sign. Amounts below 0.10 have two
// significant digits: 1,204, 12.35, 0.14, 0.0042.
func USD(v float64) string {
	switch a := math.Abs(v); {
	case v == 0:
		return "0"
	case a >= 999.5:
		return RoundedInteger(v)
	case a >= 0.0995:
		return fixed(v, 2)
	default:
		return fixed(v, 1-int(math.Floor(math.Log10(a))))
	}
}

// Ratio formats a ratio with two decimals: 1.07.
func Ratio(v float64) string { return fixed(v, 2) }

// RatioTwoDigits formats a ratio with two significant digits: 0.0051, 0.97, 1.1, 24.
func RatioTwoDigits(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return Ratio(v)
	}
	text := strconv.FormatFloat(v, 'e', 1, 64)
	exponent, _ := strconv.Atoi(text[strings.IndexByte(text, 'e')+1:])
	rounded, _ := strconv.ParseFloat(text, 64)
	if exponent > 0 {
		return RoundedInteger(rounded)
	}
	return fixed(rounded, 1-exponent)
}

// Score formats a value between 0 and 1 that is not a share, such as F1, with three decimals:
// 0.906.
func Score(v float64) string { return fixed(v, 3) }

// Threshold formats a confidence threshold from 0 to 1 with two to four decimals: 0.90, 0.965.
// Rounding to fewer decimals would change which decisions are above the threshold.
func Threshold(v float64) string {
	text := fixed(v, 4)
	for len(text) > len("0.00") && text[len(text)-1] == '0' {
		text = text[:len(text)-1]
	}
	return text
}

// Mean formats the mean of counts with two decimals: 2.22.
func Mean(v float64) string { return fixed(v, 2) }

// RoundedInteger formats a value rounded to an integer, with commas. Halves are rounded away from
// zero.
func RoundedInteger(v float64) string { return groupedText(fixed(math.Round(v)+0, 0)) }

func fixed(v float64, decimals int) string { return strconv.FormatFloat(v, 'f', decimals, 64) }
