package studio

import (
	"slices"

	"evalctl/agent"
)

// conversation is what was said in a history: no messages without a word, no
// answers to them, and no apologies. A picture's message stays, whatever it
// answered.
func conversation(history []agent.Message) (said []agent.Message) {
	heard := true // the user's last message
	for _, m := range history {
		user := m.Role == "user"
		if user {
			heard = hasWords(m.Content)
		}
		switch {
		case !hasWords(m.Content):
		case user || heard && !isErrorReply(m.Content) || m.GeneratedImageURL != "":
			said = append(said, m)
		}
	}
	return said
}

// lastMessages are the newest n.
func lastMessages(history []agent.Message, n int) []agent.Message {
	return history[max(0, len(history)-n):]
}

// lastRounds are the newest messages from the n-th last of the user's on.
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
