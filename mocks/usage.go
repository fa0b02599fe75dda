package mocks

import (
	"time"
	"unicode/utf8"
)

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

// appendUsage writes the usage with the dialect's details.
func (c *call) appendUsage(b []byte, u *Usage) []byte {
	b = appendNumber(append(b, '{'), "prompt_tokens", u.Prompt)
	b = appendNumber(append(b, ','), "completion_tokens", u.Completion)
	b = appendNumber(append(b, ','), "total_tokens", u.Prompt+u.Completion)
	b = appendNumber(append(b, `,"prompt_tokens_details":{`...), "cached_tokens", u.Cached)
	if c.place.dialect == OpenAI {
		b = append(b, `,"audio_tokens":0`...)
	}
	b = append(b, '}')
	if c.place.dialect != DashScope || u.Reasoning > 0 {
		b = appendNumber(append(b, `,"completion_tokens_details":{`...), "reasoning_tokens", u.Reasoning)
		if c.place.dialect == OpenAI {
			b = append(b, `,"audio_tokens":0,"accepted_prediction_tokens":0,"rejected_prediction_tokens":0`...)
		}
		b = append(b, '}')
	}
	if c.place.dialect == DeepSeek {
		b = appendNumber(append(b, ','), "prompt_cache_hit_tokens", u.Cached)
		b = appendNumber(append(b, ','), "prompt_cache_miss_tokens", u.Prompt-u.Cached)
	}
	return append(b, '}')
}

func durationOf(n int) time.Duration { return time.Duration(n) }
