package scholar

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"evalctl/agent/llm"
	"evalctl/agent/search"
)

// maxResults of the web are shown to the model.
const maxResults = 5

// interact is a node: conversation, with all that was said before, and with what the web
// has where the user wants that.
func (r *run) interact(ctx context.Context) error {
	system, err := r.Prompts.Simple.Fill(places{Web: r.browse(ctx)})
	if err != nil {
		return err
	}
	if err := r.stream(ctx, "chat", simpleNode, r.messages(system, allTurns)); err != nil {
		return err
	}
	r.reply.Served = simpleInteraction
	return nil
}

// browse is what the web has on the message, "" where it was not asked or has nothing.
func (r *run) browse(ctx context.Context) string {
	if !r.web {
		return ""
	}
	engine, err := r.newEngine()
	var got search.Found
	if err == nil {
		got, err = engine.Find(ctx, shortened(r.turn.Text, 300), maxResults)
	}
	if err != nil {
		reason := llm.Reason(err)
		if errors.Is(err, search.ErrEmpty) {
			reason = "nothing_found"
		}
		fallback(ctx, searchNode, searchNode, simpleNode, reason)
		return ""
	}
	return r.withinRoom(ctx, searchNode, "results", shownWeb(got), "\n\n")
}

// shownWeb are results with numbers and addresses.
func shownWeb(got search.Found) string {
	var b strings.Builder
	if got.Answer != "" {
		fmt.Fprintf(&b, "概要：%s\n\n", shortened(got.Answer, 1000))
	}
	for i, res := range got.Results[:min(len(got.Results), maxResults)] {
		fmt.Fprintf(&b, "[%d] %s\n%s\n%s\n\n", i+1, cmp.Or(shortened(res.Title, 200), res.URL), shortened(res.URL, 500), shortened(res.Content, 1500))
	}
	return strings.TrimSpace(b.String())
}
