package secret

import (
	"regexp"
	"strings"
)

// Patterns for names of environment variables that contain secrets. A variable that matches only
// secretUnlessPath, such as SSH_AUTH_SOCK or GIT_ASKPASS, may contain a path instead. AUTHOR does
// not match.
var (
	secretVariable   = regexp.MustCompile(`(?i)key|token|secret|passw|cred`)
	secretUnlessPath = regexp.MustCompile(`(?i)pass|auth($|[^o]|o[^r]|or[iz])|cookie|signature`)
)

// wordPattern matches ordinary words, such as client-credentials in AUTH_METHOD=client-credentials:
// upper or lower case, no digits.
var wordPattern = regexp.MustCompile(`^[A-Za-z]([a-z]+|[A-Z]+)([-_. ][A-Za-z]([a-z]*|[A-Z]*))*$`)

// maxWordLen is the maximal length of an ordinary word, in bytes. Longer values are treated as
// secrets.
const maxWordLen = 20

// isWord reports whether a value is an ordinary word and therefore not a secret.
func isWord(value string) bool { return len(value) <= maxWordLen && wordPattern.MatchString(value) }

// AddEnvironment adds the values of variables (NAME=value) whose names suggest a secret, because a
// program that inherits them may print them. Ordinary words are not added, since labels and reports
// contain them, too. The names of these variables are returned.
func (s *Set) AddEnvironment(variables []string) (plain []string) {
	for _, v := range variables {
		name, value, _ := strings.Cut(v, "=")
		switch {
		case !secretVariable.MatchString(name) &&
			(!secretUnlessPath.MatchString(name) || strings.HasPrefix(value, "/")):
		case len(value) < MinLength:
		case isWord(value):
			plain = append(plain, name)
		default:
			s.Add(value)
			s.AddURL(value)
		}
	}
	return plain
}
