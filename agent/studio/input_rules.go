package studio

import "unicode/utf8"

// checkInput decides inputs that require no model, such as a mask without text. It returns a plan
// and possibly an error code. The plan is nil if the planner must call its model.
func checkInput(in input, maxText int) (*intent, errorCode) {
	code := errorCode("")
	switch {
	case in.ButtonError != "":
		code = in.ButtonError
	case isBlank(in.Text) && in.Mask != "":
		return &intent{Action: ActionInpainting, Confidence: maskConfidence, DecidedBy: "guard"}, ""
	case isBlank(in.Text):
		code = emptyInput
	case utf8.RuneCountInString(in.Text) > maxText:
		code = textTooLong
	case !hasWords(in.Text) && in.Mask == "":
		code = notUnderstood
	default:
		return nil, ""
	}
	return &intent{Action: ActionUnknown, DecidedBy: "guard"}, code
}
