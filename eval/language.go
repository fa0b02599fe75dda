package eval

import "unicode"

// The languages that Language tells.
const (
	Chinese = "zh"
	English = "en"
	Mixed   = "mixed"
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
		if !unicode.Is(unicode.Latin, r) {
			word = 0
		}
		switch {
		case unicode.Is(unicode.Han, r):
			chinese++
		case unicode.Is(unicode.Latin, r):
			if word++; word == 2 {
				latin += 2
			}
		case unicode.IsLetter(r):
			other++
		}
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
	return Mixed
}
