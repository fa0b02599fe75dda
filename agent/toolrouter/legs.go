package toolrouter

import (
	"context"
	"strings"
	"unicode"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/search"
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
	prompt, err := r.improve(ctx)
	if err != nil {
		return err
	}
	picture, err := r.Image.Generate(ctx, prompt)
	if err != nil {
		return err
	}
	r.reply.GeneratedImageURL = picture.URL
	r.reply.ToolCalls = append(r.reply.ToolCalls, agent.ToolCall{Name: ImageGen, Input: prompt, Output: picture.URL})
	r.say(ctx, inLanguageOf(r.turn.Text, "图片已经生成好了。", "Your picture is ready."))
	return nil
}

// improve has the model write a better prompt; where it cannot, the text
// itself will do. The error is of a context that has ended.
func (r *run) improve(ctx context.Context) (string, error) {
	better, err := tell(ctx, "improve", r.Improve, llm.System(r.Prompts.Improve.Text), llm.User(r.userText()))
	switch {
	case err == nil:
		return better, nil
	case ctx.Err() != nil:
		return "", err
	default:
		r.fallback(ctx, "improve", "text", reason(err))
		return r.turn.Text, nil
	}
}

// tell asks a model for a text, which must not be blank.
func tell(ctx context.Context, name string, c *llm.Client, messages ...llm.Message) (string, error) {
	return node(name, func() (string, error) {
		a, err := c.Chat(ctx, llm.Request{Messages: messages})
		if err == nil && a.Empty() {
			err = llm.KindEmpty
		}
		return strings.TrimSpace(a.Content), err
	})
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
	found, err := node("search", func() (search.Facts, error) { return r.Search.SearchAndExtract(ctx, query) })
	if err == nil || ctx.Err() != nil {
		return found.Text, err
	}
	r.fallback(ctx, "search", "digest", reason(err))
	found, err = r.Search.Digest(ctx, query)
	return found.Text, err
}

// chat streams the model's answer to the conversation.
func (r *run) chat(ctx context.Context, system, question string) error {
	r.talked = true
	a, err := r.Chat.Stream(ctx, llm.Request{Messages: r.messages(system, question)}, func(chunk string) error {
		r.say(ctx, chunk)
		return nil
	})
	if err == nil && a.Empty() {
		return &llm.Error{Kind: llm.KindEmpty, Provider: r.Chat.Provider().Name, Message: "the model answered nothing"}
	}
	return err
}

// system is what the conversation tells the model of its part, or the shipped
// prompt where it tells nothing.
func (r *run) system() string {
	var parts []string
	for _, m := range r.turn.History {
		if m.Role == "system" && m.Content != "" {
			parts = append(parts, m.Content)
		}
	}
	if parts == nil {
		return r.Prompts.Chat.Text
	}
	return strings.Join(parts, "\n\n")
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
	r.say(ctx, timeAnswer(clock.Now(ctx), isChinese(r.turn.Text)))
	return nil
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
