package service

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"reflect"
	"strconv"
	"strings"

	strict "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

func (s *Service) tooLarge() *problem {
	return refuse(http.StatusRequestEntityTooLarge, "TOO_LARGE", "the request has more than %d bytes", s.cfg.MaxBody)
}

// explain tells in the words of the request why it could not be read.
func (s *Service) explain(err error) *problem {
	var large *http.MaxBytesError
	var syntax *jsontext.SyntacticError
	var semantic *strict.SemanticError
	switch {
	case errors.As(err, &large):
		return s.tooLarge()
	case errors.Is(err, os.ErrDeadlineExceeded):
		return refuse(http.StatusRequestTimeout, "TIMEOUT", "the request comes too slowly: nothing for %v, or not all within %v", s.cfg.Stall, bodyStalls*s.cfg.Stall)
	case errors.As(err, &syntax):
		return explainSyntax(syntax)
	case errors.As(err, &semantic):
		return explainField(semantic)
	}
	return malformed("the request ends too early")
}

func explainSyntax(err *jsontext.SyntacticError) *problem {
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		return malformed("%s is given twice", piece(err.JSONPointer.LastToken()))
	case errors.Is(err, io.ErrUnexpectedEOF):
		return malformed("the request ends too early")
	}
	return malformed("malformed JSON: %s at byte %d", strings.TrimPrefix(err.Err.Error(), "jsontext: "), err.ByteOffset+1)
}

func explainField(err *strict.SemanticError) *problem {
	field := path(err.JSONPointer)
	switch {
	case errors.Is(err, strict.ErrUnknownName):
		return malformed("%s: unknown field", field)
	case errors.Is(err, strconv.ErrRange):
		return malformed("%s: the number is too large", field)
	}
	return malformed("%s: wants %s, has %s", field, wanted(err.GoType), kindName(err.JSONKind))
}

// path writes /history/0/role as history[0].role.
func path(p jsontext.Pointer) string {
	var b strings.Builder
	for token := range p.Tokens() {
		switch _, err := strconv.Atoi(token); {
		case err == nil:
			fmt.Fprintf(&b, "[%.*s]", maxPiece, token)
		case b.Len() > 0:
			b.WriteString("." + word(token))
		default:
			b.WriteString(word(token))
		}
	}
	if b.Len() == 0 {
		return "the request"
	}
	return b.String()
}

// word shows a field's name, quoted where it is none of ours.
func word(name string) string {
	plain := func(r rune) bool { return r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }
	if name != "" && len(name) <= maxPiece && !strings.ContainsFunc(name, func(r rune) bool { return !plain(r) }) {
		return name
	}
	return piece(name)
}

func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Slice:
		return "a list"
	case reflect.Float64:
		return "a number"
	}
	return "an object"
}

func kindName(k jsontext.Kind) string {
	switch k {
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
