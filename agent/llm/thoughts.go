package llm

import "strings"

// WithoutThoughts is what an answer says behind its <think> tags, and before
// thoughts that do not end.
func WithoutThoughts(answer string) string {
	const begin, end = "<think>", "</think>"
	if i := strings.LastIndex(answer, end); i >= 0 {
		answer = answer[i+len(end):]
	}
	said, _, _ := strings.Cut(answer, begin)
	return said
}
