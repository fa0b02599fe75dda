package datasets

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"reflect"
	"strconv"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"evalctl/agent"
)

// defect is what is wrong with a field of a line.
type defect struct {
	field  string // such as turns[0].input.text; "" for the whole
	reason string
}

func (d *defect) Error() string {
	if d.field == "" {
		return d.reason
	}
	return d.field + ": " + d.reason
}

var errNoObject = errors.New("is not a JSON object")

func wrong(field, format string, args ...any) error {
	return &defect{field, fmt.Sprintf(format, args...)}
}

// within says in which field a defect lies.
func within(parent string, err error) error {
	var d *defect
	switch {
	case !errors.As(err, &d):
		return &defect{parent, oneLine(err.Error())}
	case d.field == "" || strings.HasPrefix(d.field, "["):
		return &defect{parent + d.field, d.reason}
	}
	return &defect{parent + "." + d.field, d.reason}
}

// explain tells a JSON error in the words of the file, not of Go's types.
func explain(err error) error {
	var syntax *jsontext.SyntacticError
	var semantic *json.SemanticError
	switch {
	case errors.As(err, &syntax):
		return explainSyntax(syntax)
	case !errors.As(err, &semantic):
		return err
	}
	field := fieldPath(semantic.JSONPointer)
	switch {
	case errors.Is(err, json.ErrUnknownName):
		return wrong(field, "unknown field")
	case field == "":
		return errNoObject
	case semantic.GoType == reflect.TypeFor[agent.Delay]() && semantic.JSONKind == '"':
		return wrong(field, "is no duration like 250ms or 31m")
	}
	return wrong(field, "wants %s, has %s", wanted(semantic.GoType), kindName(semantic.JSONKind))
}

func explainSyntax(err *jsontext.SyntacticError) error {
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		return wrong(fieldPath(err.JSONPointer), "is given twice")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("is not valid JSON: the line ends too early")
	}
	return fmt.Errorf("is not valid JSON: %s at byte %d", oneLine(err.Err.Error()), err.ByteOffset+1)
}

// fieldPath writes /turns/0/input/text as turns[0].input.text.
func fieldPath(p jsontext.Pointer) string {
	var b strings.Builder
	for token := range p.Tokens() {
		if _, err := strconv.Atoi(token); err == nil {
			b.WriteString("[" + token + "]")
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(plain(token))
	}
	return b.String()
}

func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String, reflect.Int64: // an agent.Delay is written as text
		return "a string"
	case reflect.Slice:
		return "a list"
	case reflect.Float64:
		return "a number"
	case reflect.Bool:
		return "a boolean"
	case reflect.Pointer:
		return wanted(t.Elem())
	}
	return "an object"
}

func kindName(k jsontext.Kind) string {
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

const maxShown = 60

// plain shows a piece of a file in a message: quoted unless it is a plain word,
// and shortened.
func plain(s string) string {
	short := s
	if r := []rune(s[:min(len(s), 4*(maxShown+1))]); len(r) > maxShown {
		short = string(r[:maxShown]) + "…"
	}
	for _, r := range short {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-", r) {
			return strconv.Quote(short)
		}
	}
	if s == "" {
		return `""`
	}
	return short
}

// oneLine keeps a file's name from breaking a message.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return '?'
		}
		return r
	}, s)
}

// reason leaves out what the message has said: the operation and the path.
func reason(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
