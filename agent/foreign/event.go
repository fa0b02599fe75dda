package foreign

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/tidwall/gjson"

	"evalctl/agent/secret"
	"evalctl/agent/trace"
)

// maxEvents limits the events that an agent may send for a turn.
const maxEvents = 10_000

// Event is a trace event that an external agent reports, such as a model call of its own.
type Event struct {
	Kind                   trace.Kind
	Node, Text             string        // node of the agent, and text for the trace
	From, To, Reason       string        // for a fallback
	Provider, Model, Error string        // for a model call (KindSpan)
	Duration               time.Duration // of a model call
	Tokens                 *trace.Tokens // of a model call; nil: not reported
}

// kinds lists the kinds of events that an agent may report.
var kinds = [...]trace.Kind{trace.KindChunk, trace.KindBanner, trace.KindThoughtLog, trace.KindSpan, trace.KindFallback,
	trace.KindRetry,
	trace.KindCacheHit, trace.KindCacheMiss}

// Event returns the event that a document of a stream contains. ok is false if it contains none.
func (d Document) Event() (Event, bool) {
	at := lookup(d.json, "/event")
	return readEvent(at), at.IsObject()
}

func readEvent(at gjson.Result) Event {
	name := func(key string) string { return printable(clip(child(at, key).String(), maxName)) }
	e := Event{
		Kind:     trace.Kind(name("kind")),
		Node:     name("node"),
		From:     name("from"),
		To:       name("to"),
		Reason:   name("reason"),
		Provider: name("provider"),
		Model:    name("model"),
		Error:    name("error"),
		Text:     clip(child(at, "text").String(), maxText),
	}
	if ms := child(at, "duration_ms"); ms.Type == gjson.Number && ms.Num >= 0 && ms.Num < 1e9 {
		e.Duration = time.Duration(ms.Num * float64(time.Millisecond))
	}
	if in, out := count(child(at, "in")), count(child(at, "out")); in >= 0 && out >= 0 {
		e.Tokens = &trace.Tokens{In: in, Out: out}
	}
	return e
}

// printable removes characters that are not printable.
func printable(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, name)
}

// NodeNames limits the node names that an external agent can introduce, because each becomes a row
// of a report. All names beyond the limit share one row. It is safe for concurrent use.
type NodeNames struct {
	mu    sync.Mutex
	known []string
}

const (
	maxNodes   = 50
	otherNodes = "more"
)

