package wire

import (
	"evalctl/mocks/jsontext"
	"evalctl/mocks/model"
)

// appendUsage writes the usage with the dialect's details.
func (c *Call) appendUsage(b []byte, u *model.Usage) []byte {
	b = jsontext.AppendNumber(append(b, '{'), "prompt_tokens", u.Prompt)
	b = jsontext.AppendNumber(append(b, ','), "completion_tokens", u.Completion)
	b = jsontext.AppendNumber(append(b, ','), "total_tokens", u.Prompt+u.Completion)
	b = jsontext.AppendNumber(append(b, `,"prompt_tokens_details":{`...), "cached_tokens", u.Cached)
	if c.Place.Dialect == OpenAI {
		b = append(b, `,"audio_tokens":0`...)
	}
	b = append(b, '}')
	if c.Place.Dialect != DashScope || u.Reasoning > 0 {
		b = jsontext.AppendNumber(append(b, `,"completion_tokens_details":{`...), "reasoning_tokens", u.Reasoning)
		if c.Place.Dialect == OpenAI {
			b = append(b, `,"audio_tokens":0,"accepted_prediction_tokens":0,"rejected_prediction_tokens":0`...)
		}
		b = append(b, '}')
	}
	if c.Place.Dialect == DeepSeek {
		b = jsontext.AppendNumber(append(b, ','), "prompt_cache_hit_tokens", u.Cached)
		b = jsontext.AppendNumber(append(b, ','), "prompt_cache_miss_tokens", u.Prompt-u.Cached)
	}
	return append(b, '}')
}
