package intent

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	firstHan = 0x4e00
	lastHan  = 0x9fff
	whole    = 0xff // a word's reads when all of it is read
)

// lexicon is a trie over the characters that occur in its words. Characters
// that occur in none share symbol 0, so most text is passed over in one look.
type lexicon struct {
	ascii [0x80]uint16
	han   [lastHan - firstHan + 1]uint16
	nodes []node // nodes[0] is the root
	roots []uint16
	edges []edge
}

type node struct {
	meaning
	first, last uint16 // its edges
}

type meaning struct {
	is    class
	reads uint8 // how many characters of the word are read, the others must follow; 0: it is no word
}

type edge struct{ symbol, to uint16 }

// match is a known word at the beginning of a text.
type match struct {
	is    class
	chars int // letters and digits
	bytes int
	last  kind
}

// longest finds the longest word that text begins with. An English word counts
// only whole; spaces and hyphens between words may be any number.
func (x *lexicon) longest(text string) match {
	var best match
	var walk match // as far as the walk has come
	at, wasSpace := uint16(0), false
	for walk.bytes < len(text) {
		r, size := decode(text[walk.bytes:])
		s := x.symbol(r)
		space := s == x.ascii[' ']
		if !space || !wasSpace {
			at = x.step(at, s)
		}
		if at == 0 {
			break
		}
		wasSpace = space
		walk.bytes += size
		walk.last = kindOf(r)
		if walk.last >= letter {
			walk.chars++
		}
		n := &x.nodes[at]
		switch {
		case n.reads == 0 || walk.last == letter && !boundary(text[walk.bytes:]):
		case n.ahead():
			best = match{is: n.is, chars: int(n.reads), bytes: width(text, n.reads), last: glyph}
		default:
			best = walk
			best.is = n.is
		}
	}
	return best
}

// ahead tells whether the word is read only in part.
func (m meaning) ahead() bool { return m.reads < whole }

// width gives the bytes of the first n characters of text.
func width(text string, n uint8) int {
	bytes := 0
	for ; n > 0; n-- {
		_, size := decode(text[bytes:])
		bytes += size
	}
	return bytes
}

// boundary tells whether an English word ends before rest.
func boundary(rest string) bool {
	if rest == "" {
		return true
	}
	r, size := decode(rest)
	if fold(r) == '\'' && size < len(rest) {
		r, _ = decode(rest[size:])
	}
	return !kindOf(r).word()
}

func (x *lexicon) symbol(r rune) uint16 {
	if r >= firstHan && r <= lastHan {
		return x.han[r-firstHan]
	}
	switch r = fold(r); {
	case r >= 0 && r < 0x80:
		return x.ascii[r]
	case r >= firstHan && r <= lastHan:
		return x.han[r-firstHan]
	}
	return 0
}

// step follows symbol s from node at; 0, the root, says there is no way.
func (x *lexicon) step(at, s uint16) uint16 {
	if at == 0 {
		return x.roots[s]
	}
	for _, e := range x.edges[x.nodes[at].first:x.nodes[at].last] {
		if e.symbol == s {
			return e.to
		}
	}
	return 0
}

// entry gives words their meanings: words are parted by spaces, and hold _
// where they have a space themselves. A word in several entries has all theirs.
// 画^风景 is 画 where 风景 follows, which else would be read as 画风 and 景; only
// Han words are cut so.
type entry struct {
	is    class
	words string
}

// compile builds the trie; variants lists pairs of a traditional character and
// the plain one that stands in the entries.
func compile(variants string, tables ...[]entry) *lexicon {
	meanings := map[string]meaning{}
	for _, e := range slices.Concat(tables...) {
		for w := range strings.FieldsSeq(e.words) {
			read, rest, cut := strings.Cut(strings.ReplaceAll(w, "_", " "), "^")
			m := meaning{meanings[read+rest].is | e.is, whole}
			if cut {
				m.reads = uint8(utf8.RuneCountInString(read))
			}
			meanings[read+rest] = m
		}
	}
	x := &lexicon{}
	count := x.number(meanings)
	x.ascii['-'] = x.ascii[' ']
	for pair := range strings.FieldsSeq(variants) {
		p := []rune(pair)
		x.han[p[0]-firstHan] = x.han[p[1]-firstHan]
	}
	x.grow(meanings)
	x.roots = make([]uint16, count)
	for _, e := range x.edges[x.nodes[0].first:x.nodes[0].last] {
		x.roots[e.symbol] = e.to
	}
	return x
}

// number gives every character of the words its symbol, and how many there are.
func (x *lexicon) number(meanings map[string]meaning) int {
	chars := map[rune]bool{' ': true}
	for w := range meanings {
		for _, r := range w {
			chars[r] = true
		}
	}
	symbol := uint16(0)
	for _, r := range slices.Sorted(maps.Keys(chars)) {
		symbol++
		if r < 0x80 {
			x.ascii[r] = symbol
		} else {
			x.han[r-firstHan] = symbol
		}
	}
	return int(symbol) + 1
}

// grow lays the trie out level by level, so that a node's edges lie together.
func (x *lexicon) grow(meanings map[string]meaning) {
	rest := []map[string]meaning{meanings}
	for at := 0; at < len(rest); at++ {
		n := node{meaning: rest[at][""], first: uint16(len(x.edges))}
		below := map[uint16]map[string]meaning{}
		for w, m := range rest[at] {
			if w == "" {
				continue
			}
			r, size := decode(w)
			s := x.symbol(r)
			if below[s] == nil {
				below[s] = map[string]meaning{}
			}
			below[s][w[size:]] = m
		}
		for _, s := range slices.Sorted(maps.Keys(below)) {
			x.edges = append(x.edges, edge{s, uint16(len(rest))})
			rest = append(rest, below[s])
		}
		n.last = uint16(len(x.edges))
		x.nodes = append(x.nodes, n)
	}
}