// rowName returns the name under which reports list a node of the agent. It never equals Node, the
// name for the call of the agent itself.
func (n *NodeNames) rowName(name string) string {
	if name == Node {
		name = Node + "'s"
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	switch {
	case slices.Contains(n.known, name):
	case len(n.known) == maxNodes:
		return otherNodes
	default:
		n.known = append(n.known, name)
	}
	return name
}

// EventReader emits the events that an external agent sends during one attempt as trace events.
type EventReader struct {
	nodes  *NodeNames
	labels ValidLabels // to find the label in an answer that lacks its path
	span   *trace.Span // span of the attempt

	eventCount, size int
	hasTokenCounts   bool         // the agent reported a call with token counts
	tokens           trace.Tokens // total of those calls
	text             strings.Builder

	chunks, thoughts secret.StreamRedactor // redact secrets in text that arrives in pieces
}

// redactedText returns the text of an event without secrets. The end of a chunk that may be the
// start of a secret is emitted with the next chunk.
func (t *EventReader) redactedText(e Event) string {
	switch e.Kind {
	case trace.KindChunk:
		return t.chunks.Write(e.Text)
	case trace.KindThoughtLog:
		return t.thoughts.Write(e.Text)
	}
	return t.chunks.Set.Redact(e.Text)
}

// end emits the text that redactedText held back.
func (t *EventReader) end(ctx context.Context) {
	if rest := t.thoughts.Flush(); rest != "" {
		trace.Emit(ctx, trace.Event{Kind: trace.KindThoughtLog, Node: Node, Text: rest})
	}
	if rest := t.chunks.Flush(); rest != "" {
		trace.Emit(ctx, trace.Event{Kind: trace.KindChunk, Node: Node, Text: rest})
	}
}

// CountEmptyEvent counts an event without content. It returns an error beyond maxEvents.
func (t *EventReader) CountEmptyEvent() error {
	if t.eventCount++; t.eventCount > maxEvents {
		return tooManyEventsError()
	}
	return nil
}

// Emit emits an event of the agent. It fails if there are too many events or too much text.
func (t *EventReader) Emit(ctx context.Context, e Event) error {
	if err := t.CountEmptyEvent(); err != nil {
		return err
	}
	if t.size += len(e.Text); t.size > maxText {
		return MalformedAnswerError("has events of more than %d bytes", maxText)
	}
	node := Node
	if e.Node != "" || e.Kind == trace.KindSpan { // distinguishes the agent's own calls from the call of the agent
		node = t.nodes.rowName(cmp.Or(e.Node, "call"))
	}
	switch {
	case !slices.Contains(kinds[:], e.Kind):
		trace.Emit(ctx, trace.Event{Kind: trace.KindIgnoredInput, Node: Node,
			Text: "an event of kind " + string(e.Kind)})
	case e.Kind == trace.KindSpan:
		t.emitSpan(ctx, node, e)
	default:
		if e.Kind == trace.KindChunk {
			if t.span.TTFT == 0 {
				t.span.TTFT = max(trace.Elapsed(ctx)-t.span.Start, 1)
			}
			t.text.WriteString(e.Text)
		}
		trace.Emit(ctx, trace.Event{
			Kind:   e.Kind,
			Node:   node,
			Text:   t.redactedText(e),
			From:   e.From,
			To:     e.To,
			Reason: e.Reason,
		})
	}
	return nil
}

// emitSpan emits a call that the agent made as a span.
func (t *EventReader) emitSpan(ctx context.Context, node string, e Event) {
	now := trace.Elapsed(ctx)
	duration := min(e.Duration, now)
	if e.Tokens != nil && !t.addTokens(*e.Tokens) {
		e.Tokens = nil
	}
	s := &trace.Span{
		Provider:        e.Provider,
		Model:           e.Model,
		Start:           now - duration,
		Duration:        duration,
		Attempt:         1,
		Error:           e.Error,
		UsageUnreported: e.Tokens == nil,
	}
	if e.Tokens != nil {
		s.Tokens = *e.Tokens
	}
	t.hasTokenCounts = t.hasTokenCounts || e.Tokens != nil
	if e.Error != "" {
		s.Message = e.Text
	}
	trace.Emit(ctx, trace.Event{Kind: trace.KindSpan, Node: node, Span: s})
}

// addTokens adds a call's tokens to the total. It returns false if that would be impossibly large.
func (t *EventReader) addTokens(b trace.Tokens) bool {
	in, out := t.tokens.In+b.In, t.tokens.Out+b.Out
	if in > trace.MaxPlausibleTokens || out > trace.MaxPlausibleTokens {
		return false
	}
	t.tokens.In, t.tokens.Out = in, out
	return true
}

// HasPartialAnswer reports whether a part of the answer has arrived. Then a retry would repeat it.
func (t *EventReader) HasPartialAnswer() bool { return t.text.Len() > 0 }

// ReadAnswer reads the answer in a document and emits the events that it contains.
func (t *EventReader) ReadAnswer(ctx context.Context, d Document, p AnswerPaths) (Answer, error) {
	a, err := d.Answer(p)
	if err != nil {
		return a, err
	}
	if a.MissingLabel {
		a.MissingPathError = d.missingLabelError(p.Label, t.labels, t.chunks.Set)
	}
	for _, e := range a.Events {
		if err := t.Emit(ctx, e); err != nil {
			return a, err
		}
	}
	return a, nil
}

// recordUsage records the token counts of the whole answer in the span of the attempt. If the agent
// reported its calls with token counts, recordUsage ignores those of the answer.
func (t *EventReader) recordUsage(reported *trace.Tokens) {
	switch {
	case t.hasTokenCounts:
	case reported != nil:
		t.span.Tokens = *reported
	default:
		t.span.UsageUnreported = true
	}
}
