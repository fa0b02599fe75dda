package companion

import (
	"strings"
	"time"

	"evalctl/agent"
	"evalctl/agent/companion/diary"
)

// line is a message with its time, which is the same for all messages of a batch.
type line struct {
	role, content string
	at            time.Time
}

// diaryLines converts messages of the diary.
func diaryLines(messages []diary.Message) []line {
	list := make([]line, len(messages))
	for i, m := range messages {
		list[i] = line{role: m.Role, content: m.Content, at: m.At}
	}
	return list
}

// historyLines converts messages of a history.
func historyLines(history []agent.Message) (list []line) {
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

// batches joins the messages of a batch in the same way as turns and replies.
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
