// Package digest condenses many documents to fit into one prompt: a summary of each, and reports of
// groups if there are too many summaries.
//
// Its calls run concurrently. In real time its events are emitted concurrently, too: the recorder
// must serialize them.
package digest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"evalctl/agent/cache"
	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/recall"
	"evalctl/agent/trace"
)

// node is the node of summaries in the trace.
const node = "document_summary"

// Document is a document to summarize.
type Document struct{ ID, Title, Text string }

// Summary is the summary of one document, or the reason why there is none.
type Summary struct {
	ID, Title string
	Text      string // "": none
	Cached    bool   // from the cache
	Partial   bool   // some retrievals failed, and the summary is not cached
	Reason    string // machine-readable reason why there is none
	Err       error
}

// Reasons for a missing summary, in addition to the kinds of failed calls.
const (
	reasonEmpty      = "empty_document"
	reasonUnreadable = "unreadable" // only punctuation and control characters
	reasonNoResults  = "no_results" // no passage of a large document matches a question
)

// ErrNoSummary is returned if no document could be summarized.
var ErrNoSummary = errors.New("no document could be summarized")

// Config is the configuration of summaries.
type Config struct {
	// Semaphore limits concurrent calls. It is held while a document is retrieved or summarized, so
	// the functions below must not acquire it. Required.
	Semaphore *clock.Semaphore

	// Summarize summarizes a text, and may pass on pieces as they arrive. It must not depend on the
	// user's question, because summaries are shared. Required.
	Summarize func(ctx context.Context, d Document, text string, piece func(string)) (string, error)

	DirectContentTokens int // maximum size of a document that is summarized from its full text
	// Questions are search questions for larger documents, which are summarized from the passages
	// found.
	Questions []string
	Retrieve  func(ctx context.Context, d Document, question string) ([]recall.Chunk, error)

	Cache cache.Store // nil: none
	// changes with everything except the document that a summary depends on: model, prompt …
	Version          string
	RetrievalVersion string // changes with everything else that the summary of a large document depends on
	Refresh          bool   // ignores cached summaries and replaces them
}

// Summaries returns the summaries of the documents in order. A failed document does not fail the
// others. The error is ErrNoSummary, or that of an ended context.
func Summaries(ctx context.Context, cfg Config, docs []Document) ([]Summary, error) {
	w := &work{Config: cfg, total: len(docs)}
	w.emitInit(ctx)
	list := make([]Summary, len(docs))
	for i, d := range docs {
		list[i] = Summary{ID: d.ID, Title: d.Title}
		if list[i].Reason = unreadable(d.Text); list[i].Reason != "" {
			list[i].Err = errors.New("there is nothing to read")
			w.emitError(ctx, i, list[i])
		}
	}
	keys := w.loadCached(ctx, docs, list)
	group, _ := clock.NewGroup(ctx, 0)
	for i, d := range docs {
		if list[i].Text != "" || list[i].Err != nil {
			continue
		}
		group.Go(node, func(ctx context.Context) error {
			w.summarizeDocument(trace.InBranch(ctx, i), i, d, &list[i], keys[i])
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return list, err
	}
	if !slices.ContainsFunc(list, func(s Summary) bool { return s.Text != "" }) {
		return list, ErrNoSummary
	}
	return list, nil
}

func unreadable(text string) string {
	switch {
	case strings.TrimSpace(text) == "":
		return reasonEmpty
	case !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }):
		return reasonUnreadable
	}
	return ""
}

// work summarizes the documents of one turn.
type work struct {
	Config
	total int
}

// summarizeDocument summarizes a document in one of the call slots, and caches the summary.
func (w *work) summarizeDocument(ctx context.Context, i int, d Document, s *Summary, key string) {
	err := w.inSlot(ctx, func() (err error) {
		w.emitStart(ctx, i, d)
		s.Text, s.Partial, err = w.summarize(ctx, i, d)
		return err
	})
	if ctx.Err() != nil {
		s.Text, s.Err = "", ctx.Err()
		return
	}
	if err == nil && s.Text == "" {
		err = llm.KindEmptyContent
	}
	if err != nil {
		s.Text, s.Err, s.Reason = "", err, llm.Reason(err)
		if errors.Is(err, errNoPassage) {
			s.Reason = reasonNoResults
		}
		w.emitError(ctx, i, *s)
		return
	}
	if !s.Partial {
		w.cacheSummary(ctx, i, d, key, s.Text)
	}
	w.emitComplete(ctx, i, *s)
}

// inSlot runs f in a call slot and converts a panic to an error.
func (w *work) inSlot(ctx context.Context, f func() error) error {
	return inSlot(ctx, w.Semaphore, f)
}

func inSlot(ctx context.Context, slots *clock.Semaphore, f func() error) error {
	if err := slots.Acquire(ctx); err != nil {
		return err
	}
	defer slots.Release()
	if err := ctx.Err(); err != nil { // the context may have ended while waiting
		return err
	}
	return clock.CatchPanic(node, f)
}

func (w *work) summarize(ctx context.Context, i int, d Document) (_ string, partial bool, err error) {
	text, partial, err := w.material(ctx, i, d)
	if err != nil {
		return "", false, err
	}
	pieces := pieceJoiner{emit: func(piece string) { w.emitPiece(ctx, i, d, piece) }}
	summary, err := w.Summarize(ctx, d, text, pieces.add)
	pieces.end()
	if err != nil {
		return "", false, fmt.Errorf("summarize %s: %w", d.ID, err)
	}
	return strings.TrimSpace(summary), partial, nil
}
