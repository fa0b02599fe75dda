package wire

import (
	"slices"

	"evalctl/mocks/model"
)

// Refusal returns the provider's error response for a reason. A reason for which the provider has
// no error of its own becomes an invalid request.
func (c *Call) Refusal(reason Reason) model.Refusal {
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

// RefusalWithMessage returns the provider's error response for a reason, with another message. If
// message is empty, the usual message stays.
func (c *Call) RefusalWithMessage(reason Reason, message string) *model.Refusal {
	r := c.Refusal(reason)
	if message != "" {
		r.Message = c.formatMessage(reason, message)
	}
	return &r
}

// formatMessage returns a message in the provider's style, such as with a prefix.
func (c *Call) formatMessage(reason Reason, message string) string {
	switch {
	case c.Route.Dialect == DashScope && reason == Invalid:
		return invalidParameter + message
	case reason == BadJSON && slices.Contains([]Dialect{OpenAI, RAGFlow, Tavily, Bocha}, c.Route.Dialect):
		return c.Refusal(BadJSON).Message
	case c.Route.Dialect == DeepSeek && reason == BadJSON:
		return "Failed to parse the request body as JSON: " + message
	}
	return message
}

// invalidRequest returns the provider's error response for an invalid request. param is the invalid
// parameter, which only OpenAI and Ark report.
func (c *Call) invalidRequest(message, param string) *model.Refusal {
	r := c.Refusal(Invalid)
	r.Message = c.formatMessage(Invalid, message)
	if c.Route.Dialect == OpenAI || c.Route.Dialect == Ark {
		r.Param = param
	}
	return &r
}

// CompleteRefusal fills in the empty fields of an error response that a script specifies. They get
// the provider's usual values for the status.
func (c *Call) CompleteRefusal(r model.Refusal) model.Refusal {
	d := c.Refusal(reasonOf(r.Status))
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
