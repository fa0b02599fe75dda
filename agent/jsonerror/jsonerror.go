// Package jsonerror explains errors of JSON decoders in terms of the JSON text instead of Go types.
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

// Kind classifies an error in a JSON text.
type Kind int

// The kinds of errors.
const (
	Syntax       Kind = iota // invalid JSON
	Truncated                // the text ends too early
	Duplicate                // an object has two members with the same name
	UnknownField             // an object has a member with an unknown name
	OutOfRange               // a number does not fit the Go type
	WrongType                // a value has the wrong JSON type
)

// Error describes an error in a JSON text.
type Error struct {
	Kind     Kind
	Path     jsontext.Pointer // position of the error; "": the whole text
	Reason   string           // for Syntax, OutOfRange and WrongType
	Expected reflect.Type     // Go type, for OutOfRange and WrongType
	Actual   jsontext.Kind    // JSON type found, for OutOfRange and WrongType
}

// FromError returns a description of the JSON error in an error chain. found is false if there is
// none, for example after a failed read.
func FromError(err error) (_ Error, found bool) {
	var syntax *jsontext.SyntacticError
	var semantic *json.SemanticError
	var standard *stdjson.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fromSyntaxError(syntax), true
	case errors.As(err, &semantic):
		return fromSemanticError(semantic), true
	case errors.As(err, &standard):
		return fromStandardLibrary(standard), true
	}
	return Error{}, false
}

// fromStandardLibrary converts an error of encoding/json.
func fromStandardLibrary(err *stdjson.UnmarshalTypeError) Error {
	e := Error{Kind: WrongType, Expected: err.Type, Actual: '{'}
	if err.Field != "" {
		e.Path = jsontext.Pointer("/" + strings.ReplaceAll(err.Field, ".", "/"))
	}
	kind, _, _ := strings.Cut(err.Value, " ") // for example: number 1.5
	if has, ok := map[string]jsontext.Kind{"string": '"', "number": '0', "array": '[', "bool": 't'}[kind]; ok {
		e.Actual = has
	}
	e.Reason = fmt.Sprintf("must be %s, got %s", TypeName(err.Type), KindName(e.Actual))
	return e
}

func fromSyntaxError(err *jsontext.SyntacticError) Error {
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

func fromSemanticError(err *json.SemanticError) Error {
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
