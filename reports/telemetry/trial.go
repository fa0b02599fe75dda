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

// longest is more than a turn takes, or a call; a file may say anything.
const longest = 1000 * time.Hour

func believed(d time.Duration) time.Duration { return min(max(0, d), longest) }

// span is one of a trial.
type span struct {
	proto *tracepb.Span
	call  *call // nil: it is the trial itself
}

// trial is a result on its way to spans.
type trial struct {
	eval.Result
	agent   string
	works   works
	content bool
	start   time.Time
	trace   []byte // id
	n       uint64 // spans so far
	end     time.Duration
}

// newTrial has an id that follows from when the run began and the trial's key.
func newTrial(r resource, res eval.Result, s declared, content bool) *trial {
	sum := sha256.Sum256(fmt.Appendf(nil, "evalctl trace\x00%d\x00%s", r.start.UnixNano(), res.Key))
	return &trial{Result: res, agent: cmp.Or(s.target, res.Suite), works: s.works, content: content, start: r.start, trace: sum[:16]}
}

// spanID is of the nth span of the trial, from 0; never 0, which would be none.
func (t *trial) spanID(n uint64) []byte {
	sum := sha256.Sum256(binary.BigEndian.AppendUint64(append([]byte("evalctl span\x00"), t.trace...), n))
	sum[0] |= 1
	return sum[:8]
}

func (t *trial) nanos(offset time.Duration) uint64 {
	return uint64(t.start.Add(offset).UnixNano()) // after 1970: resourceOf saw to that
}

// write gives the trial's spans, itself last.
func (t *trial) write(add func(*span) error) error {
	begins := turnStarts(t.Outcome.Turns)
	for i, p := range t.Outcome.Turns {
		t.end = max(t.end, begins[i]+believed(p.Duration))
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

// turnStarts are when turns began, since the trial did: once the one before was
// answered, or so long after it as it says.
func turnStarts(turns []eval.TurnResult) []time.Duration {
	begins := make([]time.Duration, len(turns))
	var over time.Duration // when all turns until now are answered
	for i, p := range turns {
		begins[i] = over
		if wait := time.Duration(p.Input.After); i > 0 && wait > 0 {
			begins[i] = begins[i-1] + believed(wait)
		}
		begins[i] = min(begins[i], longest)
		over = max(over, begins[i]+believed(p.Duration))
	}
	return begins
}

func (t *trial) child(c *call) *span {
	t.n++
	t.end = max(t.end, c.start+c.duration)
	return &span{call: c, proto: &tracepb.Span{
		TraceId: t.trace, SpanId: t.spanID(t.n), ParentSpanId: t.spanID(0),
		Name: c.name(), Kind: c.kind(),
		StartTimeUnixNano: t.nanos(c.start), EndTimeUnixNano: t.nanos(c.start + c.duration),
		Attributes: c.attributes(t.Key), Status: c.status(t.content),
	}}
}

// root is the trial itself, which lasts as long as all that was in it.
func (t *trial) root(begins []time.Duration) *span {
	events, dropped := t.events(begins)
	if t.Outcome.Turns == nil { // without its trace
		t.end = max(t.end, believed(time.Duration(t.Duration)))
	}
	s := &tracepb.Span{
		TraceId: t.trace, SpanId: t.spanID(0), Name: "invoke_agent " + clipped(t.agent, maxText), Kind: tracepb.Span_SPAN_KIND_INTERNAL,
		StartTimeUnixNano: t.nanos(0), EndTimeUnixNano: t.nanos(t.end),
		Attributes: t.attributes(), Events: events, DroppedEventsCount: dropped,
	}
	if t.Error != nil {
		s.Status = &tracepb.Status{Code: tracepb.Status_STATUS_CODE_ERROR}
		if t.content {
			s.Status.Message = clipped(t.Error.Message, maxText)
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
	a.whole("evalctl.epoch", int64(t.Epoch))
	a.text("evalctl.verdict", verdict(t.Correct))
	a.list("evalctl.expected", t.Expected)
	a.text("evalctl.predicted", t.Predicted)
	a.text("evalctl.answered_by", t.AnsweredBy)
	a.text("evalctl.decided_by", t.DecidedBy)
	a.whole("evalctl.turns", int64(len(t.Turns)))
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
