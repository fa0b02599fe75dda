package eval

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"evalctl/agent"
	"evalctl/agent/llm"
	"evalctl/agent/trace"
)

// MaxEpochs is the largest number of epochs that a run may have.
const MaxEpochs = 10_000

// Result is the outcome of one trial as one flat row. Reports, gates and metrics read only results.
// Suite, Case, Variant, Fault and Epoch identify the trial in its run.
//
// The scored turn is the turn that Expected belongs to. If no turn is scored, it is the last one.
type Result struct {
	Key      string   `json:"key"` // hash that identifies the trial, see [Trial.Key]
	Suite    string   `json:"suite"`
	Case     string   `json:"case"` // ID of the case
	Variant  string   `json:"variant"`
	Fault    string   `json:"fault"`    // injected fault, as COMPONENT:KIND, or NoFault
	Epoch    int      `json:"epoch"`    // number of the repetition, from 1
	Text     string   `json:"text"`     // message of the scored turn, at most 200 characters
	Tags     []string `json:"tags"`     // tags of the case
	Language string   `json:"language"` // language of Text: zh, en, mixed or other
	// label that the target predicted in the scored turn; "": no decision
	Predicted string `json:"predicted"`
	// labels that are accepted in the scored turn; null: the case specifies none
	Expected   OneOf  `json:"expected"`
	AnsweredBy string `json:"answered_by"` // component that answered the scored turn; "": no answer
	DecidedBy  string `json:"decided_by"`  // component that decided in the scored turn; "": none
	Rule       string `json:"rule"`        // routing rule behind the decision; "": none
	// confidence that the model stated for its decision, 0..1; null: not stated
	Confidence *float64      `json:"confidence"`
	Correct    *bool         `json:"correct"`     // whether the trial is correct; null: unscored
	Fallbacks  []Fallback    `json:"fallbacks"`   // fallbacks of all turns, in order
	Duration   Millis        `json:"duration_ms"` // duration of all turns, in milliseconds
	TTFT       *Millis       `json:"ttft_ms"`     // time to first token in the scored turn; null: not streamed
	Turns      []TurnSummary `json:"turns"`       // one entry per turn of the case
	Nodes      []NodeVisit   `json:"nodes"`       // one entry per visit of a node
	LoopRounds []LoopRound   `json:"loops"`       // Critic loop rounds, turn by turn
	ErrorReply string        `json:"error_reply"` // error code of the scored turn; "": no error reply
	// error kind of the failed call behind the error reply; "": no call failed
	ErrorReplyCause string   `json:"error_reply_cause"`
	Calls           int64    `json:"calls"`  // number of model calls in all turns
	Tokens          Tokens   `json:"tokens"` // tokens of all model calls
	Cost            *float64 `json:"cost"`   // cost in USD; null: a call has no price, or the sum exceeds MaxCost
	Error           *Error   `json:"error"`  // why the trial has no answer; null: it ended normally
	Scores          []Score  `json:"scores"` // one score for each scorer that applies to the case

	// largest number of concurrent model calls in any turn
	PeakCalls int64 `json:"peak_calls,omitempty"`
	// number of requests to an external agent, not included in Calls
	ExternalRequests int64      `json:"external_requests,omitempty"`
	Cache            CacheStats `json:"cache,omitzero"` // cache hits, misses and errors of the agent's own cache
	// number of calls answered from stored responses (--cache)
	CachedCalls  int64         `json:"cached_calls,omitempty"`
	Compressions []Compression `json:"compressions,omitempty"` // compressions of session histories, in order
	// time that calls waited in queues of evalctl, not included in Duration
	QueueTime Millis `json:"queued_ms,omitempty"`
	// number of requests that a provider rejected because of a rate limit
	RateLimitedRequests int64 `json:"rate_limited,omitempty"`
	RetriedRequests     int64 `json:"retried,omitempty"` // number of requests that were repeated after a failure
	// total delay between the attempts of repeated requests
	Backoff Millis       `json:"backoff_ms,omitempty"`
	Grading *GradingCost `json:"grading,omitempty"` // cost of the fact grading; null: not graded
	// injected faults that were triggered, as COMPONENT:KIND, each once
	TriggeredFaults []string `json:"triggered_faults,omitempty"`
	// fingerprint of the case; "": written by an older version
	CaseHash CaseHash `json:"case_hash,omitempty"`

	Outcome Outcome `json:"-"` // full event log, written to the trace file
}

// RouteScore is the name of the score of the decision. FallbackScore is the name of the score of
// the fallback answer. The case expects that answer instead under a fault, or if a precondition is
// not met. Both scores cover the whole answer.
const (
	RouteScore    = "route"
	FallbackScore = "fallback"
)

