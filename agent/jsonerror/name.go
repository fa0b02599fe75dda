package jsonerror

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// maxIndex is the maximal number of digits shown of an index.
const maxIndex = 40

// Path converts /turns/0/input/text to turns[0].input.text. word makes a name printable.
func Path(p jsontext.Pointer, word func(name string) string) string {
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

// TypeName returns the JSON name of a Go type. An int64 is a string: only durations have this type,
// and they are written as strings.
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

// KindName returns the name of a JSON kind.
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
