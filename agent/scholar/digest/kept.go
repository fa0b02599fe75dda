package digest

import (
	"context"
	"fmt"
	"strings"

	"evalctl/agent/cache"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// key is under which a document's summary is kept. Its hash changes with whatever the
// summary depends on; that of a document shown as a whole on nothing that is recalled.
func (w *work) key(d Document) string {
	of := []any{d.Text, d.Title, w.Version}
	if !w.isSmall(d) {
		of = append(of, w.DirectContentTokens, w.Questions, w.RetrievalVersion)
	}
	return fmt.Sprintf("doc_summary:%s:%s", d.ID, cache.Key(of...))
}

// lookUp finds the summaries that are kept, all at once, and gives the keys of all.
func (w *work) lookUp(ctx context.Context, docs []Document, list []Summary) []string {
	keys := make([]string, len(docs))
	if w.Cache == nil {
		return keys
	}
	var asked []string
	for i, d := range docs {
		if list[i].Err == nil {
			keys[i] = w.key(d)
			asked = append(asked, keys[i])
		}
	}
	if w.Refresh || len(asked) == 0 {
		return keys
	}
	kept, err := w.Cache.GetAll(ctx, asked)
	if err != nil {
		trace.Emit(ctx, trace.Event{Kind: trace.KindCacheError, Node: node, Reason: llm.Reason(err), Text: "look-up"})
	}
	for i, d := range docs {
		if keys[i] == "" {
			continue
		}
		if text := strings.TrimSpace(kept[keys[i]]); text != "" {
			list[i].Text, list[i].Cached = text, true
			w.tell(ctx, trace.Event{Kind: trace.KindCacheHit}, i, d.ID, d.Title)
			w.tellComplete(ctx, i, list[i])
			continue
		}
		w.tell(ctx, trace.Event{Kind: trace.KindCacheMiss}, i, d.ID, d.Title)
	}
	return keys
}

// keep puts a new summary in.
func (w *work) keep(ctx context.Context, i int, d Document, key, text string) {
	if key == "" {
		return
	}
	if err := w.Cache.Put(ctx, key, text); err != nil && ctx.Err() == nil {
		w.tell(ctx, trace.Event{Kind: trace.KindCacheError, Reason: llm.Reason(err), Text: "store"}, i, d.ID, d.Title)
	}
}