// FaultCorrectScore is the name of a score, and of its metric, for trials affected by a fault. It
// compares the trial with the expected outcome under that fault.
const FaultCorrectScore = "fault.correct"

// Scores with these names, and with the names that RecallScoreAt returns, are measurements of the
// answer from 0 to 1. They do not decide whether the trial is correct. Their metric is the mean
// over the trials of a condition.
const (
	RecallScore   = recallScores + "5" // share of the expected documents among the first five results
	MRRScore      = "retrieval.mrr"    // 1 / rank of the first expected document; 0: not found
	VerbatimScore = "facts.verbatim"   // share of the facts that the answer states word for word
	CoverageScore = "facts.coverage"   // share of the facts that the answer states in any accepted wording
	GradedScore   = "facts.graded"     // share of the facts that the answer states, as graded by a model
	// share of the facts of earlier turns that a compressed session still contains
	FactsKeptScore = "compression.facts_kept"
	CitationsScore = "citations.valid" // share of the cited sources that the answering model was shown

	recallScores = "retrieval.recall_at_"
)

// RecallScoreAt returns the name of the score for recall: the share of the expected documents among
// the first retrieved ones. first is their number.
func RecallScoreAt(k int) string { return recallScores + strconv.Itoa(k) }

// RecallDepths lists the depths k at which retrieval recall is measured (recall at 1, 5 and 10).
func RecallDepths() []int { return []int{1, 5, 10} }

// IsMeasurement reports whether the score measures a value, so that its metric is a mean. The
// metric of other scores is a pass rate.
func (s Score) IsMeasurement() bool {
	switch s.Name {
	case MRRScore, VerbatimScore, CoverageScore, GradedScore, FactsKeptScore, CitationsScore:
		return true
	}
	return strings.HasPrefix(s.Name, recallScores)
}

// Decision returns the score of the decision over all turns of the trial, and false if no label is
// expected. A conversation passes if all labeled turns pass. It is unscored if a labeled turn has
// no decision, and fails otherwise. Turn, Actual and Expected are those of the first turn without a
// decision, else of the first wrong turn, else of the last turn.
func (r Result) Decision() (Score, bool) {
	i := slices.IndexFunc(r.Scores, func(s Score) bool { return s.Name == RouteScore })
	if i < 0 || len(r.Scores[i].Expected) == 0 {
		return Score{}, false
	}
	return r.Scores[i], true
}

// Decisions returns the scores of the decisions in all labeled turns, one per turn.
func (r Result) Decisions() []TurnScore {
	s, ok := r.Decision()
	if !ok || len(s.Turns) > 0 {
		return s.Turns
	}
	return []TurnScore{{Turn: s.Turn, Expected: s.Expected, Actual: s.Actual, Verdict: s.Verdict,
		Answered: r.AnsweredBy != ""}}
}

// Fallback records that To replaced From, which failed, found nothing or was unsure.
type Fallback struct {
	From   string `json:"from"`   // component, route or label that was replaced
	To     string `json:"to"`     // component, route, label or search that replaced it
	Reason string `json:"reason"` // cause, such as timeout or low_confidence
}

// TurnSummary is the result of one turn of a trial. Duration is the time from the message to the
// end of the answer.
type TurnSummary struct {
	Duration Millis  `json:"duration_ms"` // time from the message to the end of the answer
	TTFT     *Millis `json:"ttft_ms"`     // time to first token; null: the answer was not streamed
	// the turn has an answer, possibly an error reply; false: the turn failed or did not run
	Answered bool `json:"answered"`
	// error code of the error reply; "": the answer is no error reply
	ErrorReply string `json:"error_reply,omitempty"`
	// error kind of the failed call that caused the error reply
	ErrorReplyCause string `json:"error_reply_cause,omitempty"`
	// component that made the decision; "": no decision, or written by an older version
	DecidedBy string `json:"decided_by,omitempty"`

	// decision of the deciding model, even if another component overrode it; nil: the model was not
	// called, or its answer was unusable
	ModelDecision *agent.ModelDecision `json:"model_decision,omitempty"`

	Steps []agent.Step `json:"steps,omitempty"` // decisions of the turn in order, if it has several
	// the turn has several decisions in sequence, or its case expects several
	HasDecisionSequence bool `json:"episode,omitempty"`
	AsksUser            bool `json:"asks_user,omitempty"` // the turn ends with a question to the user
	// number of the earlier turn, from 1, whose question this turn answers; 0: none
	ResumesTurn int `json:"resumes_turn,omitempty"`
	// number of calls that the cache answered; if there are any, the turn has no valid latency
	CachedCalls int64 `json:"cached_calls,omitempty"`
	// the message is part of a batch that is answered in a later turn; it therefore has no latency
	IsDeferred bool `json:"batched,omitempty"`
}

