package llm

import (
	"encoding/json"
	"errors"
	"strings"
	"time"

	"evalctl/agent/trace"
)

// Response is what a model said. Beside an error it holds what was reached.
type Response struct {
	Content      string // may be empty: see Empty
	Refused      bool   // the model refuses: Content is what it says of that
	Reasoning    string // thoughts that the service keeps apart
	FinishReason string // stop, length, tool_calls, …
	ToolCalls    []ToolCall
	Normalized   []string // of a JSON answer: the acceptances without which it could not be read; nil: it is in the exact form
	Usage        Usage    // of the last attempt; zero when the service reported none

	TTFT     time.Duration   // of a stream: from the beginning of the call to the first content, earlier attempts included
	Duration time.Duration   // the whole call, retries and waits included
	Attempts int             // made, from 1
	Raw      json.RawMessage // the body as it came, but for secrets; nil for streams
}

// IsEmpty tells whether the answer has no text, which some services deliver
// now and then with every sign of success.
func (a Response) IsEmpty() bool { return blank(a.Content) }

// NotExact is the first reason why a JSON answer that was read is not in the exact form;
// "": it is.
func (a Response) NotExact() string {
	if len(a.Normalized) == 0 {
		return ""
	}
	return a.Normalized[0]
}

// isWhole reports whether the service says that the model ended its answer by itself.
func (a Response) isWhole() bool {
	return a.FinishReason != "" && a.FinishReason != "null" && !a.IsTruncated()
}

// IsTruncated tells an answer that the limit of tokens cut, as services call it.
func (a Response) IsTruncated() bool {
	switch strings.ToLower(a.FinishReason) {
	case "length", "max_tokens", "max_output_tokens", "model_length":
		return true
	default:
		return false
	}
}

// lost tells whether what is wrong with an answer is that something is missing
// which may have been cut off. A value that is there as a whole is the model's
// own, right or wrong. Without a finish_reason only an object that does not end
// shows a cut.
func (a Response) lost(kind ErrorKind, err error) bool {
	var field *FieldError
	isMissing := errors.As(err, &field) && (field.Kind == KindMalformedJSON || field.Problem == missing)
	if a.FinishReason == "" || a.FinishReason == "null" {
		return isMissing && endsInside(StripReasoning(a.Content))
	}
	return a.IsTruncated() && (isMissing || kind == KindEmptyContent)
}

// Text is an answer as it stood there: its content, or the thoughts of one that
// has nothing else.
func (a Response) Text() string {
	if a.IsEmpty() && !blank(a.Reasoning) {
		return "<think>" + a.Reasoning
	}
	return a.Content
}

// Usage counts the tokens that an answer was billed. It is zero where the service
// told none, or none that can be.
type Usage struct {
	Prompt     int // those that came from the provider's cache included
	Completion int // thoughts included
	Total      int
	Cached     int // of Prompt
}

// credible is none where a count cannot be.
func (u Usage) credible() Usage {
	for _, n := range [...]int{u.Prompt, u.Completion, u.Total, u.Cached} {
		if n < 0 || n > trace.MaxTokens {
			return Usage{}
		}
	}
	return u
}

// note leaves in the span what the call was billed: an answer that began, whole or not,
// without a count is not one that cost nothing, but of a floor, which nobody bills.
func (u Usage) note(s *trace.Span, begun bool) {
	s.Tokens = trace.Tokens{In: int64(u.Prompt), Out: int64(u.Completion), Cached: int64(min(u.Cached, u.Prompt))}
	s.UsageUnreported = begun && u == Usage{} && s.Provider != Baseline
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
