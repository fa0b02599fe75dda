package wire

import (
	"slices"

	"evalctl/mocks/model"
)

// Refusal is the dialect's error for a reason. Reasons that a dialect does not
// tell apart are an invalid request to it.
func (c *Call) Refusal(why Reason) model.Refusal {
	switch c.Place.Dialect {
	case Tavily:
		return tavilyRefusal(why)
	case Bocha:
		return bochaRefusal(why)
	case DeepSeek:
		return c.deepSeekRefusal(why)
	case DashScope:
		return c.dashScopeRefusal(why)
	case DashScopeNative:
		return c.nativeRefusal(why)
	case Ark:
		return c.arkRefusal(why)
	case RAGFlow:
		return c.ragFlowRefusal(why)
	}
	return c.openAIRefusal(why)
}

// RefusalWithMessage is the dialect's error for a reason, worded by message; an empty
// one leaves the provider's usual words.
func (c *Call) RefusalWithMessage(why Reason, message string) *model.Refusal {
	r := c.Refusal(why)
	if message != "" {
		r.Message = c.phrase(why, message)
	}
	return &r
}

// phrase dresses a message up as the dialect words it.
func (c *Call) phrase(why Reason, message string) string {
	switch {
	case c.Place.Dialect == DashScope && why == Invalid:
		return invalidParameter + message
	case why == BadJSON && slices.Contains([]Dialect{OpenAI, RAGFlow, Tavily, Bocha}, c.Place.Dialect):
		return c.Refusal(BadJSON).Message
	case c.Place.Dialect == DeepSeek && why == BadJSON:
		return "Failed to parse the request body as JSON: " + message
	}
	return message
}

// object is the dialect's refusal of an invalid request. Param is only
// OpenAI's to name.
func (c *Call) object(message, param string) *model.Refusal {
	r := c.Refusal(Invalid)
	r.Message = c.phrase(Invalid, message)
	if c.Place.Dialect == OpenAI || c.Place.Dialect == Ark {
		r.Param = param
	}
	return &r
}

// Fill completes a refusal that a script gives in parts.
func (c *Call) Fill(r model.Refusal) model.Refusal {
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
