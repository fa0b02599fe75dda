// Package dfa is regular expressions for many short texts, few of which match: whether
// one does is told by an automaton that is built as texts are read, in time that grows
// with the text alone; where it does, by the standard library, which is asked only where
// the expression does not tell itself that what it finds is the whole line.
package dfa

import (
	"regexp"
	"strings"
	"sync"
)

// Regexp is an expression of the standard library. Several goroutines may use it.
type Regexp struct {
	expr      string
	automaton *automaton
	lines     bool                  // finds whole lines
	standard  func() *regexp.Regexp // compiled when first asked
}

// MustCompile panics where the expression is none.
func MustCompile(expr string) *Regexp {
	a, lines := newAutomaton(expr)
	return &Regexp{expr: expr, automaton: a, lines: lines, standard: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })}
}

// String is as the standard library's, as the next are.
func (re *Regexp) String() string { return re.expr }

func (re *Regexp) MatchString(text string) bool { return re.automaton.matches(text) }

func (re *Regexp) FindString(text string) string {
	at := re.FindStringIndex(text)
	if at == nil {
		return ""
	}
	return text[at[0]:at[1]]
}

func (re *Regexp) FindStringIndex(text string) []int {
	switch {
	case !re.MatchString(text):
		return nil
	case re.lines && !strings.Contains(text, "\n"):
		return []int{0, len(text)}
	}
	return re.standard().FindStringIndex(text)
}

func (re *Regexp) ReplaceAllString(text, put string) string {
	if !re.MatchString(text) {
		return text
	}
	return re.standard().ReplaceAllString(text, put)
}
