package secret

import (
	"regexp"
	"slices"
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

// AddEnvironment knows the values of environment variables that are called like secrets:
// a program that gets them may say them. A plain word is no secret, since agents, labels
// and reports say it, too; the variables that hold one are named.
func (s *Set) AddEnvironment(variables []string) (plain []string) {
	for _, v := range variables {
		name, value, _ := strings.Cut(v, "=")
		switch {
		case !secretVariable.MatchString(name) && (!secretUnlessPath.MatchString(name) || strings.HasPrefix(value, "/")):
		case len(value) < MinLength:
		case len(value) <= maxWord && word.MatchString(value):
			plain = append(plain, name)
		default:
			s.Add(value)
		}
	}
	return plain
}

// Release forgets the secrets that stand in texts which are public, such as labels: what is
// told by them is told in the same words wherever it is. It returns the texts that held one.
func (s *Set) Release(public []string) (held []string) {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, text := range public {
		if begin, _, _ := s.forms.find(text, 0, true); begin < len(text) {
			held = append(held, text)
			s.forms = s.forms.outside(text)
		}
	}
	return held
}

// outside are those that do not stand in a text; nil: none.
func (k *known) outside(text string) *known {
	left := slices.DeleteFunc(slices.Clone(k.forms), func(form string) bool {
		alone := (*known)(nil).with([]string{form})
		begin, _, _ := alone.find(text, 0, true)
		return begin < len(text)
	})
	if len(left) == 0 {
		return nil
	}
	return (*known)(nil).with(left)
}
