package doctor

import (
	"strings"
	"unicode"

	"evalctl/agent/secret"
)

// APIKeyVariable is an environment variable that should contain an API key, with its current value.
type APIKeyVariable struct {
	Name, Provider string // names of the variable and of the model provider
	Required       bool   // a checked suite cannot run without this key
	Value          string // current value of the variable
	IsSet          bool   // the variable is set, possibly to ""
}

// Check returns a finding about the key. The check fails if a required key is missing or malformed:
// with quotes, white space, or characters that keys do not contain. For an optional key, a
// malformed value is a warning.
func (k APIKeyVariable) Check() Finding {
	of := k.Name
	if k.Provider != "" {
		of += " of " + k.Provider
	}
	finding := func(m Status, text string) Finding { return newFinding("key", m, "%s %s", of, text) }
	inner := strings.TrimSpace(k.Value)
	switch {
	case !k.IsSet && !k.Required:
		return finding(StatusSkipped, "is not set, not needed")
	case !k.IsSet:
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

// severity returns the status for a malformed key: failed if it is required, otherwise warning.
func (k APIKeyVariable) severity() Status {
	if k.Required {
		return StatusFailed
	}
	return StatusWarning
}
