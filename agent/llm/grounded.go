package llm

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// occursIn reports whether every name and value of the JSON raw occurs in source, in the same
// order. It detects values that the repairer invented. Strings are compared word by word, because a
// repair changes quotes and escapes.
func occursIn(raw json.RawMessage, source string) bool {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	rest := words(source)
	for {
		token, err := dec.Token()
		if err != nil {
			return dec.InputOffset() >= int64(len(bytes.TrimRight(raw, " \t\r\n")))
		}
		var want string
		switch v := token.(type) {
		case json.Delim:
			continue
		case string:
			want = words(escaped(v))
		case json.Number:
			if !hasNumber(source, v.String()) {
				return false
			}
			want = words(v.String())
		case bool:
			want = " " + strconv.FormatBool(v) + " "
		case nil:
			want = " null "
			if !strings.Contains(rest, want) {
				want = " none "
			}
		}
		i := strings.Index(rest, want)
		if i < 0 {
			return false
		}
		rest = rest[i+len(want)-1:]
	}
}

// hasNumber reports whether source contains number, not just as a part of a longer number.
func hasNumber(source, number string) bool {
	const of = "0123456789.eE+-"
	for from := 0; ; {
		i := strings.Index(source[from:], number)
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(number)
		before := start == 0 || strings.IndexByte(of, source[start-1]) < 0
		after := end == len(source) || strings.IndexByte(of, source[end]) < 0
		if before && after {
			return true
		}
		from = end
	}
}

// escaped replaces backslashes with spaces, so that words does not read them as JSON escapes.
func escaped(s string) string { return strings.ReplaceAll(s, `\`, ` `) }

// words returns the words of a text in lower case, each with a space before and after it. JSON
// escapes are decoded.
func words(s string) string {
	var b strings.Builder
	b.Grow(len(s) + 2)
	b.WriteByte(' ')
	gap := true
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		if r == '\\' && i < len(s) {
			r, n = escapedRune(s[i:])
			i += n
		}
		word := unicode.IsLetter(r) || unicode.IsDigit(r)
		if word {
			b.WriteRune(unicode.ToLower(r))
		} else if !gap {
			b.WriteByte(' ')
		}
		gap = !word
	}
	if !gap {
		b.WriteByte(' ')
	}
	return b.String()
}

// escapedRune decodes a JSON escape from the text after its backslash. It returns the character and
// the number of bytes read.
func escapedRune(s string) (rune, int) {
	if s[0] == 'u' && len(s) >= 5 {
		if v, err := strconv.ParseUint(s[1:5], 16, 16); err == nil {
			return rune(v), 5
		}
	}
	if strings.IndexByte("bfnrtu", s[0]) >= 0 {
		return ' ', 1
	}
	r, n := utf8.DecodeRuneInString(s)
	return r, n
}
