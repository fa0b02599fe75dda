package studio

import "unicode/utf8"

// gate settles what needs no model: it returns a plan, one with the code of
// what is wrong with the input, or nil.
func gate(in input, maxText int) (*intent, refusal) {
	code := refusal("")
	switch {
	case blank(in.Text) && in.Mask != "":
		return &intent{Action: Inpainting, Confidence: byMask, Source: "guard"}, ""
	case blank(in.Text):
		code = emptyInput
	case utf8.RuneCountInString(in.Text) > maxText:
		code = textTooLong
	case !hasWords(in.Text) && in.Mask == "":
		code = notUnderstood
	default:
		return nil, ""
	}
	return &intent{Action: Unknown, Source: "guard"}, code
}
