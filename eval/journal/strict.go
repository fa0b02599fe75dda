package journal

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"evalctl/agent/jsonerror"
)

// lenientOptions accept duplicate names and invalid UTF-8, because model output is stored as it is.
var lenientOptions = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true),
	jsonv1.FormatDurationAsNano(true))

// decodeStrict decodes a line and returns an error for unknown fields, so that no data are lost.
func decodeStrict[T any](line []byte) (v T, err error) {
	if isBlank(line) {
		return v, errBlank
	}
	if err := json.Unmarshal(line, &v, lenientOptions, json.RejectUnknownMembers(true)); err != nil {
		return v, explain(err)
	}
	return v, nil
}

func isBlank(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 }

// explain returns a JSON error with the name of the field and a readable reason.
func explain(err error) error {
	var own *json.SemanticError
	switch e, found := jsonerror.FromError(err); {
	case !found:
		return err
	case e.Kind == jsonerror.UnknownField:
		return fmt.Errorf("unknown field %q", e.Path)
	case e.Kind == jsonerror.Truncated:
		return errors.New("the line ends in mid-value")
	case e.Kind == jsonerror.Syntax:
		return errors.New(e.Reason)
	case errors.As(err, &own) && own.Err != nil:
		return fmt.Errorf("%s: %w", e.Path, own.Err)
	default:
		return errors.New(strings.TrimPrefix(string(e.Path)+": "+e.Reason, ": "))
	}
}

var errBlank = errors.New("the line is blank: a run writes none")
