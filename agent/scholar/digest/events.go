package digest

import (
	"context"
	"encoding/json"
	"strings"

	"evalctl/agent/tokens"
	"evalctl/agent/trace"
)

// documentEvent is the data of a trace event about a document. The first event of a call contains
// only the total.
type documentEvent struct {
	ID     string `json:"doc_id,omitempty"`
	Title  string `json:"title,omitempty"`
	Index  int    `json:"index,omitempty"` // position of the document, from 1
	Total  int    `json:"total"`
	Reason string `json:"reason,omitempty"` // why there is no summary
}

func (w *work) emit(ctx context.Context, e trace.Event, i int, id, title string) {
	emitEvent(ctx, e, documentEvent{
		ID:     id,
		Title:  title,
		Index:  i + 1,
		Total:  w.total,
		Reason: reasonOf(e),
	})
}

func reasonOf(e trace.Event) string {
	if e.Kind == trace.KindSummaryError {
		return e.Reason
	}
	return ""
}

func emitEvent(ctx context.Context, e trace.Event, a documentEvent) {
	raw, err := json.Marshal(a)
	if err != nil {
		raw = nil // cannot happen: strings and numbers can always be encoded
	}
	e.Node, e.Data = node, raw
	trace.Emit(ctx, e)
}

func (w *work) emitInit(ctx context.Context) {
	emitEvent(ctx, trace.Event{Kind: trace.KindSummaryInit}, documentEvent{Total: w.total})
}

func (w *work) emitStart(ctx context.Context, i int, d Document) {
	w.emit(ctx, trace.Event{Kind: trace.KindSummaryStart}, i, d.ID, d.Title)
}

func (w *work) emitPiece(ctx context.Context, i int, d Document, piece string) {
	if piece != "" {
		w.emit(ctx, trace.Event{Kind: trace.KindSummaryChunk, Text: piece}, i, d.ID, d.Title)
	}
}

// Limits on the events of one summary. After firstPieces pieces, shorter pieces are joined into
// pieces of longerPieces bytes.
const (
	firstPieces  = 100
	longerPieces = 1 << 10 // in bytes
)

// pieceJoiner emits the pieces of a summary. It joins short pieces if there are many.
type pieceJoiner struct {
	emit    func(string)
	emitted int
	buffer  strings.Builder
}

func (j *pieceJoiner) add(piece string) {
	if j.buffer.WriteString(piece); j.emitted < firstPieces || j.buffer.Len() >= longerPieces {
		j.end()
	}
}

func (j *pieceJoiner) end() {
	if j.buffer.Len() == 0 {
		return
	}
	j.emit(j.buffer.String())
	j.emitted++
	j.buffer.Reset()
}

func (w *work) emitComplete(ctx context.Context, i int, s Summary) {
	e := trace.Event{Kind: trace.KindSummaryComplete}
	switch {
	case s.Cached:
		e.Reason = "cached"
	case s.Partial:
		e.Reason = "partial"
	}
	w.emit(ctx, e, i, s.ID, s.Title)
}

func (w *work) emitError(ctx context.Context, i int, s Summary) {
	e := trace.Event{Kind: trace.KindSummaryError, Reason: s.Reason, Text: excerpt(s.Err.Error())}
	w.emit(ctx, e, i, s.ID, s.Title)
}

// excerpt returns the first 50 tokens of a text, for the trace.
func excerpt(text string) string { return tokens.Truncate(text[:min(len(text), 1000)], 50) }
