package companion

import (
	"fmt"
	"strings"

	"evalctl/agent"
	"evalctl/agent/companion/diary"
	"evalctl/agent/llm"
)

// The headings of the prompt's parts.
const (
	formatHeading  = "[回复格式要求]"
	todayHeading   = "[当前对话上下文]"
	memoryHeading  = "[相关历史记忆]"
	messageHeading = "用户消息："
)

// prompt is what the chat model is asked: who it is, how to answer, what was said
// today and what it remembers, each where there is any; then the conversation before
// that, and the batch.
func (r *run) prompt(today []line, found []diary.Match) []llm.Message {
	along := r.turn.History
	if r.turn.Session == "" { // the turn brings its conversation along, which is that of today
		today, along = append(today, linesOf(along)...), nil
	}
	parts := []string{strings.TrimSpace(r.Prompts.of(r.state.Agent).Text), formatHeading + "\n" + strings.TrimSpace(r.Prompts.Format.Text)}
	if len(today) > 0 {
		parts = append(parts, todayHeading+"\n"+strings.Join(texts(today), "\n"))
	}
	if len(found) > 0 {
		parts = append(parts, memoryHeading+"\n"+strings.Join(memories(found), "\n\n"))
	}
	list := []llm.Message{llm.System(strings.Join(parts, "\n\n"))}
	for _, m := range unlike(along, today) {
		list = appendMessage(list, m.Role, m.Content)
	}
	return append(list, llm.User(messageHeading+"\n"+strings.Join(r.batch, "\n")))
}

// memories are the days that were found, as the model is shown them.
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

// unlike are the messages of a conversation that do not stand among the lines: a memory
// of sessions keeps the messages of a batch as one.
func unlike(history []agent.Message, lines []line) (rest []agent.Message) {
	said := map[string]int{}
	for _, whole := range batches(lines) {
		said[whole.role+"\n"+whole.content]++
	}
	for _, m := range history {
		if key := m.Role + "\n" + m.Content; said[key] > 0 {
			said[key]--
			continue
		}
		if strings.TrimSpace(m.Content) != "" {
			rest = append(rest, m)
		}
	}
	return rest
}
