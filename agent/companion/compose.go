package companion

import (
	"fmt"
	"strings"

	"evalctl/agent"
	"evalctl/agent/companion/diary"
	"evalctl/agent/llm"
)

// Headings of the sections in the chat model's prompt.
const (
	formatHeading  = "[回复格式要求]"
	todayHeading   = "[当前对话上下文]"
	memoryHeading  = "[相关历史记忆]"
	messageHeading = "用户消息："
)

// prompt returns the messages for the chat model. The system message contains the persona, the
// reply format, today's conversation and the days found. Then come the earlier conversation and the
// messages of the turn.
func (r *run) prompt(today []promptLine, found []diary.Match) []llm.Message {
	along := r.turn.History
	if r.turn.Session == "" { // without a session, the turn's history is today's conversation
		today, along = append(today, historyLines(along)...), nil
	}
	parts := []string{strings.TrimSpace(r.Prompts.persona(r.state.Agent).Text),
		formatHeading + "\n" + strings.TrimSpace(r.Prompts.ReplyFormat.Text)}
	if len(today) > 0 {
		parts = append(parts, todayHeading+"\n"+strings.Join(texts(today), "\n"))
	}
	if len(found) > 0 {
		parts = append(parts, memoryHeading+"\n"+strings.Join(memories(found), "\n\n"))
	}
	list := []llm.Message{llm.SystemMessage(strings.Join(parts, "\n\n"))}
	for _, m := range withoutLines(along, today) {
		list = appendMessage(list, m.Role, m.Content)
	}
	return append(list, llm.UserMessage(messageHeading+"\n"+strings.Join(r.batch, "\n")))
}

// memories formats the found days for the prompt.
func memories(found []diary.Match) []string {
	all := make([]string, len(found))
	for i, d := range found {
		all[i] = fmt.Sprintf("日期: %s\n内容: %s", d.Date, d.Summary)
		if len(d.Topics) > 0 {
			all[i] += "\n话题: " + strings.Join(d.Topics, ", ")
		}
	}
	return all
}

// withoutLines returns the messages of the turn's history that lines do not contain, so that the
// prompt shows no message twice. The history stores several messages of a batch as one.
func withoutLines(history []agent.Message, lines []promptLine) (rest []agent.Message) {
	counts := map[string]int{}
	for _, whole := range joinBatches(lines) {
		counts[whole.role+"\n"+whole.content]++
	}
	for _, m := range history {
		if key := m.Role + "\n" + m.Content; counts[key] > 0 {
			counts[key]--
			continue
		}
		if strings.TrimSpace(m.Content) != "" {
			rest = append(rest, m)
		}
	}
	return rest
}
