// Package tokens counts the tokens of a text in the o200k_base encoding.
//
// The time is linear for every text, because it is counted in pieces of a few KiB. They end between
// words of the encoding, so the sum is exact. A text without such a position for maxPiece bytes (no
// spaces and no punctuation) is cut at any character, which can change the count by a token or two
// each time.
package tokens

import (
	"sync"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer/codec"
)

// encoding is loaded at the first use, which takes 0.1 s.
var encoding = sync.OnceValue(codec.NewO200kBase)

// Count returns the number of tokens. An invalid UTF-8 byte counts as the character U+FFFD, which
// models receive in its place.
func Count(text string) (n int) {
	for text != "" {
		end := pieceEnd(text)
		n += count(text[:end])
		text = text[end:]
	}
	return n
}

// Truncate returns the longest beginning of text with at most this many tokens, in whole
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

// count returns the tokens of one piece.
func count(piece string) int { return cachedCount(piece, countByEncoding) }

// countByEncoding counts the tokens of a piece by encoding it.
func countByEncoding(piece string) int {
	n, err := encoding().Count(toValidUTF8(piece))
	if err != nil {
		return len(piece) // upper limit
	}
	return n
}

// cut returns how many bytes of a piece, in whole characters, fit into this many tokens. A prefix
// may be encoded differently than within the piece.
func cut(piece string, most int) int {
	if most <= 0 {
		return 0
	}
	_, list, err := encoding().Encode(toValidUTF8(piece))
	if err != nil {
		return 0
	}
	bytes := 0
	for _, token := range list[:min(most, len(list))] {
		bytes += len(token)
	}
	end := sameRunes(piece, wholeRunes(toValidUTF8(piece), bytes))
	for end > 0 && count(piece[:end]) > most {
		_, size := utf8.DecodeLastRuneInString(piece[:end])
		end -= size
	}
	return end
}

// wholeRunes returns how many characters are complete in the first bytes of a valid text.
func wholeRunes(text string, bytes int) int {
	for bytes < len(text) && !utf8.RuneStart(text[bytes]) {
		bytes--
	}
	return utf8.RuneCountInString(text[:bytes])
}

// sameRunes returns the length of the first n characters in bytes.
func sameRunes(text string, n int) (bytes int) {
	for ; n > 0; n-- {
		_, size := utf8.DecodeRuneInString(text[bytes:])
		bytes += size
	}
	return bytes
}

// toValidUTF8 replaces each invalid UTF-8 byte by U+FFFD.
func toValidUTF8(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return string([]rune(text))
}
