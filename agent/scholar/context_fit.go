package scholar

import (
	"context"
	"fmt"
	"strings"

	"evalctl/agent/tokens"
)

// listed are the turn's documents as prompts show them: a line each.
func listed(docs []*document) string { return listedShort(docs, 100) }

// listedShort has so many characters of each title.
func listedShort(docs []*document, title int) string {
	var b strings.Builder
	for _, d := range docs {
		fmt.Fprintf(&b, "- %s：%s\n", d.ID, shortened(strings.ReplaceAll(d.Title, "\n", " "), title))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// listedWithin lists documents in the room that the window has: with shorter titles where
// that is too little, then with none, then no more than have room. What is left out is
// told of.
func (r *run) listedWithin(ctx context.Context, node string, docs []*document) string {
	const shortTitle = 20
	left := r.room.available()
	for _, title := range []int{100, shortTitle, 0} {
		if list := listedShort(docs, title); tokens.Count(list) <= left {
			if title < 100 {
				unused(ctx, node, "documents", fmt.Sprintf("titles but for %d characters", title), "", "context_full")
			}
			return list
		}
	}
	list := wholeBefore(tokens.Truncate(listedShort(docs, 0), max(left-2, 0)), "\n")
	unused(ctx, node, "documents", fmt.Sprintf("%d of %d", len(docs)-strings.Count("\n"+list, "\n- "), len(docs)), "", "context_full")
	return strings.TrimSpace(list + "\n…")
}

// withinRoom is as much of a text as the window has room for, but for a part at its end
// that is not whole, where parts are separated. What is left out is told of.
func (r *run) withinRoom(ctx context.Context, node, what, text, separator string) string {
	taken := tokens.Truncate(text, max(r.room.available(), 0))
	if taken == text {
		return text
	}
	if taken = wholeBefore(taken, separator); taken == "" {
		taken = tokens.Truncate(text, max(r.room.available(), 0))
	}
	unused(ctx, node, what, fmt.Sprintf("%d of %d bytes", len(text)-len(taken), len(text)), "", "context_full")
	return taken
}

// wholeBefore is a text up to its last separator, "" where it has none.
func wholeBefore(text, separator string) string {
	return text[:max(strings.LastIndex(text, separator), 0)]
}
