package scholar

import (
	"context"
	"encoding/json"
	"errors"

	"evalctl/agent/llm"
	"evalctl/agent/scholar/conversation"
)

// Number of earlier turns in a prompt, in addition to the summary of older turns.
const (
	planningTurns = 2
	answerTurns   = 3
	allTurns      = conversation.AllTurns
)

// compress compresses the conversation with a model if it is too long for the context window.
func (r *run) compress(ctx context.Context) error {
	limits := conversation.ContextLimits{WindowTokens: r.budget.context,
		ReservedTokens: r.budget.system + r.budget.answer + r.budget.query}
	if len(r.docs) > 0 {
		limits.ReservedTokens += minDocumentTokens - 1
	}
	before := r.memory.Tokens()
	err := r.memory.Compress(ctx, limits, func(ctx context.Context, transcript string) (text string, err error) {
		client, err := r.client("compression")
		if err != nil {
			return "", err
		}
		systemPrompt, err := r.Prompts.Compression.Fill(promptData{})
		if err != nil {
			return "", err
		}
		err = r.call(ctx, func() error {
			a, err := client.Chat(ctx,
				llm.Request{Messages: []llm.Message{llm.SystemMessage(systemPrompt), llm.UserMessage(transcript)}})
			text = llm.StripReasoning(a.Content)
			if err == nil {
				err = client.CheckAnswer(a)
			}
			return err
		})
		return text, err
	})
	if r.memory.Tokens() != before { // the compression is stored even if the turn fails later
		err = errors.Join(err, r.Sessions.Save(r.memory))
	}
	return err
}

// window returns messages for a model: the summary of older turns, and the newest turns.
func (r *run) window(turns int) (list []llm.Message) {
	for _, m := range r.memory.ContextMessages(turns) {
		list = append(list, llm.Message{Role: m.Kind.Role(), Text: m.Content})
	}
	return list
}

// messages returns the messages for a model: system prompt, last turns and the user's message.
func (r *run) messages(system string, turns int) []llm.Message {
	list := append([]llm.Message{llm.SystemMessage(system)}, r.window(turns)...)
	return append(list, llm.UserMessage(r.turn.Text))
}

// save is the node that adds the turn to the stored conversation. Its completion event contains the
// statistics of the conversation. Later, the turn is complete even if the context ends.
func (r *run) save(ctx context.Context) (err error) {
	r.memory.Add(ctx, r.turn.Text, r.reply.Content)
	r.isSaved = true // also if the file cannot be written, because the conversation is then in memory
	if err := r.Sessions.Save(r.memory); err != nil {
		return err
	}
	r.completionData, err = json.Marshal(r.memory.Statistics())
	return err
}
