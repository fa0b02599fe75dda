package studio

import (
	"slices"

	"evalctl/agent"
)

// conversation filters a history: it drops messages without words, the answers to them, and error
// replies. A message with an image always stays.
func conversation(history []agent.Message) (messages []agent.Message) {
	hasText := true // the user's last message has words
	for _, m := range history {
		user := m.Role == "user"
		if user {
			hasText = hasWords(m.Content)
		}
		switch {
		case !hasWords(m.Content):
		case user || hasText && !isErrorReply(m.Content) || m.GeneratedImageURL != "":
			messages = append(messages, m)
		}
	}
	return messages
}

// lastMessages are the newest n messages.
func lastMessages(history []agent.Message, n int) []agent.Message {
	return history[max(0, len(history)-n):]
}

// lastRounds are the messages from the user's n-th last message on.
func lastRounds(history []agent.Message, n int) []agent.Message {
	for i, m := range slices.Backward(history) {
		if m.Role != "user" {
			continue
		}
		if n--; n == 0 {
			return history[i:]
		}
	}
	return history
}
