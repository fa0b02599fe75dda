package dfa

import (
	"encoding/binary"
	"iter"
	"regexp/syntax"
	"slices"
	"sync/atomic"
)

// alphabet takes characters together that a program cannot tell apart.
type alphabet struct {
	pages   [0x10000 / pageSize]atomic.Pointer[page] // of all but rare characters, filled as they are met
	firsts  []rune                                   // of ranges of the same letter, in order
	letters []letter                                 // of those ranges
	stands  []rune                                   // by letter: a character of it
	plains  []atomic.Pointer[page]                   // by letter: pages of nothing else, which most are
	sets    []uint64                                 // of characters, by number: a bit for each letter
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

// newAlphabet is that of sets of characters, each of which is a list of ranges.
func newAlphabet(sets [][]rune) *alphabet {
	var a alphabet
	sets = append(sets, newlines, ofWords)
	a.firsts = []rune{0}
	for _, set := range sets {
		for i := 0; i < len(set); i += 2 {
			a.firsts = append(a.firsts, set[i], set[i+1]+1)
		}
	}
	slices.Sort(a.firsts)
	a.firsts = slices.Compact(a.firsts)
	a.name(sets)
	a.mark(sets)
	return &a
}

// name gives ranges one letter that are in the same sets.
func (a *alphabet) name(sets [][]rune) {
	in := make([][]byte, len(a.firsts)) // the numbers of the sets
	for n, set := range sets {
		for at := range a.rangesIn(set) {
			in[at] = binary.AppendUvarint(in[at], uint64(n))
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

// mark notes the letters of each set.
func (a *alphabet) mark(sets [][]rune) {
	a.sets = make([]uint64, len(sets)*a.words())
	for n, set := range sets {
		for at := range a.rangesIn(set) {
			word, bit := a.bit(uint32(n), a.letters[at])
			*word |= bit
		}
	}
}

// in tells whether a set has a letter.
func (a *alphabet) in(set uint32, l letter) bool {
	word, bit := a.bit(set, l)
	return *word&bit != 0
}

func (a *alphabet) bit(set uint32, l letter) (word *uint64, bit uint64) {
	return &a.sets[int(set)*a.words()+int(l/64)], 1 << (l % 64)
}

// words is how many a set takes.
func (a *alphabet) words() int { return len(a.stands)/64 + 1 }

// rangesIn are the places of the ranges that a set has.
func (a *alphabet) rangesIn(set []rune) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := 0; i < len(set); i += 2 {
			for at := a.rangeOf(set[i]); at < len(a.firsts) && a.firsts[at] <= set[i+1]; at++ {
				if !yield(at) {
					return
				}
			}
		}
	}
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
