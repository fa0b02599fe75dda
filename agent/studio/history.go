package studio

import (
	"slices"

	"evalctl/agent"
)

// conversation returns the messages of a history that models receive. It removes messages without
// words, the answers to such messages, and error replies. Messages with an image remain.
func conversation(history []agent.Message) (messages []agent.Message) {
	hasText := true // whether the newest user message so far has words
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

func lastMessages(history []agent.Message, n int) []agent.Message {
	return history[max(0, len(history)-n):]
}

// lastRounds returns the messages of the last n turns, each starting with a message of the user.
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
