package eval

import (
	"unicode"
	"unicode/utf8"
)

// Language returns one of these values.
const (
	Chinese       = "zh"
	English       = "en"
	mixed         = "mixed"
	OtherLanguage = "other"
)

// DetectLanguage classifies a text by its script, as zh, en, mixed or other. Letters of any
// Latin-script language count as en. A Latin word weighs as much as two Chinese characters; a
// single Latin letter weighs nothing. A text is mixed if Chinese and Latin each have at least a
// seventh of the weight, so a Latin name does not make a Chinese sentence mixed. The result is
// other if the text has no words, or if another script has more than half the weight of Chinese and
// Latin together.
func DetectLanguage(text string) string {
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
		return OtherLanguage
	case latin*7 < all:
		return Chinese
	case chinese*7 < all:
		return English
	}
	return mixed
}

// isHan reports whether a character is Chinese. Like isLatin, it checks the most frequent range
// first, for speed.
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
