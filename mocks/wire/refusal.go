package wire

import (
	"slices"

	"evalctl/mocks/model"
)

// ErrorResponse returns the provider's error response for a reason. A reason for which the provider
// has no error of its own becomes an invalid request.
func (c *Call) ErrorResponse(reason ErrorReason) model.ErrorResponse {
	switch c.Route.Dialect {
	case Tavily:
		return tavilyRefusal(reason)
	case Bocha:
		return bochaRefusal(reason)
	case DeepSeek:
		return c.deepSeekRefusal(reason)
	case DashScope:
		return c.dashScopeRefusal(reason)
	case DashScopeNative:
		return c.nativeRefusal(reason)
	case Ark:
		return c.arkRefusal(reason)
	case RAGFlow:
		return c.ragFlowRefusal(reason)
	}
	return c.openAIRefusal(reason)
}

// ErrorResponseWithMessage returns the provider's error response for a reason, with another
// message. If message is empty, the usual message stays.
func (c *Call) ErrorResponseWithMessage(reason ErrorReason, message string) *model.ErrorResponse {
	r := c.ErrorResponse(reason)
	if message != "" {
		r.Message = c.formatMessage(reason, message)
	}
	return &r
}

// formatMessage returns a message in the provider's style, such as with a prefix.
func (c *Call) formatMessage(reason ErrorReason, message string) string {
	switch {
	case c.Route.Dialect == DashScope && reason == InvalidRequest:
		return invalidParameter + message
	case reason == BadJSON && slices.Contains([]Dialect{OpenAI, RAGFlow, Tavily, Bocha}, c.Route.Dialect):
		return c.ErrorResponse(BadJSON).Message
	case c.Route.Dialect == DeepSeek && reason == BadJSON:
		return "Failed to parse the request body as JSON: " + message
	}
	return message
}

// invalidRequest returns the provider's error response for an invalid request. param is the invalid
// parameter, which only OpenAI and Ark report.
func (c *Call) invalidRequest(message, param string) *model.ErrorResponse {
	r := c.ErrorResponse(InvalidRequest)
	r.Message = c.formatMessage(InvalidRequest, message)
	if c.Route.Dialect == OpenAI || c.Route.Dialect == Ark {
		r.Param = param
	}
	return &r
}

// CompleteErrorResponse fills in the empty fields of an error response that a script specifies.
// They get the provider's usual values for the status.
func (c *Call) CompleteErrorResponse(r model.ErrorResponse) model.ErrorResponse {
	d := c.ErrorResponse(reasonOf(r.Status))
	if r.Status == 0 {
		r.Status = d.Status
	}
	if r.Type == "" {
		r.Type = d.Type
	}
	if r.Code == "" {
		r.Code = d.Code
	}
	if r.Message == "" {
		r.Message = d.Message
	}
	return r
}
