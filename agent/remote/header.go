package remote

import (
	"errors"
	"fmt"
	"strings"

	"golang.org/x/net/http/httpguts"

	"evalctl/agent/secret"
	"evalctl/agent/system"
)

// header is an HTTP request header that a user configures. Its value may contain $NAME for an
// environment variable, so that files contain no secrets.
type header struct{ name, value string }

func headerSetting() system.Setting {
	return system.Setting{
		Name:         "header",
		Help:         "`NAME=VALUE` of a header, repeatable; $VARIABLE inserts an environment variable",
		IsList:       true,
		Check:        checkHeaders,
		EnvVariables: variablesOf,
	}
}

func checkHeaders(value string) error {
	for _, line := range headerSetting().Elements(value) {
		if _, err := parseHeader(line.Text); err != nil {
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
		// the message does not contain the text, which may be a secret
		return h, errors.New("must be NAME=VALUE, as in 'Authorization=Bearer $TOKEN'")
	case !httpguts.ValidHeaderFieldValue(h.value):
		return h, fmt.Errorf("%s: has a value that no header can have", h.name)
	case secret.IsSecretName(h.name) && len(secret.EnvReferences(h.value)) == 0:
		return h, fmt.Errorf("%s: its value is a secret, which no file may hold: set a variable of the environment and write '%s=$TOKEN'", h.name, h.name)
	}
	return h, nil
}

// variablesOf returns the names of the environment variables that the configured headers refer to.
func variablesOf(value string) (names []string) {
	for _, line := range headerSetting().Elements(value) {
		h, err := parseHeader(line.Text)
		if err != nil {
			continue // checkHeaders reports this error
		}
		names = append(names, secret.EnvReferences(h.value)...)
	}
	return names
}

// fill returns the header's value with environment variables replaced by their values, which are
// added to secrets.
func (h header) fill(secrets *secret.Set) (filled string, err error) {
	if filled, err = secrets.ExpandEnv(h.value); err != nil {
		return "", fmt.Errorf("%s: %w", h.name, err)
	}
	if !httpguts.ValidHeaderFieldValue(filled) {
		return "", fmt.Errorf("%s: the environment gives it a value that no header can have", h.name)
	}
	return filled, nil
}
