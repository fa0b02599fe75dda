// Package trace records what happens during one turn: ordered events, and a
// span for every call to the outside. The harness scores from these events.
package trace

import (
	"context"
	"encoding/json"
	"time"

	"evalctl/agent/clock"
)

// Kind says what an event tells.
type Kind string

const (
	KindSpan       Kind = "span"        // a finished call to the outside
	KindRoute      Kind = "route"       // a decision: To is the route, Reason its cause
	KindNoDecision Kind = "no_decision" // no decision came of the answer in Data, for Reason
	KindGuard      Kind = "guard"       // a decision not taken, because its route is closed
	KindFallback   Kind = "fallback"    // From gave up, To takes over
	KindRetry      Kind = "retry"       // an attempt failed and another follows
	KindFault      Kind = "fault"       // an injected fault struck a call of Node, a part; Reason is its kind
	KindTimeout    Kind = "timeout"     // an attempt ran out of time
	KindBanner     Kind = "banner"      // a chunk that announces; no part of the answer
	KindChunk      Kind = "chunk"       // a piece of the answer
	KindDone       Kind = "done"        // the whole answer, exactly once

	KindCorrection Kind = "correction" // From was decided, To is done instead, for Reason
	KindFormCheck  Kind = "form_check" // Node's whole answer was in the form asked for, or Reason is why not; Text the detail
	KindNormalized Kind = "normalized" // Node's answer was read though it is not in the exact form: Reason names the acceptance, From was read as To
	KindMessage    Kind = "message"    // Data is one message of an answer of several, an agent.ReplyMessage
	KindQuestion   Kind = "question"   // Data is what the user is asked before it goes on

	KindCacheHit       Kind = "cache_hit"        // Node answered from a cache: from a store, or, with a Reason, as it did before
	KindCacheMiss      Kind = "cache_miss"       // a cache had nothing for Node
	KindCacheError     Kind = "cache_error"      // a cache could not be asked, or could not keep something
	KindIgnoredInput   Kind = "ignored_input"    // Text is what was asked for and not used; with To, that in place of From
	KindQueue          Kind = "queue"            // the turn begins, after it had to wait
	KindReview         Kind = "review"           // a critic's judgement of one attempt
	KindLoop           Kind = "loop"             // From sends the work back To an earlier node; with Exhausted, on as it is
	KindThoughtLog     Kind = "thought_log"      // what a node tells the user of its work
	KindGenUIComponent Kind = "gen_ui_component" // Data is a component of the user interface
	KindStderr         Kind = "stderr"           // Text is what a program wrote beside its answer
	KindNotice         Kind = "notice"           // Text is the state of what the turn waits for, such as an endpoint that is rate-limited
	KindError          Kind = "error"            // Data is an error as the user interface is told of it
)

// What an agent that works in nodes tells of them, of what its models think, and of
// the documents that it summarises.
const (
	KindThinkingStart Kind = "thinking_start"
	KindThoughtChunk  Kind = "thought_chunk" // Text is a piece of what a model thinks aloud
	KindThinkingEnd   Kind = "thinking_end"
	KindNodeComplete  Kind = "node_complete"
	KindNodeError     Kind = "node_error" // Node, or a part of its work, failed for Reason; unless an error ends the turn, it goes on without that

	KindSummaryInit     Kind = "doc_summary_init"     // Data says how many documents there are
	KindSummaryStart    Kind = "doc_summary_start"    // Data says of which document, as in those that follow
	KindSummaryChunk    Kind = "doc_summary_chunk"    // Text is a piece of the summary
	KindSummaryComplete Kind = "doc_summary_complete" // Reason is cached where it was not made now
	KindSummaryError    Kind = "doc_summary_error"    // the document is left out, for Reason

	KindCompression Kind = "compression" // Data is a Compressed: the history of a session became shorter
)

// Compression is what became of a session's history.
type Compression struct {
	TokensBefore     int    `json:"tokens_before"`     // tokens
	TokensAfter      int    `json:"tokens_after"`      // tokens, of the summary and what was kept
	RetainedMessages int    `json:"retained_messages"` // messages
	Context          string `json:"context"`           // the summary, and the messages that were kept
}

// NoReviewer is who reviewed where the critic failed, which passes.
const NoReviewer = "none"

// LowConfidence is why a decision is not taken of which the model is not sure
// enough.
const LowConfidence = "low_confidence"

// Exhausted is the reason of a loop that may not go round once more.
const Exhausted = "exhausted"

