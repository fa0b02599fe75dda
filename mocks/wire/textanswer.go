package wire

import (
	"bytes"
	"encoding/json"
	"fmt"

	"evalctl/mocks/model"
)

// textAnswer is an answer of DashScope's own text generation, or a part of one.
type textAnswer struct {
	Output    textOutput `json:"output"`
	Usage     textUsage  `json:"usage"`
	RequestID string     `json:"request_id"`
}

// textOutput is a text or messages, as the request has it.
type textOutput struct {
	Text         *string      `json:"text,omitempty"`
	FinishReason string       `json:"finish_reason,omitempty"`
	Choices      []textChoice `json:"choices,omitempty"`
	SearchInfo   *searchInfo  `json:"search_info,omitempty"`
}

type textChoice struct {
	FinishReason string          `json:"finish_reason"`
	Message      textMessage     `json:"message"`
	Logprobs     json.RawMessage `json:"logprobs,omitempty"`
}

type textMessage struct {
	Role             string            `json:"role"`
	Content          string            `json:"content"`
	ReasoningContent string            `json:"reasoning_content,omitempty"`
	ToolCalls        []json.RawMessage `json:"tool_calls,omitempty"`
}

type textUsage struct {
	Input  int `json:"input_tokens"`
	Output int `json:"output_tokens"`
	Total  int `json:"total_tokens"`
}

type searchInfo struct {
	Results []searchResult `json:"search_results"`
}

type searchResult struct {
	SiteName string `json:"site_name"`
	Icon     string `json:"icon"`
	Index    int    `json:"index"`
	Title    string `json:"title"`
	URL      string `json:"url"`
}

// textPart is what of an answer is sent at once: all of it, or a part.
type textPart struct {
	answer             *model.Answer
	content, reasoning string
	from               int    // where the content begins in its answer
	finish             string // null: more follows
}

// textAnswer is the answer that says so; output counts its tokens so far.
func (c *Call) textAnswer(b *ChatBody, output int, list ...textPart) textAnswer {
	prompt := list[0].answer.Usage.Prompt
	out := textAnswer{Usage: textUsage{Input: prompt, Output: output, Total: prompt + output}, RequestID: c.requestID()}
	if b.EnableSearch && b.native.SearchOptions.EnableSource {
		out.Output.SearchInfo = sources(b)
	}
	if !b.inMessages() {
		out.Output.Text, out.Output.FinishReason = &list[0].content, list[0].finish
		return out
	}
	for _, s := range list {
		choice := textChoice{FinishReason: s.finish, Message: textMessage{Role: "assistant", Content: s.content, ReasoningContent: s.reasoning}}
		if b.Logprobs {
			choice.Logprobs = c.appendLogprobs(nil, b, s.content, s.from)
		}
		if s.finish != "null" {
			choice.Message.ToolCalls = c.textCalls(s.answer)
		}
		out.Output.Choices = append(out.Output.Choices, choice)
	}
	return out
}

func (c *Call) textCalls(a *model.Answer) (list []json.RawMessage) {
	for i, t := range a.ToolCalls {
		list = append(list, c.appendToolCall(fmt.Appendf(nil, `{"index":%d,`, i), i, t, t.Arguments))
	}
	return list
}

// sources are the pages that a search is said to have found.
func sources(b *ChatBody) *searchInfo {
	title := ""
	for _, m := range b.Messages {
		if m.Role == "user" {
			title = model.Truncate(m.Content.text)
		}
	}
	info := &searchInfo{}
	for i := 1; i <= 3; i++ {
		info.Results = append(info.Results, searchResult{
			SiteName: "Example", Index: i, Title: fmt.Sprintf("%s (%d)", title, i), URL: fmt.Sprintf("https://news.example.com/%d", i),
		})
	}
	return info
}

// appendTexts answers in one piece.
func (c *Call) appendTexts(o []byte, b *ChatBody, answers []model.Answer) []byte {
	var list []textPart
	for i := range answers {
		a := &answers[i]
		list = append(list, textPart{answer: a, content: a.Content, reasoning: a.Reasoning, finish: a.FinishReason})
	}
	return appendJSON(o, c.textAnswer(b, usageOf(answers).Completion, list...))
}

// appendJSON writes what is made of known types, as a provider does: without
// escaping HTML.
func appendJSON(o []byte, v any) []byte {
	text := buffers.Get().(*bytes.Buffer)
	defer giveBack(text)
	e := json.NewEncoder(text)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil { // texts, numbers and JSON: there is nothing to fail
		return append(o, "null"...)
	}
	return append(o, bytes.TrimSuffix(text.Bytes(), []byte("\n"))...)
}
