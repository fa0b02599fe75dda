package llm

import "strings"

// StripReasoning is what an answer says behind its <think> tags, and before
// thoughts that do not end.
func StripReasoning(answer string) string {
	const begin, end = "<think>", "</think>"
	if i := strings.LastIndex(answer, end); i >= 0 {
		answer = answer[i+len(end):]
	}
	said, _, _ := strings.Cut(answer, begin)
	return said
}
