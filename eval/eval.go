// Package eval defines the types of an evaluation and runs it. A Runner runs a Case on a Target,
// and Scorers score the Outcome. A Result contains all of this as one flat row, which other
// packages use.
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

// Case is one labeled conversation of a dataset.
type Case struct {
	ID       string
	Turns    []LabeledTurn
	Now      time.Time // time at which the conversation happens; zero: not specified
	Tags     []string  // tags by which cases are selected and compared, such as lang:en
	Split    string    // dataset split of the case: train, dev, test or ""
	Pos      string    // position of the case in its dataset, as file:line
	LineHash string    // hash of the line that contains the case in its dataset file

	Fingerprint CaseHash // hash of the input and the expectations of the case, without its ID and tags; "": unknown
}

// LabeledTurn is one turn of a case with the expectation that scorers compare the reply with. A nil
// Expected means that the turn has no expectation.
type LabeledTurn struct {
	agent.Turn
	Expected json.RawMessage
}

// Labels returns the accepted labels in one field of the turn's expectation, nil if it is absent.
func (s LabeledTurn) Labels(field string) (OneOf, error) {
	raw, err := s.field(field)
	if err != nil || raw == nil {
		return nil, err
	}
	var l OneOf
	err = l.UnmarshalJSON(raw)
	return l, err
}

// field returns the JSON value of one field of the expectation, nil if the field is absent.
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

// mayHave returns false only if the expectation certainly lacks the field. It saves decoding JSON,
// because most cases lack most fields.
func (s LabeledTurn) mayHave(field string) bool {
	return bytes.Contains(s.Expected, []byte(field)) || bytes.IndexByte(s.Expected, '\\') >= 0
}

func (s LabeledTurn) has(field string) bool {
	raw, err := s.field(field)
	return field != "" && err == nil && raw != nil
}

// DecisionPath returns the expected sequence of decisions in a turn, each with its accepted labels.
// field is its name in the expectation. The result is nil if the field is absent.
func (s LabeledTurn) DecisionPath(field string) ([]OneOf, error) { return s.list(field) }

// FactsInAnswers returns the facts that the answer must state, or that the session must still
// contain. Each fact is a list of accepted wordings. field is the name of the facts in the
// expectation. The result is nil if the field is absent.
func (s LabeledTurn) Facts(field string) ([]OneOf, error) { return s.list(field) }

func (s LabeledTurn) list(field string) (list []OneOf, err error) {
	raw, err := s.field(field)
	if err != nil || raw == nil {
		return nil, nil
	}
	err = json.Unmarshal(raw, &list)
	return list, err
}

// Slots returns the accepted values of each slot (such as a date) in the expectation.
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

// Inputs returns the turns without their expectations, which a [NewTarget] must not receive.
func (c Case) Inputs() []agent.Turn {
	turns := make([]agent.Turn, len(c.Turns))
	for i, s := range c.Turns {
		turns[i] = s.Turn
	}
	return turns
}

// NewTarget is the evaluated system: it answers the turns of a case. If Run returns an error, the
// Outcome contains the turns before that error.
type Target interface {
	Run(ctx context.Context, turns []agent.Turn) (Outcome, error)
}

// Outcome is everything that a [NewTarget] returned for one case, turn by turn. Scorers score it.
type Outcome struct {
	Turns    []TurnResult  `json:"turns"`
	Duration time.Duration `json:"duration_ns"`

	Err *Error `json:"-"` // reason why the trial has no answer, for scorers that score errors; nil: no error
}

// TurnResult is the reply to one turn and the log of the events that led to it.
type TurnResult struct {
	Input    agent.Turn    `json:"input"`
	Reply    agent.Reply   `json:"reply"`
	Events   []trace.Event `json:"events"`
	Duration time.Duration `json:"duration_ns"`
	// the turn failed, and Reply contains only what was produced before the error
	HasError bool `json:"error,omitempty"`

	// independent second judgment of the first attempt in a Critic loop; nil: not judged again
	SecondJudgment *SecondJudgmentTrace `json:"second_judgment,omitempty"`
	// result of a model that checks which facts the answer states; nil: not checked
	FactGrading *FactGrading `json:"fact_grading,omitempty"`
}

