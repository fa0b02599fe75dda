package wire

import (
	"evalctl/mocks/jsontext"
	"evalctl/mocks/model"
)

// AppendError appends an error body in the provider's format and key order.
func (c *Call) AppendError(b []byte, r model.ErrorResponse) []byte {
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
		b = jsontext.AppendStringField(append(b, `{"error":{`...), "code", r.Code)
		b = jsontext.AppendStringField(append(b, ','), "message", r.Message+" Request id: "+c.requestID())
		b = jsontext.AppendStringField(append(b, ','), "param", r.Param)
		b = jsontext.AppendStringField(append(b, ','), "type", r.Type)
		return append(b, '}', '}')
	}
	b = jsontext.AppendStringField(append(b, `{"error":{`...), "message", r.Message)
	b = jsontext.AppendStringField(append(b, ','), "type", r.Type)
	b = jsontext.AppendNullableStringField(append(b, ','), "param", r.Param)
	b = jsontext.AppendNullableStringField(append(b, ','), "code", r.Code)
	b = append(b, '}')
	if c.Route.Dialect == DashScope {
		b = jsontext.AppendStringField(append(b, ','), "request_id", c.requestID())
	}
	return append(b, '}')
}

// appendNativeError appends an error body in DashScope's native format. For synchronous images the
// request id is the first key, as in the real service.
func (c *Call) appendNativeError(b []byte, r model.ErrorResponse) []byte {
	b = append(b, '{')
	if c.Route.Endpoint == ImagesSync {
		b = append(jsontext.AppendStringField(b, "request_id", c.requestID()), ',')
	}
	b = jsontext.AppendStringField(b, "code", r.Code)
	b = jsontext.AppendStringField(append(b, ','), "message", r.Message)
	if c.Route.Endpoint != ImagesSync {
		b = jsontext.AppendStringField(append(b, ','), "request_id", c.requestID())
	}
	return append(b, '}')
}
