package wire

import (
	"encoding/json"
	"strings"

	"evalctl/mocks/component"
	"evalctl/mocks/schema"
)

// ChatBody is the body of a chat request, with the fields that affect the answer. Unknown keys are
// ignored, as the providers do.
type ChatBody struct {
	ComponentName string      `json:"-"` // name of the agent component, taken from the model name; empty: none
	native        *nativeForm // set for a request in DashScope's native text generation format, else nil

	Model               string          `json:"model"`
	Messages            []chatMessage   `json:"messages"`
	Stream              bool            `json:"stream"`
	StreamOptions       streamOptions   `json:"stream_options"`
	ResponseFormat      responseFormat  `json:"response_format"`
	Temperature         *float64        `json:"temperature"`
	TopP                *float64        `json:"top_p"`
	N                   *int            `json:"n"`
	Seed                *int64          `json:"seed"`
	MaxTokens           *int            `json:"max_tokens"`
	MaxCompletionTokens *int            `json:"max_completion_tokens"`
	Logprobs            bool            `json:"logprobs"`
	TopLogprobs         *int            `json:"top_logprobs"`
	Stop                json.RawMessage `json:"stop"`
	Tools               []tool          `json:"tools"`
	ToolChoice          toolChoice      `json:"tool_choice"`
	ParallelToolCalls   *bool           `json:"parallel_tool_calls"`
	EnableSearch        bool            `json:"enable_search"`
	EnableThinking      *bool           `json:"enable_thinking"`
	Thinking            typed           `json:"thinking"`
	UserID              string          `json:"user_id"`
}

type streamOptions struct {
	IncludeUsage      bool `json:"include_usage"`
	ChunkIncludeUsage bool `json:"chunk_include_usage"`
}

type typed struct {
	Type string `json:"type"`
}

// responseFormat is the requested format of the answer: text, json_object, or json_schema with a
// schema.
type responseFormat struct {
	Type       string      `json:"type"`
	JSONSchema *jsonSchema `json:"json_schema"`
}

type jsonSchema struct {
	Name   string          `json:"name"`
	Schema json.RawMessage `json:"schema"`
	Strict bool            `json:"strict"`

	parsed *schema.Schema // the decoded schema; set by Check; nil: no schema
}

type chatMessage struct {
	Role             string            `json:"role"`
	Content          content           `json:"content"`
	ReasoningContent *string           `json:"reasoning_content"`
	ToolCalls        []json.RawMessage `json:"tool_calls"`
}

// SplitComponent splits a model name of the form COMPONENT or COMPONENT/NAME. COMPONENT must be a
// component with a chat model. A client over a socket states in this way which component is
// calling.
func (b *ChatBody) SplitComponent(parts component.Components) {
	part, name, _ := strings.Cut(b.Model, "/")
	if c, _ := parts.RoleOf(part); c.IsChatModel() {
		b.ComponentName, b.Model = part, name
	}
}

// isJSON reports whether the request requires an answer in JSON.
func (b *ChatBody) isJSON() bool {
	return b.ResponseFormat.Type == "json_object" || b.ResponseFormat.Type == "json_schema"
}

// topLogprobs returns the number of alternatives to report for each token.
func (b *ChatBody) topLogprobs() int {
	if b.TopLogprobs == nil {
		return 0
	}
	return *b.TopLogprobs
}

// mentionsJSON reports whether any message contains the word "json", which some providers require
// for JSON answers.
func (b *ChatBody) mentionsJSON() bool {
	for _, m := range b.Messages {
		if containsFold(m.Content.text, "json") {
			return true
		}
	}
	return false
}

// containsFold reports whether s contains word, ignoring case. word must be lower-case ASCII.
func containsFold(s, word string) bool {
	for i := 0; i+len(word) <= len(s); i++ {
		if s[i]|0x20 == word[0] && strings.EqualFold(s[i:i+len(word)], word) {
			return true
		}
	}
	return false
}

// maxTokens returns the requested maximum number of tokens of an answer; 0: no limit.
func (b *ChatBody) maxTokens() int {
	switch {
	case b.MaxTokens != nil:
		return *b.MaxTokens
	case b.MaxCompletionTokens != nil:
		return *b.MaxCompletionTokens
	}
	return 0
}

// stopCount returns the number of requested stop sequences.
func (b *ChatBody) stopCount() int {
	var list []json.RawMessage
	if json.Unmarshal(b.Stop, &list) == nil {
		return len(list)
	}
	return 1
}
