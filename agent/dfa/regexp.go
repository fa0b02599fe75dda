// Package dfa is regular expressions for many short texts, few of which match: whether
// one does is told by an automaton that is built as texts are read, in time that grows
// with the text alone; where it does, by the standard library, which it embeds.
package dfa

import "regexp"

// Regexp is an expression of the standard library. Several goroutines may use it.
type Regexp struct {
	*regexp.Regexp
	automaton *automaton
}

// MustCompile panics where the expression is none.
func MustCompile(expr string) *Regexp {
	return &Regexp{Regexp: regexp.MustCompile(expr), automaton: newAutomaton(expr)}
}

// MatchString is as the standard library's, as the next are.
func (re *Regexp) MatchString(text string) bool { return re.automaton.matches(text) }

func (re *Regexp) FindString(text string) string {
	if !re.MatchString(text) {
		return ""
	}
	return re.Regexp.FindString(text)
}

func (re *Regexp) FindStringIndex(text string) []int {
	if !re.MatchString(text) {
		return nil
	}
	return re.Regexp.FindStringIndex(text)
}

func (re *Regexp) ReplaceAllString(text, put string) string {
	if !re.MatchString(text) {
		return text
	}
	return re.Regexp.ReplaceAllString(text, put)
}
