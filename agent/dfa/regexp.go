// Package dfa implements regular expressions that are tested against many short texts and seldom
// match. A lazily built automaton tests for a match in linear time. If every match extends to the
// end of the text, a second automaton finds its start from the end. Otherwise the standard library
// finds the match.
package dfa

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
)

// Regexp is a compiled regular expression like regexp.Regexp. It is safe for concurrent use.
type Regexp struct {
	expr      string
	automaton *automaton
	fromBegin bool // every match within a line starts at the line's beginning
	toEnd     bool // every match within a line extends to the line's end
	backward  func() *automaton
	standard  func() *regexp.Regexp
}

// MustCompile compiles a regular expression. It panics if the expression is invalid.
func MustCompile(expr string) *Regexp {
	parsed := mustParse(expr)
	return &Regexp{
		expr:      expr,
		automaton: newAutomaton(parsed),
		fromBegin: fromBegin(parsed),
		toEnd:     toEnd(parsed),
		// built on demand, because few expressions need them
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

// String, MatchString, FindString, FindStringIndex and ReplaceAllString return the same as the
// methods of regexp.Regexp.
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
