package companion

import (
	"fmt"
	"slices"
	"strings"

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
	along := historyLines(r.turn.History)
	if r.turn.Session == "" { // without a session, the turn's history is today's conversation
		today, along = append(today, along...), nil
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
		list = appendMessage(list, m.role, m.content)
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

// mergeHistory inserts turns of the history that today's lines do not contain, such as those that
// failed, at their place in the lines. The prompt then shows no message twice. earlier contains the
// turns before the first one that the lines contain.
//
// The turns are aligned by their longest common subsequence. If a turn occurs several times, its
// last occurrences are aligned.
func mergeHistory(lines, history []promptLine) (today, earlier []promptLine) {
	stored, given := turns(batches(lines)), turns(single(history))
	// common[i][j] is the length of the longest common subsequence of stored[:i] and given[:j]
	common := make([][]int, len(stored)+1)
	for i := range common {
		common[i] = make([]int, len(given)+1)
		for j := 1; i > 0 && j <= len(given); j++ {
			common[i][j] = max(common[i-1][j], common[i][j-1])
			if isSameTurn(stored[i-1], given[j-1]) {
				common[i][j] = common[i-1][j-1] + 1
			}
		}
	}
	i, j := len(stored), len(given)
	var merged [][][]promptLine // in reverse order
	for common[i][j] > 0 {
		switch {
		case isSameTurn(stored[i-1], given[j-1]):
			i, j = i-1, j-1
			merged = append(merged, stored[i])
		case common[i-1][j] == common[i][j]:
			i--
			merged = append(merged, stored[i])
		default:
			j--
			merged = append(merged, given[j])
		}
	}
	slices.Reverse(merged)
	flat := func(list [][][]promptLine) []promptLine { return slices.Concat(slices.Concat(list...)...) }
	return flat(append(stored[:i:i], merged...)), flat(given[:j])
}

// isSameTurn reports whether a turn of the history is a stored turn. The oldest turn of the history
// may lack its messages of the user.
func isSameTurn(stored, given [][]promptLine) bool {
	if given[0][0].role != "user" && len(given) < len(stored) {
		stored = stored[len(stored)-len(given):]
	}
	return slices.EqualFunc(stored, given,
		func(a, b []promptLine) bool { return a[0].role == b[0].role && joinBatch(a) == joinBatch(b) })
}
