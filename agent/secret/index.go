package secret

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
)

// leastPiece is the minimal length of a detected piece of a value, in bytes.
const leastPiece = 12

// form is one representation of a value, without escapes and case.
type form struct {
	text     string // in lower case
	minPiece int    // minimal length of a detected piece, in bytes; its length: only the whole form
	whole    bool   // the value itself, not an encoding: pieces that are words are not detected
	inner    bool   // pieces from the middle are detected
}

// formsOf returns the forms of a value: itself and its hex, base64 and base32 encodings, also
// inside other encoded data.
func formsOf(v string, pieces bool) (list []form) {
	add := func(text string, bits int) {
		f := form{text: text, minPiece: len(text)}
		if pieces && len(v) >= leastPiece {
			f.minPiece = min(len(text), (leastPiece*8+bits-1)/bits)
		}
		list = append(list, f)
	}
	raw := []byte(v)
	add(v, 8)
	list[0].whole, list[0].inner = true, !strings.Contains(v, "://") // texts may contain the host of an address
	add(hex.EncodeToString(raw), 4)
	for _, code := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
		add(code.EncodeToString(raw), 6)
		for _, text := range shifted(raw, 3, 6, code.EncodeToString) {
			add(text, 6)
		}
	}
	for _, code := range []*base32.Encoding{base32.StdEncoding, base32.HexEncoding} {
		add(code.EncodeToString(raw), 5)
		for _, text := range shifted(raw, 5, 5, code.EncodeToString) {
			add(text, 5)
		}
	}
	for i := range list {
		list[i].text = fold(list[i].text)
	}
	slices.SortFunc(list, func(a, b form) int { return strings.Compare(a.text, b.text) })
	return slices.CompactFunc(list, func(a, b form) bool { return a.text == b.text && a.whole == b.whole })
}

// begins returns the number of positions where a match can start: the first, and for the value
// itself also those of its pieces. Pieces of encodings start only at the first position. Otherwise
// nearly every letter of a stream could start one and would be buffered.
func (f form) begins() int {
	if f.whole {
		return 1 + len(f.text) - f.minPiece
	}
	return 1
}

// shifted returns the letters of an encoding that depend only on the value, for each number of
// preceding bytes up to group-1, without padding.
func shifted(v []byte, group, bits int, encode func([]byte) string) (list []string) {
	for before := range group {
		text := encode(slices.Concat(make([]byte, before), v))
		list = append(list, text[(before*8+bits-1)/bits:(before+len(v))*8/bits])
	}
	return list
}

func fold(text string) string {
	b := []byte(text)
	for i, c := range b {
		b[i] = folded[c]
	}
	return string(b)
}

// index finds the starts of forms. Each position of a text costs a lookup of its next 4 bytes in a
// bitmap. If the bitmap contains them, they are decoded and looked up by 8 bytes.
type index struct {
	forms  []form
	bytes  [256]bool       // folded bytes of all forms
	first  [256]bool       // folded first bytes of forms and pieces
	pairs  [1 << 10]uint64 // bitmap of their first 2 bytes
	grams  []uint64        // bitmap of hashes of their first 4 bytes
	shift  uint            // of the hashes
	begins map[[MinLength]byte][]place
}

// place is a position in a form where a match can start: 0, or the start of a piece.
type place struct{ form, at int32 }

// newIndex indexes values. For a value with false, pieces are not detected.
func newIndex(values map[string]bool) *index {
	if len(values) == 0 {
		return nil
	}
	x := &index{begins: map[[MinLength]byte][]place{}}
	for v, pieces := range values {
		x.forms = append(x.forms, formsOf(v, pieces)...)
	}
	size := 0
	for _, f := range x.forms {
		size += f.begins()
	}
	for x.shift = 32 - 14; size > 1<<(32-x.shift)/64 && x.shift > 32-24; {
		x.shift--
	}
	x.grams = make([]uint64, 1<<(32-x.shift)/64)
	for i, f := range x.forms {
		for _, c := range []byte(f.text) {
			x.bytes[c] = true
		}
		for at := range f.begins() {
			x.add(f.text[at:], place{int32(i), int32(at)})
		}
	}
	return x
}

func (x *index) add(text string, p place) {
	x.first[text[0]] = true
	pair := uint16(text[0])<<8 | uint16(text[1])
	x.pairs[pair>>6] |= 1 << (pair & 63)
	h := x.hash(uint32(text[0])<<24 | uint32(text[1])<<16 | uint32(text[2])<<8 | uint32(text[3]))
	x.grams[h>>6] |= 1 << (h & 63)
	key := [MinLength]byte([]byte(text[:MinLength]))
	x.begins[key] = append(x.begins[key], p)
}

// hash is Fibonacci hashing.
func (x *index) hash(gram uint32) uint32 { return gram * 2654435769 >> x.shift }

func (x *index) hasPair(a, b byte) bool {
	pair := uint16(a)<<8 | uint16(b)
	return x.pairs[pair>>6]&(1<<(pair&63)) != 0
}

func (x *index) hasGram(gram uint32) bool {
	h := x.hash(gram)
	return x.grams[h>>6]&(1<<(h&63)) != 0
}

