package secret

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
)

// EnvReferencePattern matches a reference to an environment variable in a text: $NAME or ${NAME}.
// It also matches $$, the notation of a plain dollar sign.
var EnvReferencePattern = regexp.MustCompile(`\$(?:\$|\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*))`)

// EnvReferences returns the names of the environment variables that the texts refer to, without
// duplicates.
func EnvReferences(texts ...string) (names []string) {
	for _, text := range texts {
		for _, m := range EnvReferencePattern.FindAllStringSubmatch(text, -1) {
			if name := m[1] + m[2]; name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// ExpandEnv replaces references such as $NAME by the values of the environment variables, and adds
// these values to the secrets. A variable that is empty or not set is an error.
func (s *Set) ExpandEnv(text string) (expanded string, err error) {
	return s.expand(text, func(value string) string { return value })
}

// ExpandEnvInURL works like ExpandEnv, but URL-escapes the values. A variable must not be part of
// the host, because the host receives the key.
func (s *Set) ExpandEnvInURL(address string) (expanded string, err error) {
	_, host, _ := strings.Cut(address, "//")
	if end := strings.IndexAny(host, "/?#"); end >= 0 {
		host = host[:end]
	}
	if host = host[strings.LastIndexByte(host, '@')+1:]; strings.Contains(host, "$") {
		return "", errors.New("a variable cannot name the host of an address")
	}
	expanded, err = s.expand(address, func(value string) string {
		return strings.ReplaceAll(url.QueryEscape(value), "+", "%20")
	})
	if err == nil {
		s.AddFromURL(expanded)
	}
	return expanded, err
}

func (s *Set) expand(text string, escape func(string) string) (expanded string, err error) {
	expanded = EnvReferencePattern.ReplaceAllStringFunc(text, func(found string) string {
		if found == "$$" {
			return "$"
		}
		value, failed := s.EnvValue(strings.Trim(found, "${}"))
		if failed != nil {
			err = failed
		}
		return escape(value)
	})
	return expanded, err
}

func isReference(text string) bool {
	return len(EnvReferences(text)) > 0 && EnvReferencePattern.ReplaceAllString(text, "") == ""
}

// withoutVariables returns the text without references to environment variables, and with $ for $$.
func withoutVariables(text string) string {
	return EnvReferencePattern.ReplaceAllStringFunc(text, func(found string) string {
		if found == "$$" {
			return "$"
		}
		return ""
	})
}

// EnvValue returns the value of an environment variable and adds it to the secrets. It adds a path
// only if the name of the variable suggests a secret. A variable that is empty or not set is an
// error.
func (s *Set) EnvValue(name string) (value string, err error) {
	if value = os.Getenv(name); value == "" {
		return "", fmt.Errorf("the environment has no %s", name)
	}
	if !strings.HasPrefix(value, "/") || secretVariable.MatchString(name) {
		s.Add(value)
	}
	return value, nil
}
