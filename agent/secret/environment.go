package secret

import (
	"regexp"
	"strings"
)

// Names of environment variables with secrets. Those of secretUnlessPath may also hold a path, such
// as SSH_AUTH_SOCK and GIT_ASKPASS. AUTHOR does not match.
var (
	secretVariable   = regexp.MustCompile(`(?i)key|token|secret|passw|cred`)
	secretUnlessPath = regexp.MustCompile(`(?i)pass|auth($|[^o]|o[^r]|or[iz])|cookie|signature`)
)

// word matches a plain word, such as the value of AUTH_METHOD=client-credentials: one case, no
// digits.
var word = regexp.MustCompile(`^[A-Za-z]([a-z]+|[A-Z]+)([-_. ][A-Za-z]([a-z]*|[A-Z]*))*$`)

// maxWord is the maximal length of a plain word.
const maxWord = 20

// isWord reports whether a value is a plain word and not a secret.
func isWord(value string) bool { return len(value) <= maxWord && word.MatchString(value) }

// AddEnvironment adds the values of environment variables whose names suggest a secret, because a
// program that inherits them may print them. Plain words are not added, since agents, labels and
// reports contain them, too; their variables are returned.
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
