package studio

import "unicode/utf8"

// gate decides inputs that need no model. It returns a plan, a plan with an error code, or nil.
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
