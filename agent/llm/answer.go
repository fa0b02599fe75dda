package llm

import (
	"encoding/json"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"evalctl/agent/trace"
)

// Answer is what a model said. Beside an error it holds what was reached.
type Answer struct {
	Content      string // may be empty: see Empty
	Reasoning    string // thoughts that the service keeps apart
	FinishReason string // stop, length, …
	Usage        Usage  // of the last attempt; zero when the service told none

	TTFT     time.Duration   // of a stream: from the call's begin to the first content, earlier attempts included
	Took     time.Duration   // the whole call, retries and waits included
	Attempts int             // made, from 1
	Raw      json.RawMessage // the body as it came; nil for streams
}

// Empty tells whether the answer has no text, which some services deliver
// now and then with every sign of success.
func (a Answer) Empty() bool { return blank(a.Content) }

// Usage counts the tokens that an answer was billed.
type Usage struct {
	Prompt     int // those that came from the provider's cache included
	Completion int // thoughts included
	Total      int
	Cached     int // of Prompt
}

func usageOf(u openai.Usage) Usage {
	out := Usage{Prompt: u.PromptTokens, Completion: u.CompletionTokens, Total: u.TotalTokens}
	if u.PromptTokensDetails != nil {
		out.Cached = u.PromptTokensDetails.CachedTokens
	}
	return out
}

func (u Usage) tokens() trace.Tokens {
	return trace.Tokens{In: int64(u.Prompt), Out: int64(u.Completion)}
}

func (u Usage) plus(v Usage) Usage {
	return Usage{
		Prompt: u.Prompt + v.Prompt, Completion: u.Completion + v.Completion,
		Total: u.Total + v.Total, Cached: u.Cached + v.Cached,
	}
}

func blank(s string) bool {
	for _, r := range s {
		switch r {
		case ' ', '\t', '\r', '\n', '\u00a0', '\u3000', '\u200b', '\ufeff':
		default:
			return false
		}
	}
	return true
}
