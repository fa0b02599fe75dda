package remote

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"

	"golang.org/x/net/http/httpguts"

	"evalctl/agent/secret"
	"evalctl/agent/system"
)

// header is one that is sent: what is kept of its value in files are the names of
// variables.
type header struct{ name, value string }

var variable = regexp.MustCompile(`\$(?:\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*))`)

// guarded are headers whose values are secrets, by what they are called.
var guarded = regexp.MustCompile(`(?i)auth|key|token|secret|cookie|pass|cred|signature`)

// linesOf are the headers of a setting.
func linesOf(value string) (list []string) {
	if value == "" {
		return nil
	}
	return system.List(value)
}

func checkHeaders(value string) error {
	for _, line := range linesOf(value) {
		if _, err := parseHeader(line); err != nil {
			return err
		}
	}
	return nil
}

func parseHeader(line string) (h header, err error) {
	name, value, ok := strings.Cut(line, "=")
	h = header{name: strings.TrimSpace(name), value: strings.TrimSpace(value)}
	switch {
	case !ok || !httpguts.ValidHeaderFieldName(h.name):
		return h, errors.New("wants NAME=VALUE, as in 'Authorization=Bearer $TOKEN'") // what stands there may be a secret
	case !httpguts.ValidHeaderFieldValue(h.value):
		return h, fmt.Errorf("%s: has a value that no header can have", h.name)
	case guarded.MatchString(h.name) && !variable.MatchString(h.value):
		return h, fmt.Errorf("%s: wants the name of a variable of the environment that holds the value, as in '%s=$TOKEN': values stand in no file", h.name, h.name)
	}
	return h, nil
}

// variablesOf are the names of those that headers speak of.
func variablesOf(value string) (names []string) {
	for _, line := range linesOf(value) {
		h, err := parseHeader(line)
		if err != nil {
			continue // told where it is checked
		}
		for _, m := range variable.FindAllStringSubmatch(h.value, -1) {
			names = append(names, m[1]+m[2])
		}
	}
	return names
}

// fill puts the values of the environment into the header's.
func (h header) fill(secrets *secret.Set) (filled string, err error) {
	filled = variable.ReplaceAllStringFunc(h.value, func(found string) string {
		name := strings.Trim(found, "${}")
		value := os.Getenv(name)
		if value == "" {
			err = fmt.Errorf("%s: the environment has no %s", h.name, name)
		}
		secrets.Add(value)
		return value
	})
	if err == nil && !httpguts.ValidHeaderFieldValue(filled) {
		err = fmt.Errorf("%s: the environment gives it a value that no header can have", h.name)
	}
	return filled, err
}
