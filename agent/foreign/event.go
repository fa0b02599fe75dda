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

// MaxEvents bounds what an agent tells of a turn.
const MaxEvents = 10_000

// Event is what an agent tells of its work.
type Event struct {
	Kind                   trace.Kind
	Node, Text             string
	From, To, Reason       string
	Provider, Model, Error string // of a call
	Took                   time.Duration
	Tokens                 *trace.Tokens
}

// kinds are the events that an agent may tell of.
var kinds = [...]trace.Kind{trace.KindChunk, trace.KindBanner, trace.KindThought, trace.KindSpan, trace.KindFallback, trace.KindRetry,
	trace.KindCacheHit, trace.KindCacheMiss}

// Event is the event that a document of a stream tells of; false: it tells of none.
func (d Document) Event() (Event, bool) {
	at := lookup(d.json, "/event")
	return readEvent(at), at.IsObject()
}

func readEvent(at gjson.Result) Event {
	name := func(key string) string { return printable(clip(child(at, key).String(), maxName)) }
	e := Event{Kind: trace.Kind(name("kind")), Node: name("node"), From: name("from"), To: name("to"), Reason: name("reason"),
		Provider: name("provider"), Model: name("model"), Error: name("error"), Text: clip(child(at, "text").String(), maxText)}
	if ms := child(at, "duration_ms"); ms.Type == gjson.Number && ms.Num >= 0 && ms.Num < 1e9 {
		e.Took = time.Duration(ms.Num * float64(time.Millisecond))
	}
	if in, out := count(child(at, "in")), count(child(at, "out")); in >= 0 && out >= 0 {
		e.Tokens = &trace.Tokens{In: in, Out: out}
	}
	return e
}

// printable is a name fit for a line of a report.
func printable(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, name)
}

// Nodes are the names under which an agent tells of its work. They become rows of a
// report: an agent that makes up a new one for every turn gets one row for all of them.
// It is safe for concurrent use.
type Nodes struct {
	mu    sync.Mutex
	known []string
}

const (
	maxNodes = 50
	manyNode = "more"
)

// name is the row for a name; a name of the harness's own gets one, too.
func (n *Nodes) name(said string) string {
	if said == Node {
		said = Node + "'s"
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	switch {
	case slices.Contains(n.known, said):
	case len(n.known) == maxNodes:
		return manyNode
	default:
		n.known = append(n.known, said)
	}
	return said
}

// Teller hands on what an agent tells in one attempt at a question.
type Teller struct {
	nodes *Nodes
	span  *trace.Span // of the attempt

	told, size int
	counted    bool         // calls have told their tokens
	tokens     trace.Tokens // of those calls together
	text       strings.Builder

	chunks, thoughts secret.Stream // what is told piece by piece, without secrets
}

// shown is what of an event's text can be told by now. Of a piece that may go on to be a
// secret nothing is, but that it came.
func (t *Teller) shown(e Event) string {
	switch e.Kind {
	case trace.KindChunk:
		return t.chunks.Next(e.Text)
	case trace.KindThought:
		return t.thoughts.Next(e.Text)
	}
	return t.chunks.Set.Replace(e.Text)
}

// end tells what was held back: no secret came of it.
func (t *Teller) end(ctx context.Context) {
	if rest := t.thoughts.End(); rest != "" {
		trace.Emit(ctx, trace.Event{Kind: trace.KindThought, Node: Node, Text: rest})
	}
	if rest := t.chunks.End(); rest != "" {
		trace.Emit(ctx, trace.Event{Kind: trace.KindChunk, Node: Node, Text: rest})
	}
}

// Pass counts an event that tells nothing.
func (t *Teller) Pass() error {
	if t.told++; t.told > MaxEvents {
		return TooMany()
	}
	return nil
}

// Tell hands an event on; its error is that there are too many.
func (t *Teller) Tell(ctx context.Context, e Event) error {
	if err := t.Pass(); err != nil {
		return err
	}
	if t.size += len(e.Text); t.size > maxText {
		return Malformed("has events of more than %d bytes", maxText)
	}
	node := Node
	if e.Node != "" || e.Kind == trace.KindSpan { // its own calls are not those to it
		node = t.nodes.name(cmp.Or(e.Node, "call"))
	}
	switch {
	case !slices.Contains(kinds[:], e.Kind):
		trace.Emit(ctx, trace.Event{Kind: trace.KindUnused, Node: Node, Text: "an event of kind " + string(e.Kind)})
	case e.Kind == trace.KindSpan:
		t.tellSpan(ctx, node, e)
	default:
		if e.Kind == trace.KindChunk {
			if t.span.TTFT == 0 {
				t.span.TTFT = max(trace.Elapsed(ctx)-t.span.Start, 1)
			}
			t.text.WriteString(e.Text)
		}
		trace.Emit(ctx, trace.Event{Kind: e.Kind, Node: node, Text: t.shown(e), From: e.From, To: e.To, Reason: e.Reason})
	}
	return nil
}

// tellSpan hands on a call that the agent made.
func (t *Teller) tellSpan(ctx context.Context, node string, e Event) {
	now := trace.Elapsed(ctx)
	took := min(e.Took, now)
	if e.Tokens != nil && !t.bill(*e.Tokens) {
		e.Tokens = nil
	}
	s := &trace.Span{Provider: e.Provider, Model: e.Model, Start: now - took, Duration: took, Attempt: 1, Error: e.Error, Uncounted: e.Tokens == nil}
	if e.Tokens != nil {
		s.Tokens = *e.Tokens
	}
	t.counted = t.counted || e.Tokens != nil
	if e.Error != "" {
		s.Message = e.Text
	}
	trace.Emit(ctx, trace.Event{Kind: trace.KindSpan, Node: node, Span: s})
}

// bill adds up what calls were billed, and tells whether that can be.
func (t *Teller) bill(b trace.Tokens) bool {
	in, out := t.tokens.In+b.In, t.tokens.Out+b.Out
	if in > trace.MaxTokens || out > trace.MaxTokens {
		return false
	}
	t.tokens.In, t.tokens.Out = in, out
	return true
}

// Begun tells whether a piece of the answer was handed on.
func (t *Teller) Begun() bool { return t.text.Len() > 0 }

// Take reads the answer in a document, and hands on the events that stand in it.
func (t *Teller) Take(ctx context.Context, d Document, p Paths) (Answer, error) {
	a, err := d.Answer(p)
	if err != nil {
		return a, err
	}
	for _, e := range a.Events {
		if err := t.Tell(ctx, e); err != nil {
			return a, err
		}
	}
	return a, nil
}

// count puts into the span what the agent was billed: what it says, else nothing where
// it tells of its calls, whose tokens are counted with them.
func (t *Teller) count(told *trace.Tokens) {
	switch {
	case t.counted:
	case told != nil:
		t.span.Tokens = *told
	default:
		t.span.Uncounted = true
	}
}
