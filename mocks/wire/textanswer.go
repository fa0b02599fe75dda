package wire

import (
	"bytes"
	"encoding/json"
	"fmt"

	"evalctl/mocks/model"
)

// textAnswer is an answer, or an event of a streamed answer, in DashScope's native text generation
// format.
type textAnswer struct {
	Output    textOutput `json:"output"`
	Usage     textUsage  `json:"usage"`
	RequestID string     `json:"request_id"`
}

// textOutput is the content of an answer: a text, or choices with messages, as the request
// requires.
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

// answerPart is a piece of one choice that is sent in one answer or event.
type answerPart struct {
	answer             *model.Answer
	content, reasoning string
	from               int    // offset of content in the complete content
	finish             string // finish reason; "null": more follows
}

// textAnswer returns an answer with the given pieces, one per choice. output is the number of
// tokens generated so far.
func (c *Call) textAnswer(b *ChatBody, output int, list ...answerPart) textAnswer {
	prompt := list[0].answer.Usage.PromptTokens
	out := textAnswer{Usage: textUsage{Input: prompt, Output: output, Total: prompt + output}, RequestID: c.requestID()}
	if b.EnableSearch && b.native.SearchOptions.EnableSource {
		out.Output.SearchInfo = searchResults(b)
	}
	if !b.returnsMessages() {
		out.Output.Text, out.Output.FinishReason = &list[0].content, list[0].finish
		return out
	}
	for _, s := range list {
		choice := textChoice{FinishReason: s.finish,
			Message: textMessage{Role: "assistant", Content: s.content, ReasoningContent: s.reasoning}}
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

// searchResults returns simulated search results for the user's last message.
func searchResults(b *ChatBody) *searchInfo {
	title := ""
	for _, m := range b.Messages {
		if m.Role == "user" {
			title = model.Excerpt(m.Content.text)
		}
	}
	info := &searchInfo{}
	for i := 1; i <= 3; i++ {
		info.Results = append(info.Results, searchResult{
			SiteName: "Example",
			Index:    i,
			Title:    fmt.Sprintf("%s (%d)", title, i),
			URL:      fmt.Sprintf("https://news.example.com/%d", i),
		})
	}
	return info
}

// appendTexts appends a complete answer in DashScope's native text generation format.
func (c *Call) appendTexts(o []byte, b *ChatBody, answers []model.Answer) []byte {
	var list []answerPart
	for i := range answers {
		a := &answers[i]
		list = append(list, answerPart{
			answer:    a,
			content:   a.Content,
			reasoning: a.Reasoning,
			finish:    a.FinishReason,
		})
	}
	return appendJSON(o, c.textAnswer(b, usageOf(answers).CompletionTokens, list...))
}

// appendJSON appends v as JSON without HTML escaping, as the providers do.
func appendJSON(o []byte, v any) []byte {
	text := buffers.Get().(*bytes.Buffer)
	defer giveBack(text)
	e := json.NewEncoder(text)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil { // cannot happen: v contains only texts, numbers and JSON
		return append(o, "null"...)
	}
	return append(o, bytes.TrimSuffix(text.Bytes(), []byte("\n"))...)
}
