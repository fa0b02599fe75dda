package finding

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"evalctl/agent/trace"
	"evalctl/eval/metric"
)

// isHidden reports whether a timeline omits the event, because it only reports success or repeats
// part of another event.
func isHidden(e trace.Event) bool {
	return e.Kind == trace.KindFormCheck && e.Reason == "" || slices.Contains([]trace.Kind{
		trace.KindThinkingStart, trace.KindThinkingEnd, trace.KindSummaryStart, trace.KindSummaryChunk,
		trace.KindCacheMiss}, e.Kind)
}

// isChunk reports whether events of this kind are pieces of a streamed reply or thought.
func isChunk(k trace.Kind) bool { return k == trace.KindChunk || k == trace.KindThoughtChunk }

func isDocumentEvent(k trace.Kind) bool {
	return k == trace.KindSummaryInit || k == trace.KindSummaryComplete || k == trace.KindSummaryError
}

// documentText returns which document an event is about, or how many documents. It returns "" if
// the data contains neither.
func documentText(data json.RawMessage) string {
	var of struct {
		ID    string `json:"doc_id"`
		Title string `json:"title"`
		Total int64  `json:"total"`
	}
	switch err := json.Unmarshal(data, &of); {
	case err != nil:
		return ""
	case of.ID != "":
		return strings.TrimSpace(of.ID + " " + of.Title)
	case of.Total > 0:
		return metric.Plural(of.Total, "document")
	}
	return ""
}

// sessionText returns how many messages and tokens the session has. It returns "" if the event does
// not contain this.
func sessionText(data json.RawMessage) string {
	var of struct {
		Messages int64 `json:"message_count"`
		Tokens   int64 `json:"total_token_count"`
	}
	if json.Unmarshal(data, &of) != nil || of.Messages <= 0 {
		return ""
	}
	return metric.Plural(of.Messages, "message") + ", " + metric.Plural(of.Tokens, "token")
}

// compressionText describes how much the history of a session was compressed, in tokens and
// messages.
func compressionText(data json.RawMessage) string {
	var c trace.Compression
	if json.Unmarshal(data, &c) != nil || c.TokensBefore == 0 {
		return ""
	}
	return fmt.Sprintf("%s → %s tokens, %s kept", metric.FormatInteger(int64(c.TokensBefore)),
		metric.FormatInteger(int64(c.TokensAfter)), metric.Plural(int64(c.RetainedMessages), "message"))
}
