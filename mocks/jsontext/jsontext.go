// Package jsontext reads and writes JSON without changing the order of the keys. The package
// encoding/json does not preserve the order.
package jsontext

import (
	"strconv"
	"unicode/utf8"
)

// AppendString appends s as a JSON string. HTML is not escaped; invalid UTF-8 is replaced by
// U+FFFD.
func AppendString(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); {
		ch := s[i]
		if ch >= ' ' && ch != '"' && ch != '\\' && ch < utf8.RuneSelf {
			i++
			continue
		}
		if ch >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			if r != utf8.RuneError || n != 1 {
				i += n
				continue
			}
		}
		b = append(b, s[start:i]...)
		b = appendEscaped(b, ch)
		i++
		start = i
	}
	b = append(b, s[start:]...)
	return append(b, '"')
}

func appendEscaped(b []byte, ch byte) []byte {
	switch {
	case ch == '"' || ch == '\\':
		return append(b, '\\', ch)
	case ch == '\n':
		return append(b, '\\', 'n')
	case ch == '\r':
		return append(b, '\\', 'r')
	case ch == '\t':
		return append(b, '\\', 't')
	case ch < ' ':
		return append(b, '\\', 'u', '0', '0', hex[ch>>4], hex[ch&15])
	}
	return append(b, "\ufffd"...)
}

// AppendStringField appends "key":"value". The key must not require escaping.
func AppendStringField(b []byte, key, value string) []byte {
	return AppendString(appendKey(b, key), value)
}

// AppendNullableStringField is like AppendStringField, but appends null for an empty value.
func AppendNullableStringField(b []byte, key, value string) []byte {
	if value == "" {
		return append(appendKey(b, key), "null"...)
	}
	return AppendStringField(b, key, value)
}

// AppendIntField appends "key":n. The key must not require escaping.
func AppendIntField(b []byte, key string, n int) []byte {
	return strconv.AppendInt(appendKey(b, key), int64(n), 10)
}

const hex = "0123456789abcdef"

func appendKey(b []byte, key string) []byte {
	b = append(b, '"')
	b = append(b, key...)
	return append(b, '"', ':')
}
