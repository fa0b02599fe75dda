package companion

import (
	"strings"
	"time"

	"evalctl/agent"
	"evalctl/agent/companion/diary"
)

// promptLine is a message in a prompt, with its time. All messages of a batch have the same time.
type promptLine struct {
	role, content string
	at            time.Time
}

// diaryLines converts messages from the diary to lines.
func diaryLines(messages []diary.Message) []promptLine {
	list := make([]promptLine, len(messages))
	for i, m := range messages {
		list[i] = promptLine{role: m.Role, content: m.Content, at: m.At}
	}
	return list
}

// historyLines converts messages from the turn's history to lines, without blank ones.
func historyLines(history []agent.Message) (list []promptLine) {
	for _, m := range history {
		if strings.TrimSpace(m.Content) != "" {
			list = append(list, promptLine{role: m.Role, content: m.Content})
		}
	}
	return list
}

func texts(list []promptLine) []string {
	all := make([]string, len(list))
	for i, l := range list {
		all[i] = l.role + ": " + l.content
	}
	return all
}

// joinBatches joins consecutive lines of a batch as the turn's history does, to compare the two.
func joinBatches(lines []promptLine) (list []promptLine) {
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
