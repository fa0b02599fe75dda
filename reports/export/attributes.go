package export

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	common "go.opentelemetry.io/proto/otlp/common/v1"

	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/eval/journal"
)

// This file contains all attributes of the OpenTelemetry export, as tables of names and values.

func resourceAttributes(m journal.Manifest) attributes {
	return attributes{
		{"service.name", "evalctl"},
		{"service.version", m.Version},
		{"evalctl.run.started", m.Started.UTC().Format(time.RFC3339Nano)},
		{"evalctl.run.seed", strconv.FormatUint(m.Seed, 10)},
		{"evalctl.run.manifest_hash", m.ManifestHash},
		{"evalctl.run.status", string(m.Status)},
		{"evalctl.clock", m.Clock},
		{"evalctl.clock.origin", "run start plus recorded offset"},
	}
}

func (t *trial) attributes() attributes {
	verdict := "unscored"
	switch {
	case t.Correct == nil:
	case *t.Correct:
		verdict = "right"
	default:
		verdict = "wrong"
	}
	errorType := ""
	if t.Error != nil {
		errorType = cmp.Or(string(t.Error.Kind), "_OTHER")
	}
	var inputs, outputs []message
	if t.includeTexts {
		inputs, outputs = messagesOf(t.Outcome.Turns)
	}
	return attributes{
		{"gen_ai.operation.name", "invoke_agent"},
		{"gen_ai.provider.name", "evalctl"},
		{"gen_ai.agent.name", t.agent},
		{"gen_ai.conversation.id", t.Key},
		{"evalctl.suite", t.Suite},
		{"evalctl.case", t.Case},
		{"evalctl.variant", t.Variant},
		{"evalctl.fault", cmp.Or(t.Fault, eval.NoFault)},
		{"evalctl.epoch", t.Epoch},
		{"evalctl.verdict", verdict},
		{"evalctl.expected", []string(t.Expected)},
		{"evalctl.predicted", t.Predicted},
		{"evalctl.answered_by", t.AnsweredBy},
		{"evalctl.decided_by", t.DecidedBy},
		{"evalctl.turns", len(t.Turns)},
		{"error.type", errorType},
		{"gen_ai.input.messages", inputs},
		{"gen_ai.output.messages", outputs},
	}
}

func (c *call) attributes() attributes {
	usesModel := c.operation == chatCall || c.operation == embeddingsCall
	streamed := usesModel && c.TTFT > 0
	isTool := c.operation == toolCall
	return attributes{
		{"gen_ai.operation.name", string(c.operation)},
		{"gen_ai.provider.name", when(!isTool, c.provider())},
		{"gen_ai.request.model", when(usesModel, c.target())},
		{"gen_ai.conversation.id", when(usesModel, c.trialKey)},
		{"gen_ai.request.stream", when(streamed, true)},
		{"gen_ai.response.time_to_first_chunk", when(streamed, clampDuration(c.TTFT).Seconds())},
		{"gen_ai.usage.input_tokens", when(usesModel && c.hasUsage(), c.Tokens.In)},
		{"gen_ai.usage.output_tokens", when(c.operation == chatCall && c.hasUsage(), c.Tokens.Out)},
		{"gen_ai.data_source.id", when(c.operation == retrievalCall, c.target())},
		{"gen_ai.tool.name", when(isTool, c.target())},
		{"gen_ai.tool.type", when(isTool, "extension")},
		{"evalctl.provider", when(isTool, c.Provider)},
		{"evalctl.model", when(isTool, c.Model)},
		{"error.type", c.Error},
		{"evalctl.node", c.node},
		{"evalctl.turn", c.turn},
		{"evalctl.attempt", c.Attempt},
		{"evalctl.images", when(c.Images > 0, c.Images)},
	}
}

func eventAttributes(e trace.Event, turn int, includeTexts bool) attributes {
	review, reviewed := trace.Review{}, e.Review != nil
	if reviewed {
		review = *e.Review
	}
	return attributes{
		{"evalctl.turn", turn},
		{"evalctl.node", e.Node},
		{"evalctl.reason", e.Reason},
		{"evalctl.from", e.From},
		{"evalctl.to", e.To},
		{"evalctl.review.loop", when(reviewed, review.Loop)},
		{"evalctl.review.score", when(reviewed, review.Score)},
		{"evalctl.review.passed", when(reviewed, review.Passed)},
		{"evalctl.review.reviewer", review.Reviewer},
		{"evalctl.text", when(includeTexts, e.Text)},
	}
}

