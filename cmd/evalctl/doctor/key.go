package doctor

import (
	"strings"
	"unicode"

	"evalctl/agent/secret"
)

// Key is an environment variable that may hold a key.
type Key struct {
	Variable, Provider string
	Required           bool // what is checked would not run without it
	Value              string
	Set                bool
}

// Check finds a key that is lacking, or that a provider would refuse for how it is
// written: quotes and blanks that came with it out of a file.
func (k Key) Check() Finding {
	of := k.Variable
	if k.Provider != "" {
		of += " of " + k.Provider
	}
	say := func(m Status, text string) Finding { return found("key", m, "%s %s", of, text) }
	inner := strings.TrimSpace(k.Value)
	switch {
	case !k.Set && !k.Required:
		return say(Skipped, "is not set, and not wanted")
	case !k.Set:
		return say(StatusFailed, "is not set")
	case inner == "":
		return say(k.worst(), "is set, and empty")
	case inner != k.Value:
		return say(k.worst(), "has blanks around it")
	case strings.ContainsAny(inner[:1]+inner[len(inner)-1:], "\"'`"):
		return say(k.worst(), "has quotes around it")
	case strings.IndexFunc(inner, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || r > unicode.MaxASCII }) >= 0:
		return say(k.worst(), "holds a blank, or a sign that no key has")
	case len(inner) < secret.MinLength:
		return say(StatusWarning, "is set, and too short to be kept out of what is written")
	}
	return say(StatusOK, "is set")
}

// worst is how bad a bad key is: it is no harm where nobody wants it.
func (k Key) worst() Status {
	if k.Required {
		return StatusFailed
	}
	return StatusWarning
}
