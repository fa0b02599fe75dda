// Package digest condenses many documents to what one prompt has room for: a summary of
// each, and reports of groups of them where the summaries are too many.
//
// Its calls run side by side. On the wall clock so do their events: whoever records them
// must take them one at a time.
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

// node is under which summaries stand in the trace.
const node = "document_summary"

// Document is what is summarised.
type Document struct{ ID, Title, Text string }

// Summary is that of one document, or why there is none.
type Summary struct {
	ID, Title string
	Text      string // "": there is none
	Cached    bool   // it was not made now
	Partial   bool   // not all could be recalled that it was to be made of: it is not kept
	Reason    string // why there is none, for a program
	Err       error
}

// Why there is no summary, beside the kinds of failed calls.
const (
	reasonEmpty      = "empty_document"
	reasonUnreadable = "unreadable" // nothing but signs and control characters
	reasonNoResults  = "no_results" // no passage of a large document answers a question
)

// ErrNoSummary is the error of documents of which not one could be summarised.
var ErrNoSummary = errors.New("no document could be summarized")

// Config is how documents are summarised.
type Config struct {
	// Semaphore bound the calls that are under way at once: a document being recalled or
	// summarised has one. The functions below must not take another. Required.
	Semaphore *clock.Semaphore

	// Summarize makes a summary of a text, and may hand on pieces of it as they come.
	// It must not depend on what the user asks: summaries are shared. Required.
	Summarize func(ctx context.Context, d Document, text string, piece func(string)) (string, error)

	DirectContentTokens int      // tokens of the largest document that is shown as a whole
	Questions           []string // asked of larger ones: they are shown by the passages that answer
	Retrieve            func(ctx context.Context, d Document, question string) ([]recall.Chunk, error)

	Cache            cache.Store // nil: none
	Version          string      // of whatever a summary depends on beside the document: model, prompt …
	RetrievalVersion string      // of whatever that of a document depends on besides that is not shown as a whole
	Refresh          bool        // makes all summaries anew, and keeps those
}

// Summaries are those of the documents, in their order. A document that fails does not
// fail the others; the error is ErrNoSummary, or that of a context that has ended.
func Summaries(ctx context.Context, cfg Config, docs []Document) ([]Summary, error) {
	w := &work{Config: cfg, total: len(docs)}
	w.tellInit(ctx)
	list := make([]Summary, len(docs))
	for i, d := range docs {
		list[i] = Summary{ID: d.ID, Title: d.Title}
		if list[i].Reason = unreadable(d.Text); list[i].Reason != "" {
			list[i].Err = errors.New("there is nothing to read")
			w.tellError(ctx, i, list[i])
		}
	}
	keys := w.lookUp(ctx, docs, list)
	group, _ := clock.NewGroup(ctx, 0)
	for i, d := range docs {
		if list[i].Text != "" || list[i].Err != nil {
			continue
		}
		group.Go(node, func(ctx context.Context) error {
			w.make(trace.InBranch(ctx, i), i, d, &list[i], keys[i])
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

// work is the summarising of one turn's documents.
type work struct {
	Config
	total int
}

// make makes the summary of a document, in a slot of the turn's calls, and keeps it.
func (w *work) make(ctx context.Context, i int, d Document, s *Summary, key string) {
	err := w.inSlot(ctx, func() (err error) {
		w.tellStart(ctx, i, d)
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
		if errors.Is(err, errNothing) {
			s.Reason = reasonNoResults
		}
		w.tellError(ctx, i, *s)
		return
	}
	if !s.Partial {
		w.keep(ctx, i, d, key, s.Text)
	}
	w.tellComplete(ctx, i, *s)
}

// inSlot runs f with one of the slots; its panic is an error.
func (w *work) inSlot(ctx context.Context, f func() error) error {
	return inSlot(ctx, w.Semaphore, f)
}

func inSlot(ctx context.Context, slots *clock.Semaphore, f func() error) error {
	if err := slots.Acquire(ctx); err != nil {
		return err
	}
	defer slots.Release()
	if err := ctx.Err(); err != nil { // it ended as the slot came
		return err
	}
	return clock.CatchPanic(node, f)
}

func (w *work) summarize(ctx context.Context, i int, d Document) (_ string, partial bool, err error) {
	text, partial, err := w.material(ctx, i, d)
	if err != nil {
		return "", false, err
	}
	pieces := joined{tell: func(piece string) { w.tellPiece(ctx, i, d, piece) }}
	made, err := w.Summarize(ctx, d, text, pieces.add)
	pieces.end()
	if err != nil {
		return "", false, fmt.Errorf("summarise %s: %w", d.ID, err)
	}
	return strings.TrimSpace(made), partial, nil
}
