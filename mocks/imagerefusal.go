package mocks

// native is DashScope's refusal with a code of its own.
func native(status int, code, message string) *Refusal {
	return &Refusal{Status: status, Code: code, Message: message}
}

func badParameter(message string) *Refusal { return native(400, "InvalidParameter", message) }
