package secret

import (
	"regexp"
	"strings"
)

// What variables of the environment are called that hold secrets, and what those that may
// as well hold a path, as SSH_AUTH_SOCK and GIT_ASKPASS do. An AUTHOR is none.
var (
	secretVariable   = regexp.MustCompile(`(?i)key|token|secret|passw|cred`)
	secretUnlessPath = regexp.MustCompile(`(?i)pass|auth($|[^o]|o[^r]|or[iz])|cookie|signature`)
)

// word is a value that says how or what, as AUTH_METHOD=client-credentials does, or keeps
// nobody out: words of one case, without a digit.
var word = regexp.MustCompile(`^[A-Za-z]([a-z]+|[A-Z]+)([-_. ][A-Za-z]([a-z]*|[A-Z]*))*$`)

// maxWord is the length up to which words are no key.
const maxWord = 20

// isWord reports whether a value is a plain word, and no secret.
func isWord(value string) bool { return len(value) <= maxWord && word.MatchString(value) }

// AddEnvironment knows the values of environment variables that are called like secrets:
// a program that gets them may say them. A plain word is no secret, since agents, labels
// and reports say it, too; the variables that hold one are named.
func (s *Set) AddEnvironment(variables []string) (plain []string) {
	for _, v := range variables {
		name, value, _ := strings.Cut(v, "=")
		switch {
		case !secretVariable.MatchString(name) && (!secretUnlessPath.MatchString(name) || strings.HasPrefix(value, "/")):
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
