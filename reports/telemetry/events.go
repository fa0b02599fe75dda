package telemetry

import (
	"slices"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"evalctl/agent/trace"
)

// exportedEvents lists the kinds of events that become span events: decisions, failures and
// retries. Pieces of streamed replies and user interface events are omitted.
var exportedEvents = []trace.Kind{
	trace.KindRoute, trace.KindNoDecision, trace.KindGuard, trace.KindCorrection, trace.KindFault, trace.KindFallback,
	trace.KindRetry, trace.KindTimeout,
	trace.KindReview, trace.KindCriticLoop, trace.KindError, trace.KindNodeError, trace.KindCacheError,
	trace.KindQuestion,
	trace.KindCompression, trace.KindQueue,
}

const maxEvents = 128

func (t *trial) events(begins []time.Duration) (list []*tracepb.Span_Event, dropped uint32) {
	for i, p := range t.Outcome.Turns {
		for _, e := range p.Events {
			if !slices.Contains(exportedEvents, e.Kind) {
				continue
			}
			if len(list) == maxEvents {
				dropped++
				continue
			}
			at := begins[i] + clampDuration(e.Offset)
			t.end = max(t.end, at)
			list = append(list, &tracepb.Span_Event{Name: "evalctl." + string(e.Kind), TimeUnixNano: t.nanos(at),
				Attributes: t.eventAttributes(e, i+1)})
		}
	}
	return list, dropped
}

func (t *trial) eventAttributes(e trace.Event, turn int) attributes {
	var a attributes
	a.integer("evalctl.turn", int64(turn))
	a.text("evalctl.node", e.Node)
	a.text("evalctl.reason", e.Reason)
	a.text("evalctl.from", e.From)
	a.text("evalctl.to", e.To)
	if r := e.Review; r != nil {
		a.integer("evalctl.review.loop", int64(r.Loop))
		a.number("evalctl.review.score", r.Score)
		a.boolean("evalctl.review.passed", r.Passed)
		a.text("evalctl.review.reviewer", r.Reviewer)
	}
	if t.content {
		a.text("evalctl.text", e.Text)
	}
	return a
}
