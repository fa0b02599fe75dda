package wire

import "evalctl/mocks/model"

// native is DashScope's refusal with a code of its own.
func native(status int, code, message string) *model.Refusal {
	return &model.Refusal{Status: status, Code: code, Message: message}
}

func badParameter(message string) *model.Refusal { return native(400, "InvalidParameter", message) }
