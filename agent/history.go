package agent

import (
	"slices"
	"strings"
)

// TurnMessages are the messages that a conversation stores of an answered turn. It is empty for an
// error reply: models that read an error reply in the history tend to repeat it.
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

// LastTurns are the newest n turns of a conversation. A turn is a message of the user with all that
// follows it.
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
