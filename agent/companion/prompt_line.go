package companion

import (
	"strings"
	"time"

	"evalctl/agent"
	"evalctl/agent/companion/diary"
)

// line is something that either side has said, at a time that all of a batch have.
type line struct {
	role, content string
	at            time.Time
}

// linesIn are the messages that the diary holds.
func linesIn(messages []diary.Message) []line {
	list := make([]line, len(messages))
	for i, m := range messages {
		list[i] = line{role: m.Role, content: m.Content, at: m.At}
	}
	return list
}

// linesOf are the messages of a conversation.
func linesOf(history []agent.Message) (list []line) {
	for _, m := range history {
		if strings.TrimSpace(m.Content) != "" {
			list = append(list, line{role: m.Role, content: m.Content})
		}
	}
	return list
}

func texts(list []line) []string {
	all := make([]string, len(list))
	for i, l := range list {
		all[i] = l.role + ": " + l.content
	}
	return all
}

// batches joins what either side has said in one batch, as turns and replies do.
func batches(lines []line) (list []line) {
	for _, l := range lines {
		last := len(list) - 1
		if last < 0 || !list[last].at.Equal(l.at) || list[last].role != l.role {
			list = append(list, l)
			continue
		}
		between := " "
		if l.role == "assistant" {
			between = "\n"
		}
		list[last].content += between + l.content
	}
	return list
}
