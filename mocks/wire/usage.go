package wire

import (
	"evalctl/mocks/jsontext"
	"evalctl/mocks/model"
)

// appendUsage appends the token counts of an answer in the provider's format.
func (c *Call) appendUsage(b []byte, u *model.Usage) []byte {
	b = jsontext.AppendIntField(append(b, '{'), "prompt_tokens", u.PromptTokens)
	b = jsontext.AppendIntField(append(b, ','), "completion_tokens", u.CompletionTokens)
	b = jsontext.AppendIntField(append(b, ','), "total_tokens", u.PromptTokens+u.CompletionTokens)
	b = jsontext.AppendIntField(append(b, `,"prompt_tokens_details":{`...), "cached_tokens", u.CachedTokens)
	if c.Route.Dialect == OpenAI {
		b = append(b, `,"audio_tokens":0`...)
	}
	b = append(b, '}')
	if c.Route.Dialect != DashScope || u.ReasoningTokens > 0 {
		b = jsontext.AppendIntField(append(b, `,"completion_tokens_details":{`...), "reasoning_tokens",
			u.ReasoningTokens)
		if c.Route.Dialect == OpenAI {
			b = append(b, `,"audio_tokens":0,"accepted_prediction_tokens":0,"rejected_prediction_tokens":0`...)
		}
		b = append(b, '}')
	}
	if c.Route.Dialect == DeepSeek {
		b = jsontext.AppendIntField(append(b, ','), "prompt_cache_hit_tokens", u.CachedTokens)
		b = jsontext.AppendIntField(append(b, ','), "prompt_cache_miss_tokens", u.PromptTokens-u.CachedTokens)
	}
	return append(b, '}')
}

// usageOf returns the token counts of an answer with several choices. The prompt counts once.
func usageOf(answers []model.Answer) *model.Usage {
	if len(answers) == 1 {
		return answers[0].Usage
	}
	sum := *answers[0].Usage
	for _, a := range answers[1:] {
		sum.CompletionTokens += a.Usage.CompletionTokens
		sum.ReasoningTokens += a.Usage.ReasoningTokens
	}
	return &sum
}

// ChoiceCount returns how many choices the answer has. DeepSeek and Ark ignore the parameter n.
// DashScope's native text generation supports it only for messages without streaming.
func (c *Call) ChoiceCount(b *ChatBody) int {
	if b.N == nil || c.Route.Dialect == DeepSeek || c.Route.Dialect == Ark || b.native != nil &&
		(b.Stream || !b.returnsMessages()) {
		return 1
	}
	return *b.N
}

// bytesPerLikely is the approximate size, in bytes, of a token with its log probability in an
// answer.
const bytesPerLikely = 192

// AnswersSize returns the approximate size, in bytes, of an answer with the given choices.
func (c *Call) AnswersSize(b *ChatBody, answers []model.Answer) (n int64) {
	for _, a := range answers {
		n += 2 * int64(len(a.Content)+len(a.Reasoning))
		for _, t := range a.ToolCalls {
			n += 2 * int64(len(t.Arguments))
		}
		if b.Logprobs {
			n += int64(model.EstimateTokens(a.Content)) * int64(1+b.topLogprobs()) * bytesPerLikely
		}
	}
	return n
}
