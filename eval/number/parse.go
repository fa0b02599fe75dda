package number

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// ParseShare reads a part of a whole, as 5% or 0.05.
func ParseShare(word string) (float64, error) {
	v, err := ParsePercent(word)
	if err != nil && IsDecimal(word) {
		v, err = ParseDecimal(word)
	}
	if err != nil || !(v >= 0 && v <= 1) {
		return 0, errors.New("want a share such as 5% or 0.05 here")
	}
	return v, nil
}

// ParsePoints reads a difference of shares, 1pp as 0.01.
func ParsePoints(word string) (float64, error) {
	if digits, ok := strings.CutSuffix(word, "pp"); ok && IsDecimal(digits) {
		v, err := hundredths(digits)
		if err == nil && math.Abs(v) >= 1 {
			return 0, errors.New("a difference is less than 100pp")
		}
		return v, err
	}
	return 0, errors.New("want points such as 1pp here")
}

// ParsePercent reads 90% as 0.9.
func ParsePercent(word string) (float64, error) {
	if digits, ok := strings.CutSuffix(word, "%"); ok && IsDecimal(digits) {
		return hundredths(digits)
	}
	return 0, errors.New("want a percentage such as 90% here")
}

// hundredths shifts the point in the text, which keeps 99.9 equal to 0.999; dividing
// does not.
func hundredths(digits string) (float64, error) { return parseFinite(digits + "e-2") }

// ParseDecimal reads what IsDecimal knows.
func ParseDecimal(word string) (float64, error) {
	if !IsDecimal(word) {
		return 0, errors.New("want a number here")
	}
	return parseFinite(word)
}

func parseFinite(decimal string) (float64, error) {
	v, err := strconv.ParseFloat(decimal, 64)
	if err != nil {
		return 0, errors.New("this number is too large")
	}
	return v + 0, nil
}

// IsDecimal tells digits with at most one point between or beside them, and a sign. It
// leaves out what strconv reads besides: Inf, NaN, hexadecimal, exponents, underscores.
func IsDecimal(word string) bool {
	if word != "" && strings.ContainsRune("+-", rune(word[0])) {
		word = word[1:]
	}
	whole, fraction, _ := strings.Cut(word, ".")
	return IsDigits(whole + fraction)
}

// IsDigits tells one digit or more, and nothing else.
func IsDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
