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

// MaxEpochs is the largest number of epochs.
const MaxEpochs = 10_000

// Result is one trial's row. Reports, gates and metrics use nothing else.
//
// Key is the hash of everything that can change the trial's answer (see [Trial.Key]). Suite, Case,
// Variant, Fault and Epoch (from 1) identify the trial in its run. DecidedBy is the component that
// made the decision of the scored turn, and Rule the rule that it applied; both may be "".
// Fallbacks are those of all turns, in order. Calls and Tokens are the sums over all model calls.
// Error is null if the trial ended normally. Scores has one entry for each scorer that applies to
// the case.
//
// The scored turn is the turn that Expected belongs to. If no turn is scored, it is the last one.
type Result struct {
	Key             string      `json:"key"`
	Suite           string      `json:"suite"`
	Case            string      `json:"case"`
	Variant         string      `json:"variant"`
	Fault           string      `json:"fault"` // NoFault if none was injected
	Epoch           int         `json:"epoch"`
	Text            string      `json:"text"`        // message of the scored turn, at most 200 characters
	Tags            []string    `json:"tags"`        // tags of the case
	Language        string      `json:"language"`    // language of Text: zh, en, mixed or other
	Predicted       string      `json:"predicted"`   // decision in the scored turn: a label; "": none
	Expected        OneOf       `json:"expected"`    // accepted labels of the scored turn; null: none specified
	AnsweredBy      string      `json:"answered_by"` // component that answered the scored turn; "": no answer
	DecidedBy       string      `json:"decided_by"`
	Rule            string      `json:"rule"`
	Confidence      *float64    `json:"confidence"` // stated confidence, 0..1; null: not stated
	Correct         *bool       `json:"correct"`    // whether the trial is correct; null: unscored
	Fallbacks       []Fallback  `json:"fallbacks"`
	Duration        Millis      `json:"duration_ms"`       // duration of all turns, in milliseconds
	TTFT            *Millis     `json:"ttft_ms"`           // time to first token in the scored turn; null: not streamed
	Turns           []TurnRow   `json:"turns"`             // one entry per turn of the case
	Nodes           []NodeVisit `json:"nodes"`             // one entry per visit of a node
	Loops           []Loop      `json:"loops"`             // Critic loop rounds, turn by turn
	ErrorReply      string      `json:"error_reply"`       // error code of the scored turn; "": no error reply
	ErrorReplyCause string      `json:"error_reply_cause"` // kind of the failed call; "": no call failed
	Calls           int64       `json:"calls"`
	Tokens          Tokens      `json:"tokens"`
	Cost            *float64    `json:"cost"` // USD; null: a call has no price, or the sum is above MaxCost
	Error           *Error      `json:"error"`
	Scores          []Score     `json:"scores"`

	PeakCalls        int64         `json:"peak_calls,omitempty"`        // most concurrent model calls in a turn
	ExternalRequests int64         `json:"external_requests,omitempty"` // to an external agent, not in Calls
	Cache            CacheStats    `json:"cache,omitzero"`              // cache hits, misses and errors
	CachedCalls      int64         `json:"cached_calls,omitempty"`      // calls answered from an earlier run
	Compressions     []Compression `json:"compressions,omitempty"`      // of session histories, in order
	// time in queues of the harness, not in Duration
	Queued          Millis       `json:"queued_ms,omitempty"`
	RateLimited     int64        `json:"rate_limited,omitempty"`     // requests rejected by a rate limit
	Retried         int64        `json:"retried,omitempty"`          // requests repeated after a failure
	Backoff         Millis       `json:"backoff_ms,omitempty"`       // total delay between attempts
	Grading         *GradingCost `json:"grading,omitempty"`          // cost of grading; null: not graded
	TriggeredFaults []string     `json:"triggered_faults,omitempty"` // COMPONENT:KIND, each once
	CaseHash        CaseHash     `json:"case_hash,omitempty"`        // of all turns; "": older row

	Outcome Outcome `json:"-"` // full event log, written to the trace file
}

// Scores with these names cover the whole answer: the decision, and the answer expected instead
// under a fault or behind a closed gate.
const (
	RouteScore    = "route"
	FallbackScore = "fallback"
)

// FaultCorrectScore names the score, and its metric, that compares a trial affected by a fault with
// its expected outcome.
const FaultCorrectScore = "fault.correct"

// Scores with these names, and those of RecallAt, are measures of the answer from 0 to 1. They do
// not decide whether the trial is correct. Their metric is the mean of a condition.
const (
	RecallScore   = recallScores + "5" // share of the expected documents among the first five results
	MRRScore      = "retrieval.mrr"    // 1 / rank of the first expected document
	VerbatimScore = "facts.verbatim"   // share of the facts that the answer states word for word
	CoverageScore = "facts.coverage"   // share of the facts that the answer states in any accepted wording
	GradedScore   = "facts.graded"     // share of the facts that the answer states, as graded by a model
	// share of the facts of earlier turns that a compressed session still contains
	FactsKeptScore = "compression.facts_kept"

	recallScores = "retrieval.recall_at_"
)

// RecallAt returns the name of the recall score at this depth.
func RecallAt(first int) string { return recallScores + strconv.Itoa(first) }

// RecallDepths lists the numbers of first results at which recall is measured.
func RecallDepths() []int { return []int{1, 5, 10} }

