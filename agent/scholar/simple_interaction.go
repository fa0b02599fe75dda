package scholar

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/search"
)

// maxResults is the maximum number of web results in a prompt.
const maxResults = 5

// interact is the node for conversation. The model receives the whole history, and web results if
// the request enables them.
func (r *run) interact(ctx context.Context) error {
	system, err := r.Prompts.Simple.Fill(r.webPromptData(ctx))
	if err != nil {
		return err
	}
	if err := r.stream(ctx, "chat", simpleNode, r.messages(system, allTurns)); err != nil {
		return err
	}
	r.reply.AnsweredBy = simpleInteraction
	return nil
}

// webPromptData returns the data of a prompt about the web search: its results, or why there are
// none, and the date.
func (r *run) webPromptData(ctx context.Context) promptData {
	if !r.web {
		return promptData{}
	}
	if r.NoSearch {
		return promptData{Offline: "没有配置联网搜索，搜不了", Today: clock.Now(ctx).Format(time.DateOnly)}
	}
	found := r.searchWeb(ctx)
	return promptData{Web: found, Offline: r.noWebReason, Today: clock.Now(ctx).Format(time.DateOnly)}
}

// searchWeb returns the web results for the user's message as text; "" if there are none.
func (r *run) searchWeb(ctx context.Context) string {
	engine, err := r.newEngine()
	var got search.Results
	if err == nil {
		got, err = engine.Search(ctx, shortened(r.turn.Text, 300), maxResults)
	}
	if err != nil {
		reason := llm.TraceReason(err)
		if errors.Is(err, search.ErrNoResults) {
			reason, r.noWebReason = "no_results", "联网搜索没有找到相关的内容"
		} else {
			r.noWebReason = "联网搜索没有成功"
			nodeError(ctx, searchNode, "", err)
		}
		fallback(ctx, searchNode, searchNode, simpleNode, reason)
		return ""
	}
	return r.truncateToRoom(ctx, searchNode, "results", formatResults(got), "\n\n")
}

// formatResults formats web results for a prompt, each with number, URL, and date if known.
func formatResults(got search.Results) string {
	var b strings.Builder
	if got.Answer != "" {
		fmt.Fprintf(&b, "概要：%s\n\n", shortened(got.Answer, 1000))
	}
	for i, res := range got.Pages[:min(len(got.Pages), maxResults)] {
		date := ""
		if !res.Date.IsZero() {
			date = "（" + res.Date.Format(time.DateOnly) + "）"
		}
		fmt.Fprintf(&b, "[%d] %s%s\n%s\n%s\n\n", i+1, cmp.Or(shortened(res.Title, 200), res.URL), date,
			shortened(res.URL, 500), shortened(res.Content, 1500))
	}
	return strings.TrimSpace(b.String())
}
