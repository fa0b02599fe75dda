package doctor

import (
	"strings"
	"unicode"

	"evalctl/agent/secret"
)

// APIKeyVariable is an environment variable for an API key.
type APIKeyVariable struct {
	Variable, Provider string
	Required           bool // the checked suites do not run without it
	Value              string
	Set                bool
}

// Check reports a missing key, and a malformed one: with quotes, spaces, or characters that keys do
// not contain.
func (k APIKeyVariable) Check() Finding {
	of := k.Variable
	if k.Provider != "" {
		of += " of " + k.Provider
	}
	finding := func(m Status, text string) Finding { return newFinding("key", m, "%s %s", of, text) }
	inner := strings.TrimSpace(k.Value)
	switch {
	case !k.Set && !k.Required:
		return finding(Skipped, "is not set, not needed")
	case !k.Set:
		return finding(StatusFailed, "is not set")
	case inner == "":
		return finding(k.severity(), "is set but empty")
	case inner != k.Value:
		return finding(k.severity(), "starts or ends with white space")
	case strings.ContainsAny(inner[:1]+inner[len(inner)-1:], "\"'`"):
		return finding(k.severity(), "starts or ends with a quotation mark")
	case strings.IndexFunc(inner,
		func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || r > unicode.MaxASCII }) >= 0:
		return finding(k.severity(), "contains white space or a character that no key has")
	case len(inner) < secret.MinLength:
		return finding(StatusWarning, "is set, but too short to be redacted in files and output")
	}
	return finding(StatusOK, "is set")
}

// severity is the status of a malformed key: a warning if it is not required.
func (k APIKeyVariable) severity() Status {
	if k.Required {
		return StatusFailed
	}
	return StatusWarning
}
