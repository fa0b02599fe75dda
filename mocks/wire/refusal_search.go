package wire

import (
	"strconv"

	"evalctl/mocks/jsontext"
	"evalctl/mocks/model"
	"evalctl/mocks/random"
)

// unprocessable is the status of Tavily's error for a request that violates its schema.
const unprocessable = 422

func tavilyRefusal(reason ErrorReason) model.ErrorResponse {
	switch reason {
	case MissingAPIKey, InvalidAPIKey:
		return model.ErrorResponse{Status: 401, Message: "Unauthorized: missing or invalid API key."}
	case NoBalance:
		return model.ErrorResponse{Status: 432,
			Message: "This request exceeds your plan's set usage limit. Please upgrade your plan or contact support@tavily.com"}
	case PermissionDenied:
		return model.ErrorResponse{Status: 403, Message: "Forbidden"}
	case UnknownPath, UnknownModel:
		return model.ErrorResponse{Status: 404, Message: "Not Found"}
	case WrongMethod:
		return model.ErrorResponse{Status: 405, Message: "Method Not Allowed"}
	case BodyTooLarge:
		return model.ErrorResponse{Status: 413, Message: "Request Entity Too Large"}
	case RateLimited:
		return model.ErrorResponse{Status: 429,
			Message: "Your request has been blocked due to excessive requests. Please reduce the rate of requests."}
	case ServerError:
		return model.ErrorResponse{Status: 500, Message: "Internal Server Error"}
	case Overloaded:
		return model.ErrorResponse{Status: 503, Message: "Service Unavailable"}
	case BadJSON:
		return model.ErrorResponse{
			Status:  unprocessable,
			Type:    "json_invalid",
			Message: "JSON decode error",
			Code:    "{}",
		}
	}
	return model.ErrorResponse{Status: 400, Message: "Invalid request."}
}

// appendTavilyError appends an error body in one of Tavily's three formats: an invalid field
// (r.Code is the field's JSON value), an unknown path or method, or any other error.
func appendTavilyError(b []byte, r model.ErrorResponse) []byte {
	b = append(b, `{"detail":`...)
	switch r.Status {
	case unprocessable:
		b = jsontext.AppendStringField(append(b, `[{`...), "type", r.Type)
		b = append(b, `,"loc":["body"`...)
		if r.Param != "" {
			b = jsontext.AppendString(append(b, ','), r.Param)
		}
		b = jsontext.AppendStringField(append(b, `],`...), "msg", r.Message)
		return append(append(append(b, `,"input":`...), r.Code...), `}]}`...)
	case 404, 405:
		return append(jsontext.AppendString(b, r.Message), '}')
	}
	return append(jsontext.AppendStringField(append(b, '{'), "error", r.Message), `}}`...)
}

func bochaRefusal(reason ErrorReason) model.ErrorResponse {
	switch reason {
	case MissingAPIKey:
		return model.ErrorResponse{Status: 400, Message: "The API KEY is missing"}
	case InvalidAPIKey:
		return model.ErrorResponse{Status: 401, Message: "Invalid API KEY"}
	case NoBalance, PermissionDenied:
		return model.ErrorResponse{Status: 403, Message: "You do not have enough money"}
	case UnknownPath, UnknownModel:
		return model.ErrorResponse{Status: 404, Message: "Not Found"}
	case WrongMethod:
		return model.ErrorResponse{Status: 405, Message: "Method Not Allowed"}
	case BodyTooLarge:
		return model.ErrorResponse{Status: 413, Message: "Payload Too Large"}
	case RateLimited:
		return model.ErrorResponse{Status: 429, Message: "You have reached the request limit"}
	case ServerError:
		return model.ErrorResponse{Status: 500, Message: "Internal Server Error"}
	case Overloaded:
		return model.ErrorResponse{Status: 503, Message: "Service Unavailable"}
	}
	return model.ErrorResponse{Status: 400, Message: "Invalid request body"}
}

// appendBochaError appends an error body in Bocha's format. The code is a string, although it is a
// number in answers.
func (c *Call) appendBochaError(b []byte, r model.ErrorResponse) []byte {
	b = jsontext.AppendStringField(append(b, '{'), "code", strconv.Itoa(r.Status))
	b = jsontext.AppendStringField(append(b, ','), "message", r.Message)
	return append(jsontext.AppendStringField(append(b, ','), "log_id", c.logID()), '}')
}

// logID returns the id of the request in Bocha's format.
func (c *Call) logID() string { return string(appendHex(nil, random.Mix(c.IDSeed, 5), 16)) }
