package toolrouter

import (
	"context"
	"strings"

	"evalctl/agent"
	"evalctl/agent/llm"
)

func (r *run) chat(ctx context.Context, system, question string) error {
	r.chatCalled = true
	a, err := r.Chat.Stream(ctx, llm.Request{Messages: messages(system, r.received.History, question)},
		func(chunk string) error {
			r.emitChunk(ctx, chunk)
			return nil
		})
	if err == nil && a.IsEmpty() {
		err = &llm.Error{Kind: llm.KindEmptyContent, Provider: r.Chat.Provider().Name,
			Message: "the model answered nothing"}
	}
	return wrapNode("chat", err)
}

// system returns the system prompt of the chat model: the system messages of the conversation, or
// the built-in prompt if there are none. It ends with sentences about missing features.
func (r *run) system() string {
	var parts []string
	for _, m := range r.received.History {
		if m.Role == "system" && m.Content != "" {
			parts = append(parts, m.Content)
		}
	}
	if parts == nil {
		parts = []string{r.Prompts.Chat.Text}
	}
	return strings.Join(append(parts, r.missingFeatures()...), "\n\n")
}

// missingFeatures returns sentences that name the features that this variant lacks, such as web
// search. They prevent the chat model from inventing an answer.
func (r *run) missingFeatures() (lines []string) {
	for _, a := range []struct {
		lacks bool
		line  string
	}{
		{r.Disabled.WebSearch, "你现在没有联网搜索。用户要查实时信息时，先说明这一点，再凭已有的知识回答，不要编造最新的消息和网址。"},
		{r.Disabled.ImageGen, "你现在不能画图。用户要图片时，直接说明这一点，不要假装已经画好。"},
		{r.NoVision, "你现在看不到图片。用户问起图片里的内容时，直接说明这一点，不要猜测。"},
	} {
		if a.lacks {
			lines = append(lines, a.line)
		}
	}
	return lines
}

func messages(system string, history []agent.Message, question string) []llm.Message {
	list := []llm.Message{llm.SystemMessage(system)}
	for _, m := range history {
		switch {
		case strings.TrimSpace(m.Content) == "": // the turn contained only an image
		case m.Role == "user":
			list = append(list, llm.UserMessage(m.Content))
		case m.Role == "assistant":
			list = append(list, llm.AssistantMessage(m.Content))
		}
	}
	return append(list, llm.UserMessage(question))
}
