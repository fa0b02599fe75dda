package wire

import (
	"fmt"
	"slices"
	"strconv"

	"evalctl/mocks/model"
)

const (
	maxChoices  = 128
	maxLogprobs = 20
	maxStops    = 4 // maximum number of stop sequences; Ark has the same limit
)

var responseFormats = []string{"", "text", "json_object", "json_schema"}

func (c *Call) checkOpenAI(b *ChatBody) *model.ErrorResponse {
	for i, m := range b.Messages {
		if m.Role != "assistant" && !m.Content.isPresent {
			return c.invalidRequest("Invalid value for 'content': expected a string, got null.",
				fmt.Sprintf("messages.[%d].content", i))
		}
	}
	switch {
	case !slices.Contains(responseFormats, b.ResponseFormat.Type):
		return c.invalidWithCode("invalid_value", "response_format.type",
			fmt.Sprintf("Invalid value: '%s'. Supported values are: 'json_object', 'json_schema', and 'text'.",
				model.Excerpt(b.ResponseFormat.Type)))
	case b.ResponseFormat.Type == "json_object" && !b.mentionsJSON():
		return c.invalidRequest(
			"'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
			"messages")
	case b.MaxTokens != nil && b.MaxCompletionTokens != nil:
		return c.invalidRequest("Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
			"max_tokens")
	}
	for _, p := range []*model.ErrorResponse{
		checkRange(c, "n", b.N, 1, maxChoices, "integer"),
		checkRange(c, "top_logprobs", b.TopLogprobs, 0, maxLogprobs, "integer"),
		checkRange(c, "temperature", b.Temperature, 0, 2, "decimal"),
		checkRange(c, "top_p", b.TopP, 0, 1, "decimal"),
	} {
		if p != nil {
			return p
		}
	}
	if n := b.stopCount(); n > maxStops {
		return c.invalidWithCode("array_above_max_length", "stop",
			fmt.Sprintf("Invalid 'stop': array too long. Expected an array with maximum length %d, but got an array with length %d instead.", maxStops, n))
	}
	if b.TopLogprobs != nil && !b.Logprobs {
		return c.invalidRequest("The 'top_logprobs' parameter is only allowed when 'logprobs' is enabled.",
			"top_logprobs")
	}
	return c.checkTools(b)
}

// checkRange returns OpenAI's error if a number is outside low..high. A nil number is valid.
func checkRange[N int | float64](c *Call, name string, given *N, low, high N, kind string) *model.ErrorResponse {
	text := func(n N) string { return strconv.FormatFloat(float64(n), 'f', -1, 64) }
	switch {
	case given == nil || *given >= low && *given <= high:
		return nil
	case *given < low:
		return c.invalidWithCode(kind+"_below_min_value", name,
			fmt.Sprintf("Invalid '%s': %s below minimum value. Expected a value >= %s, but got %s instead.", name, kind,
				text(low), text(*given)))
	}
	return c.invalidWithCode(kind+"_above_max_value", name,
		fmt.Sprintf("Invalid '%s': %s above maximum value. Expected a value <= %s, but got %s instead.", name, kind,
			text(high), text(*given)))
}

// invalidWithCode returns the refusal of an invalid request. The code is only in OpenAI's format.
func (c *Call) invalidWithCode(code, param, message string) *model.ErrorResponse {
	r := c.invalidRequest(message, param)
	if c.Route.Dialect == OpenAI {
		r.Code = code
	}
	return r
}
