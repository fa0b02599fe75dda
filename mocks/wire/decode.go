package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"sync"

	quick "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

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

// What a body may hold, and what one costs in memory: its text, what is read of
// it, and a value for each brace, bracket and comma.
const (
	maxValues     = 400_000
	copies        = 3
	bytesPerValue = 256
)

// asServed takes what the providers take that RFC 8259 leaves open.
var asServed = quick.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// Decode reads the request's body into v, or says how it is refused.
func (c *Call) Decode(v any) *model.Refusal {
	b := buffers.Get().(*bytes.Buffer)
	defer giveBack(b)
	if p := c.read(b); p != nil {
		return p
	}
	if quick.Unmarshal(b.Bytes(), v, asServed) == nil {
		return c.checkKeys(b.Bytes())
	}
	err := json.Unmarshal(b.Bytes(), v) // whose words say what is wrong
	var wrong *json.UnmarshalTypeError
	switch {
	case err == nil:
		return c.checkKeys(b.Bytes())
	case errors.As(err, &wrong):
		return c.RefusalWithMessage(Invalid, "invalid type: "+wrong.Value+" for "+wrong.Field)
	case errors.Is(err, errContent):
		return c.RefusalWithMessage(Invalid, err.Error())
	}
	return c.RefusalWithMessage(BadJSON, err.Error())
}

// read reads the body, as far as there is memory for it.
func (c *Call) read(b *bytes.Buffer) *model.Refusal {
	_, err := b.ReadFrom(io.LimitReader(c.Request.Body, smallBody))
	if err == nil && b.Len() == smallBody {
		if c.Request.ContentLength > MaxBody {
			return c.RefusalWithMessage(TooLarge, "")
		}
		length := c.Request.ContentLength
		if length < 0 {
			length = MaxBody
		}
		if !c.Reserve(copies * length) {
			return c.RefusalWithMessage(Overloaded, "")
		}
		_, err = b.ReadFrom(io.LimitReader(c.Request.Body, MaxBody+1-smallBody))
	}
	switch {
	case err != nil: // the client broke off, or framed its body badly
		return c.RefusalWithMessage(BadJSON, err.Error())
	case b.Len() > MaxBody:
		return c.RefusalWithMessage(TooLarge, "")
	case b.Len() < smallBody:
		return nil
	}
	values := int64(0)
	for _, ch := range b.Bytes() {
		if ch == ',' || ch == '{' || ch == '[' {
			values++
		}
	}
	switch {
	case values > maxValues:
		return c.RefusalWithMessage(TooLarge, "")
	case !c.Reserve(bytesPerValue * values):
		return c.RefusalWithMessage(Overloaded, "")
	}
	return nil
}

// checkKeys refuses a key that OpenAI does not know, when strict: it alone does.
func (c *Call) checkKeys(body []byte) *model.Refusal {
	known := knownKeys[c.Place.Endpoint]
	if !c.Strict || c.Place.Dialect != OpenAI || known == nil {
		return nil
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(body, &given); err != nil {
		return nil // it was read before
	}
	for _, key := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(known, key) {
			return c.RefusalWithMessage(Invalid, "Unrecognized request argument supplied: "+model.Truncate(key))
		}
	}
	return nil
}

// knownKeys are the keys of OpenAI's requests.
var knownKeys = map[Endpoint][]string{
	ChatCompletions: {
		"audio", "frequency_penalty", "function_call", "functions", "logit_bias", "logprobs", "max_completion_tokens", "max_tokens", "messages",
		"metadata", "modalities", "model", "n", "parallel_tool_calls", "prediction", "presence_penalty", "prompt_cache_key", "prompt_cache_retention",
		"reasoning_effort", "response_format", "safety_identifier", "seed", "service_tier", "stop", "store", "stream", "stream_options", "temperature",
		"tool_choice", "tools", "top_logprobs", "top_p", "user", "verbosity", "web_search_options",
	},
	Embeddings: {"dimensions", "encoding_format", "input", "model", "user"},
}
