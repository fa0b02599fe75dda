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

// MaxEpochs is how many times a case is played at most.
const MaxEpochs = 10_000

// Result is one trial's row: all that reports, gates and metrics are made of.
type Result struct {
	Key             string      `json:"key"`
	Suite           string      `json:"suite"`
	Case            string      `json:"case"`
	Variant         string      `json:"variant"`
	Fault           string      `json:"fault"` // NoFault without one
	Epoch           int         `json:"epoch"`
	Text            string      `json:"text"`        // of the judged turn, at most 200 characters
	Tags            []string    `json:"tags"`        // of the case
	Language        string      `json:"language"`    // of the judged turn
	Predicted       string      `json:"predicted"`   // as the next five, of the turn that was judged
	Expected        OneOf       `json:"expected"`    // null: nothing is
	AnsweredBy      string      `json:"answered_by"` // "": nothing answered
	DecidedBy       string      `json:"decided_by"`
	Rule            string      `json:"rule"`
	Confidence      *float64    `json:"confidence"` // null: nobody said how sure
	Correct         *bool       `json:"correct"`    // null: unjudged; with a degraded answer expected: of Served
	Fallbacks       []Fallback  `json:"fallbacks"`
	Duration        Millis      `json:"duration_ms"`       // of all turns
	TTFT            *Millis     `json:"ttft_ms"`           // of the judged turn; null: nothing was streamed
	Turns           []TurnRow   `json:"turns"`             // one for each of the case's
	Nodes           []NodeVisit `json:"nodes"`             // visit by visit
	Loops           []Loop      `json:"loops"`             // of the critic, turn by turn
	ErrorReply      string      `json:"error_reply"`       // of the judged turn, as the next: code of what the answer apologises for; "": it does not
	ErrorReplyCause string      `json:"error_reply_cause"` // the failed call's kind behind Failure; "": none failed
	Calls           int64       `json:"calls"`
	Tokens          Tokens      `json:"tokens"`
	Cost            *float64    `json:"cost"` // USD; null: something has no price, or it is past MaxCost
	Error           *Error      `json:"error"`
	Scores          []Score     `json:"scores"`

	PeakCalls        int64         `json:"peak_calls,omitempty"`        // most model calls under way at once in a turn; 0: none was seen
	ExternalRequests int64         `json:"external_requests,omitempty"` // questions to a foreign agent, which are none of the calls
	Cache            CacheStats    `json:"cache,omitzero"`              // in a cache
	CachedCalls      int64         `json:"cached_calls,omitempty"`      // of the calls and questions: answered with what was kept of an earlier run
	Compressions     []Compression `json:"compressions,omitempty"`      // of sessions, in their order
	Queued           Millis        `json:"queued_ms,omitempty"`         // of all calls, in queues of the harness: no part of Took
	RateLimited      int64         `json:"rate_limited,omitempty"`      // requests of its calls for which an endpoint had no room
	Retried          int64         `json:"retried,omitempty"`           // requests that were sent again, because the attempt before failed
	Backoff          Millis        `json:"backoff_ms,omitempty"`        // of all calls, between their attempts
	Grading          *GradingCost  `json:"grading,omitempty"`           // null: no answer was graded
	TriggeredFaults  []string      `json:"triggered_faults,omitempty"`  // PART:KIND of the injected faults that struck, each once
	CaseHash         CaseHash      `json:"case_hash,omitempty"`         // of what the case asks and expects, in all its turns; "": the row is older than the field

	Outcome Outcome `json:"-"` // for the trace file
}

// Scores with these names judge the whole answer: the decision, and the one that
// takes its place under a fault or where a gate is closed.
const (
	RouteScore    = "route"
	FallbackScore = "fallback"
)

// FaultCorrectScore is the name of the score that says whether a trial that a fault struck came to
// what was demanded, and of its metric.
const FaultCorrectScore = "fault.correct"

// Scores with these names, and those of RecallAt, measure a side of the answer from 0 to
// 1: how much of something there is, and no verdict on the whole. What is told of a cell
// is their mean.
const (
	RecallScore    = recallScores + "5"       // how many of those are among the first five found that are to be found
	MRRScore       = "retrieval.mrr"          // 1 over the rank of the first of them that is found
	VerbatimScore  = "facts.verbatim"         // how many facts the answer states word for word
	CoverageScore  = "facts.coverage"         // in words that come to the same
	GradedScore    = "facts.graded"           // as a model judges
	FactsKeptScore = "compression.facts_kept" // how many facts of earlier turns a compressed session still holds

	recallScores = "retrieval.recall_at_"
)

// RecallAt is the name of the score of how much stands among the first so many found.
func RecallAt(first int) string { return recallScores + strconv.Itoa(first) }

// RecallDepths are how many of what was found count to recall, in turn.
func RecallDepths() []int { return []int{1, 5, 10} }

// IsMeasure tells a score whose mean is told, and not how often it passes.
func (s Score) IsMeasure() bool {
	switch s.Name {
	case MRRScore, VerbatimScore, CoverageScore, GradedScore, FactsKeptScore:
		return true
	}
	return strings.HasPrefix(s.Name, recallScores)
}

// Decision is the judgement of the whole trial, false where no label says what
// is to be decided. A conversation is right when all its labelled turns are, and
// wrong once one is; Turn, Got and Want are of the first wrong one, else of the
// last, or of the first in which no decision was made.
func (r Result) Decision() (Score, bool) {
	i := slices.IndexFunc(r.Scores, func(s Score) bool { return s.Name == RouteScore })
	if i < 0 || len(r.Scores[i].Expected) == 0 {
		return Score{}, false
	}
	return r.Scores[i], true
}