// NoModelDecisionText is the explanation that reports print if no result contains a decision of the
// deciding model ([TurnSummary.ModelDecision]).
const NoModelDecisionText = "no labeled turn contains the reply of the deciding model (turns.model_decision): no model was called, none answered, " +
	"the system does not report it (Reply.Decider), or an older evalctl wrote the results: then run it again"

// HasLatency reports whether the duration of the turn is a valid latency. It is valid for an answer
// without cached calls that is neither an error reply nor batched.
func (t TurnSummary) HasLatency() bool {
	return t.Answered && t.ErrorReply == "" && !t.IsDeferred && t.CachedCalls == 0
}

// IsLatencyMissing reports whether the turn has no valid latency because it failed, used cached
// calls, or ended a sequence of decisions with an error reply.
func (t TurnSummary) IsLatencyMissing() bool {
	return t.HasFailed() || t.CachedCalls > 0 && !t.IsDeferred || t.ErrorReply != "" && len(t.Steps) > 0
}

// HasFailed reports whether the turn failed, did not run, or has an error reply because of a failed
// call.
func (t TurnSummary) HasFailed() bool { return !t.Answered || t.ErrorReplyCause != "" }

// NodeVisit records one visit of a node of the agent (router, search …) in a turn. It lasts from
// the start of the node's first call to the end of its last call.
type NodeVisit struct {
	Node string `json:"node"`           // name of the node, such as router
	Turn int    `json:"turn,omitempty"` // number of the turn, from 1; 0: written by an older version
	// duration of one execution of the node, including pauses between its calls, such as polling
	Duration      Millis   `json:"duration_ms"`
	Calls         int64    `json:"calls"`             // number of calls in this visit, including failed ones
	CallDurations []Millis `json:"call_durations_ms"` // durations of the calls that were answered
	// number of model calls that the cache answered; if there are any, Duration is not meaningful
	CachedCalls int64 `json:"cached_calls,omitempty"`
	// error kind of the last call, or the reason why its answer was rejected; "": none
	CallError llm.ErrorKind `json:"call_error,omitempty"`
	// cost of the visit's calls in USD; null: a call has no price, or an older version wrote the result
	Cost *float64 `json:"cost,omitempty"`
}

// Errors returns the number of failed calls in the visit, including those that were retried. A task
// that timed out counts as one error, and so does an empty or truncated answer. A complete but
// unusable answer, such as an unknown label, is not an error.
func (n NodeVisit) Errors() int64 {
	failed := max(n.Calls-n.CachedCalls-int64(len(n.CallDurations)), 0)
	if failed == 0 && n.CallError != "" && n.CallError != trace.ReasonLowConfidence && !n.CallError.IsInvalidAnswer() {
		return 1
	}
	return failed
}

// Millis is a duration that JSON represents in milliseconds, with nanosecond precision.
type Millis time.Duration

// MarshalJSON writes the duration in milliseconds with up to six decimals.
func (m Millis) MarshalJSON() ([]byte, error) { return m.append(nil), nil }

func (m Millis) append(b []byte) []byte {
	whole, rest := int64(m)/1e6, int64(m)%1e6
	if whole == 0 && rest < 0 {
		b = append(b, '-')
	}
	b = strconv.AppendInt(b, whole, 10)
	if rest == 0 {
		return b
	}
	point := len(b)
	b = strconv.AppendInt(b, 1e6+max(rest, -rest), 10)
	b[point] = '.' // the point replaces the leading 1, which keeps zeros after it
	return bytes.TrimRight(b, "0")
}

// UnmarshalJSON reads a number of milliseconds with up to six decimals.
func (m *Millis) UnmarshalJSON(b []byte) error {
	whole, decimals, _ := bytes.Cut(b, []byte("."))
	if len(decimals) > 6 {
		return fmt.Errorf("milliseconds: %s has more than six decimals", b)
	}
	var digits [32]byte
	ns, err := strconv.ParseInt(
		string(append(append(append(digits[:0], whole...), decimals...), "000000"[len(decimals):]...)), 10, 64)
	if err != nil {
		return fmt.Errorf("milliseconds: %.40s is not a number of up to 9223372036854.775807", b)
	}
	*m = Millis(ns)
	return nil
}
