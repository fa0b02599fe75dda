package agent

import (
	"slices"
	"strings"
)

// TurnMessages returns the two messages that the conversation history stores for an answered turn:
// the user's and the assistant's. For an error reply it returns nil, because models that read one
// in the history tend to repeat it.
func TurnMessages(t Turn, r Reply) (list []Message) {
	if r.ErrorReply != nil {
		return nil
	}
	for _, m := range []Message{
		{Role: "user", Content: t.Text, Images: t.Images},
		{Role: "assistant", Content: r.Content, GeneratedImageURL: r.GeneratedImageURL},
	} {
		if !m.IsEmpty() {
			list = append(list, m)
		}
	}
	return list
}

// IsEmpty reports whether a message has neither text nor images.
func (m Message) IsEmpty() bool {
	return strings.TrimSpace(m.Content) == "" && len(m.Images) == 0 && m.GeneratedImageURL == "" && !m.ImagesExpired
}

// LastTurns returns the newest n turns of a conversation. A turn begins with a message of the user.
func LastTurns(history []Message, n int) []Message {
	from := len(history)
	for i, m := range slices.Backward(history) {
		if n == 0 {
			break
		}
		if m.Role == "user" {
			from, n = i, n-1
		}
	}
	return history[from:]
}
