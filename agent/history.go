package agent

import (
	"slices"
	"strings"
)

// TurnMessages is what a conversation keeps of an answered turn: what either side
// has said or shown. Of a turn that ended in an apology nothing is kept: models
// that see it apologise again.
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

// IsEmpty tells a message that neither says nor shows anything.
func (m Message) IsEmpty() bool {
	return strings.TrimSpace(m.Content) == "" && len(m.Images) == 0 && m.GeneratedImageURL == "" && !m.ImagesExpired
}

// LastTurns are the newest n turns of a conversation: a message of the user with all
// that follows it.
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
