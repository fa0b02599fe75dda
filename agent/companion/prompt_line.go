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

// batches groups consecutive lines of a batch.
func batches(lines []promptLine) (list [][]promptLine) {
	for i, l := range lines {
		if i > 0 && lines[i-1].at.Equal(l.at) && lines[i-1].role == l.role {
			list[len(list)-1] = append(list[len(list)-1], l)
			continue
		}
		list = append(list, []promptLine{l})
	}
	return list
}

// single returns each line as a batch.
func single(lines []promptLine) (list [][]promptLine) {
	for _, l := range lines {
		list = append(list, []promptLine{l})
	}
	return list
}

// turns groups batches by turn. A turn begins with a batch of the user.
func turns(list [][]promptLine) (groups [][][]promptLine) {
	for _, b := range list {
		if len(groups) == 0 || b[0].role == "user" {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], b)
	}
	return groups
}

// joinBatch joins the lines of a batch as the turn's history does.
func joinBatch(lines []promptLine) string {
	contents := make([]string, len(lines))
	for i, l := range lines {
		contents[i] = l.content
	}
	if lines[0].role == "assistant" {
		return strings.Join(contents, "\n")
	}
	return agent.JoinBatch(contents)
}
