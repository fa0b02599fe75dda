package mocks

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
)

// chatBody is what of a chat request decides an answer. Unknown keys are
// ignored, as the providers do.
type chatBody struct {
	Model               string          `json:"model"`
	Messages            []chatMessage   `json:"messages"`
	Stream              bool            `json:"stream"`
	StreamOptions       streamOptions   `json:"stream_options"`
	ResponseFormat      typed           `json:"response_format"`
	Temperature         *float64        `json:"temperature"`
	TopP                *float64        `json:"top_p"`
	N                   *int            `json:"n"`
	Seed                *int64          `json:"seed"`
	MaxTokens           *int            `json:"max_tokens"`
	MaxCompletionTokens *int            `json:"max_completion_tokens"`
	TopLogprobs         *int            `json:"top_logprobs"`
	Stop                json.RawMessage `json:"stop"`
	Tools               []tool          `json:"tools"`
	ToolChoice          json.RawMessage `json:"tool_choice"`
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

type tool struct {
	Type     string `json:"type"`
	Function struct {
		Name string `json:"name"`
	} `json:"function"`
}

type chatMessage struct {
	Role             string            `json:"role"`
	Content          content           `json:"content"`
	ReasoningContent *string           `json:"reasoning_content"`
	ToolCalls        []json.RawMessage `json:"tool_calls"`
}

// content is a text or a list of parts; present is false when the key is
// missing or null.
type content struct {
	present bool
	list    bool
	text    string
	images  int
	unknown string // a part of an unknown type
}

type part struct {
	Type     string          `json:"type"`
	Text     string          `json:"text"`
	ImageURL json.RawMessage `json:"image_url"`
}

var errContent = errors.New("content is neither a string nor a list of parts")

// UnmarshalJSON reads a string, null or a list of parts.
func (c *content) UnmarshalJSON(b []byte) error {
	switch {
	case len(b) > 1 && b[0] == '"':
		c.present = true
		if bytes.IndexByte(b, '\\') < 0 {
			c.text = strings.ToValidUTF8(string(b[1:len(b)-1]), "\ufffd")
			return nil
		}
		return json.Unmarshal(b, &c.text)
	case len(b) > 0 && b[0] == '[':
		c.present, c.list = true, true
		return c.readParts(b)
	case string(b) == "null":
		return nil
	}
	return errContent
}

func (c *content) readParts(b []byte) error {
	var parts []part
	if err := json.Unmarshal(b, &parts); err != nil {
		return err
	}
	for _, p := range parts {
		switch p.Type {
		case "text":
			if c.text != "" {
				c.text += "\n"
			}
			c.text += p.Text
		case "image_url":
			c.images++
		case "video", "video_url", "input_audio", "image", "file":
		default:
			c.unknown = p.Type
		}
	}
	return nil
}

// isJSON tells whether the answer must be JSON.
func (b *chatBody) isJSON() bool {
	return b.ResponseFormat.Type == "json_object" || b.ResponseFormat.Type == "json_schema"
}

// view is the request as a Model sees it.
func (b *chatBody) view(d Dialect, seed uint64) ChatRequest {
	r := ChatRequest{
		Dialect: d, Model: b.Model, JSON: b.isJSON(), Stream: b.Stream, Seed: seed,
		Messages: make([]Message, len(b.Messages)),
	}
	if b.Seed != nil {
		r.Seed = mix(seed, uint64(*b.Seed))
	}
	for i, m := range b.Messages {
		r.Messages[i] = Message{Role: m.Role, Text: m.Content.text}
		r.Images += m.Content.images
		if m.Role == "user" {
			r.Text = m.Content.text
		}
	}
	for _, t := range b.Tools {
		r.Tools = append(r.Tools, t.Function.Name)
	}
	return r
}

// usual is the component that the request itself tells.
func (b *chatBody) usual(r *ChatRequest) Component {
	switch {
	case b.EnableSearch:
		return Search
	case r.JSON && r.system(`"score"`):
		return Critic
	case r.Images > 0:
		return Vision
	case r.JSON:
		return Router
	}
	return Chat
}

// toolChoice is auto, none, required, object, or empty.
func (b *chatBody) toolChoice() string {
	if len(b.ToolChoice) == 0 || string(b.ToolChoice) == "null" {
		return ""
	}
	if b.ToolChoice[0] == '{' {
		return "object"
	}
	return strings.Trim(string(b.ToolChoice), `"`)
}

// saysJSON tells whether the word json is in a message.
func (b *chatBody) saysJSON() bool {
	for _, m := range b.Messages {
		if containsFold(m.Content.text, "json") {
			return true
		}
	}
	return false
}

// containsFold finds an ASCII word, in lower case, in any case.
func containsFold(s, word string) bool {
	for i := 0; i+len(word) <= len(s); i++ {
		if s[i]|0x20 == word[0] && strings.EqualFold(s[i:i+len(word)], word) {
			return true
		}
	}
	return false
}

func isChinese(s string) bool {
	for _, r := range s {
		if r >= 0x4e00 && r <= 0x9fff {
			return true
		}
	}
	return false
}
