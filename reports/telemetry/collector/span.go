package collector

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	common "go.opentelemetry.io/proto/otlp/common/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
)

// Span is a span that the collector received and found valid. IDs are in hexadecimal.
type Span struct {
	TraceID, ID, Parent string         // trace ID, span ID, and span ID of the parent
	Attributes          map[string]any // attributes by name
	*tracepb.Span
}

// Rules of the semantic conventions 1.41.1 for each operation: the permitted span kinds, the
// required attributes, and the attribute whose value is part of the span name.
var (
	kinds = map[string][]tracepb.Span_SpanKind{
		"chat":         {tracepb.Span_SPAN_KIND_CLIENT, tracepb.Span_SPAN_KIND_INTERNAL},
		"embeddings":   {tracepb.Span_SPAN_KIND_CLIENT},
		"retrieval":    {tracepb.Span_SPAN_KIND_CLIENT},
		"execute_tool": {tracepb.Span_SPAN_KIND_INTERNAL},
		"invoke_agent": {tracepb.Span_SPAN_KIND_INTERNAL, tracepb.Span_SPAN_KIND_CLIENT},
	}
	required = map[string][]string{
		"chat":         {"gen_ai.provider.name", "gen_ai.request.model"},
		"embeddings":   {"gen_ai.provider.name", "gen_ai.request.model"},
		"retrieval":    {"gen_ai.provider.name"},
		"execute_tool": {"gen_ai.tool.name"},
		"invoke_agent": {"gen_ai.provider.name"},
	}
	nameAttribute = map[string]string{"chat": "gen_ai.request.model", "embeddings": "gen_ai.request.model",
		"retrieval":    "gen_ai.data_source.id",
		"execute_tool": "gen_ai.tool.name", "invoke_agent": "gen_ai.agent.name"}
)

// known lists the attributes that the conventions define, each with a value of the right type.
var known = map[string]any{
	"gen_ai.operation.name": "", "gen_ai.provider.name": "", "gen_ai.request.model": "", "gen_ai.agent.name": "",
	"gen_ai.conversation.id": "",
	"gen_ai.tool.name":       "", "gen_ai.tool.type": "", "gen_ai.data_source.id": "", "gen_ai.token.type": "",
	"error.type":                "",
	"gen_ai.usage.input_tokens": int64(0), "gen_ai.usage.output_tokens": int64(0), "gen_ai.request.stream": true,
	"gen_ai.response.time_to_first_chunk": 0.0, "gen_ai.input.messages": "", "gen_ai.output.messages": "",
	"otel.metric.overflow": true,
}

func checkResource[S any](r *resourcepb.Resource, scopes []S) error {
	a, err := attributesOf(r.GetAttributes())
	switch {
	case err != nil:
		return err
	case a["service.name"] == nil:
		return errors.New("the resource has no service.name")
	case len(scopes) == 0:
		return errors.New("nothing is in the message")
	}
	return nil
}

func (c *Collector) takeSpan(p *tracepb.Span) error {
	a, err := attributesOf(p.Attributes)
	if err != nil {
		return err
	}
	s := Span{
		TraceID:    fmt.Sprintf("%x", p.TraceId),
		ID:         fmt.Sprintf("%x", p.SpanId),
		Parent:     fmt.Sprintf("%x", p.ParentSpanId),
		Attributes: a,
		Span:       p,
	}
	if err := errors.Join(checkIDs(p), checkTimes(p), checkOperation(s), checkStatus(s)); err != nil {
		return err
	}
	at := s.TraceID + s.ID
	if _, again := c.spans[at]; !again {
		c.order = append(c.order, at)
	}
	c.spans[at] = s
	return nil
}

func checkIDs(p *tracepb.Span) error {
	for _, id := range []struct {
		of   string
		text []byte
		size int
	}{{"trace", p.TraceId, 16}, {"span", p.SpanId, 8}, {"parent", p.ParentSpanId, 8}} {
		if id.of == "parent" && len(id.text) == 0 {
			continue
		}
		if len(id.text) != id.size || len(bytes.Trim(id.text, "\x00")) == 0 {
			return fmt.Errorf("the id of the %s is %x", id.of, id.text)
		}
	}
	return nil
}

