// Package eval defines the types of an evaluation and runs it. A Runner runs a Case on a Target,
// and Scorers score the Outcome. A Result is the flat row that other packages use.
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
	ID    string
	Turns []LabeledTurn
	Now   time.Time // when the conversation happens; zero: not specified
	Tags  []string
	Split string // train, dev, test or ""
	Pos   string // file:line
	Hash  string // of the line of the case in its file

	Fingerprint CaseHash // of its input and expectations; "": unknown
}

// LabeledTurn is one turn with its expectation; nil Expected: none.
type LabeledTurn struct {
	agent.Turn
	Expected json.RawMessage
}

// Labels reads one field of the expectation. It returns nil if the field is absent.
func (s LabeledTurn) Labels(field string) (OneOf, error) {
	raw, err := s.field(field)
	if err != nil || raw == nil {
		return nil, err
	}
	var l OneOf
	err = l.UnmarshalJSON(raw)
	return l, err
}

// field returns one field of the expectation, nil if absent.
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

// mayHave returns false if a field is certainly absent. It is a fast check, because most scorers
// read fields that most cases do not have.
func (s LabeledTurn) mayHave(field string) bool {
	return bytes.Contains(s.Expected, []byte(field)) || bytes.IndexByte(s.Expected, '\\') >= 0
}

// has reports whether the expectation has a field.
func (s LabeledTurn) has(field string) bool {
	raw, err := s.field(field)
	return field != "" && err == nil && raw != nil
}

// Path reads the labels of the expected decisions in order, each with its accepted alternatives. It
// returns nil if the field is absent.
func (s LabeledTurn) Path(field string) ([]OneOf, error) { return s.list(field) }

// Facts reads the facts that the answer must state or the session must remember, each with its
// accepted wordings. It returns nil if the field is absent.
func (s LabeledTurn) Facts(field string) ([]OneOf, error) { return s.list(field) }

func (s LabeledTurn) list(field string) (list []OneOf, err error) {
	raw, err := s.field(field)
	if err != nil || raw == nil {
		return nil, nil
	}
	err = json.Unmarshal(raw, &list)
	return list, err
}

// Slots returns the accepted values of each slot in the expectation.
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

// Inputs returns the turns without their expectations: everything that a Target may see.
func (c Case) Inputs() []agent.Turn {
	turns := make([]agent.Turn, len(c.Turns))
	for i, s := range c.Turns {
		turns[i] = s.Turn
	}
	return turns
}

// Target is the evaluated system. The Outcome is also used if Run returns an error.
type Target interface {
	Run(ctx context.Context, turns []agent.Turn) (Outcome, error)
}

// Outcome is the output of a Target for a case, turn by turn.
type Outcome struct {
	Turns    []TurnResult  `json:"turns"`
	Duration time.Duration `json:"duration_ns"`

	Err *Error `json:"-"` // why there is no answer, for scorers that score errors
}

// TurnResult is one turn's reply and the events that led to it.
type TurnResult struct {
	Input    agent.Turn    `json:"input"`
	Reply    agent.Reply   `json:"reply"`
	Events   []trace.Event `json:"events"`
	Duration time.Duration `json:"duration_ns"`
	Error    bool          `json:"error,omitempty"` // the turn ended in an error; Reply is the partial result

	// of the first attempt; nil: not judged again
	SecondJudgment *SecondJudgmentTrace `json:"second_judgment,omitempty"`
	// facts that the answer states; nil: not graded
	FactGrading *FactGrading `json:"fact_grading,omitempty"`
}

// HasDecision reports whether a decision was made. A decision counts even if something failed after
// it.
func (p TurnResult) HasDecision() bool {
	if p.Error {
		return p.Reply.Predicted != "" && p.Reply.DecidedBy != ""
	}
	return p.Reply.HasDecision()
}

// Scorer scores an outcome. An error means that the outcome could not be scored, not that it is
// wrong.
type Scorer interface {
	Score(ctx context.Context, c Case, o Outcome) (Score, error)
}

// Verdict is a Scorer's result; the zero Verdict means unscored.
type Verdict string

const (
	Unscored Verdict = ""
	Pass     Verdict = "pass"
	Fail     Verdict = "fail"
)

// PassIf returns Pass or Fail.
func PassIf(ok bool) Verdict {
	if ok {
		return Pass
	}
	return Fail
}

// Score is one scorer's result for one outcome.
type Score struct {
	Name        string  `json:"name"`
	Verdict     Verdict `json:"verdict,omitempty"`
	Value       float64 `json:"value"` // 1 for a pass and 0 for a fail, unless it is a measure
	Reason      string  `json:"reason,omitempty"`
	Turn        int     `json:"turn,omitempty"` // the scored turn, from 1
	Actual      string  `json:"actual,omitempty"`
	Expected    OneOf   `json:"expected,omitempty"`
	IsAttribute bool    `json:"-"` // scores one attribute of the answer; does not affect whether the trial is correct

	// per turn, if several turns have a label (decision and fallback scores)
	Turns []TurnScore   `json:"turns,omitempty"`
	Facts []StatedFacts `json:"facts,omitempty"` // of each turn whose answer could be checked for facts
}

// StatedFacts lists which facts of a turn's expectation its answer states.
type StatedFacts struct {
	Turn  int    `json:"turn"`  // from 1
	Facts []bool `json:"facts"` // in the order of the case
}

// TurnScore is the score of the decision, or of the answering component, in one labeled turn.
type TurnScore struct {
	Turn     int     `json:"turn"` // from 1
	Expected OneOf   `json:"expected"`
	Actual   string  `json:"actual,omitempty"`
	Verdict  Verdict `json:"verdict,omitempty"`
	Answered bool    `json:"answered,omitempty"` // a component answered the turn
}

// Sink receives results one by one; it is never called concurrently.
type Sink interface {
	Add(Result) error
}

// SinkFunc is a function that implements Sink.
type SinkFunc func(Result) error

func (f SinkFunc) Add(r Result) error { return f(r) }

// OneOf is a label, or several that are all accepted; the first is primary.
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

// Primary returns the first label, "" if there is none.
func (o OneOf) Primary() string {
	if len(o) == 0 {
		return ""
	}
	return o[0]
}

func (o OneOf) Has(label string) bool {
	for _, l := range o {
		if l == label {
			return true
		}
	}
	return false
}
