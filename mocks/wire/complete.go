package wire

import "evalctl/mocks/model"

// Complete fills in what the answer leaves open, for this request.
func (c *Call) Complete(b *ChatBody, req *model.Request, a *model.Answer) {
	c.think(b, req, a)
	if a.FinishReason == "" {
		a.FinishReason = "stop"
		if len(a.ToolCalls) > 0 {
			a.FinishReason = "tool_calls"
		}
	}
	if limit := b.limit(); limit > 0 && a.Usage == nil {
		if short := model.CutTokens(a.Content, limit); len(short) < len(a.Content) {
			a.Content, a.FinishReason = short, "length"
		}
	}
	if a.Usage == nil {
		a.Usage = model.EstimateUsage(req, a)
	}
}

// think makes up a train of thought where the model thinks, and drops it
// where it does not.
func (c *Call) think(b *ChatBody, req *model.Request, a *model.Answer) {
	if c.Place.Dialect == OpenAI {
		return // shows none, unless the model's script wants it
	}
	switch {
	case !c.thinks(b):
		a.Reasoning = ""
	case a.Reasoning != "":
	case model.IsChinese(req.Text):
		a.Reasoning = "先看清楚用户在问什么，再给出简短的回答。"
	default:
		a.Reasoning = "First see what the user asks, then answer briefly."
	}
}
