package llm

import "strings"

// StripReasoning returns the answer without reasoning in <think> tags. A <think> tag that is not
// closed extends to the end of the text.
func StripReasoning(answer string) string {
	const begin, end = "<think>", "</think>"
	if i := strings.LastIndex(answer, end); i >= 0 {
		answer = answer[i+len(end):]
	}
	text, _, _ := strings.Cut(answer, begin)
	return text
}
