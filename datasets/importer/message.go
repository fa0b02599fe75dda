package importer

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"evalctl/agent/file"
	"evalctl/agent/jsonerror"
)

const maxShown = 60 // characters of an excerpt in a message

// quoted formats text from the input for a message: quoted, on one line, and shortened.
func quoted(s string) string {
	if r := []rune(s[:min(len(s), 4*(maxShown+1))]); len(r) > maxShown {
		return strconv.Quote(string(r[:maxShown]) + "…")
	}
	return strconv.Quote(s)
}

// oneLine replaces control characters in a message by question marks.
func oneLine(s string) string {
	if utf8.ValidString(s) && !slices.ContainsFunc([]rune(s), unicode.IsControl) {
		return s
	}
	return strings.Map(func(c rune) rune {
		if unicode.IsControl(c) || c == utf8.RuneError {
			return '?'
		}
		return c
	}, s)
}

func fileError(path string, err error) error {
	return fmt.Errorf("%s: %w", oneLine(path), file.UnwrapPathError(err))
}

// explain describes a JSON decoding error for users, without Go types.
func explain(err error) string {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return "is not valid JSON: it ends too early"
	}
	e, found := jsonerror.FromError(err)
	at := strings.TrimPrefix(string(e.Path), "/")
	switch {
	case !found:
		return err.Error()
	case e.Kind == jsonerror.Duplicate:
		return quoted(at) + " is given twice"
	case e.Kind == jsonerror.Syntax:
		return "is not valid JSON: " + e.Reason
	case at == "":
		return "is not a JSON object"
	}
	return fmt.Sprintf("%s is %s, which is not what belongs there", strings.ReplaceAll(at, "/", "."),
		jsonerror.KindName(e.Actual))
}
