package model

import "unicode/utf8"

// unitsPerToken is used to estimate tokens: a token is about four ASCII characters or one Chinese
// character.
const unitsPerToken = 4

// EstimateTokens returns the estimated number of tokens of a text.
func EstimateTokens(s string) int {
	n := 0
	for _, r := range s {
		n += weight(r)
	}
	return (n + unitsPerToken - 1) / unitsPerToken
}

func weight(r rune) int {
	if r < utf8.RuneSelf {
		return 1
	}
	return unitsPerToken
}

// FirstTokenBytes returns the length, in bytes, of the first token of a text: up to four ASCII
// characters, or one other character.
func FirstTokenBytes(s string) int {
	n := 0
	for i, r := range s {
		if n += weight(r); n > unitsPerToken {
			return i
		}
	}
	return len(s)
}

// TruncateTokens returns the first limit tokens of a text, or all of it if it is shorter.
func TruncateTokens(s string, limit int) string {
	n := 0
	for i, r := range s {
		if n += weight(r); n > limit*unitsPerToken {
			return s[:i]
		}
	}
	return s
}

const (
	tokensPerMessage = 4
	tokensPerImage   = 256
)

// EstimateUsage returns the estimated number of tokens of a request and its answer.
func EstimateUsage(r *Request, a *Answer) *Usage {
	u := &Usage{PromptTokens: 3 + tokensPerImage*r.ImageCount, ReasoningTokens: EstimateTokens(a.Reasoning)}
	for _, m := range r.Messages {
		u.PromptTokens += tokensPerMessage + EstimateTokens(m.Text)
	}
	u.CompletionTokens = u.ReasoningTokens + EstimateTokens(a.Content)
	for _, t := range a.ToolCalls {
		u.CompletionTokens += tokensPerMessage + EstimateTokens(t.Name) + EstimateTokens(t.Arguments)
	}
	return u
}

// FirstHalf returns the first half of a text, without splitting a character.
func FirstHalf(s string) string {
	n := len(s) / 2
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
