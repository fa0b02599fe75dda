// Package tokens counts the tokens of a text in the encoding o200k_base, which OpenAI models use.
//
// The time is linear in the length of the text, because the text is counted in pieces of a few KiB.
// No token crosses the end of a piece, so the sum is exact. A text without such a position within
// maxPiece bytes (no spaces, no punctuation) is split at any character. Each such split can change
// the count by one or two tokens.
package tokens

import (
	"sync"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer/codec"
)

// encoding returns the encoding. The first call loads it, which takes about 0.1 s.
var encoding = sync.OnceValue(codec.NewO200kBase)

// Count returns the number of tokens of a text. An invalid UTF-8 byte counts as the character
// U+FFFD, because models receive this character instead.
func Count(text string) (n int) {
	for text != "" {
		end := pieceEnd(text)
		n += count(text[:end])
		text = text[end:]
	}
	return n
}

// Truncate returns the longest beginning of a text that has at most this many tokens. It does not
// split characters.
func Truncate(text string, most int) string {
	at := 0
	for at < len(text) {
		piece := text[at:][:pieceEnd(text[at:])]
		n := count(piece)
		if n > most {
			return text[:at+truncatePiece(piece, most)]
		}
		most -= n
		at += len(piece)
	}
	return text
}

func count(piece string) int { return cachedCount(piece, countByEncoding) }

func countByEncoding(piece string) int {
	n, err := encoding().Count(toValidUTF8(piece))
	if err != nil {
		return len(piece) // upper limit of the count: a token has at least one byte
	}
	return n
}

// truncatePiece returns the length, in bytes, of the longest beginning of a piece that has at most
// this many tokens. It counts the beginning again, because its tokens may differ from those within
// the piece.
func truncatePiece(piece string, most int) int {
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

// wholeRunes returns the number of complete characters in the first bytes of a valid UTF-8 text.
func wholeRunes(text string, bytes int) int {
	for bytes < len(text) && !utf8.RuneStart(text[bytes]) {
		bytes--
	}
	return utf8.RuneCountInString(text[:bytes])
}

func sameRunes(text string, n int) (bytes int) {
	for ; n > 0; n-- {
		_, size := utf8.DecodeRuneInString(text[bytes:])
		bytes += size
	}
	return bytes
}

func toValidUTF8(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return string([]rune(text))
}
