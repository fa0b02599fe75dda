package mocks

import (
	"time"
)

// Refusal is an error as a provider sends it. What is empty is filled in from
// the status, as the dialect has it.
type Refusal struct {
	Status     int
	Type       string
	Code       string
	Message    string
	Param      string
	RetryAfter time.Duration // 0: no Retry-After header
}

// reason is why a request is refused.
type reason int

const (
	invalid reason = iota + 1
	badJSON
	noKey
	badKey
	noBalance
	denied
	unknownPath
	unknownModel
	wrongMethod
	tooLarge
	blocked
	rateLimited
	broken
	overloaded
	timedOut
)

// refuse answers with the dialect's error for a reason; an empty message is
// the provider's usual one.
func (c *call) refuse(why reason, message string) {
	r := c.refusal(why)
	if message != "" {
		r.Message = c.phrase(why, message)
	}
	c.send(r)
}

// send answers with an error.
func (c *call) send(r Refusal) {
	if r.RetryAfter > 0 {
		c.w.Header().Set("Retry-After", seconds(r.RetryAfter))
	}
	c.answer(r.Status, c.appendError(nil, r))
}

// fill completes a refusal that a script gives in parts.
func (c *call) fill(r Refusal) Refusal {
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

func reasonOf(status int) reason {
	switch status {
	case 401:
		return badKey
	case 402:
		return noBalance
	case 403:
		return denied
	case 404:
		return unknownModel
	case 405:
		return wrongMethod
	case 408:
		return timedOut
	case 413:
		return tooLarge
	case 429:
		return rateLimited
	case 0, 500:
		return broken
	}
	if status > 500 {
		return overloaded
	}
	return invalid
}

// appendError writes the error body as the dialect has it, key order included.
func (c *call) appendError(b []byte, r Refusal) []byte {
	switch c.place.dialect {
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
	if c.place.dialect == DashScope {
		b = appendField(append(b, ','), "request_id", c.requestID())
	}
	return append(b, '}')
}

// appendNativeError writes the flat body; the synchronous picture endpoint
// has the request's id in front.
func (c *call) appendNativeError(b []byte, r Refusal) []byte {
	b = append(b, '{')
	if c.place.endpoint == imagesSync {
		b = append(appendField(b, "request_id", c.requestID()), ',')
	}
	b = appendField(b, "code", r.Code)
	b = appendField(append(b, ','), "message", r.Message)
	if c.place.endpoint != imagesSync {
		b = appendField(append(b, ','), "request_id", c.requestID())
	}
	return append(b, '}')
}
