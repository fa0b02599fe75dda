package doctor

import (
	"strings"
	"unicode"

	"evalctl/agent/secret"
)

// Key is an environment variable for an API key.
type Key struct {
	Variable, Provider string
	Required           bool // the checked suites do not run without it
	Value              string
	Set                bool
}

// Check reports a missing key, and a malformed one: with quotes, spaces, or characters that keys do
// not contain.
func (k Key) Check() Finding {
	of := k.Variable
	if k.Provider != "" {
		of += " of " + k.Provider
	}
	say := func(m Status, text string) Finding { return found("key", m, "%s %s", of, text) }
	inner := strings.TrimSpace(k.Value)
	switch {
	case !k.Set && !k.Required:
		return say(Skipped, "is not set, not needed")
	case !k.Set:
		return say(StatusFailed, "is not set")
	case inner == "":
		return say(k.worst(), "is set but empty")
	case inner != k.Value:
		return say(k.worst(), "starts or ends with white space")
	case strings.ContainsAny(inner[:1]+inner[len(inner)-1:], "\"'`"):
		return say(k.worst(), "starts or ends with a quotation mark")
	case strings.IndexFunc(inner, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || r > unicode.MaxASCII }) >= 0:
		return say(k.worst(), "contains white space or a character that no key has")
	case len(inner) < secret.MinLength:
		return say(StatusWarning, "is set, but too short to be redacted in files and output")
	}
	return say(StatusOK, "is set")
}

// worst is the status of a malformed key: a warning if it is not required.
func (k Key) worst() Status {
	if k.Required {
		return StatusFailed
	}
	return StatusWarning
}
