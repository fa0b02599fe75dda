package mocks

// refusal is the dialect's error for a reason. Reasons that a dialect does not
// tell apart are an invalid request to it.
func (c *Call) refusal(why reason) Refusal {
	switch c.Place.dialect {
	case DeepSeek:
		return c.deepSeekRefusal(why)
	case DashScope:
		return c.dashScopeRefusal(why)
	case Native:
		return c.nativeRefusal(why)
	case Ark:
		return c.arkRefusal(why)
	}
	return c.openAIRefusal(why)
}

// refusalOf is the dialect's error for a reason, worded by message; an empty
// one leaves the provider's usual words.
func (c *Call) refusalOf(why reason, message string) *Refusal {
	r := c.refusal(why)
	if message != "" {
		r.Message = c.phrase(why, message)
	}
	return &r
}

// phrase dresses a message up as the dialect words it.
func (c *Call) phrase(why reason, message string) string {
	switch {
	case c.Place.dialect == DashScope && why == invalid:
		return invalidParameter + message
	case c.Place.dialect == OpenAI && why == badJSON:
		return c.refusal(badJSON).Message
	case c.Place.dialect == DeepSeek && why == badJSON:
		return "Failed to parse the request body as JSON: " + message
	}
	return message
}

// object is the dialect's refusal of an invalid request. Param is only
// OpenAI's to name.
func (c *Call) object(message, param string) *Refusal {
	r := c.refusal(invalid)
	r.Message = c.phrase(invalid, message)
	if c.Place.dialect == OpenAI || c.Place.dialect == Ark {
		r.Param = param
	}
	return &r
}

// fill completes a refusal that a script gives in parts.
func (c *Call) fill(r Refusal) Refusal {
	d := c.refusal(reasonOf(r.Status))
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
