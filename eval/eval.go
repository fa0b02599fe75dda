// Package eval is the vocabulary of an evaluation and its loop: a Case is
// played on a Target, Scorers judge the Outcome, and a Result is the flat row
// that every other package passes along.
package eval

import (
	"bytes"
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"evalctl/agent"
	"evalctl/agent/trace"
)

// Case is one labelled conversation of a dataset.
type Case struct {
	ID    string
	Turns []LabeledTurn
	Now   time.Time // when the conversation happens; zero: unsaid
	Tags  []string
	Split string // train, dev, test or ""
	Pos   string // file:line
	Hash  string // of the case's line in its file

	Fingerprint CaseHash // of what it asks and expects; "": unknown
}

// LabeledTurn is one turn and what is expected of its answer; nil Want: nothing.
type LabeledTurn struct {
	agent.Turn
	Expected json.RawMessage
}

// Labels reads one field of the expectation, nil where it is not there.
func (s LabeledTurn) Labels(field string) (OneOf, error) {
	raw, err := s.field(field)
	if err != nil || raw == nil {
		return nil, err
	}
	var l OneOf
	err = l.UnmarshalJSON(raw)
	return l, err
}

// field is one of the expectation, nil where it is not there.
func (s LabeledTurn) field(name string) (json.RawMessage, error) {
	if !s.mayHave(name) {
		return nil, nil
	}
	d := decoders.Get().(*jsontext.Decoder)
	defer decoders.Put(d)
	d.Reset(bytes.NewBuffer(s.Expected))
	if d.PeekKind() != '{' {
		return nil, json.Unmarshal(s.Expected, &map[string]json.RawMessage{})
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	for d.PeekKind() != '}' {
		found, err := d.ReadToken()
		if err == nil && found.String() == name {
			raw, err := d.ReadValue()
			return json.RawMessage(raw), err
		}
		if err == nil {
			err = d.SkipValue()
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, nil
}

var decoders = sync.Pool{New: func() any { return new(jsontext.Decoder) }}

// mayHave is false where a field is surely not there: most scorers look for what
// most cases do not have.
func (s LabeledTurn) mayHave(field string) bool {
	return bytes.Contains(s.Expected, []byte(field)) || bytes.IndexByte(s.Expected, '\\') >= 0
}

// has tells whether the expectation has a field.
func (s LabeledTurn) has(field string) bool {
	raw, err := s.field(field)
	return field != "" && err == nil && raw != nil
}

// PathField are the labels that the turn is to come by, each with all that are right in
// its place; nil where the expectation does not have the field.
func (s LabeledTurn) Path(field string) ([]OneOf, error) { return s.list(field) }

// FactsField are what the answer is to state, or the session to remember, each with all
// ways to word it; nil where the expectation does not have the field.
func (s LabeledTurn) Facts(field string) ([]OneOf, error) { return s.list(field) }

func (s LabeledTurn) list(field string) (list []OneOf, err error) {
	raw, err := s.field(field)
	if err != nil || raw == nil {
		return nil, nil
	}
	err = json.Unmarshal(raw, &list)
	return list, err
}

// Slots are the accepted values of each slot that the expectation names.
func (s LabeledTurn) Slots() (map[string]OneOf, error) {
	if len(s.Expected) == 0 {
		return nil, nil
	}
	var expect struct {
		Slots map[string]OneOf `json:"slots"`
	}
	err := json.Unmarshal(s.Expected, &expect)
	return expect.Slots, err
}

// Inputs are the case's turns without what is expected of them: all that a
// Target may see.
func (c Case) Inputs() []agent.Turn {
	turns := make([]agent.Turn, len(c.Turns))
	for i, s := range c.Turns {
		turns[i] = s.Turn
	}
	return turns
}

// Target is what is evaluated. The outcome counts also beside an error.
type Target interface {
	Run(ctx context.Context, turns []agent.Turn) (Outcome, error)
}

// Outcome is what a Target made of a case, turn by turn.
type Outcome struct {
	Turns    []TurnResult  `json:"turns"`
	Duration time.Duration `json:"duration_ns"`

	Err *Error `json:"-"` // why there is no answer, for scorers that judge that, too
}

// TurnResult is one turn's reply and what happened on the way.
type TurnResult struct {
	Input    agent.Turn    `json:"input"`
	Reply    agent.Reply   `json:"reply"`
	Events   []trace.Event `json:"events"`
	Duration time.Duration `json:"duration_ns"`
	Error    bool          `json:"error,omitempty"` // it ended in an error; Reply is what was reached until then

	SecondJudgment *SecondJudgmentTrace `json:"second_judgment,omitempty"` // of the first attempt, where there was to be one
	FactGrading    *FactGrading         `json:"fact_grading,omitempty"`    // which facts the answer states, where that was asked
}

// HasDecision is false where no decision was made. One that was made counts, whatever
// failed after it.
func (p TurnResult) HasDecision() bool {
	if p.Error {
		return p.Reply.Predicted != "" && p.Reply.DecidedBy != ""
	}
	return p.Reply.HasDecision()
}

// Scorer judges an outcome. An error means that it could not judge, which is
// not the same as judging against.
type Scorer interface {
	Score(ctx context.Context, c Case, o Outcome) (Score, error)
}

// Verdict of a Scorer; the zero Verdict is unjudged.
type Verdict string

const (
	Unscored Verdict = ""
	Pass     Verdict = "pass"
	Fail     Verdict = "fail"
)

// PassIf is Pass or Fail.
func PassIf(ok bool) Verdict {
	if ok {
		return Pass
	}
	return Fail
}

// Score is one scorer's judgement of one outcome.
type Score struct {
	Name      string  `json:"name"`
	Verdict   Verdict `json:"verdict,omitempty"`
	Value     float64 `json:"value"` // 1 and 0 for a plain pass and fail
	Reason    string  `json:"reason,omitempty"`
	Turn      int     `json:"turn,omitempty"` // judged, from 1
	Actual    string  `json:"actual,omitempty"`
	Expected  OneOf   `json:"expected,omitempty"`
	Attribute bool    `json:"-"` // judges one side of the answer, and not whether the trial is correct

	Turns []TurnScore   `json:"turns,omitempty"` // of the decision, or of who served, where several turns have a label: each of them
	Facts []StatedFacts `json:"facts,omitempty"` // of each turn whose answer could be judged by its facts
}

// StatedFacts says which of the facts that a turn's case lists its answer states.
type StatedFacts struct {
	Turn  int    `json:"turn"`  // from 1
	Facts []bool `json:"facts"` // as the case lists them
}

// TurnScore is of the decision, or of who served, in one labelled turn.
type TurnScore struct {
	Turn     int     `json:"turn"` // from 1
	Expected OneOf   `json:"expected"`
	Actual   string  `json:"actual,omitempty"`
	Verdict  Verdict `json:"verdict,omitempty"`
	Answered bool    `json:"answered,omitempty"` // something answered the turn
}

// Sink takes results one by one; it is never called concurrently.
type Sink interface {
	Add(Result) error
}

// SinkFunc lets a function be a Sink.
type SinkFunc func(Result) error

// Add calls f.
func (f SinkFunc) Add(r Result) error { return f(r) }

// OneOf is a label, or several of which any is right; the first is primary.
type OneOf []string

// UnmarshalJSON reads "a", ["a","b"] and null.
func (o *OneOf) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*o = nil
		return nil
	}
	if len(b) > 0 && b[0] == '"' {
		var room [64]byte
		one, err := jsontext.AppendUnquote(room[:0], b)
		*o = OneOf{string(one)}
		return err
	}
	var list []string
	if err := json.Unmarshal(b, &list); err != nil {
		return err
	}
	*o = list
	return nil
}

// MarshalJSON writes a single label as a plain string.
func (o OneOf) MarshalJSON() ([]byte, error) {
	if len(o) == 1 {
		return json.Marshal(o[0])
	}
	return json.Marshal([]string(o))
}

// Primary is the first label, "" without any.
func (o OneOf) Primary() string {
	if len(o) == 0 {
		return ""
	}
	return o[0]
}

// Has tells whether label is one of them.
func (o OneOf) Has(label string) bool {
	for _, l := range o {
		if l == label {
			return true
		}
	}
	return false
}
