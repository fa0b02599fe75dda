package telemetry

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"evalctl/agent/trace"
	"evalctl/eval"
)

// maxDuration is the maximum duration of a turn or a call. It limits invalid values, because a
// results file can contain any number.
const maxDuration = 1000 * time.Hour

func clampDuration(d time.Duration) time.Duration { return min(max(0, d), maxDuration) }

type span struct {
	proto *tracepb.Span
	call  *call // call that the span represents; nil: the span represents the whole trial
}

// trial converts the result of a trial to spans.
type trial struct {
	eval.Result
	agent   string
	works   nodeComponents
	content bool
	start   time.Time
	trace   []byte // ID of the trace
	n       uint64 // number of child spans so far
	end     time.Duration
}

// newTrial returns the trial with its trace ID, which is derived from the start of the run and the
// trial's key.
func newTrial(r resource, res eval.Result, s systemInfo, content bool) *trial {
	sum := sha256.Sum256(fmt.Appendf(nil, "evalctl trace\x00%d\x00%s", r.start.UnixNano(), res.Key))
	return &trial{
		Result:  res,
		agent:   cmp.Or(s.target, res.Suite),
		works:   s.works,
		content: content,
		start:   r.start,
		trace:   sum[:16],
	}
}

// spanID returns the ID of span n of the trial, counted from 0. It is never all zeros, which would
// be invalid.
func (t *trial) spanID(n uint64) []byte {
	sum := sha256.Sum256(binary.BigEndian.AppendUint64(append([]byte("evalctl span\x00"), t.trace...), n))
	sum[0] |= 1
	return sum[:8]
}

func (t *trial) nanos(offset time.Duration) uint64 {
	return uint64(t.start.Add(offset).UnixNano()) // not negative, because resourceOf checks the start time
}

// write passes the spans of the trial to the function add: first the calls, then the span of the
// whole trial.
func (t *trial) write(add func(*span) error) error {
	begins := turnStarts(t.Outcome.Turns)
	for i, p := range t.Outcome.Turns {
		t.end = max(t.end, begins[i]+clampDuration(p.Duration))
		for _, e := range p.Events {
			if e.Kind != trace.KindSpan || e.Span == nil {
				continue
			}
			if err := add(t.child(newCall(e, i+1, begins[i], t.works))); err != nil {
				return err
			}
		}
	}
	return add(t.root(begins))
}

// turnStarts returns when each turn starts, relative to the start of the trial. A turn starts when
// the previous one is answered or, if its input has a delay, this long after the start of the
// previous one.
func turnStarts(turns []eval.TurnResult) []time.Duration {
	begins := make([]time.Duration, len(turns))
	var over time.Duration // when all previous turns have ended
	for i, p := range turns {
		begins[i] = over
		if wait := time.Duration(p.Input.Delay); i > 0 && wait > 0 {
			begins[i] = begins[i-1] + clampDuration(wait)
		}
		begins[i] = min(begins[i], maxDuration)
		over = max(over, begins[i]+clampDuration(p.Duration))
	}
	return begins
}

func (t *trial) child(c *call) *span {
	t.n++
	t.end = max(t.end, c.start+c.duration)
	return &span{call: c, proto: &tracepb.Span{
		TraceId:           t.trace,
		SpanId:            t.spanID(t.n),
		ParentSpanId:      t.spanID(0),
		Name:              c.name(),
		Kind:              c.kind(),
		StartTimeUnixNano: t.nanos(c.start),
		EndTimeUnixNano:   t.nanos(c.start + c.duration),
		Attributes:        c.attributes(t.Key),
		Status:            c.status(t.content),
	}}
}

// root returns the span that represents the whole trial. It ends with the last event of the trial.
func (t *trial) root(begins []time.Duration) *span {
	events, dropped := t.events(begins)
	if t.Outcome.Turns == nil { // without a trace, only the total duration is known
		t.end = max(t.end, clampDuration(time.Duration(t.Duration)))
	}
	s := &tracepb.Span{
		TraceId:            t.trace,
		SpanId:             t.spanID(0),
		Name:               "invoke_agent " + truncated(t.agent, maxText),
		Kind:               tracepb.Span_SPAN_KIND_INTERNAL,
		StartTimeUnixNano:  t.nanos(0),
		EndTimeUnixNano:    t.nanos(t.end),
		Attributes:         t.attributes(),
		Events:             events,
		DroppedEventsCount: dropped,
	}
	if t.Error != nil {
		s.Status = &tracepb.Status{Code: tracepb.Status_STATUS_CODE_ERROR}
		if t.content {
			s.Status.Message = truncated(t.Error.Message, maxText)
		}
	}
	return &span{proto: s}
}

func (t *trial) attributes() attributes {
	var a attributes
	a.text("gen_ai.operation.name", "invoke_agent")
	a.text("gen_ai.provider.name", "evalctl")
	a.text("gen_ai.agent.name", t.agent)
	a.text("gen_ai.conversation.id", t.Key)
	a.text("evalctl.suite", t.Suite)
	a.text("evalctl.case", t.Case)
	a.text("evalctl.variant", t.Variant)
	a.text("evalctl.fault", cmp.Or(t.Fault, eval.NoFault))
	a.integer("evalctl.epoch", int64(t.Epoch))
	a.text("evalctl.verdict", verdict(t.Correct))
	a.list("evalctl.expected", t.Expected)
	a.text("evalctl.predicted", t.Predicted)
	a.text("evalctl.answered_by", t.AnsweredBy)
	a.text("evalctl.decided_by", t.DecidedBy)
	a.integer("evalctl.turns", int64(len(t.Turns)))
	if t.Error != nil {
		a.text("error.type", cmp.Or(string(t.Error.Kind), "_OTHER"))
	}
	if t.content {
		a.messages(t.Outcome.Turns)
	}
	return a
}

func verdict(correct *bool) string {
	switch {
	case correct == nil:
		return "unscored"
	case *correct:
		return "right"
	}
	return "wrong"
}
