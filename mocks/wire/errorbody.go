package wire

import (
	"evalctl/mocks/jsontext"
	"evalctl/mocks/model"
)

// AppendError appends an error body in the provider's format and key order.
func (c *Call) AppendError(b []byte, r model.Refusal) []byte {
	switch c.Route.Dialect {
	case Tavily:
		return appendTavilyError(b, r)
	case Bocha:
		return c.appendBochaError(b, r)
	case DashScopeNative:
		return c.appendNativeError(b, r)
	case RAGFlow:
		return c.appendRAGFlowError(b, r)
	case Ark:
		b = jsontext.AppendField(append(b, `{"error":{`...), "code", r.Code)
		b = jsontext.AppendField(append(b, ','), "message", r.Message+" Request id: "+c.requestID())
		b = jsontext.AppendField(append(b, ','), "param", r.Param)
		b = jsontext.AppendField(append(b, ','), "type", r.Type)
		return append(b, '}', '}')
	}
	b = jsontext.AppendField(append(b, `{"error":{`...), "message", r.Message)
	b = jsontext.AppendField(append(b, ','), "type", r.Type)
	b = jsontext.AppendOptional(append(b, ','), "param", r.Param)
	b = jsontext.AppendOptional(append(b, ','), "code", r.Code)
	b = append(b, '}')
	if c.Route.Dialect == DashScope {
		b = jsontext.AppendField(append(b, ','), "request_id", c.requestID())
	}
	return append(b, '}')
}

// appendNativeError appends an error body in DashScope's native format. For synchronous images the
// request id is the first key, as in the real service.
func (c *Call) appendNativeError(b []byte, r model.Refusal) []byte {
	b = append(b, '{')
	if c.Route.Endpoint == ImagesSync {
		b = append(jsontext.AppendField(b, "request_id", c.requestID()), ',')
	}
	b = jsontext.AppendField(b, "code", r.Code)
	b = jsontext.AppendField(append(b, ','), "message", r.Message)
	if c.Route.Endpoint != ImagesSync {
		b = jsontext.AppendField(append(b, ','), "request_id", c.requestID())
	}
	return append(b, '}')
}
