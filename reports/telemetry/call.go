package telemetry

import (
	"cmp"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"evalctl/agent/trace"
)

// call is one attempt to call a component of the agent, such as a model. It becomes a span.
type call struct {
	*trace.Span
	node            string
	turn            int
	operation       operation
	start, duration time.Duration // start is relative to the start of the trial
}

func newCall(e trace.Event, turn int, begin time.Duration, w nodeComponents) *call {
	return &call{
		Span:      e.Span,
		node:      e.Node,
		turn:      turn,
		operation: w.operation(e.Node, e.Span),
		start:     begin + clampDuration(e.Span.Start),
		duration:  clampDuration(e.Span.Duration),
	}
}

func (c *call) provider() string { return truncated(cmp.Or(c.Provider, "unknown"), maxText) }

// target returns the name of what is called: the model, the store or the tool.
func (c *call) target() string {
	if c.operation == tool {
		return cmp.Or(c.node, c.Provider, "unknown")
	}
	return cmp.Or(c.Model, c.Provider, "unknown")
}

func (c *call) name() string { return string(c.operation) + " " + truncated(c.target(), maxText) }

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
		a.text("gen_ai.request.model", c.target())
		a.text("gen_ai.conversation.id", conversation)
		c.usage(&a)
	case retrieval:
		a.text("gen_ai.provider.name", c.provider())
		a.text("gen_ai.data_source.id", c.target())
	default:
		a.text("gen_ai.tool.name", c.target())
		a.text("gen_ai.tool.type", "extension")
		a.text("evalctl.provider", c.Provider)
		a.text("evalctl.model", c.Model)
	}
	a.text("error.type", c.Error)
	a.text("evalctl.node", c.node)
	a.integer("evalctl.turn", int64(c.turn))
	a.integer("evalctl.attempt", int64(c.Attempt))
	if c.Images > 0 {
		a.integer("evalctl.images", c.Images)
	}
	return a
}

// usage adds attributes for the token counts and the time to the first token.
func (c *call) usage(a *attributes) {
	if c.TTFT > 0 {
		a.boolean("gen_ai.request.stream", true)
		a.number("gen_ai.response.time_to_first_chunk", clampDuration(c.TTFT).Seconds())
	}
	if !c.hasUsage() {
		return
	}
	a.integer("gen_ai.usage.input_tokens", c.Tokens.In)
	if c.operation == chat {
		a.integer("gen_ai.usage.output_tokens", c.Tokens.Out)
	}
}

// hasUsage reports whether the token counts of the call are known. A failed call can have token
// counts, too.
func (c *call) hasUsage() bool {
	return !c.UsageUnreported && c.Tokens.In >= 0 && c.Tokens.Out >= 0 && (c.Error == "" || c.Tokens != trace.Tokens{})
}

func (c *call) status(content bool) *tracepb.Status {
	if c.Error == "" {
		return nil
	}
	s := &tracepb.Status{Code: tracepb.Status_STATUS_CODE_ERROR}
	if content { // only with content, because the error can quote the request
		s.Message = truncated(c.Message, maxText)
	}
	return s
}
