// Package dfa implements regular expressions for many short texts that seldom match. A lazily
// built automaton tests for a match in linear time. If every match extends to the end of the text,
// a second automaton reads from the end and finds the start. Otherwise the standard library finds
// the match.
package dfa

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
)

// Regexp is a regular expression of the standard library's syntax. It is safe for concurrent use.
type Regexp struct {
	expr      string
	automaton *automaton
	fromBegin bool // every match in a line starts at its beginning
	toEnd     bool // every match in a line extends to its end
	backward  func() *automaton
	standard  func() *regexp.Regexp
}

// MustCompile panics if the expression is invalid.
func MustCompile(expr string) *Regexp {
	parsed := mustParse(expr)
	return &Regexp{
		expr:      expr,
		automaton: newAutomaton(parsed),
		fromBegin: fromBegin(parsed),
		toEnd:     toEnd(parsed),
		// built on demand, because few expressions need it
		backward: sync.OnceValue(func() *automaton { return newBackward(mustParse(expr)) }),
		standard: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) }),
	}
}

func mustParse(expr string) *syntax.Regexp {
	parsed, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		panic(err)
	}
	return parsed
}

// String and the methods below behave as those of the standard library.
func (re *Regexp) String() string { return re.expr }

func (re *Regexp) MatchString(text string) bool { return re.automaton.matches(text) }

func (re *Regexp) FindString(text string) string {
	from, to, _ := re.find(text)
	return text[from:to]
}

func (re *Regexp) FindStringIndex(text string) []int {
	from, to, ok := re.find(text)
	if !ok {
		return nil
	}
	return []int{from, to}
}

func (re *Regexp) find(text string) (from, to int, ok bool) {
	toEnd := re.toEnd && !strings.Contains(text, "\n")
	switch {
	case toEnd && !re.fromBegin:
		if from = re.backward().leftmost(text); from < 0 {
			return 0, 0, false
		}
		return from, len(text), true
	case !re.MatchString(text):
		return 0, 0, false
	case toEnd:
		return 0, len(text), true
	}
	at := re.standard().FindStringIndex(text)
	return at[0], at[1], true
}

func (re *Regexp) ReplaceAllString(text, put string) string {
	if !re.MatchString(text) {
		return text
	}
	return re.standard().ReplaceAllString(text, put)
}
