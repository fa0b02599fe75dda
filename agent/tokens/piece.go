package tokens

import (
	"unicode"
	"unicode/utf8"
)

// A long text is counted in pieces. A piece ends at the first position after minPiece bytes at
// which a split does not change the count, at the latest at maxPiece bytes. It also ends after
// maxSpaces consecutive spaces, because the tokenizer takes quadratic time for them. The end
// depends only on the text before it and the next character. So texts with a common prefix have the
// same first pieces.
const (
	minPiece  = 1 << 10
	maxPiece  = 4 << 10
	maxSpaces = 256
)

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

// isSeparable reports whether a text can be split between two characters without changing the
// number of tokens. This is the case if no token contains both.
func isSeparable(before, next rune) bool {
	if next == ' ' {
		return !unicode.IsSpace(before)
	}
	return unicode.In(before, unicode.L, unicode.N) && next != '\'' &&
		!unicode.In(next, unicode.L, unicode.N, unicode.M)
}
