// Package jsonerror says what is wrong with a JSON text in the words of whoever
// wrote it, not of Go's types. How a message begins is its callers' concern.
package jsonerror

import (
	stdjson "encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Kind is a kind of mistake.
type Kind int

// The mistakes.
const (
	Syntax       Kind = iota // it is not JSON
	Truncated                // it ends too early
	Duplicate                // a name is given twice
	UnknownField             // a name means nothing here
	OutOfRange               // a number is too large
	WrongType                // a value is of another type
)

// Error is a mistake in a text.
type Error struct {
	Kind     Kind
	Path     jsontext.Pointer // the place; "": the whole text
	Reason   string           // of Syntax and WrongType
	Expected reflect.Type     // of WrongType
	Actual   jsontext.Kind    // of WrongType
}

// Find finds the mistake behind a decoder's error; there is none where the
// text could not be fetched, or was refused for another reason.
func Find(err error) (_ Error, found bool) {
	var syntax *jsontext.SyntacticError
	var semantic *json.SemanticError
	var older *stdjson.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return inSyntax(syntax), true
	case errors.As(err, &semantic):
		return inMeaning(semantic), true
	case errors.As(err, &older):
		return inType(older), true
	}
	return Error{}, false
}

// inType is a mistake that encoding/json has found.
func inType(err *stdjson.UnmarshalTypeError) Error {
	e := Error{Kind: WrongType, Expected: err.Type, Actual: '{'}
	if err.Field != "" {
		e.Path = jsontext.Pointer("/" + strings.ReplaceAll(err.Field, ".", "/"))
	}
	kind, _, _ := strings.Cut(err.Value, " ") // such as: number 1.5
	if has, ok := map[string]jsontext.Kind{"string": '"', "number": '0', "array": '[', "bool": 't'}[kind]; ok {
		e.Actual = has
	}
	e.Reason = fmt.Sprintf("must be %s, got %s", TypeName(err.Type), KindName(e.Actual))
	return e
}

func inSyntax(err *jsontext.SyntacticError) Error {
	e := Error{Kind: Syntax, Path: err.JSONPointer}
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		e.Kind = Duplicate
	case errors.Is(err, io.ErrUnexpectedEOF):
		e.Kind = Truncated
	default:
		e.Reason = fmt.Sprintf("%s at byte %d", strings.TrimPrefix(err.Err.Error(), "jsontext: "), err.ByteOffset+1)
	}
	return e
}

func inMeaning(err *json.SemanticError) Error {
	e := Error{Kind: WrongType, Path: err.JSONPointer}
	switch {
	case errors.Is(err, json.ErrUnknownName):
		e.Kind = UnknownField
	case errors.Is(err, strconv.ErrRange):
		e.Kind = OutOfRange
	}
	if e.Kind != UnknownField {
		e.Expected, e.Actual = err.GoType, err.JSONKind
		e.Reason = fmt.Sprintf("must be %s, got %s", TypeName(err.GoType), KindName(err.JSONKind))
	}
	return e
}
