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
	Turns []Step
	Now   time.Time // when the conversation happens; zero: unsaid
	Tags  []string
	Split string // train, dev, test or ""
	Pos   string // file:line
	Hash  string // of the case's line in its file

	Fingerprint CaseHash // of what it asks and expects; "": unknown
}

// Step is one turn and what is expected of its answer; nil Want: nothing.
type Step struct {
	agent.Turn
	Want json.RawMessage
}

// Labels reads one field of the expectation, nil where it is not there.
func (s Step) Labels(field string) (OneOf, error) {
	raw, err := s.field(field)
	if err != nil || raw == nil {
		return nil, err
	}
	var l OneOf
	err = l.UnmarshalJSON(raw)
	return l, err
}

// field is one of the expectation, nil where it is not there.
func (s Step) field(name string) (json.RawMessage, error) {
	if !s.mayHave(name) {
		return nil, nil
	}
	d := decoders.Get().(*jsontext.Decoder)
	defer decoders.Put(d)
	d.Reset(bytes.NewBuffer(s.Want))
	if d.PeekKind() != '{' {
		return nil, json.Unmarshal(s.Want, &map[string]json.RawMessage{})
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
func (s Step) mayHave(field string) bool {
	return bytes.Contains(s.Want, []byte(field)) || bytes.IndexByte(s.Want, '\\') >= 0
}

// has tells whether the expectation has a field.
func (s Step) has(field string) bool {
	raw, err := s.field(field)
	return field != "" && err == nil && raw != nil
}

// Path are the labels that the turn is to come by, each with all that are right in
// its place; nil where the expectation does not have the field.
func (s Step) Path(field string) ([]OneOf, error) { return s.list(field) }

// Facts are what the answer is to state, or the session to remember, each with all
// ways to word it; nil where the expectation does not have the field.
func (s Step) Facts(field string) ([]OneOf, error) { return s.list(field) }

func (s Step) list(field string) (list []OneOf, err error) {
	raw, err := s.field(field)
	if err != nil || raw == nil {
		return nil, nil
	}
	err = json.Unmarshal(raw, &list)
	return list, err
}

// Slots are the accepted values of each slot that the expectation names.
func (s Step) Slots() (map[string]OneOf, error) {
	if len(s.Want) == 0 {
		return nil, nil
	}
	var expect struct {
		Slots map[string]OneOf `json:"slots"`
	}
	err := json.Unmarshal(s.Want, &expect)
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
	Play(ctx context.Context, turns []agent.Turn) (Outcome, error)
}

// Outcome is what a Target made of a case, turn by turn.
type Outcome struct {
	Turns []Played      `json:"turns"`
	Took  time.Duration `json:"duration_ns"`

	Err *Error `json:"-"` // why there is no answer, for scorers that judge that, too
}

// Played is one turn's reply and what happened on the way.
type Played struct {
	Input  agent.Turn    `json:"input"`
	Reply  agent.Reply   `json:"reply"`
	Events []trace.Event `json:"events"`
	Took   time.Duration `json:"duration_ns"`
	Failed bool          `json:"error,omitempty"` // it ended in an error; Reply is what was reached until then

	Second *Rejudged `json:"second_judgment,omitempty"` // of the first attempt, where there was to be one
	Graded *Graded   `json:"fact_grading,omitempty"`    // which facts the answer states, where that was asked
}

// Decided is false where no decision was made. One that was made counts, whatever
// failed after it.
func (p Played) Decided() bool {
	if p.Failed {
		return p.Reply.Predicted != "" && p.Reply.Source != ""
	}
	return p.Reply.Decided()
}

// Scorer judges an outcome. An error means that it could not judge, which is
// not the same as judging against.
type Scorer interface {
	Score(ctx context.Context, c Case, o Outcome) (Score, error)
}

// Verdict of a Scorer; the zero Verdict is unjudged.
type Verdict string

const (
	Unjudged Verdict = ""
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
	Name    string  `json:"name"`
	Verdict Verdict `json:"verdict,omitempty"`
	Value   float64 `json:"value"` // 1 and 0 for a plain pass and fail
	Reason  string  `json:"reason,omitempty"`
	Turn    int     `json:"turn,omitempty"` // judged, from 1
	Got     string  `json:"actual,omitempty"`
	Want    OneOf   `json:"expected,omitempty"`
	Aspect  bool    `json:"-"` // judges one side of the answer, and not whether the trial is correct

	Turns []Judgement `json:"turns,omitempty"` // of the decision, or of who served, where several turns have a label: each of them
	Facts []Stated    `json:"facts,omitempty"` // of each turn whose answer could be judged by its facts
}

// Stated says which of the facts that a turn's case lists its answer states.
type Stated struct {
	Turn  int    `json:"turn"`  // from 1
	Facts []bool `json:"facts"` // as the case lists them
}

// Judgement is of the decision, or of who served, in one labelled turn.
type Judgement struct {
	Turn    int     `json:"turn"` // from 1
	Want    OneOf   `json:"expected"`
	Got     string  `json:"actual,omitempty"`
	Verdict Verdict `json:"verdict,omitempty"`
	Served  bool    `json:"answered,omitempty"` // something answered the turn
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
