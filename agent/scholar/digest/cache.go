package digest

import (
	"context"
	"fmt"
	"strings"

	"evalctl/agent/cache"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// key returns the cache key of a document's summary. It contains a hash of everything that the
// summary depends on. The key of a small document does not depend on the retrieval parameters.
func (w *work) key(d Document) string {
	of := []any{d.Text, d.Title, w.Version}
	if !w.isSmall(d) {
		of = append(of, w.MaxFullTextTokens, w.Questions, w.RetrievalVersion)
	}
	return fmt.Sprintf("doc_summary:%s:%s", d.ID, cache.Key(of...))
}

// loadCached loads the cached summaries of the documents into list, with one request. It returns
// the cache key of each document.
func (w *work) loadCached(ctx context.Context, docs []Document, list []Summary) []string {
	keys := make([]string, len(docs))
	if w.Cache == nil {
		return keys
	}
	var requested []string
	for i, d := range docs {
		if list[i].Err == nil && !d.IsRemote {
			keys[i] = w.key(d)
			requested = append(requested, keys[i])
		}
	}
	if w.Refresh || len(requested) == 0 {
		return keys
	}
	cached, err := w.Cache.GetAll(ctx, requested)
	if err != nil {
		trace.Emit(ctx, trace.Event{
			Kind:   trace.KindCacheError,
			Node:   node,
			Reason: llm.TraceReason(err),
			Text:   "look-up",
		})
	}
	for i, d := range docs {
		if keys[i] == "" {
			continue
		}
		if text := strings.TrimSpace(cached[keys[i]]); text != "" {
			list[i].Text, list[i].Cached = text, true
			w.emit(ctx, trace.Event{Kind: trace.KindCacheHit}, i, d.ID, d.Title)
			w.emitComplete(ctx, i, list[i])
			continue
		}
		w.emit(ctx, trace.Event{Kind: trace.KindCacheMiss}, i, d.ID, d.Title)
	}
	return keys
}

// cacheSummary stores a new summary in the cache.
func (w *work) cacheSummary(ctx context.Context, i int, d Document, key, text string) {
	if key == "" {
		return
	}
	if err := w.Cache.Put(ctx, key, text); err != nil && ctx.Err() == nil {
		w.emit(ctx, trace.Event{Kind: trace.KindCacheError, Reason: llm.TraceReason(err), Text: "store"},
			i, d.ID, d.Title)
	}
}
