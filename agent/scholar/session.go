package scholar

import (
	"context"
	"encoding/json"

	"evalctl/agent/llm"
	"evalctl/agent/scholar/conversation"
)

// The number of conversation turns in a prompt, in addition to the summary of earlier ones: to
// decide and plan, and to answer. Conversation has all turns.
const (
	planningTurns = 2
	answerTurns   = 3
	allTurns      = conversation.AllTurns
)

// compress compresses a conversation that is too long.
func (r *run) compress(ctx context.Context) error {
	limits := conversation.ContextLimits{Context: r.budget.context,
		Reserved: r.budget.system + r.budget.answer + r.budget.query}
	if len(r.docs) > 0 {
		limits.Reserved += minDocumentTokens - 1
	}
	before := r.memory.Tokens()
	err := r.memory.Compress(ctx, limits, func(ctx context.Context, transcript string) (text string, err error) {
		client, err := r.client("compression")
		if err != nil {
			return "", err
		}
		systemPrompt, err := r.Prompts.Compression.Fill(places{})
		if err != nil {
			return "", err
		}
		err = r.call(ctx, func() error {
			a, err := client.Chat(ctx,
				llm.Request{Messages: []llm.Message{llm.System(systemPrompt), llm.User(transcript)}})
			text = llm.StripReasoning(a.Content)
			if err == nil {
				err = client.NoAnswer(a)
			}
			return err
		})
		return text, err
	})
	if r.memory.Tokens() != before {
		r.Sessions.Save(r.memory) // even if the turn fails later
	}
	return err
}

// window is the part of the conversation in a prompt.
func (r *run) window(turns int) (list []llm.Message) {
	for _, m := range r.memory.Window(turns) {
		list = append(list, llm.Message{Role: m.Kind.Role(), Text: m.Content})
	}
	return list
}

// messages are the system prompt, the conversation, and the user's message.
func (r *run) messages(system string, turns int) []llm.Message {
	list := append([]llm.Message{llm.System(system)}, r.window(turns)...)
	return append(list, llm.User(r.turn.Text))
}

// save is a node: it stores the turn in the session and reports the session's statistics to
// clients.
func (r *run) save(ctx context.Context) (err error) {
	r.memory.Add(ctx, r.turn.Text, r.reply.Content)
	r.Sessions.Save(r.memory)
	r.completionData, err = json.Marshal(r.memory.Statistics())
	return err
}
