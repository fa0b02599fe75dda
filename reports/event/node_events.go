package event

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"evalctl/agent/trace"
	"evalctl/eval/number"
)

// isHidden reports whether a timeline omits the event: it reports success, or a part of what
// another event contains.
func isHidden(e trace.Event) bool {
	return e.Kind == trace.KindFormCheck && e.Reason == "" || slices.Contains([]trace.Kind{
		trace.KindThinkingStart, trace.KindThinkingEnd, trace.KindSummaryStart, trace.KindSummaryChunk,
		trace.KindCacheMiss}, e.Kind)
}

// isChunk reports whether the kind is a chunk of a reply or a thought.
func isChunk(k trace.Kind) bool { return k == trace.KindChunk || k == trace.KindThoughtChunk }

func isDocumentEvent(k trace.Kind) bool {
	return k == trace.KindSummaryInit || k == trace.KindSummaryComplete || k == trace.KindSummaryError
}

// documentText names the document of an event, or returns the number of documents.
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
		return number.Plural(of.Total, "document")
	}
	return ""
}

// sessionText returns the length of the session, if the event contains it.
func sessionText(data json.RawMessage) string {
	var of struct {
		Messages int64 `json:"message_count"`
		Tokens   int64 `json:"total_token_count"`
	}
	if json.Unmarshal(data, &of) != nil || of.Messages <= 0 {
		return ""
	}
	return number.Plural(of.Messages, "message") + ", " + number.Plural(of.Tokens, "token")
}

// compressionText describes how much a session's history was compressed.
func compressionText(data json.RawMessage) string {
	var c trace.Compression
	if json.Unmarshal(data, &c) != nil || c.TokensBefore == 0 {
		return ""
	}
	return fmt.Sprintf("%s → %s tokens, %s kept", number.Thousands(int64(c.TokensBefore)),
		number.Thousands(int64(c.TokensAfter)), number.Plural(int64(c.RetainedMessages), "message"))
}
