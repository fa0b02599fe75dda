package secret

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
)

// minPieceLen is the minimal length of a part of a secret that is redacted, in bytes. Shorter parts
// would match by accident.
const minPieceLen = 12

// representation is one representation of a secret to search for, such as its base64 encoding.
// Escapes and letter case are ignored.
type representation struct {
	text     string // the representation in lower case
	minPiece int    // minimal length of a part that is redacted, in bytes; len(text): only the whole text is redacted
	whole    bool   // text is the secret itself, not an encoding; its parts that are ordinary words are not redacted
	inner    bool   // parts that start after the first byte are redacted, too
}

// representationsOf returns the representations of a secret: itself and its hex, base64 and base32
// encodings, also as they appear inside a longer encoded text. pieces is true if parts of the
// secret are redacted, too.
func representationsOf(v string, pieces bool) (list []representation) {
	add := func(text string, bits int) {
		f := representation{text: text, minPiece: len(text)}
		if pieces && len(v) >= minPieceLen {
			f.minPiece = min(len(text), (minPieceLen*8+bits-1)/bits)
		}
		list = append(list, f)
	}
	raw := []byte(v)
	add(v, 8)
	// no parts from the middle of an address, because other texts may contain its host
	list[0].whole, list[0].inner = true, !strings.Contains(v, "://")
	add(hex.EncodeToString(raw), 4)
	for _, code := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
		add(code.EncodeToString(raw), 6)
		for _, text := range encodingsInside(raw, 3, 6, code.EncodeToString) {
			add(text, 6)
		}
	}
	for _, code := range []*base32.Encoding{base32.StdEncoding, base32.HexEncoding} {
		add(code.EncodeToString(raw), 5)
		for _, text := range encodingsInside(raw, 5, 5, code.EncodeToString) {
			add(text, 5)
		}
	}
	for i := range list {
		list[i].text = fold(list[i].text)
	}
	slices.SortFunc(list, func(a, b representation) int { return strings.Compare(a.text, b.text) })
	return slices.CompactFunc(list, func(a, b representation) bool { return a.text == b.text && a.whole == b.whole })
}

// begins returns the number of positions in the representation at which a match can start. For the
// secret itself, a match can start at every part. For an encoding, it starts only at position 0.
// Otherwise nearly every letter of a stream could start a match and would be held back.
func (f representation) begins() int {
	if f.whole {
		return 1 + len(f.text) - f.minPiece
	}
	return 1
}

// encodingsInside returns the encodings of v in the middle of a longer encoded text. base64 and
// base32 encode groups of bytes, so the encoding of v depends on the number of bytes before it.
// There is one result for each number. Letters that also depend on neighboring bytes are cut off.
func encodingsInside(v []byte, group, bits int, encode func([]byte) string) (list []string) {
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

// index finds secrets in a text quickly. For each position, it looks up the next 4 bytes in a
// bitmap. Only if the bitmap contains them, it decodes the position and compares it with the
// representations.
type index struct {
	forms  []representation
	bytes  [256]bool       // the bytes that occur in any representation, in lower case
	first  [256]bool       // the bytes with which a match can start, in lower case
	pairs  [1 << 10]uint64 // bitmap of the first 2 bytes of possible matches
	grams  []uint64        // bitmap of hashes of the first 4 bytes of possible matches
	shift  uint            // bits by which a hash is shifted to the size of grams
	begins map[[MinLength]byte][]matchStart
}

// matchStart is a position in a representation at which a match can start: its beginning, or the
// start of a part.
type matchStart struct{ form, at int32 }

// newIndex builds an index of secrets. A value of the map is true if parts of the secret are
// redacted, too.
func newIndex(values map[string]bool) *index {
	if len(values) == 0 {
		return nil
	}
	x := &index{begins: map[[MinLength]byte][]matchStart{}}
	for v, pieces := range values {
		x.forms = append(x.forms, representationsOf(v, pieces)...)
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
			x.add(f.text[at:], matchStart{int32(i), int32(at)})
		}
	}
	return x
}

func (x *index) add(text string, p matchStart) {
	x.first[text[0]] = true
	pair := uint16(text[0])<<8 | uint16(text[1])
	x.pairs[pair>>6] |= 1 << (pair & 63)
	h := x.hash(uint32(text[0])<<24 | uint32(text[1])<<16 | uint32(text[2])<<8 | uint32(text[3]))
	x.grams[h>>6] |= 1 << (h & 63)
	key := [MinLength]byte([]byte(text[:MinLength]))
	x.begins[key] = append(x.begins[key], p)
}

// hash is Fibonacci hashing (Knuth) of 4 bytes.
func (x *index) hash(gram uint32) uint32 { return gram * 2654435769 >> x.shift }

func (x *index) hasPair(a, b byte) bool {
	pair := uint16(a)<<8 | uint16(b)
	return x.pairs[pair>>6]&(1<<(pair&63)) != 0
}

func (x *index) hasGram(gram uint32) bool {
	h := x.hash(gram)
	return x.grams[h>>6]&(1<<(h&63)) != 0
}

// startsEscape marks the bytes with which an escape sequence starts, see escapes.
var startsEscape = func() (table [256]bool) {
	for _, c := range []byte(escapes) {
		table[c] = true
	}
	return table
}()

// replace redacts the secrets in a text. If whole is false, more text follows. Then held is the end
// of the text that may be the start of a secret.
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

// find returns the position of the next secret at or after an offset. If several secrets start
// there, it returns the longest. If there is none, begin is len(text). open is true if text that
// follows could change the result.
func (x *index) find(text string, from int, whole bool) (begin, end int, open bool) {
	if x == nil {
		return len(text), len(text), false
	}
	var gram uint32
	plain := 0 // number of bytes since the last escape
	for last := from; last < len(text)+3; last++ {
		i := last - 3 // start of the 4 bytes in gram
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

// mayBeginAt reports whether a secret may start at this position. It is used next to an escape or
// the end of the text, where find cannot look up 4 bytes.
func (x *index) mayBeginAt(text string, at int) bool {
	switch {
	case startsEscape[text[at]]:
		return true
	case at+1 == len(text) || startsEscape[text[at+1]]:
		return x.first[folded[text[at]]]
	}
	return x.hasPair(folded[text[at]], folded[text[at+1]])
}

// match returns the end of the longest secret that starts at this position, or 0 if there is none.
// open is true if text that follows could change the result.
func (x *index) match(text string, at int) (end int, open bool) {
	var key [MinLength]byte
	var checked []matchStart
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
		var room [8]reading
		list, short := readings(room[:0], text, from)
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

// mayBegin reports whether a secret may start with the first n+1 bytes of key.
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

// match compares the text from at with the representation from position from, and decodes any mix
// of escapes. It returns the end of the match in the text, or 0 if the match is too short.
func (f representation) match(text string, at, from int) (end int, open bool) {
	var one, two [8]int
	var room [8]reading
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
			list, short := readings(room[:0], text, at)
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

func wordStart(text string, at int) int {
	for at > 0 && isAlphanumeric(text[at-1]) {
		at--
	}
	return at
}

// wordsPattern matches ordinary words of at least 4 letters each, all in lower case; the last word
// may be cut off.
var wordsPattern = regexp.MustCompile(`^[-_. ]?([a-z]{4,}[-_. ])+[a-z]*$`)

// isWords reports whether a part of a secret consists of ordinary words, which other texts contain,
// too.
func isWords(piece string) bool { return len(piece) <= maxWordLen && wordsPattern.MatchString(piece) }
