package studio

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// gate settles what needs no model: it returns a plan, one with the code of
// what is wrong with the input, or nil.
func gate(in input, maxText int) (*intent, refusal) {
	code := refusal("")
	switch {
	case blank(in.Text) && in.Mask != "":
		return &intent{Action: Inpainting, Confidence: byMask, Source: "gate"}, ""
	case blank(in.Text):
		code = emptyInput
	case utf8.RuneCountInString(in.Text) > maxText:
		code = textTooLong
	case !hasWords(in.Text) && in.Mask == "":
		code = notUnderstood
	default:
		return nil, ""
	}
	return &intent{Action: Unknown, Source: "gate"}, code
}

// blank tells a text that shows nothing.
func blank(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return !unicode.IsSpace(r) && !unicode.IsControl(r) && !unicode.Is(unicode.Cf, r)
	})
}

// emoji are the letter and the digits that can be shown as emoji: ℹ️, 1️⃣.
var emoji = regexp.MustCompile(`[0-9ℹ]\x{FE0F}`)

// hasWords tells a text with a letter or digit that is no emoji.
func hasWords(text string) bool {
	return strings.ContainsFunc(emoji.ReplaceAllString(text, ""), func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsNumber(r)
	})
}
