package telemetry

import (
	"cmp"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"evalctl/agent/trace"
)

// call is one attempt of a call to the outside.
type call struct {
	*trace.Span
	node            string
	turn            int
	operation       operation
	start, duration time.Duration // since the trial began
}

func newCall(e trace.Event, turn int, begin time.Duration, w works) *call {
	return &call{Span: e.Span, node: e.Node, turn: turn, operation: w.operation(e.Node, e.Span),
		start: begin + believed(e.Span.Start), duration: believed(e.Span.Duration)}
}

func (c *call) provider() string { return clipped(cmp.Or(c.Provider, "unknown"), maxText) }

// of is what is called: the model, the store or the tool.
func (c *call) of() string {
	if c.operation == tool {
		return cmp.Or(c.node, c.Provider, "unknown")
	}
	return cmp.Or(c.Model, c.Provider, "unknown")
}

func (c *call) name() string { return string(c.operation) + " " + clipped(c.of(), maxText) }

func (c *call) kind() tracepb.Span_SpanKind {
	if c.operation == tool {
		return tracepb.Span_SPAN_KIND_INTERNAL
	}
	return tracepb.Span_SPAN_KIND_CLIENT
}

func (c *call) attributes(conversation string) attributes {
	var a attributes
	a.text("gen_ai.operation.name", string(c.operation))
	switch c.operation {
	case chat, embeddings:
		a.text("gen_ai.provider.name", c.provider())
		a.text("gen_ai.request.model", c.of())
		a.text("gen_ai.conversation.id", conversation)
		c.usage(&a)
	case retrieval:
		a.text("gen_ai.provider.name", c.provider())
		a.text("gen_ai.data_source.id", c.of())
	default:
		a.text("gen_ai.tool.name", c.of())
		a.text("gen_ai.tool.type", "extension")
		a.text("evalctl.provider", c.Provider)
		a.text("evalctl.model", c.Model)
	}
	a.text("error.type", c.Error)
	a.text("evalctl.node", c.node)
	a.whole("evalctl.turn", int64(c.turn))
	a.whole("evalctl.attempt", int64(c.Attempt))
	if c.Images > 0 {
		a.whole("evalctl.images", c.Images)
	}
	return a
}

// usage is told of calls that brought an answer with its count of tokens.
func (c *call) usage(a *attributes) {
	if c.TTFT > 0 {
		a.truth("gen_ai.request.stream", true)
		a.number("gen_ai.response.time_to_first_chunk", believed(c.TTFT).Seconds())
	}
	if !c.counted() {
		return
	}
	a.whole("gen_ai.usage.input_tokens", c.Tokens.In)
	if c.operation == chat {
		a.whole("gen_ai.usage.output_tokens", c.Tokens.Out)
	}
}

// counted tells a call of which it is known what it was billed; one that failed may be,
// too.
func (c *call) counted() bool {
	return !c.UsageUnreported && c.Tokens.In >= 0 && c.Tokens.Out >= 0 && (c.Error == "" || c.Tokens != trace.Tokens{})
}

func (c *call) status(content bool) *tracepb.Status {
	if c.Error == "" {
		return nil
	}
	s := &tracepb.Status{Code: tracepb.Status_STATUS_CODE_ERROR}
	if content { // an error may quote what was asked
		s.Message = clipped(c.Message, maxText)
	}
	return s
}
