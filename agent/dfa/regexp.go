// Package dfa is regular expressions for many short texts, few of which match: whether
// one does is told by an automaton that is built as texts are read, in time that grows
// with the text alone; where it does, by another one that reads from the text's end, where
// the expression tells itself that it finds nothing that ends before; else by the standard
// library.
package dfa

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
)

// Regexp is an expression of the standard library. Several goroutines may use it.
type Regexp struct {
	expr      string
	automaton *automaton
	fromBegin bool // what it finds in a line begins with it
	toEnd     bool // what it finds in a line ends with it
	backward  func() *automaton
	standard  func() *regexp.Regexp
}

// MustCompile panics where the expression is none.
func MustCompile(expr string) *Regexp {
	parsed := mustParse(expr)
	return &Regexp{
		expr: expr, automaton: newAutomaton(parsed), fromBegin: fromBegin(parsed), toEnd: toEnd(parsed),
		backward: sync.OnceValue(func() *automaton { return newBackward(mustParse(expr)) }), // again: hardly any is asked for
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

// String is as the standard library's, as the next are.
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