// Event is one thing that happened, at a time since the turn began.
type Event struct {
	Offset time.Duration `json:"offset_ns"`
	Kind   Kind          `json:"kind"`
	Node   string        `json:"node,omitempty"`   // router, chat, search, image, vision …
	Reason string        `json:"reason,omitempty"` // machine-readable: timeout, malformed_json, low_confidence …
	From   string        `json:"from,omitempty"`
	To     string        `json:"to,omitempty"`
	Text   string        `json:"text,omitempty"`
	Span   *Span         `json:"span,omitempty"`

	Review *Review         `json:"review,omitempty"`
	Data   json.RawMessage `json:"data,omitempty"` // of a route, of none and of a review an object: see Answered
}

// Review is a critic's judgement of one attempt.
type Review struct {
	Loop        int         `json:"loop"` // from 1
	Score       float64     `json:"score"`
	Passed      bool        `json:"passed"`
	Reviewer    string      `json:"reviewer"` // heuristic, llm, vision, or Nobody
	CriticInput CriticInput `json:"critic_input,omitempty"`

	Feedback string `json:"feedback,omitempty"` // the critic's own words

	// Attempt is what was judged, for its system to judge it again; nil: it cannot.
	Attempt any `json:"-"`
}

// CriticInput is what of an attempt a critic was shown, beside the user's wish: only of
// that can it judge.
type CriticInput string

// What critics are shown; each is shown what stands before it, too.
const (
	ShownPlan   CriticInput = "plan"   // and nothing that came of it
	ShownPrompt CriticInput = "prompt" // of which the picture is made
	ShownImage  CriticInput = "image"  // itself
)

// Span is one attempt of one call to the outside. The event that carries it
// is emitted when the attempt ends; Start is when it began, since the turn began.
type Span struct {
	Provider string        `json:"provider"`
	Model    string        `json:"model"`
	Start    time.Duration `json:"start_ns"`
	Duration time.Duration `json:"duration_ns"`
	TTFT     time.Duration `json:"ttft_ns,omitempty"` // until the first content of a stream
	Attempt  int           `json:"attempt"`           // from 1
	Tokens   Tokens        `json:"tokens"`
	Images   int64         `json:"images,omitempty"` // that the call brought
	Error    string        `json:"error,omitempty"`  // the kind of failure, empty on success
	Message  string        `json:"message,omitempty"`

	Queued      time.Duration `json:"queued_ns,omitempty"`    // in queues of the harness; no part of Duration, nor of TTFT
	RateLimited int64         `json:"rate_limited,omitempty"` // requests for which there was no room, sent again but for the last, perhaps
	Backoff     time.Duration `json:"backoff_ns,omitempty"`   // that its caller waited after the attempt before

	Cached bool `json:"cached,omitempty"` // answered with what was kept of an earlier call: Duration and TTFT are nobody's, Tokens what that was billed

	External bool `json:"external,omitempty"` // a question to an agent whose own calls are known as far as it tells of them

	UsageUnreported bool `json:"usage_unreported,omitempty"` // an answer came, be it in part, without tokens, or with numbers that cannot be
}

// MaxTokens is more than any call is billed: whoever tells of more tells of none.
const MaxTokens = 1_000_000_000

// Tokens counts what a call was billed.
type Tokens struct {
	In     int64 `json:"in"`
	Out    int64 `json:"out"`
	Cached int64 `json:"cached,omitempty"` // of In: what the provider had in its cache, as far as it says
}

type recorderKey struct{}

type recorder struct {
	start   time.Time
	emit    func(Event)
	waiting *QueueTimer
	waited  time.Duration // by then
}

// elapsed does not count what is only waited for in queues of the harness.
func (r *recorder) elapsed(ctx context.Context) time.Duration {
	return clock.Since(ctx, r.start) - (r.waiting.Total(ctx) - r.waited)
}

// WithRecorder returns a context whose Emit reaches emit; nil hears nothing. The turn
// begins now.
func WithRecorder(ctx context.Context, emit func(Event)) context.Context {
	if emit == nil {
		emit = func(Event) {}
	}
	w := waitingOf(ctx)
	if w == nil {
		ctx, w = WithQueueTimer(ctx)
	}
	return context.WithValue(ctx, recorderKey{}, &recorder{start: clock.Now(ctx), emit: emit, waiting: w, waited: w.Total(ctx)})
}

// Emit stamps e with the time since the turn began, without that of Queue, and hands it on. Without a
// recorder in ctx it does nothing.
func Emit(ctx context.Context, e Event) {
	r, ok := ctx.Value(recorderKey{}).(*recorder)
	if !ok {
		return
	}
	e.Offset = r.elapsed(ctx)
	r.emit(e)
}

// Elapsed is the time since the turn began, zero without a recorder.
func Elapsed(ctx context.Context) time.Duration {
	r, ok := ctx.Value(recorderKey{}).(*recorder)
	if !ok {
		return 0
	}
	return r.elapsed(ctx)
}
