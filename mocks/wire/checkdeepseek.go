package wire

import (
	"fmt"
	"slices"
	"strings"

	"evalctl/mocks/model"
)

const (
	maxDeepSeekTools = 128
	maxDeepSeekStops = 16
	maxDeepSeekUser  = 512
)

func (c *Call) checkDeepSeek(b *ChatBody) *model.ErrorResponse {
	if b.ComponentName == "" && !slices.Contains(deepSeekModels(c.Strict), b.Model) {
		r := c.ErrorResponse(UnknownModel)
		return &r
	}
	for i, m := range b.Messages {
		if p := c.checkDeepSeekMessage(b, i, m); p != nil {
			return p
		}
	}
	choice := b.ToolChoice.mode
	switch {
	case b.ResponseFormat.Type == "json_schema":
		return c.invalidRequest("This response_format type is unavailable now", "")
	case b.ResponseFormat.Type == "json_object" && !b.mentionsJSON():
		return c.invalidRequest(
			"Prompt must contain the word 'json' in some form to use 'response_format' of type 'json_object'.", "")
	case c.returnsReasoning(b) && (choice == "required" || choice == "object"):
		return c.invalidRequest("tool_choice '"+choice+"' is not supported in thinking mode.", "")
	case len(b.Tools) > maxDeepSeekTools:
		return c.invalidRequest(fmt.Sprintf("Invalid 'tools': at most %d functions are supported.", maxDeepSeekTools),
			"")
	case b.stopCount() > maxDeepSeekStops:
		return c.invalidRequest(fmt.Sprintf("Invalid 'stop': at most %d sequences are supported.", maxDeepSeekStops),
			"")
	case b.topLogprobs() < 0 || b.topLogprobs() > maxLogprobs:
		return c.invalidRequest(fmt.Sprintf("Invalid 'top_logprobs': at most %d.", maxLogprobs), "")
	case b.TopLogprobs != nil && !b.Logprobs:
		return c.invalidRequest("Invalid 'top_logprobs': logprobs must be set to true.", "")
	case len(b.UserID) > maxDeepSeekUser:
		return c.invalidRequest(fmt.Sprintf("Invalid 'user_id': at most %d bytes.", maxDeepSeekUser), "")
	}
	for _, t := range b.Tools {
		if !isFunctionName(t.Function.Name) {
			return c.invalidRequest(
				fmt.Sprintf("Invalid 'tools': function name %q does not match '^[A-Za-z0-9_-]{1,64}$'.",
					t.Function.Name), "")
		}
	}
	return nil
}

func (c *Call) checkDeepSeekMessage(b *ChatBody, i int, m chatMessage) *model.ErrorResponse {
	switch {
	case m.Role == "developer" || m.Role == "function":
		return c.invalidRequest(
			fmt.Sprintf("Failed to deserialize the JSON body into the target type: messages[%d].role: unknown variant `%s`, expected one of `system`, `user`, `assistant`, `tool`", i, m.Role), "")
	case m.Content.isList && isOldDeepSeek(b.Model):
		return c.invalidRequest(
			fmt.Sprintf("Failed to deserialize the JSON body into the target type: messages[%d]: invalid type: sequence, expected a string", i), "")
	case len(m.ToolCalls) > 0 && m.ReasoningContent == nil && c.returnsReasoning(b) && !isOldDeepSeek(b.Model):
		return c.invalidRequest("The `reasoning_content` in the thinking mode must be passed back to the API.", "")
	}
	return nil
}

// isOldDeepSeek reports whether the name is one of DeepSeek's two deprecated models.
func isOldDeepSeek(model string) bool {
	return model == "deepseek-chat" || model == "deepseek-reasoner"
}

func isFunctionName(s string) bool {
	if s == "" || len(s) > 64 {
		return false
	}
	return strings.Trim(s, "-_"+base62) == ""
}