func (c condition) attributes() attributes {
	return attributes{
		{"evalctl.suite", c.suite},
		{"evalctl.variant", c.variant},
		{"evalctl.fault", c.fault},
	}
}

func (s stream) attributes() attributes {
	if s == overflow {
		return attributes{
			{"gen_ai.operation.name", "_OTHER"},
			{"gen_ai.provider.name", "_OTHER"},
			{"otel.metric.overflow", true},
		}
	}
	return append(s.condition.attributes(), attributes{
		{"gen_ai.operation.name", string(s.operation)},
		{"gen_ai.provider.name", s.provider},
		{"gen_ai.request.model", s.model},
		{"error.type", s.errorKind},
		{"gen_ai.token.type", s.tokenType},
	}...)
}

// attributes is a list of attributes. Attributes whose value is nil or empty are not exported.
type attributes []struct {
	name  string
	value any // string, []string, int, int64, float64, bool, []message or nil
}

// when returns the value if the condition is true, and otherwise nil.
func when(condition bool, value any) any {
	if !condition {
		return nil
	}
	return value
}

// Maximum lengths of attribute values: names and labels in bytes, all messages of a trial in bytes,
// and lists in values.
const (
	maxTextBytes    = 1 << 10
	maxMessagesText = 64 << 10
	maxListValues   = 64
)

func (a attributes) proto() []*common.KeyValue {
	list := make([]*common.KeyValue, 0, len(a))
	for _, one := range a {
		if v := protoValue(one.value); v != nil {
			list = append(list, &common.KeyValue{Key: one.name, Value: v})
		}
	}
	return list
}

func protoValue(value any) *common.AnyValue {
	switch v := value.(type) {
	case string:
		if v != "" {
			return textValue(truncated(v, maxTextBytes))
		}
	case []string:
		all := &common.ArrayValue{}
		for _, text := range v[:min(len(v), maxListValues)] {
			all.Values = append(all.Values, textValue(truncated(text, maxTextBytes)))
		}
		if len(v) > 0 {
			return &common.AnyValue{Value: &common.AnyValue_ArrayValue{ArrayValue: all}}
		}
	case int:
		return protoValue(int64(v))
	case int64:
		return &common.AnyValue{Value: &common.AnyValue_IntValue{IntValue: v}}
	case float64:
		return &common.AnyValue{Value: &common.AnyValue_DoubleValue{DoubleValue: v}}
	case bool:
		return &common.AnyValue{Value: &common.AnyValue_BoolValue{BoolValue: v}}
	case []message:
		// an error is impossible, because the messages contain only strings
		if text, err := json.Marshal(v); err == nil && len(v) > 0 {
			return textValue(string(text))
		}
	}
	return nil
}

func textValue(text string) *common.AnyValue {
	return &common.AnyValue{Value: &common.AnyValue_StringValue{StringValue: text}}
}

// truncated returns a text cut to at most the given number of bytes, as valid UTF-8, which protobuf
// requires.
func truncated(text string, most int) string {
	if len(text) > most {
		for most > 0 && !utf8.RuneStart(text[most]) {
			most--
		}
		text = text[:most]
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}

// message is a message of a conversation, in the form that the attributes gen_ai.input.messages and
// gen_ai.output.messages require.
type message struct {
	Role   string        `json:"role"`
	Parts  []messagePart `json:"parts"`
	Finish string        `json:"finish_reason,omitempty"`
}

type messagePart struct {
	Type    string `json:"type"`
	Content string `json:"content"`
}

// messagesOf returns the texts of turns and replies, at most maxMessagesText bytes in total. It
// truncates them before encoding, because truncated JSON would be invalid.
func messagesOf(turns []eval.TurnResult) (inputs, outputs []message) {
	room := maxMessagesText
	for _, p := range turns {
		question := truncated(p.Input.Text, room)
		room -= len(question)
		reply := truncated(p.Reply.Content, room)
		room -= len(reply)
		inputs = append(inputs, message{Role: "user", Parts: []messagePart{{Type: "text", Content: question}}})
		if reply != "" {
			outputs = append(outputs, message{Role: "assistant", Finish: "stop",
				Parts: []messagePart{{Type: "text", Content: reply}}})
		}
		if room <= 0 {
			break
		}
	}
	return inputs, outputs
}
