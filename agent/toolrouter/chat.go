package toolrouter

import (
	"context"
	"strings"

	"evalctl/agent/llm"
)

// chat streams the model's answer to the conversation.
func (r *run) chat(ctx context.Context, system, question string) error {
	r.talked = true
	a, err := r.Chat.Stream(ctx, llm.Request{Messages: r.messages(system, question)}, func(chunk string) error {
		r.say(ctx, chunk)
		return nil
	})
	if err == nil && a.Empty() {
		err = &llm.Error{Kind: llm.KindEmpty, Provider: r.Chat.Provider().Name, Message: "the model answered nothing"}
	}
	return at("chat", err)
}

// system is what the conversation tells the model of its part, or the shipped
// prompt where it tells nothing.
func (r *run) system() string {
	var parts []string
	for _, m := range r.turn.History {
		if m.Role == "system" && m.Content != "" {
			parts = append(parts, m.Content)
		}
	}
	if parts == nil {
		return r.Prompts.Chat.Text
	}
	return strings.Join(parts, "\n\n")
}

// messages are the conversation as a model gets it that answers question.
func (r *run) messages(system, question string) []llm.Message {
	list := []llm.Message{llm.System(system)}
	for _, m := range r.turn.History {
		switch {
		case strings.TrimSpace(m.Content) == "": // it showed a picture
		case m.Role == "user":
			list = append(list, llm.User(m.Content))
		case m.Role == "assistant":
			list = append(list, llm.Assistant(m.Content))
		}
	}
	return append(list, llm.User(question))
}
