package mocks

// appendUsage writes the usage with the dialect's details.
func (c *Call) appendUsage(b []byte, u *Usage) []byte {
	b = appendNumber(append(b, '{'), "prompt_tokens", u.Prompt)
	b = appendNumber(append(b, ','), "completion_tokens", u.Completion)
	b = appendNumber(append(b, ','), "total_tokens", u.Prompt+u.Completion)
	b = appendNumber(append(b, `,"prompt_tokens_details":{`...), "cached_tokens", u.Cached)
	if c.Place.dialect == OpenAI {
		b = append(b, `,"audio_tokens":0`...)
	}
	b = append(b, '}')
	if c.Place.dialect != DashScope || u.Reasoning > 0 {
		b = appendNumber(append(b, `,"completion_tokens_details":{`...), "reasoning_tokens", u.Reasoning)
		if c.Place.dialect == OpenAI {
			b = append(b, `,"audio_tokens":0,"accepted_prediction_tokens":0,"rejected_prediction_tokens":0`...)
		}
		b = append(b, '}')
	}
	if c.Place.dialect == DeepSeek {
		b = appendNumber(append(b, ','), "prompt_cache_hit_tokens", u.Cached)
		b = appendNumber(append(b, ','), "prompt_cache_miss_tokens", u.Prompt-u.Cached)
	}
	return append(b, '}')
}
