package wire

import (
	"net/http"
	"strconv"

	"evalctl/mocks/jsontext"
	"evalctl/mocks/model"
)

// RAGFlow's own codes.
const (
	codeException = "100" // that nobody has caught
	codeArgument  = "101"
	codeData      = "102"
)

// data is RAGFlow's refusal of what a request holds.
func data(message string) *model.Refusal {
	return &model.Refusal{Status: http.StatusOK, Code: codeData, Message: message}
}

// exception is what RAGFlow says where it breaks.
func exception(message string) *model.Refusal {
	return &model.Refusal{Status: http.StatusOK, Code: codeException, Message: message}
}

// ragFlowRefusal has the status 200 but where a proxy, or who checks keys and paths, answers.
func (c *Call) ragFlowRefusal(why Reason) model.Refusal {
	switch why {
	case NoKey, BadKey, NoBalance, Denied:
		return model.Refusal{Status: 401, Code: "401", Message: "<Unauthorized '401: Unauthorized'>"}
	case UnknownPath:
		return model.Refusal{Status: 404, Code: "404", Message: "Not Found: " + c.Request.URL.Path}
	case WrongMethod:
		return *exception("<MethodNotAllowed '405: Method Not Allowed'>")
	case TooLarge:
		return *exception("<RequestEntityTooLarge '413: Request Entity Too Large'>")
	case BadJSON:
		return *exception("<BadRequest '400: Bad Request'>")
	case RateLimited:
		return model.Refusal{Status: 429, Code: "429", Message: "Too Many Requests"}
	case Overloaded:
		return model.Refusal{Status: 503, Code: "503", Message: "Service Unavailable"}
	case Broken:
		return *exception("ConnectionTimeout('Connection timed out')")
	}
	return model.Refusal{Status: http.StatusOK, Code: codeArgument, Message: "Invalid request."}
}

// appendRAGFlowError writes the flat body, whose code is a number. Where RAGFlow says
// more than the code and the message, the data are null.
func (c *Call) appendRAGFlowError(b []byte, r model.Refusal) []byte {
	code, _ := strconv.Atoi(r.Code) // all of ours are numbers
	b = jsontext.AppendField(append(jsontext.AppendNumber(append(b, '{'), "code", code), ','), "message", r.Message)
	if r.Code != codeData && r.Code != codeArgument {
		b = append(b, `,"data":null`...)
	}
	if r.Status == http.StatusNotFound {
		b = append(b, `,"error":"Not Found"`...)
	}
	return append(b, '}')
}
