package export

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"evalctl/agent/llm"
	"evalctl/agent/system"
	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/runs"
	"evalctl/eval/suite"
)

// sendSpans sends the spans of all trials, and adds their calls to calls.
func (e *otlpExport) sendSpans(ctx context.Context, run *runs.Run, calls *callMetrics) (err error) {
	index, err := run.IndexTrials()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, index.Close()) }()
	systems := systemsOf(run)
	spans := batch[*tracepb.Span]{sent: &e.result.Spans, send: func(ctx context.Context, list []*tracepb.Span) error {
		// TracesData has the same encoding as ExportTraceServiceRequest
		return e.post(ctx, "traces", &tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{
			Resource:   e.resource.proto,
			ScopeSpans: []*tracepb.ScopeSpans{{Scope: e.resource.scope, Spans: list}},
		}}})
	}}
	for r, err := range run.Results() {
		if err != nil {
			return err
		}
		line, err := index.Trace(r.Key)
		if errors.Is(err, runs.ErrNoTrace) {
			e.result.WithoutTrace++
			line, err = journal.Trace{}, nil
		}
		if err != nil {
			return err
		}
		r.Outcome = line.Outcome
		e.result.Trials++
		t := newTrial(r, e.resource.start, systems[r.Suite], e.cfg.IncludeTexts)
		for _, c := range t.calls {
			calls.add(t, c)
			if err := spans.add(ctx, t.callSpan(c), 1); err != nil {
				return err
			}
		}
		if err := spans.add(ctx, t.rootSpan(), 1); err != nil {
			return err
		}
	}
	return spans.flush(ctx)
}

// maxDuration is the maximum duration of a turn or a call. It limits invalid values, because a
// results file can contain any number.
const maxDuration = 1000 * time.Hour

func clampDuration(d time.Duration) time.Duration { return min(max(0, d), maxDuration) }

// trial is a trial whose spans are exported.
type trial struct {
	eval.Result
	agent        string
	components   nodeComponents
	includeTexts bool
	start        time.Time
	turnStarts   []time.Duration // relative to the start of the trial
	traceID      []byte
	calls        []*call
	end          time.Duration // end of the last turn or call
}

// call is one attempt to call a component of the agent, such as a model. It becomes a span.
type call struct {
	*trace.Span
	index           uint64 // position in the trial, from 1
	trialKey        string
	node            string
	turn            int
	operation       operation
	start, duration time.Duration // start is relative to the start of the trial
}

// newTrial returns the trial with its trace ID, which is derived from the start of the run and the
// trial's key.
func newTrial(r eval.Result, start time.Time, s systemInfo, includeTexts bool) *trial {
	id := sha256.Sum256(fmt.Appendf(nil, "evalctl trace\x00%d\x00%s", start.UnixNano(), r.Key))
	t := &trial{
		Result:       r,
		agent:        cmp.Or(s.target, r.Suite),
		components:   s.components,
		includeTexts: includeTexts,
		start:        start,
		turnStarts:   turnStarts(r.Outcome.Turns),
		traceID:      id[:16],
	}
	for i, p := range r.Outcome.Turns {
		t.end = max(t.end, t.turnStarts[i]+clampDuration(p.Duration))
		for _, e := range p.Events {
			if e.Kind != trace.KindSpan || e.Span == nil {
				continue
			}
			c := &call{
				Span:      e.Span,
				index:     uint64(len(t.calls)) + 1,
				trialKey:  r.Key,
				node:      e.Node,
				turn:      i + 1,
				operation: s.components.operation(e.Node, e.Span),
				start:     t.turnStarts[i] + clampDuration(e.Span.Start),
				duration:  clampDuration(e.Span.Duration),
			}
			t.calls = append(t.calls, c)
			t.end = max(t.end, c.start+c.duration)
		}
	}
	if r.Outcome.Turns == nil { // without a trace, only the total duration is known
		t.end = clampDuration(time.Duration(r.Duration))
	}
	return t
}

// turnStarts returns when each turn starts, relative to the start of the trial. A turn starts when
// the previous one is answered or, if its input has a delay, this long after the start of the
// previous one.
func turnStarts(turns []eval.TurnResult) []time.Duration {
	starts := make([]time.Duration, len(turns))
	var over time.Duration // when all previous turns have ended
	for i, p := range turns {
		starts[i] = over
		if wait := time.Duration(p.Input.Delay); i > 0 && wait > 0 {
			starts[i] = starts[i-1] + clampDuration(wait)
		}
		starts[i] = min(starts[i], maxDuration)
		over = max(over, starts[i]+clampDuration(p.Duration))
	}
	return starts
}

// spanID returns the ID of a span of the trial: 0 is the whole trial, then the calls. It is never
// all zeros, which would be invalid.
func (t *trial) spanID(index uint64) []byte {
	sum := sha256.Sum256(binary.BigEndian.AppendUint64(append([]byte("evalctl span\x00"), t.traceID...), index))
	sum[0] |= 1
	return sum[:8]
}

func (t *trial) nanos(offset time.Duration) uint64 {
	return uint64(t.start.Add(offset).UnixNano()) // not negative, because resourceOf checks the start time
}

// errorStatus returns the status of a failed span. The message can quote the request.
func (t *trial) errorStatus(message string) *tracepb.Status {
	s := &tracepb.Status{Code: tracepb.Status_STATUS_CODE_ERROR}
	if t.includeTexts {
		s.Message = truncated(message, maxTextBytes)
	}
	return s
}

