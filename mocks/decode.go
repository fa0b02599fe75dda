package mocks

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sync"
)

// MaxBody is the largest request body in bytes; pictures of 10 MB fit.
const MaxBody = 32 << 20

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// maxPooled keeps buffers that held a picture out of the pool.
const maxPooled = 64 << 10

func giveBack(b *bytes.Buffer) {
	if b.Cap() > maxPooled {
		return
	}
	b.Reset()
	buffers.Put(b)
}

// decode reads the request's body into v, or says how it is refused.
func (c *Call) decode(v any) *Refusal {
	b := buffers.Get().(*bytes.Buffer)
	defer giveBack(b)
	_, err := b.ReadFrom(io.LimitReader(c.Request.Body, MaxBody+1))
	switch {
	case err != nil: // the client broke off, or framed its body badly
		return c.refusalOf(badJSON, err.Error())
	case b.Len() > MaxBody:
		return c.refusalOf(tooLarge, "")
	}
	err = json.Unmarshal(b.Bytes(), v)
	var wrong *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &wrong):
		return c.refusalOf(invalid, "invalid type: "+wrong.Value+" for "+wrong.Field)
	case errors.Is(err, errContent):
		return c.refusalOf(invalid, err.Error())
	}
	return c.refusalOf(badJSON, err.Error())
}
