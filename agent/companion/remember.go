package companion

import (
	"context"

	"evalctl/agent"
	"evalctl/agent/session"
)

var _ session.IncompleteTurnSaver = (*companion)(nil)

// SaveIncompleteTurn stores the messages of a turn that was not answered completely in the diary.
func (c *companion) SaveIncompleteTurn(ctx context.Context, t agent.Turn, messages []agent.Message) {
	var replies []agent.ReplyMessage
	for _, m := range messages {
		if m.Role == "assistant" {
			replies = append(replies, agent.ReplyMessage{Content: m.Content})
		}
	}
	_ = c.begin(ctx, t).storeBatch(ctx, replies) // the session remembers the turn even without the diary
}
