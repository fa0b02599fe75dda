// Package trace records the events of one turn in order, with a span for every external call. The
// harness scores from these events.
package trace

import (
	"context"
	"encoding/json"
	"time"

	"evalctl/agent/clock"
)

// Kind is the type of an event.
type Kind string

const (
	KindSpan       Kind = "span"        // a completed external call
	KindRoute      Kind = "route"       // a decision: To is the route, Reason its cause
	KindNoDecision Kind = "no_decision" // the answer in Data contained no decision, for Reason
	KindGuard      Kind = "guard"       // a decision was overridden because its route is closed
	KindFallback   Kind = "fallback"    // From failed, To replaces it
	KindRetry      Kind = "retry"       // an attempt failed and another follows
	// an injected fault was triggered in a call of the component Node; Reason is its kind
	KindFault   Kind = "fault"
	KindTimeout Kind = "timeout" // an attempt timed out
	KindBanner  Kind = "banner"  // a chunk with an announcement; not part of the answer
	KindChunk   Kind = "chunk"   // a piece of the answer
	KindDone    Kind = "done"    // the whole answer, exactly once

	KindCorrection Kind = "correction" // From was decided, To replaces it, for Reason
	// Node's complete answer had the required form, or Reason is why not; Text is the detail
	KindFormCheck Kind = "form_check"
	// Node's answer was accepted in another form: Reason names the acceptance, From was read as To
	KindNormalized Kind = "normalized"
	KindMessage    Kind = "message"  // Data is one of several messages of an answer, an agent.ReplyMessage
	KindQuestion   Kind = "question" // Data is a question to the user, who must answer before the agent continues

	// Node answered from a cache: from a store, or, with a Reason, with its previous answer
	KindCacheHit     Kind = "cache_hit"
	KindCacheMiss    Kind = "cache_miss"    // the cache had no value for Node
	KindCacheError   Kind = "cache_error"   // a cache operation failed
	KindIgnoredInput Kind = "ignored_input" // Text is an input that was not used; with To, To replaced From
	KindQueue        Kind = "queue"         // the turn starts after a wait
	KindReview       Kind = "review"        // a critic's review of one attempt
	// From sends the work back To an earlier node; with Exhausted, the work continues unchanged
	KindLoop           Kind = "loop"
	KindThoughtLog     Kind = "thought_log"      // a message of a node to the user about its work
	KindGenUIComponent Kind = "gen_ui_component" // Data is a component of the user interface
	KindStderr         Kind = "stderr"           // Text is what a program wrote to standard error
	KindNotice         Kind = "notice"           // Text is the state of a wait, such as a rate-limited endpoint
	KindError          Kind = "error"            // Data is an error in the form for the user interface
)

// Events of an agent with nodes: the nodes, the models' reasoning, and document summaries.
const (
	KindThinkingStart Kind = "thinking_start"
	KindThoughtChunk  Kind = "thought_chunk" // Text is a piece of a model's reasoning
	KindThinkingEnd   Kind = "thinking_end"
	KindNodeComplete  Kind = "node_complete"
	// Node or a part of its work failed for Reason; the turn continues without it, unless an error
	// ends it
	KindNodeError Kind = "node_error"

	KindSummaryInit     Kind = "doc_summary_init"     // Data is the number of documents
	KindSummaryStart    Kind = "doc_summary_start"    // Data identifies the document, also in the following events
	KindSummaryChunk    Kind = "doc_summary_chunk"    // Text is a piece of the summary
	KindSummaryComplete Kind = "doc_summary_complete" // Reason is "cached" for a cached summary
	KindSummaryError    Kind = "doc_summary_error"    // the document is omitted, for Reason

	KindCompression Kind = "compression" // Data is a Compression: the history of a session was shortened
)

// Compression describes how a session's history was shortened.
type Compression struct {
	TokensBefore     int    `json:"tokens_before"`     // tokens
	TokensAfter      int    `json:"tokens_after"`      // tokens of the summary and the retained messages
	RetainedMessages int    `json:"retained_messages"` // messages
	Context          string `json:"context"`           // the summary and the retained messages
}

// NoReviewer is the reviewer if the critic failed; the review then passes.
const NoReviewer = "none"

// LowConfidence is the reason to reject a decision whose confidence is too low.
const LowConfidence = "low_confidence"

// Exhausted is the reason of a loop that has reached its limit.
const Exhausted = "exhausted"

