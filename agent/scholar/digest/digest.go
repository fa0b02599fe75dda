// Package digest shortens many documents so that they fit into one prompt. It summarizes each
// document. If there are too many summaries, it writes reports on groups of them.
//
// Calls run and emit trace events concurrently, so the recorder must serialize the events. In
// simulated time they are already serialized.
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

// node is the name of summaries in the trace.
const node = "document_summary"

// Document is a document to summarize.
type Document struct {
	ID, Title, Text string
	IsRemote        bool // Text is empty, because only the retrieval service has it; the summary is not cached
}

// Summary is the summary of one document, or the reason why there is none.
type Summary struct {
	ID, Title string
	Text      string // "" if there is no summary
	Cached    bool   // the summary is from the cache
	Partial   bool   // some retrievals failed, so the summary is incomplete and was not cached
	Reason    string // machine-readable reason why there is no summary; "": there is one
	Err       error  // why there is no summary; nil: there is one
}

// Values of Summary.Reason, in addition to the names of call errors.
const (
	reasonEmpty      = "empty_document"
	reasonUnreadable = "unreadable" // the text contains only punctuation and control characters
	reasonNoResults  = "no_results" // no passage of a large document matches any question
)

// ErrNoSummary is returned if no document could be summarized.
var ErrNoSummary = errors.New("no document could be summarized")

// Config configures Summaries: how documents are summarized, and where summaries are cached.
type Config struct {
	// Semaphore limits the concurrent calls. Summaries holds it while it calls Retrieve and
	// Summarize, so these functions must not acquire it. Required.
	Semaphore *clock.Semaphore

	// Summarize returns the summary of a text, and may pass pieces of it to piece as they arrive.
	// It must not depend on the user's question, because summaries are cached. Required.
	Summarize func(ctx context.Context, d Document, text string, piece func(string)) (string, error)

	MaxFullTextTokens int // size in tokens up to which a document is summarized from its full text
	// Questions are the search questions for larger documents, which are summarized from the
	// passages that Retrieve finds.
	Questions []string
	Retrieve  func(ctx context.Context, d Document, question string) ([]recall.Chunk, error)

	Cache cache.Store // cache of summaries; nil: none
	// changes with everything that summaries depend on except the document, such as model and
	// prompt
	Version string
	// changes with the retrieval parameters, on which the summaries of large documents also depend
	RetrievalVersion string
	Refresh          bool // ignore cached summaries and replace them
}

// Summarize returns the summary of each document, in order. A document that fails does not affect
// other documents; its Summary contains the error. Summaries returns ErrNoSummary if all fail, and
// the context's error if that ended.
func Summarize(ctx context.Context, cfg Config, docs []Document) ([]Summary, error) {
	w := &work{Config: cfg, total: len(docs)}
	w.emitInit(ctx)
	list := make([]Summary, len(docs))
	for i, d := range docs {
		list[i] = Summary{ID: d.ID, Title: d.Title}
		if d.IsRemote {
			continue
		}
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
			w.summarizeDocument(trace.WithBranch(ctx, i), i, d, &list[i], keys[i])
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

// work is the state of one call of Summaries.
type work struct {
	Config
	total int
}

// summarizeDocument summarizes one document into s and caches the summary. key is its cache key.
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
		s.Text, s.Err, s.Reason = "", err, llm.TraceReason(err)
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

// inSlot runs f while holding the semaphore, and converts a panic to an error.
func (w *work) inSlot(ctx context.Context, f func() error) error {
	return inSlot(ctx, w.Semaphore, f)
}

func inSlot(ctx context.Context, slots *clock.Semaphore, f func() error) error {
	if err := slots.Acquire(ctx); err != nil {
		return err
	}
	defer slots.Release()
	if err := ctx.Err(); err != nil { // the context may have ended while waiting for the semaphore
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
