package eval

import (
	"unicode"
	"unicode/utf8"
)

// The languages that Language returns.
const (
	Chinese = "zh"
	English = "en"
	mixed   = "mixed"
	Other   = "other"
)

// Language classifies a text by its script. Chinese characters count as zh, Latin letters of any
// language as en. A text is mixed if each of the two scripts has at least a seventh of it. A Latin
// name therefore does not make a Chinese sentence mixed. Other means no words, or many letters of
// another script: more than half the weight of Chinese and Latin together. A Latin word weighs as
// much as two Chinese characters; a single letter weighs nothing.
func Language(text string) string {
	var chinese, latin, other, word int
	for _, r := range text {
		switch {
		case isHan(r):
			chinese++
		case isLatin(r):
			if word++; word == 2 {
				latin += 2
			}
			continue
		case r >= utf8.RuneSelf && unicode.IsLetter(r):
			other++
		}
		word = 0
	}
	all := chinese + latin
	switch {
	case all == 0 || other*2 > all:
		return Other
	case latin*7 < all:
		return Chinese
	case chinese*7 < all:
		return English
	}
	return mixed
}

// isHan and isLatin have a fast path for the most frequent characters.
func isHan(r rune) bool {
	return r >= 0x4e00 && r <= 0x9fff || r > unicode.MaxLatin1 && unicode.Is(unicode.Han, r)
}

func isLatin(r rune) bool {
	if r < utf8.RuneSelf {
		r |= ' '
		return r >= 'a' && r <= 'z'
	}
	return unicode.Is(unicode.Latin, r)
}