func checkTimes(p *tracepb.Span) error {
	if p.StartTimeUnixNano == 0 || p.EndTimeUnixNano < p.StartTimeUnixNano {
		return fmt.Errorf("lasts from %d to %d", p.StartTimeUnixNano, p.EndTimeUnixNano)
	}
	if len(p.Events) > 128 {
		return fmt.Errorf("has %d events", len(p.Events))
	}
	for _, e := range p.Events {
		if _, err := attributesOf(e.Attributes); err != nil || e.Name == "" {
			return fmt.Errorf("event %q: %w", e.Name, err)
		}
		if e.TimeUnixNano < p.StartTimeUnixNano || e.TimeUnixNano > p.EndTimeUnixNano {
			return fmt.Errorf("event %q is outside of its span", e.Name)
		}
	}
	return nil
}

func checkOperation(s Span) error {
	of, _ := s.Attributes["gen_ai.operation.name"].(string)
	allowed, ok := kinds[of]
	if !ok {
		return fmt.Errorf("has the operation %q", of)
	}
	fits := false
	for _, k := range allowed {
		fits = fits || k == s.Kind
	}
	if !fits {
		return fmt.Errorf("is of kind %s", s.Kind)
	}
	for _, name := range required[of] {
		if v, _ := s.Attributes[name].(string); v == "" {
			return fmt.Errorf("lacks %s", name)
		}
	}
	if what, ok := s.Attributes[nameAttribute[of]].(string); s.Name != strings.TrimSpace(of+" "+what) || !ok {
		return fmt.Errorf("has not the name of %s %s", of, what)
	}
	for _, name := range []string{"gen_ai.input.messages", "gen_ai.output.messages"} {
		if text, ok := s.Attributes[name].(string); ok {
			if err := checkMessages(text); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return nil
}

func checkMessages(text string) error {
	var list []struct {
		Role   string `json:"role"`
		Finish string `json:"finish_reason"`
		Parts  []struct {
			Type    string  `json:"type"`
			Content *string `json:"content"`
		} `json:"parts"`
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&list); err != nil {
		return err
	}
	for _, m := range list {
		if m.Role == "" || len(m.Parts) == 0 || m.Parts[0].Type == "" || m.Parts[0].Content == nil {
			return errors.New("a message lacks its role or its parts")
		}
	}
	return nil
}

// checkStatus returns an error if a failed span lacks the attribute error.type, or if another span
// has it.
func checkStatus(s Span) error {
	failed := s.Status.GetCode() == tracepb.Status_STATUS_CODE_ERROR
	if _, typed := s.Attributes["error.type"]; typed != failed {
		return fmt.Errorf("has the status %s and error.type %v", s.Status.GetCode(), s.Attributes["error.type"])
	}
	return nil
}

func attributesOf(list []*common.KeyValue) (map[string]any, error) {
	all := map[string]any{}
	for _, kv := range list {
		if _, again := all[kv.Key]; again || kv.Key == "" {
			return nil, fmt.Errorf("attribute %q is there twice", kv.Key)
		}
		all[kv.Key] = valueOf(kv.Value)
		want, is := known[kv.Key]
		switch {
		case all[kv.Key] == nil, all[kv.Key] == "":
			return nil, fmt.Errorf("attribute %q is empty", kv.Key)
		case !is && strings.HasPrefix(kv.Key, "gen_ai."):
			return nil, fmt.Errorf("attribute %q is not in the conventions", kv.Key)
		case is && fmt.Sprintf("%T", want) != fmt.Sprintf("%T", all[kv.Key]):
			return nil, fmt.Errorf("attribute %q is a %T", kv.Key, all[kv.Key])
		}
	}
	return all, nil
}

func valueOf(v *common.AnyValue) any {
	switch v := v.GetValue().(type) {
	case *common.AnyValue_StringValue:
		return v.StringValue
	case *common.AnyValue_IntValue:
		return v.IntValue
	case *common.AnyValue_DoubleValue:
		return v.DoubleValue
	case *common.AnyValue_BoolValue:
		return v.BoolValue
	case *common.AnyValue_ArrayValue:
		var list []any
		for _, one := range v.ArrayValue.Values {
			list = append(list, valueOf(one))
		}
		return list
	}
	return nil
}

// orphans returns a message for each span whose parent was not received, or whose time is not
// within that of its parent.
func (c *Collector) orphans() (wrong []string) {
	for _, at := range c.order {
		s := c.spans[at]
		if s.Parent == "" {
			continue
		}
		p, ok := c.spans[s.TraceID+s.Parent]
		if !ok || s.StartTimeUnixNano < p.StartTimeUnixNano || s.EndTimeUnixNano > p.EndTimeUnixNano {
			wrong = append(wrong, fmt.Sprintf("span %q is outside of its parent", s.Name))
		}
	}
	return wrong
}
