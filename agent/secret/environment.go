package secret

import (
	"regexp"
	"strings"
)

// Patterns for names of environment variables that contain secrets. A variable such as
// SSH_AUTH_SOCK or GIT_ASKPASS matches only secretUnlessPath, because it may contain a path. AUTHOR
// matches neither.
var (
	secretVariable   = regexp.MustCompile(`(?i)key|token|secret|passw|cred`)
	secretUnlessPath = regexp.MustCompile(`(?i)pass|auth($|[^o]|o[^r]|or[iz])|cookie|signature`)
)

// wordPattern matches values that are ordinary words in upper or lower case without digits, such as
// client-credentials in AUTH_METHOD=client-credentials.
var wordPattern = regexp.MustCompile(`^[A-Za-z]([a-z]+|[A-Z]+)([-_. ][A-Za-z]([a-z]*|[A-Z]*))*$`)

// maxWordLen is the maximal length of an ordinary word, in bytes. Longer values are treated as
// secrets.
const maxWordLen = 20

// isWord reports whether a value is an ordinary word and therefore not a secret.
func isWord(value string) bool { return len(value) <= maxWordLen && wordPattern.MatchString(value) }

// AddEnvironment adds the values of variables (NAME=value) whose names suggest a secret, because a
// program that inherits them may print them. It does not add ordinary words, since labels and
// reports contain them, too. It returns the names of the variables with such words.
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
			s.AddFromURL(value)
		}
	}
	return plain
}
