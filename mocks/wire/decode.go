package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"evalctl/mocks/model"
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

// Decode reads the request's body into v, or says how it is refused.
func (c *Call) Decode(v any) *model.Refusal {
	b := buffers.Get().(*bytes.Buffer)
	defer giveBack(b)
	_, err := b.ReadFrom(io.LimitReader(c.Request.Body, MaxBody+1))
	switch {
	case err != nil: // the client broke off, or framed its body badly
		return c.RefusalSaying(BadJSON, err.Error())
	case b.Len() > MaxBody:
		return c.RefusalSaying(TooLarge, "")
	}
	err = json.Unmarshal(b.Bytes(), v)
	var wrong *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &wrong):
		return c.RefusalSaying(Invalid, "invalid type: "+wrong.Value+" for "+wrong.Field)
	case errors.Is(err, errContent):
		return c.RefusalSaying(Invalid, err.Error())
	}
	return c.RefusalSaying(BadJSON, err.Error())
}
