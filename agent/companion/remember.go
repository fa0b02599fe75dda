package companion

import (
	"context"

	"evalctl/agent"
	"evalctl/agent/session"
)

var _ session.IncompleteTurnSaver = (*companion)(nil)

// SaveIncompleteTurn stores the messages of a canceled turn in the diary. The diary does not
// contain error replies and the messages before them; only the session remembers those.
func (c *companion) SaveIncompleteTurn(ctx context.Context, t agent.Turn, messages []agent.Message,
	f *agent.ErrorReply) {
	if f != nil {
		return
	}
	var replies []agent.ReplyMessage
	for _, m := range messages {
		if m.Role == "assistant" {
			replies = append(replies, agent.ReplyMessage{Content: m.Content})
		}
	}
	c.begin(ctx, t).storeBatch(ctx, replies)
}
