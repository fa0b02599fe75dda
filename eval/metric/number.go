package metric

import (
	"math"
	"strconv"
	"strings"
)

// MissingText is the text for a missing value (an en dash). 0 would look like a measured value.
const MissingText = "–"

// IsKnown reports whether a value can be shown: it is not nil and is finite.
func IsKnown(v *float64) bool { return v != nil && !math.IsNaN(*v) && !math.IsInf(*v, 0) }

// FormatInteger formats an integer with commas: 1240 as 1,240.
func FormatInteger(n int64) string { return groupedText(strconv.FormatInt(n, 10)) }

func groupedText(text string) string {
	digits, isNegative := strings.CutPrefix(strings.TrimPrefix(text, "-"), "−")
	sign := ""
	if isNegative || strings.HasPrefix(text, "-") {
		sign = "−"
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
	return FormatInteger(n) + " " + noun
}

// FormatPercent formats a fraction as a percentage without the percent sign: 0.955 as 95.5. Exactly 0 and
// 1 have no decimals, unlike values that are only rounded to them.
func FormatPercent(v float64) string {
	if v == 0 || v == 1 {
		return fixedDecimals(v*100, 0)
	}
	return fixedDecimals(v*100, 1)
}

// FormatShare formats a fraction as a percentage with the percent sign: 0.955 as 95.5 %.
func FormatShare(v float64) string { return FormatPercent(v) + " %" }

// minus is the minus sign of formatted differences. It has the same width as a plus sign.
const minus = "−"

// FormatPoints formats a difference of two fractions in percentage points, with a sign: +22.5,
// −10.8. Only an exact 0 is "0".
func FormatPoints(v float64) string { return signed(v, fixedDecimals(math.Abs(v)*100, 1)) }

// signed puts the sign of v before its formatted absolute value.
func signed(v float64, text string) string {
	switch {
	case v == 0:
		return "0"
	case v < 0:
		return minus + text
	default:
		return "+" + text
	}
}

// FormatUSD formats an amount in US dollars without the dollar sign. Amounts from 1,000 have no
// decimals (1,204), smaller ones two (12.35), and those below 0.10 two significant digits (0.0042).
func FormatUSD(v float64) string {
	switch a := math.Abs(v); {
	case v == 0:
		return "0"
	case a >= 999.5:
		return FormatRounded(v)
	case a >= 0.0995:
		return fixedDecimals(v, 2)
	default:
		return fixedDecimals(v, 1-int(math.Floor(math.Log10(a))))
	}
}

// FormatRatio formats a ratio with two decimals: 1.07.
func FormatRatio(v float64) string { return fixedDecimals(v, 2) }

// FormatRatioTwoDigits formats a ratio with two significant digits: 0.0051, 0.97, 1.1, 24.
func FormatRatioTwoDigits(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return FormatRatio(v)
	}
	text := strconv.FormatFloat(v, 'e', 1, 64)
	exponent, _ := strconv.Atoi(text[strings.IndexByte(text, 'e')+1:])
	rounded, _ := strconv.ParseFloat(text, 64)
	if exponent > 0 {
		return FormatRounded(rounded)
	}
	return fixedDecimals(rounded, 1-exponent)
}

// FormatScore formats a value between 0 and 1 that is not a share, such as F1, with three decimals:
// 0.906.
func FormatScore(v float64) string { return fixedDecimals(v, 3) }

// FormatSignedScore formats a difference of scores with a sign: +0.021, −0.003. Only an exact 0 is "0".
func FormatSignedScore(v float64) string { return signed(v, FormatScore(math.Abs(v))) }

// FormatThreshold formats a confidence threshold from 0 to 1 with two to four decimals: 0.90, 0.965.
// Rounding to fewer decimals would change which decisions are above the threshold.
func FormatThreshold(v float64) string {
	text := fixedDecimals(v, 4)
	for len(text) > len("0.00") && text[len(text)-1] == '0' {
		text = text[:len(text)-1]
	}
	return text
}

// FormatMean formats the mean of counts with two decimals: 2.22.
func FormatMean(v float64) string { return fixedDecimals(v, 2) }

// FormatRounded formats a value rounded to an integer, with commas. Halves are rounded away from
// zero.
func FormatRounded(v float64) string { return groupedText(fixedDecimals(math.Round(v)+0, 0)) }

// fixedDecimals formats a number with a minus sign that is as wide as a plus sign.
func fixedDecimals(v float64, decimals int) string {
	return strings.Replace(strconv.FormatFloat(v, 'f', decimals, 64), "-", "−", 1)
}
