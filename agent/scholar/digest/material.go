package digest

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"evalctl/agent/llm"
	"evalctl/agent/recall"
	"evalctl/agent/tokens"
	"evalctl/agent/trace"
)

// errNothing is why a large document cannot be shown.
var errNothing = errors.New("no passage was found")

// material is what of a document is shown: all of it, or the passages of a large one
// that answer the questions, each once, as many as a document that is shown whole may
// have. A question that fails does not fail the others: what is shown is partial.
func (w *work) material(ctx context.Context, index int, d Document) (text string, partial bool, err error) {
	if w.isSmall(d) {
		return d.Text, false, nil
	}
	if w.Retrieve == nil || len(w.Questions) == 0 {
		return "", false, fmt.Errorf("recall %s: %w", d.ID, errNothing)
	}
	answers := make([][]recall.Chunk, len(w.Questions))
	var failed error
	for i, q := range w.Questions {
		var err error
		if answers[i], err = w.Retrieve(ctx, d, q); err != nil {
			failed = fmt.Errorf("recall %s: %w", d.ID, err)
			w.tell(ctx, trace.Event{Kind: trace.KindNodeError, Reason: llm.Reason(err), Text: beginning(q)}, index, d.ID, d.Title)
		}
		if ctx.Err() != nil {
			return "", false, ctx.Err()
		}
	}
	text = passages(answers, w.DirectContentTokens)
	if text == "" {
		if failed == nil {
			failed = fmt.Errorf("recall %s: %w", d.ID, errNothing)
		}
		return "", false, failed
	}
	return text, failed != nil, nil
}

// isSmall tells whether a document is shown as a whole. A token has a byte at least.
func (w *work) isSmall(d Document) bool {
	return len(d.Text) <= w.DirectContentTokens || tokens.Truncate(d.Text, w.DirectContentTokens) == d.Text
}

// passages takes turns between the questions, best answers first, until there is no room.
func passages(answers [][]recall.Chunk, room int) string {
	var b strings.Builder
	seen := map[string]bool{}
	for rank := 0; ; rank++ {
		more := false
		for _, chunks := range answers {
			if rank >= len(chunks) {
				continue
			}
			more = true
			text := strings.TrimSpace(chunks[rank].Content)
			if text == "" || seen[text] {
				continue
			}
			seen[text] = true
			text += "\n\n"
			n := tokens.Count(text)
			if n > room && b.Len() == 0 {
				return tokens.Truncate(text, room)
			}
			if n <= room {
				b.WriteString(text)
				room -= n
			}
		}
		if !more {
			return strings.TrimSpace(b.String())
		}
	}
}
