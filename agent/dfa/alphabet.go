package dfa

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"sync/atomic"
	"unicode"
)

// alphabet takes characters together that a program cannot tell apart.
type alphabet struct {
	pages   [0x10000 / pageSize]atomic.Pointer[page] // of all but rare characters, filled as they are met
	firsts  []rune                                   // of ranges of the same letter, in order
	letters []letter                                 // of those ranges
	stands  []rune                                   // by letter: a character of it
	plains  []atomic.Pointer[page]                   // by letter: pages of nothing else, which most are
}

type letter uint16

const pageSize = 128

type page [pageSize]letter

// theEnd of a text is a letter of its own, for which no character stands.
const (
	theEnd letter = 0
	none   rune   = -1
)

// What looks at a place between two characters tells newlines and those of words apart.
var newlines, ofWords = []rune{'\n', '\n'}, []rune{'0', '9', 'A', 'Z', '_', '_', 'a', 'z'}

// likeBefore is a character that stands before a place as r does.
func likeBefore(r rune) rune {
	switch {
	case r == none, r == '\n':
		return r
	case syntax.IsWordChar(r):
		return 'a'
	}
	return ' '
}

func newAlphabet(prog *syntax.Prog) *alphabet {
	var a alphabet
	sets := [][]rune{newlines, ofWords}
	for i := range prog.Inst {
		if set := charactersOf(&prog.Inst[i]); len(set) > 0 {
			sets = append(sets, set)
		}
	}
	a.firsts = []rune{0}
	for _, set := range sets {
		for i := 0; i < len(set); i += 2 {
			a.firsts = append(a.firsts, set[i], set[i+1]+1)
		}
	}
	slices.Sort(a.firsts)
	a.firsts = slices.Compact(a.firsts)
	a.name(sets)
	return &a
}

// charactersOf are the ranges that an instruction reads.
func charactersOf(i *syntax.Inst) []rune {
	switch i.Op {
	case syntax.InstRune, syntax.InstRune1:
		if len(i.Rune) > 1 {
			return i.Rune
		}
		set := []rune{i.Rune[0], i.Rune[0]}
		if syntax.Flags(i.Arg)&syntax.FoldCase != 0 {
			for r := unicode.SimpleFold(i.Rune[0]); r != i.Rune[0]; r = unicode.SimpleFold(r) {
				set = append(set, r, r)
			}
		}
		return set
	}
	return nil
}

// name gives ranges one letter that are in the same sets.
func (a *alphabet) name(sets [][]rune) {
	in := make([][]byte, len(a.firsts)) // the numbers of the sets
	for n, set := range sets {
		for i := 0; i < len(set); i += 2 {
			for at, _ := slices.BinarySearch(a.firsts, set[i]); at < len(a.firsts) && a.firsts[at] <= set[i+1]; at++ {
				in[at] = binary.AppendUvarint(in[at], uint64(n))
			}
		}
	}
	known := map[string]letter{}
	a.stands = []rune{theEnd: none}
	for i, first := range a.firsts {
		l, ok := known[string(in[i])]
		if !ok {
			l = letter(len(a.stands))
			known[string(in[i])] = l
			a.stands = append(a.stands, first)
		}
		a.letters = append(a.letters, l)
	}
	a.plains = make([]atomic.Pointer[page], len(a.stands))
}

func (a *alphabet) letterOf(r rune) letter {
	if at := uint32(r) / pageSize; at < uint32(len(a.pages)) {
		if p := a.pages[at].Load(); p != nil {
			return p[r%pageSize]
		}
		a.pages[at].Store(a.page(r - r%pageSize))
	}
	return a.search(r)
}

// page is that which begins with a character.
func (a *alphabet) page(first rune) *page {
	from, to := a.rangeOf(first), a.rangeOf(first+pageSize-1)
	if p := a.plains[a.letters[from]].Load(); from == to && p != nil {
		return p
	}
	var p page
	for i := range p {
		p[i] = a.search(first + rune(i))
	}
	if from == to {
		a.plains[p[0]].Store(&p)
	}
	return &p
}

func (a *alphabet) search(r rune) letter { return a.letters[a.rangeOf(r)] }

// rangeOf is the place of the range that a character is in.
func (a *alphabet) rangeOf(r rune) int {
	at, ok := slices.BinarySearch(a.firsts, r)
	if !ok {
		at--
	}
	return at
}
