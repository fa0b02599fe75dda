// Package trace records the events of a turn in order, with a span for each external call. Scores
// and reports are computed from these events.
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
	KindSpan Kind = "span" // a completed external call
	// the agent decided: To is the chosen route, Reason the cause; From is the label as it was
	// answered, if it differs
	KindRoute      Kind = "route"
	KindNoDecision Kind = "no_decision" // the model's answer (in Data) contained no decision; Reason is why
	// a hard constraint overrode a decision, because the chosen route is not available
	KindGuard    Kind = "guard"
	KindFallback Kind = "fallback" // From failed, found nothing or was unsure, and To replaces it
	KindRetry    Kind = "retry"    // an attempt failed, and another one follows
	// an injected fault was triggered in a call of the component Node; Reason is the kind of fault
	KindFault   Kind = "fault"
	KindTimeout Kind = "timeout" // an attempt of a call timed out
	KindBanner  Kind = "banner"  // text announcing what the agent does; not part of the answer
	KindChunk   Kind = "chunk"   // a piece of the answer
	KindDone    Kind = "done"    // the end of the turn with the whole answer, exactly once

	KindCorrection Kind = "correction" // a later step replaced the decision From by To; Reason is why
	// the form of Node's answer was checked; Reason is the error and Text its detail; an empty
	// Reason means that the form is valid
	KindFormCheck Kind = "form_check"
	// Node's answer deviated from the required form but was accepted: Reason is the kind of
	// deviation, From was read as To
	KindNormalized Kind = "normalized"
	KindMessage    Kind = "message"  // Data is one of several messages of an answer, an agent.ReplyMessage
	KindQuestion   Kind = "question" // Data is a question to the user; the agent continues after the reply
	// Data is a Citations: the sources that the answer cites; a Reason means that some were not
	// shown to the model, and Text lists them
	KindCitations Kind = "citations"

	// Node's result came from a cache; with a Reason, its previous result was reused
	KindCacheHit   Kind = "cache_hit"
	KindCacheMiss  Kind = "cache_miss"  // the cache had no result for Node
	KindCacheError Kind = "cache_error" // a cache operation failed
	// the agent ignored an input, such as an unsupported image size: Text names the input; if the
	// agent used another value instead, From is the given value and To the one used
	KindIgnoredInput Kind = "ignored_input"
	KindQueue        Kind = "queue"  // the turn waited in a queue before it started
	KindReview       Kind = "review" // a critic reviewed an attempt, see Review
	// a critic returns the work of From to the earlier node To; with ReasonMaxRounds, the work
	// continues unchanged
	KindCriticLoop     Kind = "loop"
	KindThoughtLog     Kind = "thought_log"      // a message to the user about a node's progress
	KindGenUIComponent Kind = "gen_ui_component" // Data is a component of the user interface
	KindStderr         Kind = "stderr"           // Text is what a program wrote to standard error
	// Text explains to the user why the agent waits, such as for a rate-limited endpoint
	KindNotice Kind = "notice"
	KindError  Kind = "error" // Data is an error that the user interface shows
)

// Events of an agent that consists of nodes: progress of a node, reasoning of its model, and
// document summaries.
const (
	KindThinkingStart Kind = "thinking_start" // the reasoning of Node begins
	KindThoughtChunk  Kind = "thought_chunk"  // Text is a piece of a model's reasoning
	KindThinkingEnd   Kind = "thinking_end"   // the reasoning of Node ends
	KindNodeComplete  Kind = "node_complete"  // Node has finished its work
	// Node or a part of its work failed for Reason; the turn continues without the result unless a
	// KindError event follows
	KindNodeError Kind = "node_error"

	KindSummaryInit Kind = "doc_summary_init" // Data is the number of documents
	// Data identifies the document; the events below carry the same Data
	KindSummaryStart Kind = "doc_summary_start"
	KindSummaryChunk Kind = "doc_summary_chunk" // Text is a piece of the summary
	// the summary is complete; Reason is "cached" if it came from a cache
	KindSummaryComplete Kind = "doc_summary_complete"
	KindSummaryError    Kind = "doc_summary_error" // the document could not be summarized for Reason and is omitted

	KindCompression Kind = "compression" // Data is a Compression: older messages of the session were summarized
)

// Compression describes how the history of a session was shortened to fit the model's context.
type Compression struct {
	TokensBefore     int    `json:"tokens_before"`     // tokens of the history before the compression
	TokensAfter      int    `json:"tokens_after"`      // tokens of the summary and of the retained messages
	RetainedMessages int    `json:"retained_messages"` // number of messages that were not summarized
	Context          string `json:"context"`           // text of the summary and of the retained messages
}

// Citations describes the sources that an answer cites, each counted once.
type Citations struct {
	Count       int      `json:"count"`               // number of cited sources
	NotInPrompt []string `json:"not_shown,omitempty"` // IDs of those that the answering model was not shown
}

// NoReviewer is the Review.Reviewer if the critic itself failed. The review then counts as passed.
const NoReviewer = "none"

// ReasonLowConfidence is the Event.Reason if a decision is rejected because its confidence is below
// the threshold.
const ReasonLowConfidence = "low_confidence"

// ReasonMaxRounds is the Event.Reason of a Critic loop that has reached its maximal number of
// rounds.
const ReasonMaxRounds = "exhausted"

