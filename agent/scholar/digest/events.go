package digest

import (
	"context"
	"encoding/json"
	"strings"

	"evalctl/agent/tokens"
	"evalctl/agent/trace"
)

// DocumentEvent is the data of an event on a document; that of the first has the total alone.
type DocumentEvent struct {
	ID     string `json:"doc_id,omitempty"`
	Title  string `json:"title,omitempty"`
	Index  int    `json:"index,omitempty"` // from 1
	Total  int    `json:"total"`
	Reason string `json:"reason,omitempty"` // why it is left out
}

func (w *work) tell(ctx context.Context, e trace.Event, i int, id, title string) {
	tell(ctx, e, DocumentEvent{ID: id, Title: title, Index: i + 1, Total: w.total, Reason: reasonOf(e)})
}

func reasonOf(e trace.Event) string {
	if e.Kind == trace.KindSummaryError {
		return e.Reason
	}
	return ""
}

func tell(ctx context.Context, e trace.Event, a DocumentEvent) {
	raw, err := json.Marshal(a)
	if err != nil {
		raw = nil // texts and numbers always can be
	}
	e.Node, e.Data = node, raw
	trace.Emit(ctx, e)
}

func (w *work) tellInit(ctx context.Context) {
	tell(ctx, trace.Event{Kind: trace.KindSummaryInit}, DocumentEvent{Total: w.total})
}

func (w *work) tellStart(ctx context.Context, i int, d Document) {
	w.tell(ctx, trace.Event{Kind: trace.KindSummaryStart}, i, d.ID, d.Title)
}

func (w *work) tellPiece(ctx context.Context, i int, d Document, piece string) {
	if piece != "" {
		w.tell(ctx, trace.Event{Kind: trace.KindSummaryChunk, Text: piece}, i, d.ID, d.Title)
	}
}

// Bounds of the events on one summary: the first pieces are told as they come, and then
// no shorter ones than this.
const (
	firstPieces  = 100
	longerPieces = 1 << 10 // bytes
)

// joined tells pieces, joined where they are many.
type joined struct {
	tell  func(string)
	told  int
	begun strings.Builder
}

func (j *joined) add(piece string) {
	if j.begun.WriteString(piece); j.told < firstPieces || j.begun.Len() >= longerPieces {
		j.end()
	}
}

func (j *joined) end() {
	if j.begun.Len() == 0 {
		return
	}
	j.tell(j.begun.String())
	j.told++
	j.begun.Reset()
}

func (w *work) tellComplete(ctx context.Context, i int, s Summary) {
	e := trace.Event{Kind: trace.KindSummaryComplete}
	switch {
	case s.Cached:
		e.Reason = "cached"
	case s.Partial:
		e.Reason = "partial"
	}
	w.tell(ctx, e, i, s.ID, s.Title)
}

func (w *work) tellError(ctx context.Context, i int, s Summary) {
	e := trace.Event{Kind: trace.KindSummaryError, Reason: s.Reason, Text: beginning(s.Err.Error())}
	w.tell(ctx, e, i, s.ID, s.Title)
}

// beginning is that of a text that somebody else has written.
func beginning(text string) string { return tokens.Truncate(text[:min(len(text), 1000)], 50) }
