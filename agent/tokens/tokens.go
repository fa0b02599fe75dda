// Package tokens counts text as language models do, in the o200k_base encoding.
//
// The time is linear in the text, whatever it is: it is counted in pieces of some KiB.
// They end where the encoding parts words anyway, so that the sum is exact. Only where
// a text has no such place for maxPiece bytes (it has neither spaces nor punctuation) is
// it cut at any character, which can add or save a token or two each time.
package tokens

import (
	"sync"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer/codec"
)

// encoding is loaded at its first use, which takes a tenth of a second.
var encoding = sync.OnceValue(codec.NewO200kBase)

// Count is how many tokens the text has. A byte that is no UTF-8 counts as the
// character U+FFFD, which is what models are sent in its place.
func Count(text string) (n int) {
	for text != "" {
		end := pieceEnd(text)
		n += count(text[:end])
		text = text[end:]
	}
	return n
}

// Truncate is the beginning of the text that has at most so many tokens, of whole
// characters.
func Truncate(text string, most int) string {
	at := 0
	for at < len(text) {
		piece := text[at:][:pieceEnd(text[at:])]
		n := count(piece)
		if n > most {
			return text[:at+cut(piece, most)]
		}
		most -= n
		at += len(piece)
	}
	return text
}

// count is that of one piece.
func count(piece string) int { return counted(piece, encoded) }

// encoded counts a piece's tokens by encoding it.
func encoded(piece string) int {
	n, err := encoding().Count(valid(piece))
	if err != nil {
		return len(piece) // no text has more
	}
	return n
}

// cut is how many bytes of a piece, in whole characters, have at most so many tokens.
// The beginning of a piece may be encoded otherwise than within it.
func cut(piece string, most int) int {
	if most <= 0 {
		return 0
	}
	_, list, err := encoding().Encode(valid(piece))
	if err != nil {
		return 0
	}
	bytes := 0
	for _, token := range list[:min(most, len(list))] {
		bytes += len(token)
	}
	end := sameRunes(piece, wholeRunes(valid(piece), bytes))
	for end > 0 && count(piece[:end]) > most {
		_, size := utf8.DecodeLastRuneInString(piece[:end])
		end -= size
	}
	return end
}

// wholeRunes is how many characters end in the first bytes of a valid text.
func wholeRunes(text string, bytes int) int {
	for bytes < len(text) && !utf8.RuneStart(text[bytes]) {
		bytes--
	}
	return utf8.RuneCountInString(text[:bytes])
}

// sameRunes is how many bytes the first n characters of a text have.
func sameRunes(text string, n int) (bytes int) {
	for ; n > 0; n-- {
		_, size := utf8.DecodeRuneInString(text[bytes:])
		bytes += size
	}
	return bytes
}

// valid has U+FFFD for each byte that is no UTF-8.
func valid(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return string([]rune(text))
}
