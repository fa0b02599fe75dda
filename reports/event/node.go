package event

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"evalctl/agent/trace"
	"evalctl/eval/number"
)

// unseen are the events of a timeline that tell nothing besides others: what is as it
// should be, and pieces of what is told as a whole.
func unseen(e trace.Event) bool {
	return e.Kind == trace.KindFormCheck && e.Reason == "" || slices.Contains([]trace.Kind{
		trace.KindThinkingStart, trace.KindThinkingEnd, trace.KindSummaryStart, trace.KindSummaryChunk, trace.KindCacheMiss}, e.Kind)
}

// isPiece tells a chunk of an answer or of a thought.
func isPiece(k trace.Kind) bool { return k == trace.KindChunk || k == trace.KindThoughtChunk }

func isOfDocuments(k trace.Kind) bool {
	return k == trace.KindSummaryInit || k == trace.KindSummaryComplete || k == trace.KindSummaryError
}

// documentText names the document of which an event tells, or how many there are.
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

// sessionText says how long a session is by now, where a node tells it.
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

// compressionText says how much shorter a session's history became.
func compressionText(data json.RawMessage) string {
	var c trace.Compression
	if json.Unmarshal(data, &c) != nil || c.TokensBefore == 0 {
		return ""
	}
	return fmt.Sprintf("%s → %s tokens, %s kept", number.Thousands(int64(c.TokensBefore)), number.Thousands(int64(c.TokensAfter)), number.Plural(int64(c.RetainedMessages), "message"))
}
