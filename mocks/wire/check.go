package wire

import (
	"fmt"
	"math"
	"slices"

	"evalctl/mocks/model"
)

// maxName bounds a model's name, which each part of an answer repeats.
const maxName = 256

// Name notes the model that a request names, or refuses a name that is none.
func (c *Call) Name(name string) *model.Refusal {
	if len(name) > maxName {
		return c.object("the model's name is too long", "model")
	}
	c.Model = name
	return nil
}

// Check is as strict as the dialect; nil lets the request through.
func (c *Call) Check(b *ChatBody) *model.Refusal {
	if b.Model == "" && b.Part == "" {
		return c.object("you must provide a model parameter", "model")
	}
	if len(b.Messages) == 0 {
		return c.object("messages: at least one message is required", "messages")
	}
	for i, m := range b.Messages {
		if !slices.Contains(roles, m.Role) {
			return c.object(fmt.Sprintf("messages[%d]: unknown role %q", i, m.Role), "messages")
		}
		if m.Content.unknown != "" {
			return c.object(fmt.Sprintf("messages[%d]: unknown content type %q", i, m.Content.unknown), "messages")
		}
	}
	if b.Part == "" && !c.knows(b.Model) {
		return c.RefusalWithMessage(UnknownModel, "")
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

// checkLength wants room for a token; of an answer with its thoughts, Ark takes
// none for no bound.
func (c *Call) checkLength(b *ChatBody) *model.Refusal {
	if p := within(c, "max_tokens", b.MaxTokens, 1, math.MaxInt, "integer"); p != nil {
		return p
	}
	least := 1
	if c.Place.Dialect == Ark {
		least = 0
	}
	return within(c, "max_completion_tokens", b.MaxCompletionTokens, least, math.MaxInt, "integer")
}

func (c *Call) checkDialect(b *ChatBody) *model.Refusal {
	switch c.Place.Dialect {
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

func (c *Call) checkArk(b *ChatBody) *model.Refusal {
	for i, m := range b.Messages {
		if !m.Content.present && len(m.ToolCalls) == 0 {
			r := c.object(fmt.Sprintf("The request failed because it is missing `messages.content` parameter. (messages[%d])", i), "messages.content")
			r.Code = "MissingParameter"
			return r
		}
	}
	switch {
	case b.MaxTokens != nil && b.MaxCompletionTokens != nil:
		return c.object("max_tokens and max_completion_tokens cannot be set at the same time.", "max_tokens")
	case b.Logprobs && c.thinks(b):
		return c.object("logprobs is not supported by deep-thinking models.", "logprobs")
	case b.top() < 0 || b.top() > maxLogprobs:
		return c.object(fmt.Sprintf("top_logprobs must be in [0, %d].", maxLogprobs), "top_logprobs")
	case b.stops() > maxStops:
		return c.object("stop must have at most 4 items.", "stop")
	case b.ResponseFormat.Type == "json_object" && !b.saysJSON():
		return c.object("The messages must contain the word 'json' in some form to use response_format of type json_object.", "response_format")
	}
	return nil
}
