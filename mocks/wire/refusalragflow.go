package wire

import (
	"net/http"
	"strconv"

	"evalctl/mocks/jsontext"
	"evalctl/mocks/model"
)

// Error codes in RAGFlow's answers.
const (
	codeException = "100" // an uncaught exception in the server
	codeArgument  = "101"
	codeData      = "102"
)

// dataError returns RAGFlow's error response for invalid data in a request.
func dataError(message string) *model.ErrorResponse {
	return &model.ErrorResponse{Status: http.StatusOK, Code: codeData, Message: message}
}

// exceptionError returns RAGFlow's error response for an uncaught exception in the server.
func exceptionError(message string) *model.ErrorResponse {
	return &model.ErrorResponse{Status: http.StatusOK, Code: codeException, Message: message}
}

// ragFlowRefusal returns RAGFlow's error response for a reason. Its HTTP status is 200, with these
// exceptions: invalid keys, unknown paths, and errors that a proxy in front of RAGFlow would
// return.
func (c *Call) ragFlowRefusal(reason ErrorReason) model.ErrorResponse {
	switch reason {
	case MissingAPIKey, InvalidAPIKey, NoBalance, PermissionDenied:
		return model.ErrorResponse{Status: 401, Code: "401", Message: "<Unauthorized '401: Unauthorized'>"}
	case UnknownPath:
		return model.ErrorResponse{Status: 404, Code: "404", Message: "Not Found: " + c.Request.URL.Path}
	case WrongMethod:
		return *exceptionError("<MethodNotAllowed '405: Method Not Allowed'>")
	case BodyTooLarge:
		return *exceptionError("<RequestEntityTooLarge '413: Request Entity Too Large'>")
	case BadJSON:
		return *exceptionError("<BadRequest '400: Bad Request'>")
	case RateLimited:
		return model.ErrorResponse{Status: 429, Code: "429", Message: "Too Many Requests"}
	case Overloaded:
		return model.ErrorResponse{Status: 503, Code: "503", Message: "Service Unavailable"}
	case ServerError:
		return *exceptionError("ConnectionTimeout('Connection timed out')")
	}
	return model.ErrorResponse{Status: http.StatusOK, Code: codeArgument, Message: "Invalid request."}
}

// appendRAGFlowError appends an error body in RAGFlow's format, with a numeric code. Codes other
// than codeData and codeArgument are followed by "data":null.
func (c *Call) appendRAGFlowError(b []byte, r model.ErrorResponse) []byte {
	code, _ := strconv.Atoi(r.Code) // all codes in this package are numbers
	b = jsontext.AppendStringField(append(jsontext.AppendIntField(append(b, '{'), "code", code), ','),
		"message", r.Message)
	if r.Code != codeData && r.Code != codeArgument {
		b = append(b, `,"data":null`...)
	}
	if r.Status == http.StatusNotFound {
		b = append(b, `,"error":"Not Found"`...)
	}
	return append(b, '}')
}
