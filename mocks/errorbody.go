package mocks

// appendError writes the error body as the dialect has it, key order included.
func (c *Call) appendError(b []byte, r Refusal) []byte {
	switch c.Place.dialect {
	case Native:
		return c.appendNativeError(b, r)
	case Ark:
		b = appendField(append(b, `{"error":{`...), "code", r.Code)
		b = appendField(append(b, ','), "message", r.Message+" Request id: "+c.requestID())
		b = appendField(append(b, ','), "param", r.Param)
		b = appendField(append(b, ','), "type", r.Type)
		return append(b, '}', '}')
	}
	b = appendField(append(b, `{"error":{`...), "message", r.Message)
	b = appendField(append(b, ','), "type", r.Type)
	b = appendOptional(append(b, ','), "param", r.Param)
	b = appendOptional(append(b, ','), "code", r.Code)
	b = append(b, '}')
	if c.Place.dialect == DashScope {
		b = appendField(append(b, ','), "request_id", c.requestID())
	}
	return append(b, '}')
}

// appendNativeError writes the flat body; the synchronous picture endpoint
// has the request's id in front.
func (c *Call) appendNativeError(b []byte, r Refusal) []byte {
	b = append(b, '{')
	if c.Place.endpoint == imagesSync {
		b = append(appendField(b, "request_id", c.requestID()), ',')
	}
	b = appendField(b, "code", r.Code)
	b = appendField(append(b, ','), "message", r.Message)
	if c.Place.endpoint != imagesSync {
		b = appendField(append(b, ','), "request_id", c.requestID())
	}
	return append(b, '}')
}
