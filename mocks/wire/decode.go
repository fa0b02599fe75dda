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

// MaxBodyBytes is the maximum size of a request body in bytes. It is large enough for images of 10
// MB.
const MaxBodyBytes = 32 << 20

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// maxPooled is the largest buffer, in bytes, that is reused. Buffers that contained an image are
// larger.
const maxPooled = 64 << 10

func giveBack(b *bytes.Buffer) {
	if b.Cap() > maxPooled {
		return
	}
	b.Reset()
	buffers.Put(b)
}

// Limits and memory estimates for large bodies: the number of JSON values (counted by braces,
// brackets and commas), the copies of the text, and the bytes per value.
const (
	maxValues     = 400_000
	bodyCopies    = 3
	bytesPerValue = 256
)

// decodeOptions accept duplicate keys and invalid UTF-8, as the providers do.
var decodeOptions = quick.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// Decode decodes the JSON body of the request into v. It returns a refusal if the body is invalid
// or too large.
func (c *Call) Decode(v any) *model.ErrorResponse {
	b := buffers.Get().(*bytes.Buffer)
	defer giveBack(b)
	if p := c.read(b); p != nil {
		return p
	}
	if quick.Unmarshal(b.Bytes(), v, decodeOptions) == nil {
		return c.checkKeys(b.Bytes())
	}
	err := json.Unmarshal(b.Bytes(), v) // encoding/json has the better error messages
	var wrong *json.UnmarshalTypeError
	switch {
	case err == nil:
		return c.checkKeys(b.Bytes())
	case errors.As(err, &wrong):
		return c.ErrorResponseWithMessage(InvalidRequest, "invalid type: "+wrong.Value+" for "+wrong.Field)
	case errors.Is(err, errContent):
		return c.ErrorResponseWithMessage(InvalidRequest, err.Error())
	}
	return c.ErrorResponseWithMessage(BadJSON, err.Error())
}

// read reads the request body into b, within the limits of size and memory.
func (c *Call) read(b *bytes.Buffer) *model.ErrorResponse {
	_, err := b.ReadFrom(io.LimitReader(c.Request.Body, smallBody))
	if err == nil && b.Len() == smallBody {
		if c.Request.ContentLength > MaxBodyBytes {
			return c.ErrorResponseWithMessage(BodyTooLarge, "")
		}
		length := c.Request.ContentLength
		if length < 0 {
			length = MaxBodyBytes
		}
		if !c.ReserveMemory(bodyCopies * length) {
			return c.ErrorResponseWithMessage(Overloaded, "")
		}
		_, err = b.ReadFrom(io.LimitReader(c.Request.Body, MaxBodyBytes+1-smallBody))
	}
	switch {
	case err != nil: // the client disconnected or sent an invalid transfer encoding
		return c.ErrorResponseWithMessage(BadJSON, err.Error())
	case b.Len() > MaxBodyBytes:
		return c.ErrorResponseWithMessage(BodyTooLarge, "")
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
		return c.ErrorResponseWithMessage(BodyTooLarge, "")
	case !c.ReserveMemory(bytesPerValue * values):
		return c.ErrorResponseWithMessage(Overloaded, "")
	}
	return nil
}

// checkKeys returns a refusal for a key that OpenAI does not have, in strict mode only. Other
// providers ignore unknown keys.
func (c *Call) checkKeys(body []byte) *model.ErrorResponse {
	known := knownKeys[c.Route.Endpoint]
	if !c.Strict || c.Route.Dialect != OpenAI || known == nil {
		return nil
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(body, &given); err != nil {
		return nil // cannot happen: the body was already decoded
	}
	for _, key := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(known, key) {
			return c.ErrorResponseWithMessage(InvalidRequest,
				"Unrecognized request argument supplied: "+model.Excerpt(key))
		}
	}
	return nil
}

// knownKeys are the top-level keys that OpenAI accepts, by endpoint.
var knownKeys = map[Endpoint][]string{
	ChatCompletions: {
		"audio", "frequency_penalty", "function_call", "functions", "logit_bias", "logprobs", "max_completion_tokens",
		"max_tokens", "messages",
		"metadata", "modalities", "model", "n", "parallel_tool_calls", "prediction", "presence_penalty",
		"prompt_cache_key", "prompt_cache_retention",
		"reasoning_effort", "response_format", "safety_identifier", "seed", "service_tier", "stop", "store", "stream",
		"stream_options", "temperature",
		"tool_choice", "tools", "top_logprobs", "top_p", "user", "verbosity", "web_search_options",
	},
	Embeddings: {"dimensions", "encoding_format", "input", "model", "user"},
}
