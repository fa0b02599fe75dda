package scholar

import (
	"context"
	"encoding/json"

	"evalctl/agent/llm"
	"evalctl/agent/scholar/conversation"
)

// How many turns of the conversation models are shown, beside the summary of what was
// before: to decide and to plan, and to answer. Conversation is shown all.
const (
	planningTurns = 2
	answerTurns   = 3
	allTurns      = conversation.AllTurns
)

// compress has a conversation that is too long made shorter.
func (r *run) compress(ctx context.Context) error {
	limits := conversation.ContextLimits{Context: r.room.context, Reserved: r.room.system + r.room.answer + r.room.query}
	if len(r.docs) > 0 {
		limits.Reserved += leastRoom - 1
	}
	before := r.memory.Tokens()
	err := r.memory.Compress(ctx, limits, func(ctx context.Context, transcript string) (text string, err error) {
		client, err := r.client("compression")
		if err != nil {
			return "", err
		}
		told, err := r.Prompts.Compression.Fill(places{})
		if err != nil {
			return "", err
		}
		err = r.call(ctx, func() error {
			a, err := client.Chat(ctx, llm.Request{Messages: []llm.Message{llm.System(told), llm.User(transcript)}})
			text = llm.StripReasoning(a.Content)
			if err == nil {
				err = client.NoAnswer(a)
			}
			return err
		})
		return text, err
	})
	if r.memory.Tokens() != before {
		r.Sessions.Save(r.memory) // also where the turn comes to nothing
	}
	return err
}

// window is what a model is shown of the conversation.
func (r *run) window(turns int) (list []llm.Message) {
	for _, m := range r.memory.Window(turns) {
		list = append(list, llm.Message{Role: m.Kind.Role(), Text: m.Content})
	}
	return list
}

// messages are what a model is shown: what it is told, what was said, and the message.
func (r *run) messages(system string, turns int) []llm.Message {
	list := append([]llm.Message{llm.System(system)}, r.window(turns)...)
	return append(list, llm.User(r.turn.Text))
}

// save is a node: the next turn of the session knows of this one, and clients hear how
// long it is by now.
func (r *run) save(ctx context.Context) (err error) {
	r.memory.Add(ctx, r.turn.Text, r.reply.Content)
	r.Sessions.Save(r.memory)
	r.told, err = json.Marshal(r.memory.Statistics())
	return err
}
