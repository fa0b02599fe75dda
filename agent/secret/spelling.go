package secret

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
)

// How deep escapes are seen through: a JSON string in a JSON string in a third has
// seven backslashes before a quote, and an address in an address in a third %252525.
const (
	maxBackslashes = 7
	maxPercent     = 3
)

// forms are what a value may be written as, escapes aside: itself, and base64
// of it, also in the midst of what else was encoded with it.
func forms(v string) []string {
	list := []string{v}
	for _, code := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
		list = append(list, code.EncodeToString([]byte(v)), code.WithPadding(base64.NoPadding).EncodeToString([]byte(v)))
		for before, shared := range []int{0, 2, 3} { // bytes, and characters that these have a part in
			whole := (before + len(v)) * 8 / 6
			list = append(list, code.EncodeToString([]byte(strings.Repeat("\x00", before) + v))[shared:whole])
		}
	}
	return list
}

// match compares the beginning of a text with a form, letter by letter, each
// bare or escaped, in any mix. It is where the form ends, 0 if it is not there,
// and whether what follows the text may decide otherwise.
func match(text, form string) (end int, open bool) {
	var one, two [8]int
	ends, next := append(one[:0], 0), two[:0]
	for i := 0; i < len(form) && len(ends) > 0; i++ {
		next = next[:0]
		for _, at := range ends {
			short := false
			next, short = letter(next, text, at, form[i])
			open = open || short
		}
		slices.Sort(next)
		ends, next = slices.Compact(next), ends
	}
	if len(ends) == 0 {
		return 0, open
	}
	return ends[len(ends)-1], open
}

// mayBegin tells whether t may begin c, bare or escaped.
func mayBegin(t, c byte) bool { return t == c || t == '+' && c == ' ' || t == '%' || t == '\\' }

// letter adds to ends where c may end that begins at a place in the text; short
// tells that the text ends before that is sure.
func letter(ends []int, text string, at int, c byte) (more []int, short bool) {
	if at == len(text) {
		return ends, true
	}
	if t := text[at]; t == c || t == '+' && c == ' ' {
		ends = append(ends, at+1)
	}
	switch text[at] {
	case '%':
		return percent(ends, text, at+1, c)
	case '\\':
		return backslash(ends, text, at, c)
	}
	return ends, false
}

// percent reads %XX, whose own % may be escaped.
func percent(ends []int, text string, at int, c byte) (more []int, short bool) {
	for range maxPercent {
		if len(text) < at+2 {
			return ends, true
		}
		if isHex(text[at:at+2], c) {
			ends = append(ends, at+2)
		}
		if text[at:at+2] != "25" {
			break
		}
		at += 2
	}
	return ends, false
}

// backslash reads \u and four digits, \/, \" and \\, whose own backslash may be escaped.
func backslash(ends []int, text string, at int, c byte) (more []int, short bool) {
	rest, run := text[at:], 0
	for run < min(len(rest), maxBackslashes) && rest[run] == '\\' {
		run++
	}
	if c == '\\' {
		for n := 2; n <= run; n *= 2 {
			ends = append(ends, at+n)
		}
	}
	switch after := rest[run:]; {
	case after == "":
		return ends, true
	case after[0] == c && (c == '/' || c == '"'):
		return append(ends, at+run+1), false
	case after[0] != 'u':
		return ends, false
	case len(after) < len("u0000"):
		return ends, true
	case isHex(after[1:5], c):
		ends = append(ends, at+run+5)
	}
	return ends, false
}

func isHex(digits string, c byte) bool {
	n, err := strconv.ParseUint(digits, 16, 16)
	return err == nil && n == uint64(c)
}