// HasDecision reports whether the turn led to a decision. The decision counts even if a later call
// of the turn failed.
func (p TurnResult) HasDecision() bool {
	if p.HasError {
		return p.Reply.Predicted != "" && p.Reply.DecidedBy != ""
	}
	return p.Reply.HasDecision()
}

// Scorer computes one score of a trial from the case and the outcome. An error means that the
// outcome could not be scored. It does not mean that the answer is wrong.
type Scorer interface {
	Score(ctx context.Context, c Case, o Outcome) (Score, error)
}

// Verdict is the conclusion of a [Scorer] about a trial: pass, fail, or unscored (the zero value).
type Verdict string

const (
	Unscored Verdict = ""
	Pass     Verdict = "pass"
	Fail     Verdict = "fail"
)

// PassIf returns Pass if ok is set, else Fail.
func PassIf(ok bool) Verdict {
	if ok {
		return Pass
	}
	return Fail
}

// Score is the result of one scorer for one trial.
type Score struct {
	Name    string  `json:"name"` // name of the score, such as route
	Verdict Verdict `json:"verdict,omitempty"`
	// 1 for a pass and 0 for a fail; for measurements such as recall, the measured value
	Value    float64 `json:"value"`
	Reason   string  `json:"reason,omitempty"`   // explanation of the verdict; "": none
	Turn     int     `json:"turn,omitempty"`     // number of the scored turn, from 1; 0: the score covers all turns
	Actual   string  `json:"actual,omitempty"`   // label or value in the answer
	Expected OneOf   `json:"expected,omitempty"` // accepted labels or values
	// scores a secondary attribute, which does not affect whether the trial is correct
	IsAttribute bool `json:"-"`

	// scores of the single turns, if several turns of the case have a label; only in decision and
	// fallback scores
	Turns []TurnScore `json:"turns,omitempty"`
	// facts that were found in the answer, one entry for each turn that could be checked
	FactsInAnswers []TurnFacts `json:"facts,omitempty"`
}

// TurnFacts lists which facts of a turn's expectation the answer to that turn states.
type TurnFacts struct {
	Turn   int    `json:"turn"`  // number of the turn, from 1
	Stated []bool `json:"facts"` // whether the answer states each expected fact, in the order of the case
}

// TurnScore is the score of one labeled turn in a conversation. It covers the decision, or the
// component that answered.
type TurnScore struct {
	Turn     int     `json:"turn"`             // number of the turn, from 1
	Expected OneOf   `json:"expected"`         // accepted labels
	Actual   string  `json:"actual,omitempty"` // label in the answer
	Verdict  Verdict `json:"verdict,omitempty"`
	Answered bool    `json:"answered,omitempty"` // whether a component answered the turn, in addition to deciding it
}

// Sink receives the results of a run one by one, to store or summarize them. It is never called
// concurrently.
type Sink interface {
	Add(Result) error
}

// SinkFunc adapts a function to the interface [Sink].
type SinkFunc func(Result) error

// Add calls the function with the result, which makes the function a [Sink].
func (f SinkFunc) Add(r Result) error { return f(r) }

// OneOf is a list of labels that are all accepted as correct. The first is the primary label.
type OneOf []string

// UnmarshalJSON reads a single label ("a"), a list of labels (["a","b"]) or null.
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

// MarshalJSON writes a single label as a string and several labels as an array.
func (o OneOf) MarshalJSON() ([]byte, error) {
	if len(o) == 1 {
		return json.Marshal(o[0])
	}
	return json.Marshal([]string(o))
}

// Primary returns the first accepted label, or "" if there is none.
func (o OneOf) Primary() string {
	if len(o) == 0 {
		return ""
	}
	return o[0]
}

// Has reports whether the label is one of the accepted labels.
func (o OneOf) Has(label string) bool {
	for _, l := range o {
		if l == label {
			return true
		}
	}
	return false
}