// Event is one record of a turn's trace. Offset is the time since the start of the turn.
type Event struct {
	Offset time.Duration `json:"offset_ns"`
	Kind   Kind          `json:"kind"`
	// node of the agent that the event is about: router, chat, search, image …
	Node string `json:"node,omitempty"`
	// machine-readable cause: timeout, malformed_json, low_confidence …
	Reason string `json:"reason,omitempty"`
	From   string `json:"from,omitempty"` // component, route or value that To replaces; see Kind
	To     string `json:"to,omitempty"`   // chosen route, replacement or next node; see Kind
	Text   string `json:"text,omitempty"` // text for the user or details of the reason; see Kind
	Span   *Span  `json:"span,omitempty"` // the completed call of a KindSpan event

	Review *Review `json:"review,omitempty"`
	// details as JSON; for decisions and reviews the model's answer, see Event.RawAnswer
	Data json.RawMessage `json:"data,omitempty"`
}

// Review is a critic's verdict on one attempt of a Critic loop.
type Review struct {
	Loop        int         `json:"loop"`     // number of the attempt, from 1
	Score       float64     `json:"score"`    // the critic's score, from 0 to 1
	Passed      bool        `json:"passed"`   // the score is sufficient, or the critic failed
	Reviewer    string      `json:"reviewer"` // kind of critic: heuristic, llm, vision, or NoReviewer
	CriticInput CriticInput `json:"critic_input,omitempty"`

	Feedback string `json:"feedback,omitempty"` // the critic's comments on the attempt

	// ReviewedWork is the reviewed work, which a second judge can score again. nil: no second
	// judgment is possible.
	ReviewedWork any `json:"-"`
}

// CriticInput is the part of an attempt that a critic receives, in addition to the user's request.
type CriticInput string

// Inputs of critics. An image includes its prompt, and a prompt includes its plan.
const (
	CriticInputPlan   CriticInput = "plan"   // the plan only
	CriticInputPrompt CriticInput = "prompt" // the plan and the prompt for the image
	CriticInputImage  CriticInput = "image"  // the plan, the prompt and the image
)

// Span is one attempt of one external call. It is emitted when the attempt ends. Start counts from
// the start of the turn.
type Span struct {
	Provider string        `json:"provider"`
	Model    string        `json:"model"`
	Start    time.Duration `json:"start_ns"`
	Duration time.Duration `json:"duration_ns"`
	TTFT     time.Duration `json:"ttft_ns,omitempty"` // time to first token: to the first content of a stream
	Attempt  int           `json:"attempt"`           // number of the attempt, from 1; retries increase it
	Tokens   Tokens        `json:"tokens"`
	Images   int64         `json:"images,omitempty"`  // number of images that the call returned
	Error    string        `json:"error,omitempty"`   // kind of error; "": success
	Message  string        `json:"message,omitempty"` // text of the error

	QueueTime time.Duration `json:"queued_ns,omitempty"` // time in evalctl's own queues; not part of Duration and TTFT
	// requests of the attempt that were rate-limited; the transport retried all but possibly the
	// last
	RateLimitedRequests int64         `json:"rate_limited,omitempty"`
	Backoff             time.Duration `json:"backoff_ns,omitempty"` // wait between the previous attempt and this one

	// a cache answered: Duration and TTFT are not meaningful, and Tokens are those of the original
	// call
	FromCache bool `json:"cached,omitempty"`

	// a call of an external agent; its own model calls are known only if it reports them
	IsExternalAgent bool `json:"external,omitempty"`

	// an answer arrived at least in part, but without plausible token counts
	UsageUnreported bool `json:"usage_unreported,omitempty"`

	SentMessages []SentMessage `json:"sent,omitempty"` // what the first attempt of a chat model's call sent
}

// SentMessage is a message that was sent to a chat model.
type SentMessage struct {
	Role         string `json:"role"`
	Text         string `json:"text,omitempty"`
	Prompt       string `json:"prompt,omitempty"` // ID of the stored prompt that is the text; "": Text has it
	OmittedChars int    `json:"left,omitempty"`   // number of characters that Text omits
	Images       int    `json:"images,omitempty"`
}

// MaxPlausibleTokens is the largest plausible token count of a call. A larger count is treated as
// unreported.
const MaxPlausibleTokens = 1_000_000_000

// Tokens are the billed tokens of a call.
type Tokens struct {
	In       int64 `json:"in"`
	Out      int64 `json:"out"`
	CachedIn int64 `json:"cached,omitempty"` // the part of In that came from the provider's cache
}

type recorderKey struct{}

type recorder struct {
	start         time.Time
	emit          func(Event)
	queueTimer    *QueueTimer
	queuedAtStart time.Duration // TotalQueued of the queue timer when the turn started
}

// elapsed returns the time since the start of the turn, without waits in evalctl's own queues.
func (r *recorder) elapsed(ctx context.Context) time.Duration {
	return clock.Since(ctx, r.start) - (r.queueTimer.TotalQueued(ctx) - r.queuedAtStart)
}

// WithRecorder starts a turn: it returns a context in which Emit calls emit, with offsets from now.
// If emit is nil, events are dropped.
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
		queuedAtStart: w.TotalQueued(ctx),
	})
}

// Emit passes e to the recorder of ctx and sets its offset, without time in evalctl's own queues.
// Without a recorder it does nothing.
func Emit(ctx context.Context, e Event) {
	r, ok := ctx.Value(recorderKey{}).(*recorder)
	if !ok {
		return
	}
	e.Offset = r.elapsed(ctx)
	r.emit(e)
}

// Elapsed returns the time since the start of the turn, without waits in evalctl's own queues; 0
// without a recorder.
func Elapsed(ctx context.Context) time.Duration {
	r, ok := ctx.Value(recorderKey{}).(*recorder)
	if !ok {
		return 0
	}
	return r.elapsed(ctx)
}
