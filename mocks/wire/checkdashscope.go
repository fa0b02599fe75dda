package wire

import (
	"strings"

	"evalctl/mocks/model"
)

const maxDashScopeLogprobs = 5

func (c *Call) checkDashScope(b *ChatBody) *model.ErrorResponse {
	for _, m := range b.Messages {
		if !m.Content.isPresent {
			return c.invalidRequest("The content field is a required field.", "")
		}
		if m.Content.images > 0 && isTextOnly(b.Model) {
			return c.invalidRequest("input content must be a string.", "")
		}
	}
	if p := c.checkDashScopeNumbers(b); p != nil {
		return p
	}
	thinking, choice := c.returnsReasoning(b), b.ToolChoice.mode
	switch {
	case b.ResponseFormat.Type == "json_object" && !b.mentionsJSON():
		return c.invalidRequest(
			"'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.", "")
	case b.ResponseFormat.Type == "json_object" && thinking:
		return c.invalidRequest("Json mode response is not supported when enable_thinking is true", "")
	case choice == "required":
		return c.invalidRequest("The tool_choice parameter does not support being set to required.", "")
	case choice == "object" && thinking:
		return c.invalidRequest("The tool_choice parameter does not support being set to object in thinking mode.", "")
	case b.EnableSearch && strings.Contains(b.Model, "-vl"):
		return c.invalidRequest("This model does not support enable_search.", "")
	case !b.Stream && isOpenQwen3(b.Model) && (b.EnableThinking == nil || thinking):
		return c.invalidRequest("parameter.enable_thinking must be set to false for non-streaming calls", "")
	}
	for _, t := range b.Tools {
		if t.Function.Name == "search" {
			return c.invalidRequest("Tool names are not allowed to be [search]", "")
		}
	}
	return nil
}

func (c *Call) checkDashScopeNumbers(b *ChatBody) *model.ErrorResponse {
	switch {
	case b.Temperature != nil && (*b.Temperature < 0 || *b.Temperature >= 2):
		return c.invalidRequest("Temperature should be in [0.0, 2.0)", "")
	case b.TopP != nil && (*b.TopP <= 0 || *b.TopP > 1):
		return c.invalidRequest("Range of top_p should be (0.0, 1.0]", "")
	case b.N != nil && (*b.N < 1 || *b.N > 4):
		return c.invalidRequest("Range of n should be [1, 4]", "")
	case b.N != nil && *b.N > 1 && len(b.Tools) > 0:
		return c.invalidRequest("The n parameter must be 1 when tools are used", "")
	case b.topLogprobs() < 0 || b.topLogprobs() > maxDashScopeLogprobs:
		return c.invalidRequest("Range of top_logprobs should be [0, 5]", "")
	}
	return nil
}

// isTextOnly reports whether a DashScope model accepts no images.
func isTextOnly(model string) bool {
	for _, p := range []string{"qwen-turbo", "qwen-max", "qwen-long", "qwen-flash"} {
		if strings.HasPrefix(model, p) {
			return true
		}
	}
	return false
}

// isOpenQwen3 reports whether the model is an open-weight Qwen3 model such as qwen3-8b. These
// models think by default.
func isOpenQwen3(model string) bool {
	rest, found := strings.CutPrefix(model, "qwen3-")
	return found && rest != "" && rest[0] >= '0' && rest[0] <= '9' && !strings.Contains(rest, "instruct")
}