// Event is something that happened, at a time since the start of the turn.
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
	Data   json.RawMessage `json:"data,omitempty"` // of a route, a missing decision and a review: see Event.Answer
}

// Review is a critic's review of one attempt.
type Review struct {
	Loop        int         `json:"loop"` // from 1
	Score       float64     `json:"score"`
	Passed      bool        `json:"passed"`
	Reviewer    string      `json:"reviewer"` // heuristic, llm, vision, or NoReviewer
	CriticInput CriticInput `json:"critic_input,omitempty"`

	Feedback string `json:"feedback,omitempty"` // the critic's text

	// Attempt is the reviewed work, so that its system can review it again; nil: not possible.
	Attempt any `json:"-"`
}

// CriticInput is the part of an attempt that a critic receives in addition to the user's request.
type CriticInput string

// Inputs of critics. Each includes the previous ones.
const (
	ShownPlan   CriticInput = "plan"   // only the plan
	ShownPrompt CriticInput = "prompt" // the prompt of the picture
	ShownImage  CriticInput = "image"  // the picture
)

// Span is one attempt of one external call. Its event is emitted when the attempt ends. Start is
// its beginning, since the start of the turn.
type Span struct {
	Provider string        `json:"provider"`
	Model    string        `json:"model"`
	Start    time.Duration `json:"start_ns"`
	Duration time.Duration `json:"duration_ns"`
	TTFT     time.Duration `json:"ttft_ns,omitempty"` // time to the first content of a stream
	Attempt  int           `json:"attempt"`           // from 1
	Tokens   Tokens        `json:"tokens"`
	Images   int64         `json:"images,omitempty"` // images that the call returned
	Error    string        `json:"error,omitempty"`  // kind of failure; "": success
	Message  string        `json:"message,omitempty"`

	Queued time.Duration `json:"queued_ns,omitempty"` // in queues of the harness; not part of Duration and TTFT
	// rate-limited requests, all of them retried except possibly the last
	RateLimited int64         `json:"rate_limited,omitempty"`
	Backoff     time.Duration `json:"backoff_ns,omitempty"` // wait of the caller after the previous attempt

	// answered from a cache: Duration and TTFT are not meaningful, Tokens are those of the original
	// call
	Cached bool `json:"cached,omitempty"`

	// a call of an external agent, whose own calls are known only as far as it reports them
	External bool `json:"external,omitempty"`

	// at least part of an answer arrived, without token counts or with impossible ones
	UsageUnreported bool `json:"usage_unreported,omitempty"`
}

// MaxTokens is more than any call uses. Larger numbers count as unreported.
const MaxTokens = 1_000_000_000

// Tokens counts the billed tokens of a call.
type Tokens struct {
	In     int64 `json:"in"`
	Out    int64 `json:"out"`
	Cached int64 `json:"cached,omitempty"` // part of In: from the provider's cache, if reported
}

type recorderKey struct{}

type recorder struct {
	start         time.Time
	emit          func(Event)
	queueTimer    *QueueTimer
	queuedAtStart time.Duration // total of waiting at start
}

// elapsed returns the time since start without the waits in queues of the harness.
func (r *recorder) elapsed(ctx context.Context) time.Duration {
	return clock.Since(ctx, r.start) - (r.queueTimer.Total(ctx) - r.queuedAtStart)
}

// WithRecorder returns a context whose Emit calls emit; nil drops the events. The turn starts now.
func WithRecorder(ctx context.Context, emit func(Event)) context.Context {
	if emit == nil {
		emit = func(Event) {}
	}
	w := queueTimerOf(ctx)
	if w == nil {
		ctx, w = WithQueueTimer(ctx)
	}
	return context.WithValue(ctx, recorderKey{}, &recorder{
		start:         clock.Now(ctx),
		emit:          emit,
		queueTimer:    w,
		queuedAtStart: w.Total(ctx),
	})
}

// Emit sets the offset of e, which excludes the time in queues, and passes e to the recorder.
// Without a recorder in ctx it does nothing.
func Emit(ctx context.Context, e Event) {
	r, ok := ctx.Value(recorderKey{}).(*recorder)
	if !ok {
		return
	}
	e.Offset = r.elapsed(ctx)
	r.emit(e)
}

// Elapsed returns the time since the start of the turn; 0 without a recorder.
func Elapsed(ctx context.Context) time.Duration {
	r, ok := ctx.Value(recorderKey{}).(*recorder)
	if !ok {
		return 0
	}
	return r.elapsed(ctx)
}
