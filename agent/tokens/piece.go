package tokens

import (
	"unicode"
	"unicode/utf8"
)

// A piece ends at the first good place behind minPiece bytes, at the latest before it has
// more than maxPiece, or maxSpaces of nothing but space behind each other: for those the
// tokenizer takes time that grows with their square. Where it ends does not depend on what
// comes behind the next character, so that the beginning of a text has the same pieces.
const (
	minPiece  = 1 << 10
	maxPiece  = 4 << 10
	maxSpaces = 256
)

// pieceEnd is where the first piece of a text ends.
func pieceEnd(text string) (at int) {
	before, spaces := utf8.RuneError, 0
	for at < len(text) {
		next, size := utf8.DecodeRuneInString(text[at:])
		if at+size > maxPiece || spaces+size > maxSpaces || at >= minPiece && parts(before, next) {
			break
		}
		spaces += size
		if !unicode.IsSpace(next) {
			spaces = 0
		}
		before = next
		at += size
	}
	return at
}

// parts tells that no word of the encoding's pattern has both characters, whatever
// stands around them.
func parts(before, next rune) bool {
	if next == ' ' {
		return !unicode.IsSpace(before)
	}
	return unicode.In(before, unicode.L, unicode.N) && next != '\'' && !unicode.In(next, unicode.L, unicode.N, unicode.M)
}
