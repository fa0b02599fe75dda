package scholar

import (
	"context"

	"evalctl/agent"
	"evalctl/agent/session"
)

var _ session.IncompleteTurnSaver = (*scholar)(nil)

// SaveIncompleteTurn adds a turn that was not answered completely to the stored conversation.
func (s *scholar) SaveIncompleteTurn(ctx context.Context, t agent.Turn, messages []agent.Message, _ *agent.ErrorReply) {
	answer := ""
	memory := s.cfg.Sessions.Load(ctx, t.SessionKey(), t.History)
	for _, m := range messages {
		if m.Role == "assistant" {
			answer = m.Content
		}
	}
	memory.Add(ctx, t.Text, answer)
	_ = s.cfg.Sessions.Save(memory) // the session remembers the turn even if the store fails
}
