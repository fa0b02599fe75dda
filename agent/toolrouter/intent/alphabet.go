package intent

import "unicode"

// kind is what a character is to the reader of a message.
type kind uint8

const (
	blank  kind = iota // separates English words, counts for nothing
	stop               // may end a clause
	letter             // of a language written with spaces
	digit
	glyph // a word, or part of one, by itself: Han, kana
)

// word tells whether an English word cannot begin directly after k.
func (k kind) word() bool { return k == letter || k == digit }

// fold gives the plain form of a character that exists in several widths,
// cases or shapes. Traditional characters are folded by the lexicon.
func fold(r rune) rune {
	switch {
	case r >= 'A' && r <= 'Z':
		return r + 'a' - 'A'
	case r < 0x80:
		return r
	case r >= '！' && r <= '～':
		return fold(r - '！' + '!')
	case r == '’':
		return '\''
	case r == '\u3000', r == '\u00a0':
		return ' '
	case r == '〇':
		return '零'
	}
	return r
}

func kindOf(r rune) kind {
	if r >= 0x4e00 && r <= 0x9fff {
		return glyph
	}
	if r = fold(r); r < 0x80 {
		return asciiKind(r)
	}
	switch {
	case r == '。', r == '｡', r == '…', r == '\u2028', r == '\u0085':
		return stop
	case r == '零':
		return glyph
	case !unicode.IsLetter(r) && !unicode.IsDigit(r):
		return blank
	case r < 0x2e80:
		return letter
	}
	return glyph
}

func asciiKind(r rune) kind {
	switch {
	case r >= 'a' && r <= 'z', r == '_':
		return letter
	case r >= '0' && r <= '9':
		return digit
	case r == '.', r == ',', r == '!', r == '?', r == ';', r == '\n', r == '\r':
		return stop
	}
	return blank
}
