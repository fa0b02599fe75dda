package jsonerror

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// maxIndex limits the digits shown of an array index.
const maxIndex = 40

// FormatPath converts a JSON Pointer to a form for users: /turns/0/input/text becomes
// turns[0].input.text. word makes a member name printable.
func FormatPath(p jsontext.Pointer, word func(name string) string) string {
	var b strings.Builder
	for token := range p.Tokens() {
		if _, err := strconv.Atoi(token); err == nil {
			fmt.Fprintf(&b, "[%.*s]", maxIndex, token)
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(word(token))
	}
	return b.String()
}

// TypeName describes the JSON type that a Go type is decoded from. For int64 it is a string,
// because only durations have that type.
func TypeName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String, reflect.Int64:
		return "a string"
	case reflect.Slice:
		return "a list"
	case reflect.Int:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	case reflect.Bool:
		return "a boolean"
	case reflect.Pointer:
		return TypeName(t.Elem())
	}
	return "an object"
}

// KindName describes the JSON type of a value.
func KindName(k jsontext.Kind) string {
	switch k {
	case 'n':
		return "null"
	case 't', 'f':
		return "a boolean"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case '[':
		return "a list"
	}
	return "an object"
}
