package toolrouter

import (
	"context"

	"evalctl/agent"
	"evalctl/agent/search"
)

const searchingBanner = "🔍 正在联网搜索..."

// search answers question with facts from the web. query is the text that is searched for.
func (r *run) search(ctx context.Context, query, question string) error {
	r.emitBanner(ctx, searchingBanner)
	facts, err := r.facts(ctx, query)
	if err != nil {
		return err
	}
	r.reply.ToolCalls = append(r.reply.ToolCalls, agent.ToolCall{Name: RouteWebSearch, Input: query, Output: facts})
	system := r.system() + "\n\n" + inLanguageOf(r.turn.Text, "以下是刚刚联网查到的事实，回答以它们为准：",
		"Facts just found on the web, which the answer must follow:") + "\n" + facts
	return r.chat(ctx, system, question)
}

// facts returns facts from the web for a query. If it finds none, it requests a summary of search
// results instead.
func (r *run) facts(ctx context.Context, query string) (string, error) {
	found, err := callNode("search", func() (search.Facts, error) { return r.Search.SearchAndExtract(ctx, query) })
	if err == nil || ctx.Err() != nil {
		return found.Text, err
	}
	r.fallback(ctx, "search", "search_fallback", reason(err))
	found, err = r.Search.SearchFallback(ctx, query)
	return found.Text, err
}
