package metric

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// ParseShare parses a share that is written as a percentage or as a fraction: 5% or 0.05. The
// result is in 0..1.
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

// ParsePoints parses a difference in percentage points, such as 1pp. The result is a fraction:
// 0.01.
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

// ParsePercent parses a percentage, such as 90%. The result is a fraction: 0.9.
func ParsePercent(word string) (float64, error) {
	if digits, ok := strings.CutSuffix(word, "%"); ok && IsDecimal(digits) {
		return hundredths(digits)
	}
	return 0, errors.New("want a percentage such as 90% here")
}

// hundredths parses a number and divides it by 100. It shifts the decimal point in the text, so
// 99.9 becomes exactly 0.999; a floating-point division would not.
func hundredths(digits string) (float64, error) { return parseFinite(digits + "e-2") }

// ParseDecimal parses a number in the form that IsDecimal accepts.
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

// IsDecimal reports whether word consists of digits with at most one point and an optional sign. It
// is false for other forms that strconv accepts: Inf, NaN, hexadecimal, exponents, underscores.
func IsDecimal(word string) bool {
	if word != "" && strings.ContainsRune("+-", rune(word[0])) {
		word = word[1:]
	}
	whole, fraction, _ := strings.Cut(word, ".")
	return IsDigits(whole + fraction)
}

// IsDigits reports whether s consists of one or more digits and nothing else.
func IsDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
