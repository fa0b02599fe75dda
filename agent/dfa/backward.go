package dfa

import (
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// newBackward creates an automaton for the case that every match extends to the end of the text. It
// reads the text backward from the end to find the start of the leftmost match.
func newBackward(re *syntax.Regexp) *automaton {
	a := newAutomaton(&syntax.Regexp{Op: syntax.OpConcat,
		Sub: []*syntax.Regexp{{Op: syntax.OpBeginText}, reversed(re)}})
	a.longest = true
	return a
}

// reversed returns the regular expression that matches the reversed texts.
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

// leftmost returns the start of the leftmost match that extends to the end of the text; -1: none.
func (a *automaton) leftmost(text string) int {
	t, at, found := a.table.Load(), begin, -1
	for end := len(text); at != noMatch; {
		l := endOfText
		r, size := utf8.DecodeLastRuneInString(text[:end])
		if size > 0 {
			l = a.letterOf(r)
		}
		t, at = a.next(t, at, l)
		if at&matchEnds != 0 {
			at, found = at&^matchEnds, end
		}
		if size == 0 {
			break
		}
		end -= size
	}
	return found
}
