package datasets

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"evalctl/agent"
	"evalctl/agent/jsonerror"
	"evalctl/eval/suggest"
)

// defect is an error in one field of a line.
type defect struct {
	field  string // path of the field, such as turns[0].input.text; "": the whole line
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

// inField adds the field parent to the front of the field path in err.
func inField(parent string, err error) error {
	var d *defect
	switch {
	case !errors.As(err, &d):
		return &defect{parent, oneLine(err.Error())}
	case d.field == "" || strings.HasPrefix(d.field, "["):
		return &defect{parent + d.field, d.reason}
	}
	return &defect{parent + "." + d.field, d.reason}
}

// explain rewrites a JSON decoding error so that it describes the file and mentions no Go types.
func explain(err error) error {
	e, found := jsonerror.FromError(err)
	if !found {
		return err
	}
	field := jsonerror.FormatPath(e.Path, quoted)
	switch {
	case e.Kind == jsonerror.Truncated:
		return errors.New("is not valid JSON: the line ends too early")
	case e.Kind == jsonerror.Syntax:
		return fmt.Errorf("is not valid JSON: %s", oneLine(e.Reason))
	case e.Kind == jsonerror.Duplicate:
		return wrong(field, "is given twice")
	case e.Kind == jsonerror.UnknownField:
		return wrong(field, "unknown field")
	case field == "":
		return errNoObject
	case e.Expected == reflect.TypeFor[agent.Delay]() && e.Actual == '"':
		return wrong(field, "is not a duration such as 250ms or 31m")
	}
	return wrong(field, "%s", e.Reason)
}

// renamed maps old names of case fields to their current names, for error messages.
var renamed = map[string]string{
	"served":    "answered_by",
	"under":     "under_fault",
	"pictures":  "images",
	"shows":     "description",
	"good":      "acceptable",
	"remembers": "retained_facts",
	"reviews":   "simulated_reviews",
	"asks":      "simulated_questions",
	"zone":      "time_zone",
}

// unknown returns an error for a name that is not one of the known names. The error suggests the
// current name of a renamed field, or a known name with a similar spelling, or lists all known
// names. what is the kind of name, such as "field".
func unknown(what, name string, known []string) error {
	if to := renamed[name]; slices.Contains(known, to) {
		return wrong("", "unknown %s: renamed to %q", what, to)
	}
	if near, ok := suggest.Closest(name, known); ok {
		return wrong("", "unknown %s, did you mean %q?", what, near)
	}
	return wrong("", "unknown %s (known: %s)", what, cmp.Or(strings.Join(known, ", "), "none"))
}

// explainField is like explain, but for an unknown field it also suggests a known one.
func explainField(err error, known []string) error {
	e, found := jsonerror.FromError(err)
	if !found || e.Kind != jsonerror.UnknownField {
		return explain(err)
	}
	return inField(jsonerror.FormatPath(e.Path, quoted), unknown("field", e.Path.LastToken(), known))
}

const maxShown = 60

// quoted formats text for an error message: shortened, and quoted unless it is a plain word.
func quoted(s string) string {
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

// oneLine replaces control characters, such as line breaks in a file name, by question marks.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return '?'
		}
		return r
	}, s)
}
