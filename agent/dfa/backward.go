package dfa

import (
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// newBackward makes an automaton that reads texts from their end, where matches end, to
// the place at which the leftmost begins.
func newBackward(re *syntax.Regexp) *automaton {
	a := newAutomaton(&syntax.Regexp{Op: syntax.OpConcat, Sub: []*syntax.Regexp{{Op: syntax.OpBeginText}, reversed(re)}})
	a.longest = true
	return a
}

// reversed is an expression for what another reads, from its end.
func reversed(re *syntax.Regexp) *syntax.Regexp {
	back := *re
	back.Rune, back.Sub = slices.Clone(re.Rune), nil
	for _, sub := range re.Sub {
		back.Sub = append(back.Sub, reversed(sub))
	}
	switch re.Op {
	case syntax.OpLiteral:
		slices.Reverse(back.Rune)
	case syntax.OpConcat:
		slices.Reverse(back.Sub)
	case syntax.OpBeginText:
		back.Op = syntax.OpEndText
	case syntax.OpEndText:
		back.Op = syntax.OpBeginText
	case syntax.OpBeginLine:
		back.Op = syntax.OpEndLine
	case syntax.OpEndLine:
		back.Op = syntax.OpBeginLine
	}
	return &back
}

// leftmost is where the leftmost of the matches begins that end with a text; -1: there is none.
func (a *automaton) leftmost(text string) int {
	t, at, found := a.table.Load(), begin, -1
	for end := len(text); at != lost; {
		l := theEnd
		r, size := utf8.DecodeLastRuneInString(text[:end])
		if size > 0 {
			l = a.letterOf(r)
		}
		t, at = a.next(t, at, l)
		if at&hit != 0 {
			at, found = at&^hit, end
		}
		if size == 0 {
			break
		}
		end -= size
	}
	return found
}
