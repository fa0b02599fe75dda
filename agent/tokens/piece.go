package tokens

import (
	"unicode"
	"unicode/utf8"
)

// A piece ends at the first separable position after minPiece bytes, at the latest at maxPiece
// bytes or after maxSpaces consecutive spaces, for which the tokenizer takes quadratic time. The
// end depends only on the text up to the next character, so a prefix of a text has the same pieces.
const (
	minPiece  = 1 << 10
	maxPiece  = 4 << 10
	maxSpaces = 256
)

// pieceEnd returns the end of the first piece of a text.
func pieceEnd(text string) (at int) {
	before, spaces := utf8.RuneError, 0
	for at < len(text) {
		next, size := utf8.DecodeRuneInString(text[at:])
		if at+size > maxPiece || spaces+size > maxSpaces || at >= minPiece && isSeparable(before, next) {
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

// isSeparable reports whether no token of the encoding's pattern contains both characters, in any
// context.
func isSeparable(before, next rune) bool {
	if next == ' ' {
		return !unicode.IsSpace(before)
	}
	return unicode.In(before, unicode.L, unicode.N) && next != '\'' &&
		!unicode.In(next, unicode.L, unicode.N, unicode.M)
}
