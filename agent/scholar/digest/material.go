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

// errNoPassage is returned if no passage of a large document was found.
var errNoPassage = errors.New("no passage was found")

// material is the input of a document's summary. A small document is used completely. A large one
// is represented by the distinct passages for the questions, up to the size of a small one. A
// failed question does not fail the others, but the result is partial.
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
			w.emit(ctx, trace.Event{Kind: trace.KindNodeError, Reason: llm.Reason(err), Text: excerpt(q)},
				index, d.ID, d.Title)
		}
		if ctx.Err() != nil {
			return "", false, ctx.Err()
		}
	}
	text = passages(answers, w.DirectContentTokens)
	if text == "" {
		if failed == nil {
			failed = fmt.Errorf("recall %s: %w", d.ID, errNoPassage)
		}
		return "", false, failed
	}
	return text, failed != nil, nil
}

// isSmall reports whether a document is summarized from its full text. A token has at least one
// byte.
func (w *work) isSmall(d Document) bool {
	return len(d.Text) <= w.DirectContentTokens || tokens.Truncate(d.Text, w.DirectContentTokens) == d.Text
}

// passages takes passages of all questions in turn, best first, until room is used up.
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
