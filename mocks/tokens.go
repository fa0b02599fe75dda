package mocks

import "unicode/utf8"

// A token is about four letters of English or one Chinese character.
const quarter = 4

// tokens estimates the tokens of a text.
func tokens(s string) int {
	n := 0
	for _, r := range s {
		n += weight(r)
	}
	return (n + quarter - 1) / quarter
}

func weight(r rune) int {
	if r < utf8.RuneSelf {
		return 1
	}
	return quarter
}

// cutTokens keeps at most limit tokens of a text.
func cutTokens(s string, limit int) string {
	n := 0
	for i, r := range s {
		if n += weight(r); n > limit*quarter {
			return s[:i]
		}
	}
	return s
}

const (
	tokensPerMessage = 4
	tokensPerImage   = 256
)

// estimate counts a request and its answer.
func estimate(r *ChatRequest, a *Answer) *Usage {
	u := &Usage{Prompt: 3 + tokensPerImage*r.Images, Reasoning: tokens(a.Reasoning)}
	for _, m := range r.Messages {
		u.Prompt += tokensPerMessage + tokens(m.Text)
	}
	u.Completion = u.Reasoning + tokens(a.Content)
	for _, t := range a.ToolCalls {
		u.Completion += tokensPerMessage + tokens(t.Name) + tokens(t.Arguments)
	}
	return u
}

// half is the first half of a text, cut between characters.
func half(s string) string {
	n := len(s) / 2
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
