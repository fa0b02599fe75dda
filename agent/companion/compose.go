package companion

import (
	"fmt"
	"slices"
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
	today, along = mergeHistory(today, along)
	parts := []string{strings.TrimSpace(r.Prompts.persona(r.state.Agent).Text),
		formatHeading + "\n" + strings.TrimSpace(r.Prompts.ReplyFormat.Text)}
	if len(today) > 0 {
		parts = append(parts, todayHeading+"\n"+strings.Join(texts(today), "\n"))
	}
	if len(found) > 0 {
		parts = append(parts, memoryHeading+"\n"+strings.Join(memories(found), "\n\n"))
	}
	list := []llm.Message{llm.SystemMessage(strings.Join(parts, "\n\n"))}
	for _, m := range along {
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

// mergeHistory inserts messages of the turn's history that today's lines do not contain, such as
// those of a turn that failed, at their place in the lines. The prompt then shows no message twice.
// earlier contains the messages before the first one that the lines contain.
func mergeHistory(lines []promptLine, history []agent.Message) (today []promptLine, earlier []agent.Message) {
	rest := batches(lines)
	for _, m := range history {
		at := slices.IndexFunc(rest,
			func(b []promptLine) bool { return b[0].role == m.Role && joinBatch(b) == m.Content })
		switch {
		case at >= 0:
			today = slices.Concat(append([][]promptLine{today}, rest[:at+1]...)...)
			rest = rest[at+1:]
		case strings.TrimSpace(m.Content) == "":
		case today == nil:
			earlier = append(earlier, m)
		default:
			today = append(today, promptLine{role: m.Role, content: m.Content})
		}
	}
	return append(today, slices.Concat(rest...)...), earlier
}
