package llm

import (
	"encoding/json"
	"errors"
	"strings"
	"time"

	"evalctl/agent/trace"
)

// Response is a model's answer. If the call failed, it contains the part that was received.
type Response struct {
	Content      string     // the text of the answer; may be empty, see IsEmpty
	Refused      bool       // the model refuses; Content is the text of the refusal
	Reasoning    string     // reasoning that the service returns separately from the text
	FinishReason string     // why the model stopped: stop, length, tool_calls, …
	ToolCalls    []ToolCall // tool calls that the model requests
	// names of the corrected deviations from the requested JSON, see acceptances; nil: none
	Corrections []string
	Usage       Usage // tokens of the last attempt; zero if the service reported none

	// streams only: time from the start of the call to the first content, including failed attempts
	TTFT     time.Duration
	Duration time.Duration   // duration of the whole call, including retries and waits
	Attempts int             // number of attempts, at least 1
	Raw      json.RawMessage // the response body with secrets redacted; nil for streams
}

// IsEmpty reports whether the answer has no text. Some services occasionally return such an answer.
func (a Response) IsEmpty() bool { return blank(a.Content) }

// FirstCorrection returns the first deviation from the requested JSON that was corrected; "" if
// none was.
func (a Response) FirstCorrection() string {
	if len(a.Corrections) == 0 {
		return ""
	}
	return a.Corrections[0]
}

// isWhole reports whether the model finished its answer. It is false if the token limit or a broken
// connection cut the answer.
func (a Response) isWhole() bool {
	return a.FinishReason != "" && a.FinishReason != "null" && !a.IsTruncated()
}

// IsTruncated reports whether the token limit cut the answer. It recognizes the finish reasons of
// several services.
func (a Response) IsTruncated() bool {
	switch strings.ToLower(a.FinishReason) {
	case "length", "max_tokens", "max_output_tokens", "model_length":
		return true
	default:
		return false
	}
}

// isMissingTail reports whether the invalid answer may lack a value because the answer was cut off.
// It returns false if a wrong value was received completely. Without a finish_reason, only an
// unfinished JSON object is taken as cut off.
func (a Response) isMissingTail(kind ErrorKind, err error) bool {
	var field *FieldError
	isMissing := errors.As(err, &field) && (field.Kind == KindMalformedJSON || field.Problem == missing)
	if a.FinishReason == "" || a.FinishReason == "null" {
		return isMissing && endsInside(StripReasoning(a.Content))
	}
	return a.IsTruncated() && (isMissing || kind == KindEmptyContent)
}

// TextOrReasoning returns the content. If there is none, it returns the reasoning after a <think>
// tag.
func (a Response) TextOrReasoning() string {
	if a.IsEmpty() && !blank(a.Reasoning) {
		return "<think>" + a.Reasoning
	}
	return a.Content
}

// Usage is the number of tokens that a service bills. It is zero if the service reported no counts
// or impossible ones.
type Usage struct {
	PromptTokens     int // includes tokens from the provider's cache
	CompletionTokens int // includes reasoning
	Total            int // all tokens, as the service reports them
	CachedTokens     int // part of PromptTokens
}

// credible returns u, or zero usage if a count is negative or impossibly large.
func (u Usage) credible() Usage {
	for _, n := range [...]int{u.PromptTokens, u.CompletionTokens, u.Total, u.CachedTokens} {
		if n < 0 || n > trace.MaxPlausibleTokens {
			return Usage{}
		}
	}
	return u
}

// record writes the usage to the span. If an answer began but has no token count, the span is
// marked as unreported, because it is not free. Baseline models are not billed.
func (u Usage) record(s *trace.Span, begun bool) {
	s.Tokens = trace.Tokens{In: int64(u.PromptTokens), Out: int64(u.CompletionTokens),
		CachedIn: int64(min(u.CachedTokens, u.PromptTokens))}
	s.UsageUnreported = begun && u == Usage{} && s.Provider != BaselineProvider
}

func (u Usage) plus(v Usage) Usage {
	return Usage{
		PromptTokens:     u.PromptTokens + v.PromptTokens,
		CompletionTokens: u.CompletionTokens + v.CompletionTokens,
		Total:            u.Total + v.Total,
		CachedTokens:     u.CachedTokens + v.CachedTokens,
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
