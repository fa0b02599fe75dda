package toolrouter

import (
	"context"
	"strings"
	"unicode"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/llm"
)

// What is shown while a tool works.
const (
	drawingBanner   = "🎨 正在生成图片..."
	searchingBanner = "🔍 正在联网搜索..."
)

// draw makes the picture. It travels in the reply's own field, never in the
// text.
func (r *run) draw(ctx context.Context) error {
	r.announce(ctx, drawingBanner)
	prompt, err := r.improve(ctx, r.turn.Text)
	if err != nil {
		return err
	}
	picture, err := r.Image.Generate(ctx, prompt)
	if err != nil {
		return err
	}
	r.reply.GeneratedImageURL = picture.URL
	r.reply.ToolCalls = append(r.reply.ToolCalls, agent.ToolCall{Name: ImageGen, Input: prompt, Output: picture.URL})
	return r.say(ctx, inLanguageOf(r.turn.Text, "图片已经生成好了。", "Your picture is ready."))
}

// improve has the model write a better prompt; where it cannot, the text
// itself will do. The error is of a context that has ended.
func (r *run) improve(ctx context.Context, text string) (string, error) {
	a, err := r.Improve.Chat(ctx, llm.Request{Messages: []llm.Message{
		llm.System(r.Prompts.Improve.Text), llm.User(text),
	}})
	if ctx.Err() != nil {
		return "", err
	}
	if err == nil && a.Empty() {
		err = llm.KindEmpty
	}
	if err != nil {
		r.fallback(ctx, "improve", "text", reason(err))
		return text, nil
	}
	return strings.TrimSpace(a.Content), nil
}

// search answers question with facts from the web that query finds.
func (r *run) search(ctx context.Context, query, question string) error {
	r.announce(ctx, searchingBanner)
	facts, err := r.facts(ctx, query)
	if err != nil {
		return err
	}
	r.reply.ToolCalls = append(r.reply.ToolCalls, agent.ToolCall{Name: WebSearch, Input: query, Output: facts})
	system := r.system() + "\n\n" + inLanguageOf(r.turn.Text, "以下是刚刚联网查到的事实，回答以它们为准：", "Facts just found on the web, which the answer must follow:") + "\n" + facts
	return r.chat(ctx, system, question)
}

// facts looks things up; a plain live digest stands in for extracted facts.
func (r *run) facts(ctx context.Context, query string) (string, error) {
	found, err := r.Search.SearchAndExtract(ctx, query)
	if err == nil || ctx.Err() != nil {
		return found.Text, err
	}
	r.fallback(ctx, "search", "digest", reason(err))
	found, err = r.Search.Digest(ctx, query)
	return found.Text, err
}

// chat streams the model's answer to the conversation.
func (r *run) chat(ctx context.Context, system, question string) error {
	a, err := r.Chat.Stream(ctx, llm.Request{Messages: r.messages(system, question)},
		func(chunk string) error { return r.say(ctx, chunk) })
	if err == nil && a.Empty() {
		return &llm.Error{Kind: llm.KindEmpty, Provider: r.Chat.Provider().Name, Message: "the model answered nothing"}
	}
	return err
}

// system is the conversation's system message, or the shipped one.
func (r *run) system() string {
	for _, m := range r.turn.History {
		if m.Role == "system" {
			return m.Content
		}
	}
	return r.Prompts.Chat.Text
}

// messages are the conversation as the chat model gets it.
func (r *run) messages(system, question string) []llm.Message {
	list := []llm.Message{llm.System(system)}
	for _, m := range r.turn.History {
		switch m.Role {
		case "user":
			list = append(list, llm.User(m.Content))
		case "assistant":
			list = append(list, llm.Assistant(m.Content))
		}
	}
	return append(list, llm.User(question))
}

// tellTime answers from the clock, without a model.
func (r *run) tellTime(ctx context.Context) error {
	return r.say(ctx, timeAnswer(clock.Now(ctx), isChinese(r.turn.Text)))
}

func inLanguageOf(text, chinese, english string) string {
	if isChinese(text) {
		return chinese
	}
	return english
}

func isChinese(text string) bool {
	return strings.ContainsFunc(text, func(c rune) bool { return unicode.Is(unicode.Han, c) })
}
