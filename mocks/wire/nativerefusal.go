package wire

import (
	"strings"

	"evalctl/mocks/model"
)

// noSync and noAsync are DashScope's messages for a synchronous or asynchronous call that the model
// does not support.
const (
	noSync  = "current user api does not support synchronous calls"
	noAsync = "current user api does not support asynchronous calls"
)

func (c *Call) isAsync() bool {
	return strings.EqualFold(c.Request.Header.Get("X-DashScope-Async"), "enable")
}

// nativeRefusalOf returns an error response in DashScope's native format.
func nativeRefusalOf(status int, code, message string) *model.ErrorResponse {
	return &model.ErrorResponse{Status: status, Code: code, Message: message}
}

func badParameter(message string) *model.ErrorResponse {
	return nativeRefusalOf(400, "InvalidParameter", message)
}

func emptyModel() *model.ErrorResponse {
	return nativeRefusalOf(400, "BadRequest.EmptyModel", "Required parameter \"model\" missing from request.")
}

func emptyInput() *model.ErrorResponse {
	return nativeRefusalOf(400, "BadRequest.EmptyInput", "Required input parameter missing from request.")
}
