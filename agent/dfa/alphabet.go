package dfa

import (
	"encoding/binary"
	"iter"
	"regexp/syntax"
	"slices"
	"sync/atomic"
)

// alphabet maps characters to letters. A letter is a class of characters that the regular
// expression does not distinguish, which keeps the automaton's table small. For [a-z]x? the letters
// are x, the other lower-case letters, the other word characters, the newline, and all other
// characters.
type alphabet struct {
	// letters of the characters below 0x10000 by page, filled on demand
	pages          [0x10000 / pageSize]atomic.Pointer[page]
	firsts         []rune   // first character of each range with the same letter, sorted
	letters        []letter // letter of each of those ranges
	representative []rune   // for each letter: one of its characters
	// for each letter: a page that contains only this letter, shared because most do
	uniformPages []atomic.Pointer[page]
	sets         []uint64 // character sets by number: one bit for each letter
}

type letter uint16

const pageSize = 128

type page [pageSize]letter

// endOfText is the letter for the end of a text, which no character has. none is the representative
// of endOfText and of the start of a text.
const (
	endOfText letter = 0
	noRune    rune   = -1
)

// newlines and wordCharacters are the characters that assertions such as ^ and \b distinguish, as
// ranges.
var newlines, wordCharacters = []rune{'\n', '\n'}, []rune{'0', '9', 'A', 'Z', '_', '_', 'a', 'z'}

// representativeBefore returns the representative of the class of r. Assertions treat all
// characters of a class equally if they precede a position.
func representativeBefore(r rune) rune {
	switch {
	case r == noRune, r == '\n':
		return r
	case syntax.IsWordChar(r):
		return 'a'
	}
	return ' '
}

// newAlphabet creates the alphabet for a list of character sets. Each set is a list of ranges:
// first and last character of each.
func newAlphabet(sets [][]rune) *alphabet {
	var a alphabet
	sets = append(sets, newlines, wordCharacters)
	a.firsts = []rune{0}
	for _, set := range sets {
		for i := 0; i < len(set); i += 2 {
			a.firsts = append(a.firsts, set[i], set[i+1]+1)
		}
	}
	slices.Sort(a.firsts)
	a.firsts = slices.Compact(a.firsts)
	a.assignLetters(sets)
	a.fillSets(sets)
	return &a
}

// assignLetters assigns a letter to each range. Ranges that belong to the same sets share a letter.
func (a *alphabet) assignLetters(sets [][]rune) {
	in := make([][]byte, len(a.firsts)) // for each range: the numbers of its sets
	for n, set := range sets {
		for at := range a.rangesIn(set) {
			in[at] = binary.AppendUvarint(in[at], uint64(n))
		}
	}
	known := map[string]letter{}
	a.representative = []rune{endOfText: noRune}
	for i, first := range a.firsts {
		l, ok := known[string(in[i])]
		if !ok {
			l = letter(len(a.representative))
			known[string(in[i])] = l
			a.representative = append(a.representative, first)
		}
		a.letters = append(a.letters, l)
	}
	a.uniformPages = make([]atomic.Pointer[page], len(a.representative))
}

// fillSets records for each character set of the expression which letters (classes of equivalent
// characters) it covers.
func (a *alphabet) fillSets(sets [][]rune) {
	a.sets = make([]uint64, len(sets)*a.words())
	for n, set := range sets {
		for at := range a.rangesIn(set) {
			word, bit := a.bit(uint32(n), a.letters[at])
			*word |= bit
		}
	}
}

// in reports whether a character set contains a letter.
func (a *alphabet) in(set uint32, l letter) bool {
	word, bit := a.bit(set, l)
	return *word&bit != 0
}

func (a *alphabet) bit(set uint32, l letter) (word *uint64, bit uint64) {
	return &a.sets[int(set)*a.words()+int(l/64)], 1 << (l % 64)
}

// words returns the number of 64-bit words per set.
func (a *alphabet) words() int { return len(a.representative)/64 + 1 }

// rangesIn returns the indexes of the ranges that a set contains.
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

// page returns the letters of pageSize characters, from first on.
func (a *alphabet) page(first rune) *page {
	from, to := a.rangeOf(first), a.rangeOf(first+pageSize-1)
	if p := a.uniformPages[a.letters[from]].Load(); from == to && p != nil {
		return p
	}
	var p page
	for i := range p {
		p[i] = a.search(first + rune(i))
	}
	if from == to {
		a.uniformPages[p[0]].Store(&p)
	}
	return &p
}

func (a *alphabet) search(r rune) letter { return a.letters[a.rangeOf(r)] }

// rangeOf returns the index of the range that contains a character.
func (a *alphabet) rangeOf(r rune) int {
	at, ok := slices.BinarySearch(a.firsts, r)
	if !ok {
		at--
	}
	return at
}
