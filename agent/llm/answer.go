package llm

import (
	"encoding/json"
	"errors"
	"strings"
	"time"

	"evalctl/agent/trace"
)

// Response is a model's answer. If the call failed, it holds the part that was received.
type Response struct {
	Content      string // may be empty: see IsEmpty
	Refused      bool   // the model refuses; Content is the text of the refusal
	Reasoning    string // reasoning that the service returns separately
	FinishReason string // stop, length, tool_calls, …
	ToolCalls    []ToolCall
	Normalized   []string // acceptances that were needed to read a JSON answer; nil: it has the exact form
	Usage        Usage    // of the last attempt; zero if the service reported none

	TTFT     time.Duration   // of a stream: from the start of the call to the first content, including failed attempts
	Duration time.Duration   // the whole call, including retries and waits
	Attempts int             // number of attempts, from 1
	Raw      json.RawMessage // the body with secrets redacted; nil for streams
}

// IsEmpty reports whether the answer has no text. Some services occasionally return such an answer
// with a status of success.
func (a Response) IsEmpty() bool { return blank(a.Content) }

// NotExact returns the first reason why a JSON answer is not in the exact form; "": it is.
func (a Response) NotExact() string {
	if len(a.Normalized) == 0 {
		return ""
	}
	return a.Normalized[0]
}

// isWhole reports whether the model ended its answer by itself.
func (a Response) isWhole() bool {
	return a.FinishReason != "" && a.FinishReason != "null" && !a.IsTruncated()
}

// IsTruncated reports whether the token limit cut the answer. Services use different names for
// this.
func (a Response) IsTruncated() bool {
	switch strings.ToLower(a.FinishReason) {
	case "length", "max_tokens", "max_output_tokens", "model_length":
		return true
	default:
		return false
	}
}

// isMissingTail reports whether an answer is invalid because something is missing that may have
// been cut off. A complete value is never lost, even if it is wrong. Without a finish_reason, only
// an object without an end counts as cut.
func (a Response) isMissingTail(kind ErrorKind, err error) bool {
	var field *FieldError
	isMissing := errors.As(err, &field) && (field.Kind == KindMalformedJSON || field.Problem == missing)
	if a.FinishReason == "" || a.FinishReason == "null" {
		return isMissing && endsInside(StripReasoning(a.Content))
	}
	return a.IsTruncated() && (isMissing || kind == KindEmptyContent)
}

// Text returns the content, or the reasoning if there is no content.
func (a Response) Text() string {
	if a.IsEmpty() && !blank(a.Reasoning) {
		return "<think>" + a.Reasoning
	}
	return a.Content
}

// Usage is the number of billed tokens. It is zero if the service reported none or impossible
// values.
type Usage struct {
	PromptTokens     int // includes tokens from the provider's cache
	CompletionTokens int // includes reasoning
	Total            int
	CachedTokens     int // part of PromptTokens
}

// credible returns zero usage if a count is impossible.
func (u Usage) credible() Usage {
	for _, n := range [...]int{u.PromptTokens, u.CompletionTokens, u.Total, u.CachedTokens} {
		if n < 0 || n > trace.MaxTokens {
			return Usage{}
		}
	}
	return u
}

// record records the usage in the span. An answer that began without a token count is marked as
// unreported, not as free. Baseline models are not billed.
func (u Usage) record(s *trace.Span, begun bool) {
	s.Tokens = trace.Tokens{In: int64(u.PromptTokens), Out: int64(u.CompletionTokens),
		Cached: int64(min(u.CachedTokens, u.PromptTokens))}
	s.UsageUnreported = begun && u == Usage{} && s.Provider != Baseline
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
