package eval

import (
	"unicode"
	"unicode/utf8"
)

// The languages that Language tells.
const (
	Chinese = "zh"
	English = "en"
	mixed   = "mixed"
	Other   = "other"
)

// Language goes by the script of a text: zh is in Chinese characters, en in
// Latin letters, whosever they are, and mixed has a fair share of both: names
// in Latin letters make no Chinese sentence mixed. Other is whatever has more of
// another script, or no words at all. A word is taken for as long as two Chinese
// characters; a lone letter is none.
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

// isHan, as the next, tells most characters at one look.
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