// startsEscape contains the first bytes of escapes.
var startsEscape = func() (table [256]bool) {
	for _, c := range []byte(escapes) {
		table[c] = true
	}
	return table
}()

// replace redacts a text. If it is not whole, the end that may become a secret, or a longer one, is
// held back.
func (x *index) replace(text string, whole bool) (ready, held string) {
	begin, end, open := x.find(text, 0, whole)
	if begin == len(text) {
		return text, ""
	}
	var out strings.Builder
	from := 0
	for {
		out.WriteString(text[from:begin])
		if open || begin == len(text) {
			return out.String(), text[begin:]
		}
		out.WriteString(redactedMarker)
		from = end
		begin, end, open = x.find(text, from, whole)
	}
}

// find returns the next secret, the longest at its position, or the end of the text. open reports
// that more text may change the result.
func (x *index) find(text string, from int, whole bool) (begin, end int, open bool) {
	if x == nil {
		return len(text), len(text), false
	}
	var gram uint32
	plain := 0 // consecutive bytes outside of escapes
	for last := from; last < len(text)+3; last++ {
		i := last - 3 // start of gram
		if last < len(text) {
			c := text[last]
			gram = gram<<8 | uint32(folded[c])
			plain++
			if startsEscape[c] {
				plain = 0
			}
			if plain >= 4 && !x.hasGram(gram) {
				continue
			}
		}
		if i < from || !(last < len(text) && plain >= 4) && !x.mayBeginAt(text, i) {
			continue
		}
		found, more := x.match(text, i)
		if more && !whole {
			return i, i, true
		}
		if found > 0 {
			return i, found, false
		}
	}
	return len(text), len(text), false
}

// mayBeginAt reports whether a form may start at a position near an escape or the end of the text.
func (x *index) mayBeginAt(text string, at int) bool {
	switch {
	case startsEscape[text[at]]:
		return true
	case at+1 == len(text) || startsEscape[text[at+1]]:
		return x.first[folded[text[at]]]
	}
	return x.hasPair(folded[text[at]], folded[text[at+1]])
}

// match returns the end of the longest secret at a position, or 0. open reports that more text may
// change the result.
func (x *index) match(text string, at int) (end int, open bool) {
	var key [MinLength]byte
	var checked []place
	var begins func(at, n int)
	begins = func(from, n int) {
		if n == MinLength {
			for _, p := range x.begins[key] {
				if slices.Contains(checked, p) {
					continue
				}
				checked = append(checked, p)
				found, more := x.forms[p.form].match(text, at, int(p.at))
				end, open = max(end, found), open || more
			}
			return
		}
		var room [8]letter
		list, short := letters(room[:0], text, from)
		open = open || short
		for _, l := range list {
			key[n] = folded[l.c]
			if !x.mayBegin(key, n) {
				continue
			}
			begins(l.end, n+1)
		}
	}
	begins(at, 0)
	return end, open
}

// mayBegin reports whether a form may start with the first n+1 bytes of key.
func (x *index) mayBegin(key [MinLength]byte, n int) bool {
	if !x.bytes[key[n]] {
		return false
	}
	switch n {
	case 0:
		return x.first[key[0]]
	case 1:
		return x.hasPair(key[0], key[1])
	case 3:
		return x.hasGram(uint32(key[0])<<24 | uint32(key[1])<<16 | uint32(key[2])<<8 | uint32(key[3]))
	}
	return true
}

// match compares a text with a form from a position in each, byte by byte, in any mix of escapes.
// It returns the end in the text of the form or of a piece of sufficient length, or 0.
func (f form) match(text string, at, from int) (end int, open bool) {
	var one, two [8]int
	var room [8]letter
	ends, next := append(one[:0], at), two[:0]
	i := from
	for ; i < len(f.text); i++ {
		next = next[:0]
		if len(ends) == 1 && ends[0] < len(text) && !startsEscape[text[ends[0]]] {
			if folded[text[ends[0]]] != f.text[i] {
				break
			}
			ends[0]++
			continue
		}
		for _, at := range ends {
			list, short := letters(room[:0], text, at)
			open = open || short
			for _, l := range list {
				if folded[l.c] == f.text[i] {
					next = append(next, l.end)
				}
			}
		}
		if len(next) == 0 {
			break
		}
		slices.Sort(next)
		ends, next = slices.Compact(next), ends
	}
	piece := f.text[from:i]
	switch {
	case i < len(f.text) && (from > 0 && !f.inner || len(piece) < f.minPiece):
		return 0, open
	case len(piece) < len(f.text) && f.whole && isWords(f.text[wordStart(f.text, from):i]):
		return 0, open
	}
	return ends[len(ends)-1], open
}

// wordStart returns the start of the word at a position.
func wordStart(text string, at int) int {
	for at > 0 && isAlphanumeric(text[at-1]) {
		at--
	}
	return at
}

// words matches words of one case with at least 4 letters each; the last may be cut.
var words = regexp.MustCompile(`^[-_. ]?([a-z]{4,}[-_. ])+[a-z]*$`)

// isWords reports whether a piece of a value consists of ordinary words.
func isWords(piece string) bool { return len(piece) <= maxWord && words.MatchString(piece) }
