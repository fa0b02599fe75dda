package secret

import (
	"html"
	"strconv"
	"strings"
)

// Limits on nested escapes. A quote in a JSON string that is nested twice in other JSON strings has
// 7 backslashes. A % in a URL that is nested twice is %252525.
const (
	maxBackslashes = 7
	maxPercent     = 3
	maxEntity      = len("&CounterClockwiseContourIntegral;")
)

// reading is one decoded byte and the end of its representation in the text.
type reading struct {
	c   byte
	end int
}

// readings appends the possible readings of the text at a position: the byte itself, and the byte
// that an escape represents. short is true if the text ends within the escape.
func readings(list []reading, text string, at int) (more []reading, short bool) {
	if at == len(text) {
		return list, true
	}
	list = append(list, reading{text[at], at + 1})
	switch text[at] {
	case '+':
		list = append(list, reading{' ', at + 1})
	case '%':
		return percent(list, text, at+1)
	case '\\':
		return backslash(list, text, at)
	case '&':
		return entity(list, text, at+1)
	}
	return list, false
}

// percent appends the readings of a URL escape %XX. The % may be escaped itself, as in %25XX.
func percent(list []reading, text string, at int) (more []reading, short bool) {
	for range maxPercent {
		if len(text) < at+2 {
			return list, true
		}
		c, ok := hexByte(text[at : at+2])
		if ok {
			list = append(list, reading{c, at + 2})
		}
		if c == '&' {
			if list, short = entity(list, text, at+2); short {
				return list, true
			}
		}
		if text[at:at+2] != "25" {
			break
		}
		at += 2
	}
	return list, false
}

// backslash appends the readings of \uXXXX, \xXX, \/, \" and \\. The backslash may be escaped
// itself.
func backslash(list []reading, text string, at int) (more []reading, short bool) {
	rest, run := text[at:], 0
	for run < min(len(rest), maxBackslashes) && rest[run] == '\\' {
		run++
	}
	for n := 2; n <= run; n *= 2 {
		list = append(list, reading{'\\', at + n})
	}
	after := rest[run:]
	if after == "" {
		return list, true
	}
	digits := 0
	switch after[0] {
	case '/', '"', '\'':
		return append(list, reading{after[0], at + run + 1}), false
	case 'u', 'U':
		digits = 4
	case 'x', 'X':
		digits = 2
	default:
		return list, false
	}
	if len(after) < 1+digits {
		return list, true
	}
	c, ok := hexByte(after[1 : 1+digits])
	if ok {
		list = append(list, reading{c, at + run + 1 + digits})
	}
	if ok && c == '&' {
		return entity(list, text, at+run+1+digits)
	}
	return list, false
}

// entity appends the readings of an HTML entity such as &amp; &#38; or &#x26;. at is the position
// after the &. The & may be escaped once itself, as in &amp;lt;.
func entity(list []reading, text string, at int) (more []reading, short bool) {
	if strings.HasPrefix(text[at:], "amp;") {
		at += len("amp;")
		list = append(list, reading{'&', at})
	}
	for end := at; end < min(len(text), at+maxEntity); end++ {
		c := text[end]
		if c == ';' {
			if plain := html.UnescapeString("&" + text[at:end+1]); len(plain) == 1 {
				list = append(list, reading{plain[0], end + 1})
			}
			return list, false
		}
		if c != '#' && !isAlphanumeric(c) {
			return list, false
		}
	}
	return list, len(text) < at+maxEntity
}

func isAlphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func hexByte(digits string) (c byte, ok bool) {
	n, err := strconv.ParseUint(digits, 16, 16)
	return byte(n), err == nil && n < 256
}

// escapes are the bytes with which an escape sequence can start.
const escapes = `%\&+`

var folded = func() (table [256]byte) {
	for i := range table {
		table[i] = byte(i)
		if 'A' <= i && i <= 'Z' {
			table[i] = byte(i) + 'a' - 'A'
		}
	}
	return table
}()
