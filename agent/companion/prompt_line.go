package companion

import (
	"strings"
	"time"

	"evalctl/agent"
	"evalctl/agent/companion/diary"
)

// line is a message in a prompt, with its time. All messages of a batch have the same time.
type line struct {
	role, content string
	at            time.Time
}

// diaryLines converts messages from the diary to lines.
func diaryLines(messages []diary.Message) []line {
	list := make([]line, len(messages))
	for i, m := range messages {
		list[i] = line{role: m.Role, content: m.Content, at: m.At}
	}
	return list
}

// historyLines converts messages from the turn's history to lines, without blank ones.
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

// batches joins consecutive lines of a batch as the turn's history does, to compare the two.
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
