package toolrouter

import (
	"cmp"
	"context"
	"slices"

	"evalctl/agent"
	"evalctl/agent/search"
	"evalctl/agent/toolrouter/intent"
)

const searchingBanner = "🔍 正在联网搜索..."

// refersBack matches the beginning of a short question that depends on the one before it, such as
// 那上海呢, 他多大了, "and in London?" or "how old is she".
var refersBack = phrase(`^[\s\pP]*(?:那|还有|以及|至于|换成|[他她它]|这[个家部](?:[^月]|$))` +
	`|^[\s\pP]*(?:and|or|but|also|then|what about|how about)\b|\b(?:he|she|they|him|them|his|her|their)\b` +
	`|\bthere[\s\pP]*$`)

// namesOther matches a short question that only names another place, day or thing: 那上海呢, 昨天呢, "and in
// Rome?" or "what about tomorrow".
var (
	namesOther = phrase(`^[\s\pP]*(?:那么?|还有)?[^\s\pP]{1,10}呢[\s\pP]*$` +
		`|^[\s\pP]*(?:and|what about|how about)(?: [\w'’.&-]+){1,5}[\s\pP]*$`)
	// the user, the agent, a reason or another kind of request
	namesNoOther = phrase(`[你您我咱她谁]|[他它]们?呢|为[什啥何]|怎|什么|啥|哪|然后|所以|后来|结果|还[早没行好在]|[才正]在|没|着呢|不[是知会要能好行]|觉得|谢|笑话|故事` +
		`|\b(?:you|your|yours|yourself|i|me|my|we|us|why|then|so|if|thanks?|joke|story|poem|song|draw\w*|paint\w*|tell|write|make|making|going|having|doing)\b| how\b`)
)

// isFollowUp reports whether a text needs the question before it to be searched for. A question such as
// 上海的天气怎么样呢 names its own kind of fact and needs none.
func isFollowUp(text string) bool {
	if len(text) > maxReferenceLen {
		return false
	}
	plain := normalize(text)
	if refersBack.MatchString(plain) {
		return true
	}
	_, complete := intent.DetectWebSearch(text)
	return !complete && namesOther.MatchString(plain)
}

// followedSearch returns the search rule of the question that a text follows up, according to the rules:
// the text only names another place, day or thing, and it comes directly after that question or another
// follow-up to it.
func followedSearch(text string, history []agent.Message) (intent.Rule, bool) {
	for _, m := range slices.Backward(history) {
		if !onlyNamesOther(text) {
			break
		}
		if m.Role != "user" {
			continue
		}
		if route, rule := intent.Decide(m.Content, allRoutes); route != 0 {
			return rule, route == intent.RouteWebSearch
		}
		text = m.Content
	}
	return "", false
}

func onlyNamesOther(text string) bool {
	if len(text) > maxReferenceLen {
		return false
	}
	plain := normalize(text)
	return namesOther.MatchString(plain) && !namesNoOther.MatchString(plain)
}

// asksFact matches a question. A request such as 讲个笑话 does not match.
var asksFact = phrase(`[?？吗呢嘛啥谁几哪]|什么|多少|怎|如何|\b(?:what|which|who|whose|where|when|how|is|are|does|did)\b`)

// searchQuery returns the text to search for: the user's text, and before it, if the text is a
// follow-up, the question that it follows up.
func (r *run) searchQuery() string {
	query := userText(r.turn)
	if !isFollowUp(r.turn.Text) {
		return query
	}
	before := followedQuestion(r.turn.History)
	if before == "" {
		return query
	}
	return inLanguageOf(r.turn.Text, "上一个问题：", "Previous question: ") + before + "\n" + query
}

// followedQuestion returns the user's last complete question, which is not itself a follow-up. If there is none, it
// returns the last other message, or "".
func followedQuestion(history []agent.Message) (last string) {
	for _, m := range slices.Backward(history) {
		content := truncate(m.Content)
		if m.Role != "user" || content == "" || isFollowUp(m.Content) || onlyRepeats(m.Content) {
			continue
		}
		if _, searched := intent.DetectWebSearch(m.Content); searched || asksFact.MatchString(normalize(content)) {
			return content
		}
		last = cmp.Or(last, content)
	}
	return last
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
