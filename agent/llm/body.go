package llm

import (
	"bytes"
	stdjson "encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// lenient makes the JSON decoder accept duplicate names and invalid UTF-8, which services send.
var lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// chatBody is the JSON body of a chat completion request, with the fields that this package sends.
//
// See https://platform.openai.com/docs/api-reference/chat/create
type chatBody struct {
	Model               string          `json:"model"`
	Messages            []chatMessage   `json:"messages"`
	MaxTokens           int             `json:"max_tokens,omitzero"`
	MaxCompletionTokens int             `json:"max_completion_tokens,omitzero"`
	Temperature         *float64        `json:"temperature,omitzero"`
	Stream              bool            `json:"stream"`
	ResponseFormat      *responseFormat `json:"response_format,omitzero"`
	Tools               []chatTool      `json:"tools,omitempty"`
	ToolChoice          string          `json:"tool_choice,omitzero"`
	StreamOptions       *streamOptions  `json:"stream_options,omitzero"`
}

type responseFormat struct {
	Type string `json:"type"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

type chatMessage struct {
	Role       string     `json:"role"`
	Content    any        `json:"content,omitzero"` // a string, or []part for a message with images
	ToolCalls  []chatCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitzero"`
}

// part is a text or an image in a message that contains images.
type part struct {
	Type     string    `json:"type"`
	Text     string    `json:"text,omitzero"`
	ImageURL *imageURL `json:"image_url,omitzero"`
}

type imageURL struct {
	URL string `json:"url"`
}

type chatTool struct {
	Type     string       `json:"type"`
	Function chatFunction `json:"function"`
}

type chatFunction struct {
	Name        string         `json:"name"`
	Description string         `json:"description,omitzero"`
	Parameters  jsontext.Value `json:"parameters"`
}

// chatCall is a tool call as it appears in requests and answers.
type chatCall struct {
	ID       string `json:"id,omitzero"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// wire converts a message to the provider's JSON format. Images precede the text, as the manuals of
// vision models recommend.
func (m Message) wire(p Provider) chatMessage {
	w := chatMessage{Role: m.Role}
	switch {
	case len(m.Images) == 0:
		w.ToolCalls, w.ToolCallID = wireCalls(m.ToolCalls), m.ToolCallID
		if m.Text != "" || p.RequiresContent {
			w.Content = m.Text
		}
		return w
	}
	parts := make([]part, 0, len(m.Images)+1)
	for _, url := range m.Images {
		parts = append(parts, part{Type: "image_url", ImageURL: &imageURL{URL: url}})
	}
	if m.Text != "" {
		parts = append(parts, part{Type: "text", Text: m.Text})
	}
	w.Content = parts
	return w
}

// encode returns the JSON of a request body with additional top-level fields. An extra field
// replaces a field of the same name.
func encode(body any, extras map[string]stdjson.RawMessage) ([]byte, error) {
	b, err := json.Marshal(body, lenient)
	if err != nil || len(extras) == 0 {
		return b, err
	}
	if longer, ok := appendExtras(b, extras); ok {
		return longer, nil
	}
	var top map[string]stdjson.RawMessage
	if err := stdjson.Unmarshal(b, &top); err != nil {
		return nil, fmt.Errorf("decode request body: %w", err)
	}
	maps.Copy(top, extras)
	return stdjson.Marshal(top)
}

// appendExtras adds the extra fields at the end of the JSON body, without decoding it. ok is false
// if the body already contains one of the names at any level.
func appendExtras(body []byte, extras map[string]stdjson.RawMessage) (longer []byte, ok bool) {
	longer = bytes.TrimSuffix(body, []byte("}"))
	for _, key := range slices.Sorted(maps.Keys(extras)) {
		name, err := stdjson.Marshal(key)
		if name = append(name, ':'); err != nil || bytes.Contains(body, name) {
			return nil, false
		}
		longer = slices.Concat(longer, []byte(","), name, extras[key])
	}
	return append(longer, '}'), true
}
