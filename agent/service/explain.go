package service

import (
	"cmp"
	"strings"

	"evalctl/agent/jsonerror"
)

// jsonProblem converts a JSON error to a response that names the field of the request.
func jsonProblem(err error) *problem {
	e, found := jsonerror.FromError(err)
	field := cmp.Or(jsonerror.FormatPath(e.Path, fieldName), "the request")
	switch {
	case !found, e.Kind == jsonerror.Truncated:
		return malformed("the request ends too early")
	case e.Kind == jsonerror.Duplicate:
		return malformed("%s is given twice", quoteShort(e.Path.LastToken()))
	case e.Kind == jsonerror.Syntax:
		return malformed("malformed JSON: %s", e.Reason)
	case e.Kind == jsonerror.UnknownField:
		return malformed("%s: unknown field", field)
	case e.Kind == jsonerror.OutOfRange:
		return malformed("%s: the number is too large", field)
	}
	return malformed("%s: %s", field, e.Reason)
}

func fieldName(name string) string {
	plain := func(r rune) bool {
		return r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	if name != "" && len(name) <= maxQuotedLen && !strings.ContainsFunc(name, func(r rune) bool { return !plain(r) }) {
		return name
	}
	return quoteShort(name)
}
