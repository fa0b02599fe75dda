package scholar

import (
	"context"
	"fmt"
	"strings"

	"evalctl/agent/tokens"
)

// listed returns a list of documents for a prompt: one line with ID and title each.
func listed(docs []*document) string { return listedShort(docs, 100) }

// listedShort works like listed, but truncates each title to title characters.
func listedShort(docs []*document, title int) string {
	var b strings.Builder
	for _, d := range docs {
		fmt.Fprintf(&b, "- %s：%s\n", d.ID, shortened(strings.ReplaceAll(d.Title, "\n", " "), title))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// listedWithin returns a list of documents that fits into the available tokens. If necessary it
// shortens the titles, then omits them, then lists only the first documents. Omissions are traced.
func (r *run) listedWithin(ctx context.Context, node string, docs []*document) string {
	const shortTitle = 20
	left := r.budget.available()
	for _, title := range []int{100, shortTitle, 0} {
		if list := listedShort(docs, title); tokens.Count(list) <= left {
			if title < 100 {
				traceIgnored(ctx, node, "documents", fmt.Sprintf("titles but for %d characters", title),
					"", "context_full")
			}
			return list
		}
	}
	list := wholeBefore(tokens.Truncate(listedShort(docs, 0), max(left-2, 0)), "\n")
	traceIgnored(ctx, node, "documents", fmt.Sprintf("%d of %d", len(docs)-strings.Count("\n"+list, "\n- "), len(docs)),
		"", "context_full")
	return strings.TrimSpace(list + "\n…")
}

// truncateToRoom truncates a text to the available tokens, at a separator if possible. The omission
// is traced; what names the text in the trace.
func (r *run) truncateToRoom(ctx context.Context, node, what, text, separator string) string {
	taken := tokens.Truncate(text, max(r.budget.available(), 0))
	if taken == text {
		return text
	}
	if taken = wholeBefore(taken, separator); taken == "" {
		taken = tokens.Truncate(text, max(r.budget.available(), 0))
	}
	traceIgnored(ctx, node, what, fmt.Sprintf("%d of %d bytes", len(text)-len(taken), len(text)), "", "context_full")
	return taken
}

// wholeBefore returns the text before its last separator; "" if there is no separator.
func wholeBefore(text, separator string) string {
	return text[:max(strings.LastIndex(text, separator), 0)]
}
