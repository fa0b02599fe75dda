package llm

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"evalctl/agent/trace"
)

// Message is one message of a conversation with a model.
type Message struct {
	Role   string // author of the message: system, user, assistant or tool
	Text   string
	Images []string // images of a user message: http(s) or data URLs

	ToolCalls  []ToolCall // tool calls in a message of the assistant
	ToolCallID string     // in a message with a tool result: the ID of the tool call
}

// SystemMessage returns a message with instructions for the model, in the role "system".
func SystemMessage(text string) Message { return Message{Role: "system", Text: text} }

// UserMessage returns a user message with optional images.
func UserMessage(text string, images ...string) Message {
	return Message{Role: "user", Text: text, Images: images}
}

// AssistantMessage returns a message with an earlier answer of the model.
func AssistantMessage(text string) Message {
	return Message{Role: "assistant", Text: text}
}

// ToolCallMessage returns a message in which the model calls tools; text may be empty. One
// ToolResultMessage must follow for each call.
func ToolCallMessage(text string, calls []ToolCall) Message {
	return Message{Role: "assistant", Text: text, ToolCalls: calls}
}

// ToolResultMessage returns a message with the result of a tool call.
func ToolResultMessage(call ToolCall, text string) Message {
	return Message{Role: "tool", Text: text, ToolCallID: call.ID}
}

// Request is the input of one chat call to a model.
type Request struct {
	Messages    []Message      // the conversation, oldest message first
	JSON        bool           // requests JSON mode; services require that a message contains the word "json"
	Extras      map[string]any // additional top-level fields of the body; they override all other fields
	Temperature *float64       // sampling temperature; nil: the client's
	MaxTokens   int            // token limit of the answer; 0: the client's
	Tools       []Tool         // tools that the model may call; not for streams
	// with Tools: whether the model must call one, auto or required; "": the service's default
	ToolChoice string
}

// call is an encoded request, which every attempt sends unchanged.
type call struct {
	body      []byte
	salt      uint64
	succeeded bool // the last attempt received a 2xx status
	sent      []trace.SentMessage
}

// record records in the span of the first attempt what it sends.
func (k *call) record(s *trace.Span) {
	if s.Attempt == 1 {
		s.SentMessages = k.sent
	}
}

func (c *Client) prepare(r Request, stream bool) (*call, error) {
	switch {
	case len(r.Messages) == 0:
		return nil, c.refuse("the request has no messages")
	case stream && len(r.Tools) > 0:
		return nil, c.refuse("a stream calls no tools")
	}
	b := chatBody{
		Model:    c.cfg.Model,
		Stream:   stream,
		Messages: make([]chatMessage, len(r.Messages)),
		Tools:    wireTools(r.Tools),
	}
	for i, m := range r.Messages {
		if m.Role == "" {
			return nil, c.refuse(fmt.Sprintf("message %d has no role", i))
		}
		b.Messages[i] = m.wire(c.provider)
	}
	if len(r.Tools) > 0 {
		b.ToolChoice = r.ToolChoice
	}
	if stream && !c.provider.StreamsUsageByDefault {
		b.StreamOptions = &streamOptions{IncludeUsage: true}
	}
	c.limit(&b, r)
	extras, err := c.extrasOf(r)
	if err != nil {
		return nil, err
	}
	body, err := encode(b, extras)
	if err != nil {
		return nil, c.refuse(err.Error())
	}
	return &call{body: body, salt: salt(r.Messages[len(r.Messages)-1].Text), sent: sentMessages(r.Messages)}, nil
}

func sentMessages(messages []Message) []trace.SentMessage {
	sent := make([]trace.SentMessage, len(messages))
	for i, m := range messages {
		sent[i] = trace.SentMessage{Role: m.Role, Text: m.Text, Images: len(m.Images)}
	}
	return sent
}

// limit sets the token limit, the response format and the temperature of the request body.
func (c *Client) limit(b *chatBody, r Request) {
	tokens := cmp.Or(r.MaxTokens, c.cfg.MaxTokens)
	if c.provider.UsesMaxCompletionTokens {
		b.MaxCompletionTokens = tokens
	} else {
		b.MaxTokens = tokens
	}
	if r.JSON {
		b.ResponseFormat = &responseFormat{Type: "json_object"}
	}
	if b.Temperature = r.Temperature; b.Temperature == nil {
		b.Temperature = c.cfg.Temperature
	}
}

// extrasOf merges the additional body fields of the client, of the provider for JSON mode, and of
// the request. A later source overrides an earlier one.
func (c *Client) extrasOf(r Request) (map[string]json.RawMessage, error) {
	off := c.provider.DisableThinking
	if len(r.Extras) == 0 && (!r.JSON || off.Key == "") {
		return c.extras, nil
	}
	own, err := encodeExtras(r.Extras)
	if err != nil {
		return nil, c.refuse(err.Error())
	}
	all := map[string]json.RawMessage{}
	maps.Copy(all, c.extras)
	if r.JSON && off.Key != "" {
		all[off.Key] = json.RawMessage(off.Value)
	}
	maps.Copy(all, own)
	return all, nil
}

// encodeExtras encodes additional body fields. It rejects fields that the client sets itself.
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