func (t *trial) callSpan(c *call) *tracepb.Span {
	s := &tracepb.Span{
		TraceId:           t.traceID,
		SpanId:            t.spanID(c.index),
		ParentSpanId:      t.spanID(0),
		Name:              string(c.operation) + " " + truncated(c.target(), maxTextBytes),
		Kind:              tracepb.Span_SPAN_KIND_CLIENT,
		StartTimeUnixNano: t.nanos(c.start),
		EndTimeUnixNano:   t.nanos(c.start + c.duration),
		Attributes:        c.attributes().proto(),
	}
	if c.operation == toolCall {
		s.Kind = tracepb.Span_SPAN_KIND_INTERNAL
	}
	if c.Error != "" {
		s.Status = t.errorStatus(c.Message)
	}
	return s
}

// rootSpan returns the span that represents the whole trial. It ends with the last event of the
// trial.
func (t *trial) rootSpan() *tracepb.Span {
	s := &tracepb.Span{
		TraceId:           t.traceID,
		SpanId:            t.spanID(0),
		Name:              "invoke_agent " + truncated(t.agent, maxTextBytes),
		Kind:              tracepb.Span_SPAN_KIND_INTERNAL,
		StartTimeUnixNano: t.nanos(0),
		Attributes:        t.attributes().proto(),
	}
	end := t.end
	if t.Error != nil {
		s.Status = t.errorStatus(t.Error.Message)
	}
	for i, p := range t.Outcome.Turns {
		for _, e := range p.Events {
			switch {
			case !slices.Contains(exportedEvents, e.Kind):
				continue
			case len(s.Events) == maxEvents:
				s.DroppedEventsCount++
				continue
			}
			at := t.turnStarts[i] + clampDuration(e.Offset)
			end = max(end, at)
			s.Events = append(s.Events, &tracepb.Span_Event{
				Name:         "evalctl." + string(e.Kind),
				TimeUnixNano: t.nanos(at),
				Attributes:   eventAttributes(e, i+1, t.includeTexts).proto(),
			})
		}
	}
	s.EndTimeUnixNano = t.nanos(end)
	return s
}

// exportedEvents lists the kinds of events that become span events: decisions, failures and
// retries. Pieces of streamed replies and user interface events are omitted.
var exportedEvents = []trace.Kind{
	trace.KindRoute, trace.KindNoDecision, trace.KindGuard, trace.KindCorrection, trace.KindFault, trace.KindFallback,
	trace.KindRetry, trace.KindTimeout, trace.KindReview, trace.KindCriticLoop, trace.KindError, trace.KindNodeError,
	trace.KindCacheError, trace.KindQuestion, trace.KindCompression, trace.KindQueue,
}

const maxEvents = 128

func (c *call) provider() string { return truncated(cmp.Or(c.Provider, "unknown"), maxTextBytes) }

// target returns the name of what is called: the model, the store or the tool.
func (c *call) target() string {
	if c.operation == toolCall {
		return cmp.Or(c.node, c.Provider, "unknown")
	}
	return cmp.Or(c.Model, c.Provider, "unknown")
}

// hasUsage reports whether the token counts of the call are known. A failed call can have token
// counts, too.
func (c *call) hasUsage() bool {
	return !c.UsageUnreported && c.Tokens.In >= 0 && c.Tokens.Out >= 0 && (c.Error == "" || c.Tokens != trace.Tokens{})
}

// operation is the kind of a call, as the value of the attribute gen_ai.operation.name.
type operation string

const (
	chatCall       operation = "chat"
	embeddingsCall operation = "embeddings"
	retrievalCall  operation = "retrieval"
	toolCall       operation = "execute_tool"
)

// nodeComponents maps the name of a node to the components that are called in it.
type nodeComponents map[string][]system.Component

// systemInfo describes the system that a suite evaluates: its name and the components of its nodes.
type systemInfo struct {
	target     string
	components nodeComponents
}

func systemsOf(run *runs.Run) map[string]systemInfo {
	list := map[string]systemInfo{}
	for _, s := range run.Suites() {
		d := systemInfo{target: s.Target, components: nodeComponents{}}
		for _, target := range s.Targets() {
			of, _ := suite.FindSystem(target)
			for _, p := range of.Components {
				d.components[p.NodeName()] = append(d.components[p.NodeName()], p)
			}
		}
		list[s.Name] = d
	}
	return list
}

// operation returns the kind of a call. It depends on the roles of the node's components, on the
// token counts and on the provider. Calls that run in the process, generate images, search the web
// without a model, or store data are tool calls.
func (n nodeComponents) operation(node string, s *trace.Span) operation {
	isLocal, isLibrary := false, false
	var roles []system.Role
	for _, p := range n[node] {
		roles = append(roles, p.Role)
		isLocal = isLocal || p.LocalProviderName == s.Provider && p.LocalProviderName != ""
		// a store of knowledge that can be searched, in contrast to caches and similar stores
		isLibrary = isLibrary || p.Role == system.RoleStore && p.Name == string(system.RoleStore)
	}
	has := func(list ...system.Role) bool {
		return slices.ContainsFunc(list, func(r system.Role) bool { return slices.Contains(roles, r) })
	}
	switch {
	case has(system.RoleEmbedding) && s.Tokens.Out == 0:
		return embeddingsCall
	case s.Tokens.Out > 0:
		return chatCall
	case has(system.RoleRetrieval), isLibrary:
		return retrievalCall
	case isLocal, s.Provider == llm.BaselineProvider, s.Model == "":
		return toolCall
	case s.Tokens.In > 0, has(system.RoleRouter, system.RoleChat, system.RoleStructured, system.RoleVision,
		system.RoleCritic, system.RoleGrader, system.RoleSearchModel):
		return chatCall
	}
	return toolCall
}
