package model

import "unicode/utf8"

// A token is about four letters of English or one Chinese character.
const unitsPerToken = 4

// Tokens estimates the number of tokens of a text.
func Tokens(s string) int {
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

// TokenLength returns the length in bytes of a text's first token: a few letters, or one character
// of another script.
func TokenLength(s string) int {
	n := 0
	for i, r := range s {
		if n += weight(r); n > unitsPerToken {
			return i
		}
	}
	return len(s)
}

// CutTokens returns at most the first limit tokens of a text.
func CutTokens(s string, limit int) string {
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

// EstimateUsage estimates the tokens of a request and its answer.
func EstimateUsage(r *Request, a *Answer) *Usage {
	u := &Usage{Prompt: 3 + tokensPerImage*r.Images, Reasoning: Tokens(a.Reasoning)}
	for _, m := range r.Messages {
		u.Prompt += tokensPerMessage + Tokens(m.Text)
	}
	u.Completion = u.Reasoning + Tokens(a.Content)
	for _, t := range a.ToolCalls {
		u.Completion += tokensPerMessage + Tokens(t.Name) + Tokens(t.Arguments)
	}
	return u
}

// FirstHalf returns the first half of a text, cut between characters.
func FirstHalf(s string) string {
	n := len(s) / 2
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
