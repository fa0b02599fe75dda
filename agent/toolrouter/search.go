package toolrouter

import (
	"context"
	"slices"

	"evalctl/agent"
	"evalctl/agent/search"
)

const searchingBanner = "🔍 正在联网搜索..."

// isFollowUp matches the beginning of a short question that depends on the one before it, such as
// 那上海呢, 他多大了, "and in London?" or "how old is she".
var isFollowUp = phrase(`^[\s\pP]*(?:那|还有|以及|至于|换成|[他她它]|这[个家部](?:[^月]|$)|[^\s\pP]{1,10}呢[\s\pP]*$)` +
	`|^[\s\pP]*(?:and|or|but|also|then|what about|how about)\b|\b(?:he|she|they|him|them|his|her|their)\b` +
	`|\bthere[\s\pP]*$`)

// searchQuery returns the text to search for: the user's text, and before it, if the text is a
// follow-up, the last question that is not.
func (r *run) searchQuery() string {
	dependsOnOther := func(text string) bool {
		return len(text) <= maxReferenceLen && isFollowUp.MatchString(normalize(text))
	}
	query := userText(r.turn)
	if !dependsOnOther(r.turn.Text) {
		return query
	}
	for _, m := range slices.Backward(r.turn.History) {
		if m.Role == "user" && !dependsOnOther(m.Content) && !onlyRepeats(m.Content) && truncate(m.Content) != "" {
			return inLanguageOf(r.turn.Text, "上一个问题：", "Previous question: ") + truncate(m.Content) + "\n" + query
		}
	}
	return query
}

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