// Decisions are the judgements of all the trial's labelled turns, whatever came
// of the other ones.
func (r Result) Decisions() []TurnScore {
	s, ok := r.Decision()
	if !ok || len(s.Turns) > 0 {
		return s.Turns
	}
	return []TurnScore{{Turn: s.Turn, Expected: s.Expected, Actual: s.Actual, Verdict: s.Verdict, Answered: r.AnsweredBy != ""}}
}

// Fallback is one step down: From gave up for Reason, To took over.
type Fallback struct {
	From   string `json:"from"`
	To     string `json:"to"`
	Reason string `json:"reason"`
}

// TurnRow is how one turn went.
type TurnRow struct {
	Duration        Millis  `json:"duration_ms"`
	TTFT            *Millis `json:"ttft_ms"`                     // null: nothing was streamed
	Answered        bool    `json:"answered"`                    // also by an apology; false: it failed, or was not played
	ErrorReply      string  `json:"error_reply,omitempty"`       // code of what the answer apologises for
	ErrorReplyCause string  `json:"error_reply_cause,omitempty"` // the failed call's kind behind Failure
	DecidedBy       string  `json:"decided_by,omitempty"`        // who decided; "": nobody did, or the row is older than the field

	ModelDecision *agent.ModelDecision `json:"model_decision,omitempty"` // what the deciding model said, whoever decided in the end; nil: none was asked, or its answer was none

	Steps       []agent.Step `json:"steps,omitempty"`        // the decisions, where it is decided again and again
	Episode     bool         `json:"episode,omitempty"`      // it is meant to be decided again and again, or was
	AsksUser    bool         `json:"asks_user,omitempty"`    // it stops to ask the user
	ResumesTurn int          `json:"resumes_turn,omitempty"` // the turn, from 1, whose question it answers
	CachedCalls int64        `json:"cached_calls,omitempty"` // of its calls: it has no time of an answer
	Batched     bool         `json:"batched,omitempty"`      // part of a batch that a later turn's reply answers: it has no time of its own
}

// NoModelDecisionText says of rows without any [TurnRow.ModelDecision] why that may be.
const NoModelDecisionText = "no labeled turn contains the reply of the deciding model (turns.model_decision): no model was asked, none answered, " +
	"the system does not hand it on (Reply.Decider), or an older evalctl wrote them: then play it again"

// HasLatency tells a turn whose time is that of an answer.
func (t TurnRow) HasLatency() bool {
	return t.Answered && t.ErrorReply == "" && !t.Batched && t.CachedCalls == 0
}

// IsLatencyMissing tells a turn that has no time of an answer though it is owed one: it was cut
// off, was answered from what was kept of an earlier run, or nothing came of all that was
// decided in it but an apology.
func (t TurnRow) IsLatencyMissing() bool {
	return t.HasFailed() || t.CachedCalls > 0 && !t.Batched || t.ErrorReply != "" && len(t.Steps) > 0
}

// HasFailed tells a turn that failed or was not played, or that apologises for a call
// that failed.
func (t TurnRow) HasFailed() bool { return !t.Answered || t.ErrorReplyCause != "" }

// NodeVisit is one visit of a node, from its first call to the end of its last.
type NodeVisit struct {
	Node          string        `json:"node"`
	Turn          int           `json:"turn,omitempty"` // from 1; 0: the row is older than the field
	Duration      Millis        `json:"duration_ms"`    // with what lies between its calls, such as polls and back-off
	Calls         int64         `json:"calls"`
	CallDurations []Millis      `json:"call_durations_ms"`      // each answered call's own time
	CachedCalls   int64         `json:"cached_calls,omitempty"` // of the calls: the visit has no time
	CallError     llm.ErrorKind `json:"call_error,omitempty"`   // why its last call came to nothing, also where its answer was turned down; "": it did not
}

// Errors is the number of the visit's calls that failed, retried ones included. A task
// that ran out of time, or an answer that was empty or broke off, counts as one. A complete
// answer that cannot be used, such as one with an unknown label, is not an error.
func (n NodeVisit) Errors() int64 {
	failed := max(n.Calls-n.CachedCalls-int64(len(n.CallDurations)), 0)
	if failed == 0 && n.CallError != "" && n.CallError != trace.LowConfidence && !n.CallError.IsInvalidAnswer() {
		return 1
	}
	return failed
}

// Millis is a duration written as milliseconds; no nanosecond is lost.
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
	b[point] = '.' // in the place of the 1
	return bytes.TrimRight(b, "0")
}

// UnmarshalJSON reads milliseconds with up to six decimals.
func (m *Millis) UnmarshalJSON(b []byte) error {
	whole, decimals, _ := bytes.Cut(b, []byte("."))
	if len(decimals) > 6 {
		return fmt.Errorf("milliseconds: %s has more than six decimals", b)
	}
	var digits [32]byte
	ns, err := strconv.ParseInt(string(append(append(append(digits[:0], whole...), decimals...), "000000"[len(decimals):]...)), 10, 64)
	if err != nil {
		return fmt.Errorf("milliseconds: %.40s is not a number of up to 9223372036854.775807", b)
	}
	*m = Millis(ns)
	return nil
}
