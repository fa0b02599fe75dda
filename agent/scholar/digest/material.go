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

// errNoPassage is the error for a large document in which no passage was found.
var errNoPassage = errors.New("no passage was found")

// material returns the text from which a document is summarized. For a small document it is the
// full text. For a large one it consists of the passages that match the questions. If some searches
// fail, partial is true.
func (w *work) material(ctx context.Context, index int, d Document) (text string, partial bool, err error) {
	if w.isSmall(d) {
		return d.Text, false, nil
	}
	if w.Retrieve == nil || len(w.Questions) == 0 {
		return "", false, fmt.Errorf("recall %s: %w", d.ID, errNoPassage)
	}
	answers := make([][]recall.Chunk, len(w.Questions))
	var failed error
	for i, q := range w.Questions {
		var err error
		if answers[i], err = w.Retrieve(ctx, d, q); err != nil {
			failed = fmt.Errorf("recall %s: %w", d.ID, err)
			w.emit(ctx, trace.Event{Kind: trace.KindNodeError, Reason: llm.TraceReason(err), Text: excerpt(q)},
				index, d.ID, d.Title)
		}
		if ctx.Err() != nil {
			return "", false, ctx.Err()
		}
	}
	text = passages(answers, w.MaxFullTextTokens)
	if text == "" {
		if failed == nil {
			failed = fmt.Errorf("recall %s: %w", d.ID, errNoPassage)
		}
		return "", false, failed
	}
	return text, failed != nil, nil
}

// isSmall reports whether a document is summarized from its full text. It first compares bytes,
// because a token has at least one byte.
func (w *work) isSmall(d Document) bool {
	return !d.IsRemote && (len(d.Text) <= w.MaxFullTextTokens || tokens.Truncate(d.Text, w.MaxFullTextTokens) == d.Text)
}

// passages joins the best passages for each question until room tokens are used. It takes the best
// passage for each question, then the second best, and so on.
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