// IsMeasurement reports whether the metric of the score is its mean, not its pass rate.
func (s Score) IsMeasurement() bool {
	switch s.Name {
	case MRRScore, VerbatimScore, CoverageScore, GradedScore, FactsKeptScore:
		return true
	}
	return strings.HasPrefix(s.Name, recallScores)
}

// Decision returns the score of the decision over the whole trial, and false if no label is
// expected. A conversation passes if all labeled turns pass, is unscored if a labeled turn has no
// decision, and fails otherwise. Turn, Actual and Expected are those of the first turn without a
// decision, else of the first wrong one, else of the last.
func (r Result) Decision() (Score, bool) {
	i := slices.IndexFunc(r.Scores, func(s Score) bool { return s.Name == RouteScore })
	if i < 0 || len(r.Scores[i].Expected) == 0 {
		return Score{}, false
	}
	return r.Scores[i], true
}

// Decisions returns the decision scores of all labeled turns, independent of each other.
func (r Result) Decisions() []TurnScore {
	s, ok := r.Decision()
	if !ok || len(s.Turns) > 0 {
		return s.Turns
	}
	return []TurnScore{{Turn: s.Turn, Expected: s.Expected, Actual: s.Actual, Verdict: s.Verdict,
		Answered: r.AnsweredBy != ""}}
}

// Fallback is one fallback step: From failed with Reason, and To took over.
type Fallback struct {
	From   string `json:"from"`
	To     string `json:"to"`
	Reason string `json:"reason"`
}

// TurnRow is the result of one turn. Duration is the time of the turn.
type TurnRow struct {
	Duration Millis  `json:"duration_ms"`
	TTFT     *Millis `json:"ttft_ms"` // time to first token; null: not streamed
	// the turn has an answer, possibly an error reply; false: it failed or was not run
	Answered        bool   `json:"answered"`
	ErrorReply      string `json:"error_reply,omitempty"`       // error code; "": no error reply
	ErrorReplyCause string `json:"error_reply_cause,omitempty"` // error kind of the failed call behind ErrorReply
	// component that made the decision; "": none, or written by an older version
	DecidedBy string `json:"decided_by,omitempty"`

	// decision of the deciding model, even if it was overridden; nil: the model was not called, or
	// its answer was unusable
	ModelDecision *agent.ModelDecision `json:"model_decision,omitempty"`

	Steps       []agent.Step `json:"steps,omitempty"`        // decisions in order, if the turn has several
	Episode     bool         `json:"episode,omitempty"`      // the turn has several decisions, or is expected to
	AsksUser    bool         `json:"asks_user,omitempty"`    // the turn ends with a question to the user
	ResumesTurn int          `json:"resumes_turn,omitempty"` // the turn, from 1, whose question this turn answers
	// calls answered from a cache; if any, the turn has no latency
	CachedCalls int64 `json:"cached_calls,omitempty"`
	// part of a batch that a later turn answers; the turn has no latency
	Batched bool `json:"batched,omitempty"`
}

// NoModelDecisionText explains rows without any [TurnRow.ModelDecision].
const NoModelDecisionText = "no labeled turn contains the reply of the deciding model (turns.model_decision): no model was asked, none answered, " +
	"the system does not hand it on (Reply.Decider), or an older evalctl wrote them: then play it again"

// HasLatency reports whether the duration of the turn is a valid latency.
func (t TurnRow) HasLatency() bool {
	return t.Answered && t.ErrorReply == "" && !t.Batched && t.CachedCalls == 0
}

// IsLatencyMissing reports whether the turn should have a latency but has none. It failed, used
// cached calls, or ended a sequence of decisions with an error reply.
func (t TurnRow) IsLatencyMissing() bool {
	return t.HasFailed() || t.CachedCalls > 0 && !t.Batched || t.ErrorReply != "" && len(t.Steps) > 0
}

// HasFailed reports whether the turn failed, was not run, or has an error reply because of a failed
// call.
func (t TurnRow) HasFailed() bool { return !t.Answered || t.ErrorReplyCause != "" }

// NodeVisit is one visit of a node, from the start of its first call to the end of its last.
type NodeVisit struct {
	Node string `json:"node"`
	Turn int    `json:"turn,omitempty"` // from 1; 0: written by an older version
	// includes the time between its calls, such as polling and back-off
	Duration      Millis   `json:"duration_ms"`
	Calls         int64    `json:"calls"`
	CallDurations []Millis `json:"call_durations_ms"` // duration of each answered call
	// calls answered from a cache; if any, the visit has no latency
	CachedCalls int64 `json:"cached_calls,omitempty"`
	// error kind of the last call, also if its answer was rejected; "": none
	CallError llm.ErrorKind `json:"call_error,omitempty"`
}

// Errors returns the number of calls of the visit that failed, including those that were retried. A
// task that timed out counts as one, and so does an empty or truncated answer. A complete but
// unusable answer, such as an unknown label, is not an error.
func (n NodeVisit) Errors() int64 {
	failed := max(n.Calls-n.CachedCalls-int64(len(n.CallDurations)), 0)
	if failed == 0 && n.CallError != "" && n.CallError != trace.LowConfidence && !n.CallError.IsInvalidAnswer() {
		return 1
	}
	return failed
}

// Millis is a duration that is written in milliseconds with full nanosecond precision.
type Millis time.Duration

// MarshalJSON writes milliseconds with up to six decimals.
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
	b[point] = '.' // replaces the 1
	return bytes.TrimRight(b, "0")
}

// UnmarshalJSON reads milliseconds with up to six decimals.
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
