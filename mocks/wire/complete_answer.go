package wire

import "evalctl/mocks/model"

// CompleteAnswer fills in the fields of an answer that the simulated model has left empty: reasoning,
// finish reason and usage. It also applies the requested token limit.
func (c *Call) CompleteAnswer(b *ChatBody, req *model.Request, a *model.Answer) {
	c.setReasoning(b, req, a)
	if a.FinishReason == "" {
		a.FinishReason = "stop"
		if len(a.ToolCalls) > 0 {
			a.FinishReason = "tool_calls"
		}
	}
	if limit := b.maxTokens(); limit > 0 && a.Usage == nil {
		if short := model.TruncateTokens(a.Content, limit); len(short) < len(a.Content) {
			a.Content, a.FinishReason = short, "length"
		}
	}
	if a.Usage == nil {
		a.Usage = model.EstimateUsage(req, a)
	}
}

// setReasoning adds a reasoning text if the requested model thinks, and removes it otherwise.
func (c *Call) setReasoning(b *ChatBody, req *model.Request, a *model.Answer) {
	if c.Route.Dialect == OpenAI {
		return // OpenAI returns no reasoning, unless a script specifies it
	}
	switch {
	case !c.returnsReasoning(b):
		a.Reasoning = ""
	case a.Reasoning != "":
	case model.IsChinese(req.Text):
		a.Reasoning = "先看清楚用户在问什么，再给出简短的回答。"
	default:
		a.Reasoning = "First see what the user asks, then answer briefly."
	}
}
