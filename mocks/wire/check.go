package wire

import (
	"fmt"
	"math"
	"slices"

	"evalctl/mocks/model"
)

// maxName is the maximum length of a model name in bytes. It is limited because every chunk of an
// answer repeats the name.
const maxName = 256

// SetModel sets the requested model name. It returns a refusal if the name is too long.
func (c *Call) SetModel(name string) *model.ErrorResponse {
	if len(name) > maxName {
		return c.invalidRequest("the model's name is too long", "model")
	}
	c.Model = name
	return nil
}

// CheckChat validates a chat request by the rules of its provider. It returns nil for a valid
// request, else the error response.
func (c *Call) CheckChat(b *ChatBody) *model.ErrorResponse {
	if b.Model == "" && b.ComponentName == "" {
		return c.invalidRequest("you must provide a model parameter", "model")
	}
	if len(b.Messages) == 0 {
		return c.invalidRequest("messages: at least one message is required", "messages")
	}
	for i, m := range b.Messages {
		if !slices.Contains(roles, m.Role) {
			return c.invalidRequest(fmt.Sprintf("messages[%d]: unknown role %q", i, m.Role), "messages")
		}
		if m.Content.unknownType != "" {
			return c.invalidRequest(fmt.Sprintf("messages[%d]: unknown content type %q", i, m.Content.unknownType),
				"messages")
		}
	}
	if b.ComponentName == "" && !c.isModel(b.Model) {
		return c.ErrorResponseWithMessage(UnknownModel, "")
	}
	if p := c.checkDialect(b); p != nil {
		return p
	}
	if p := c.checkLength(b); p != nil {
		return p
	}
	if p := c.checkSchema(b); p != nil {
		return p
	}
	return c.checkToolChoice(b)
}

// checkLength returns a refusal if max_tokens or max_completion_tokens is below 1. Ark also accepts
// 0 for max_completion_tokens, meaning no limit.
func (c *Call) checkLength(b *ChatBody) *model.ErrorResponse {
	if p := checkRange(c, "max_tokens", b.MaxTokens, 1, math.MaxInt, "integer"); p != nil {
		return p
	}
	least := 1
	if c.Route.Dialect == Ark {
		least = 0
	}
	return checkRange(c, "max_completion_tokens", b.MaxCompletionTokens, least, math.MaxInt, "integer")
}

func (c *Call) checkDialect(b *ChatBody) *model.ErrorResponse {
	switch c.Route.Dialect {
	case DeepSeek:
		return c.checkDeepSeek(b)
	case DashScope, DashScopeNative:
		return c.checkDashScope(b)
	case Ark:
		return c.checkArk(b)
	}
	return c.checkOpenAI(b)
}

var roles = []string{"user", "system", "assistant", "tool", "developer", "function"}

func (c *Call) checkArk(b *ChatBody) *model.ErrorResponse {
	for i, m := range b.Messages {
		if !m.Content.isPresent && len(m.ToolCalls) == 0 {
			r := c.invalidRequest(fmt.Sprintf(
				"The request failed because it is missing `messages.content` parameter. (messages[%d])",
				i), "messages.content")
			r.Code = "MissingParameter"
			return r
		}
	}
	switch {
	case b.MaxTokens != nil && b.MaxCompletionTokens != nil:
		return c.invalidRequest("max_tokens and max_completion_tokens cannot be set at the same time.", "max_tokens")
	case b.Logprobs && c.returnsReasoning(b):
		return c.invalidRequest("logprobs is not supported by deep-thinking models.", "logprobs")
	case b.topLogprobs() < 0 || b.topLogprobs() > maxLogprobs:
		return c.invalidRequest(fmt.Sprintf("top_logprobs must be in [0, %d].", maxLogprobs), "top_logprobs")
	case b.stopCount() > maxStops:
		return c.invalidRequest("stop must have at most 4 items.", "stop")
	case b.ResponseFormat.Type == "json_object" && !b.mentionsJSON():
		return c.invalidRequest(
			"The messages must contain the word 'json' in some form to use response_format of type json_object.",
			"response_format")
	}
	return nil
}
