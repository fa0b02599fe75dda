package llm

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	openai "github.com/sashabaranov/go-openai"
)

// Message is one turn of the conversation that a model sees.
type Message struct {
	Role   string // system, user, assistant or tool
	Text   string
	Images []string // http(s) or data URLs; the model must be able to see

	Calls   []ToolCall // of an assistant that calls tools
	Answers string     // of a tool's result: the id of the call
}

// System is a message of the system.
func System(text string) Message { return Message{Role: openai.ChatMessageRoleSystem, Text: text} }

// User is a message of the user, with pictures if any.
func User(text string, images ...string) Message {
	return Message{Role: openai.ChatMessageRoleUser, Text: text, Images: images}
}

// Assistant is an earlier answer of the model.
func Assistant(text string) Message {
	return Message{Role: openai.ChatMessageRoleAssistant, Text: text}
}

// Called is a model's own message that calls tools, with what it said besides.
// Result answers each of the calls.
func Called(text string, calls []ToolCall) Message {
	return Message{Role: openai.ChatMessageRoleAssistant, Text: text, Calls: calls}
}

// Result is what came of a tool's call.
func Result(call ToolCall, text string) Message {
	return Message{Role: openai.ChatMessageRoleTool, Text: text, Answers: call.ID}
}

// Request is one question to a model.
type Request struct {
	Messages    []Message
	JSON        bool           // JSON mode; one of the messages must contain the word «json»
	Extras      map[string]any // top-level fields that OpenAI's format does not have; they win over any other
	Temperature *float64       // nil: the client's
	MaxTokens   int            // 0: the client's
	Tools       []Tool         // that the model may call; not for streams
	ToolChoice  string         // beside Tools: auto or required; "": the service's
}

// call is a request as it goes to the wire, the same for each attempt.
type call struct {
	body   openai.ChatCompletionRequest
	extras map[string]json.RawMessage
	bare   bool // some message has no content, which go-openai leaves out
	salt   uint64
}

func (c *Client) prepare(r Request, stream bool) (*call, error) {
	if len(r.Messages) == 0 {
		return nil, c.refuse("the request has no messages")
	}
	k := &call{body: openai.ChatCompletionRequest{Model: c.cfg.Model, Messages: make([]openai.ChatCompletionMessage, len(r.Messages))}}
	for i, m := range r.Messages {
		if m.Role == "" {
			return nil, c.refuse(fmt.Sprintf("message %d has no role", i))
		}
		k.body.Messages[i] = m.wire()
		k.bare = k.bare || m.Text == "" && len(m.Images) == 0
	}
	k.bare = k.bare && c.provider.NeedsContent
	if stream && len(r.Tools) > 0 {
		return nil, c.refuse("a stream calls no tools")
	}
	k.body.Tools = wireTools(r.Tools)
	if r.ToolChoice != "" && len(r.Tools) > 0 {
		k.body.ToolChoice = r.ToolChoice
	}
	k.salt = salt(r.Messages[len(r.Messages)-1].Text)
	if stream && !c.provider.UsageOnFinish {
		k.body.StreamOptions = &openai.StreamOptions{IncludeUsage: true}
	}
	c.limit(k, r)
	return k, c.merge(k, r)
}

// limit sets how long and how free the answer may be.
func (c *Client) limit(k *call, r Request) {
	tokens := r.MaxTokens
	if tokens == 0 {
		tokens = c.cfg.MaxTokens
	}
	if c.provider.CompletionTokens {
		k.body.MaxCompletionTokens = tokens
	} else if tokens > 0 {
		k.extra("max_tokens", json.RawMessage(strconv.Itoa(tokens))) // deprecated in go-openai, not here
	}
	if r.JSON {
		k.body.ResponseFormat = &openai.ChatCompletionResponseFormat{Type: openai.ChatCompletionResponseFormatTypeJSONObject}
	}
	t := r.Temperature
	if t == nil {
		t = c.cfg.Temperature
	}
	if t == nil {
		return
	}
	if k.body.Temperature = float32(*t); k.body.Temperature == 0 {
		k.extra("temperature", json.RawMessage("0")) // go-openai never sends a zero
	}
}

// merge collects the extras: the client's, the provider's for JSON mode, the
// request's, the later winning.
func (c *Client) merge(k *call, r Request) error {
	for key, raw := range c.extras {
		k.extra(key, raw)
	}
	if off := c.provider.ThinkingOff; r.JSON && off.Key != "" {
		k.extra(off.Key, json.RawMessage(off.Value))
	}
	own, err := encodeExtras(r.Extras)
	if err != nil {
		return c.refuse(err.Error())
	}
	for key, raw := range own {
		k.extra(key, raw)
	}
	return nil
}

func (k *call) extra(key string, raw json.RawMessage) {
	if k.extras == nil {
		k.extras = map[string]json.RawMessage{}
	}
	k.extras[key] = raw
}

// encodeExtras refuses the fields that would undo what the client relies on.
func encodeExtras(extras map[string]any) (map[string]json.RawMessage, error) {
	if len(extras) == 0 {
		return nil, nil
	}
	out := make(map[string]json.RawMessage, len(extras))
	for key, v := range extras {
		if slices.Contains([]string{"model", "messages", "stream", "input"}, key) {
			return nil, fmt.Errorf("extra %q is not for extras", key)
		}
		raw, err := json.Marshal(v)
		if err != nil {
			return nil, fmt.Errorf("extra %q: %w", key, err)
		}
		out[key] = raw
	}
	return out, nil
}

// wire puts pictures before the text, as the vision models' manuals do.
func (m Message) wire() openai.ChatCompletionMessage {
	if len(m.Images) == 0 {
		return openai.ChatCompletionMessage{Role: m.Role, Content: m.Text, ToolCalls: wireCalls(m.Calls), ToolCallID: m.Answers}
	}
	parts := make([]openai.ChatMessagePart, 0, len(m.Images)+1)
	for _, url := range m.Images {
		parts = append(parts, openai.ChatMessagePart{
			Type: openai.ChatMessagePartTypeImageURL, ImageURL: &openai.ChatMessageImageURL{URL: url},
		})
	}
	if m.Text != "" {
		parts = append(parts, openai.ChatMessagePart{Type: openai.ChatMessagePartTypeText, Text: m.Text})
	}
	return openai.ChatCompletionMessage{Role: m.Role, MultiContent: parts}
}
