package foreign

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"evalctl/agent/llm"
	"evalctl/agent/outbound"
	"evalctl/agent/trace"
)

// Limits on an answer. Longer text is truncated.
const (
	maxText  = 1 << 20 // bytes of the answer's text, and of all its chunks together
	maxLabel = 1000    // bytes of a label
	maxName  = 100     // bytes of a node name and similar fields
)

// AnswerPaths contains the path of each field in the JSON of an answer; see CheckPath for paths.
type AnswerPaths struct {
	Label               string // "": the label is found under a usual name such as label or intent
	Confidence, Text    string
	TokensIn, TokensOut string // numbers of tokens
	Events, Error       string
	Chunk               string // in an event of a stream: a piece of the answer's text
	ID                  string // "": the answer has no request id
}

// DefaultPaths returns the paths of the answer format that the documentation describes.
func DefaultPaths() AnswerPaths {
	return AnswerPaths{
		Confidence: "/confidence",
		Text:       "/text",
		TokensIn:   "/usage/in",
		TokensOut:  "/usage/out",
		Events:     "/events",
		Error:      "/error",
		Chunk:      "/text",
	}
}

// Answer is an external agent's answer to a turn. Fields that the agent does not report are zero.
type Answer struct {
	ID               string        // id of the request that is answered
	Label            string        // as the agent returned it
	LabelPriority    int           // precedence of the usual name under which Label was found; 0: the highest
	HasLabel         bool          // the answer has exactly one label, of any JSON type
	DuplicateLabel   bool          // a JSON member on the path of the label occurs twice
	MissingLabel     bool          // the label's path does not exist in the answer
	MissingPathError string        // error text for MissingLabel, set by EventReader.ReadAnswer
	Confidence       *float64      // 0..1; nil: not reported
	Text             string        // the agent's reply to the user
	Tokens           *trace.Tokens // of the whole answer; nil: not reported
	Events           []Event       // events that the answer contains
	Raw              string        // beginning of the JSON text
}

// Document is a JSON document that an external agent has sent: an answer or an event.
type Document struct{ json gjson.Result }

// ParseDocument parses a JSON document from an external agent. Its error is an *llm.Error of kind
// malformed_response.
func ParseDocument(raw []byte) (Document, error) {
	if err := outbound.CheckJSONComplexity(raw); err != nil {
		return Document{}, MalformedAnswerError("%v", err)
	}
	if !gjson.ValidBytes(raw) || !utf8.Valid(raw) {
		return Document{}, MalformedAnswerError("is not JSON: %.200q", raw)
	}
	return Document{json: gjson.ParseBytes(raw)}, nil
}

// MalformedAnswerError returns an error for an unreadable answer. Its message begins "the answer ".
func MalformedAnswerError(format string, a ...any) *llm.Error {
	return &llm.Error{Kind: llm.KindMalformedResponse, Message: "the answer " + fmt.Sprintf(format, a...)}
}

// ID returns the id of the request that a document belongs to; "": none.
func (d Document) ID(p AnswerPaths) string { return clip(lookup(d.json, p.ID).String(), maxLabel) }

// HasValue reports whether the document has a value other than null at a path.
func (d Document) HasValue(path string) bool { return isGiven(lookup(d.json, path)) }

// LabelPriority returns the precedence of the label's name in an event of a stream; 0 is the
// highest. ok is false if the event has no label, or null. It is also false for a member named
// output or answer, which may be a piece of text.
func (d Document) LabelPriority(p AnswerPaths) (rank int, ok bool) {
	at := d.findLabel(p.Label)
	return at.rank, isGiven(at.value) && !at.mayBeText
}

func isGiven(at gjson.Result) bool { return at.Exists() && at.Type != gjson.Null }

// Chunk returns the piece of the answer's text in an event of a stream; "": none. A document that
// is a string is a chunk itself.
func (d Document) Chunk(p AnswerPaths) string {
	at := d.json
	if at.Type != gjson.String {
		at = lookup(at, p.Chunk)
	}
	if at.Type != gjson.String {
		return ""
	}
	return at.Str
}

// Answer reads the fields of an answer at their paths. It returns an error only if the document
// contains an error that the agent reports, or has too many events.
func (d Document) Answer(p AnswerPaths) (a Answer, err error) {
	if reported := lookup(d.json, p.Error); reported.Exists() && reported.Type != gjson.Null &&
		reported.Type != gjson.False {
		return a, &llm.Error{Kind: llm.KindServerError, Message: "the agent reports: " + clip(reported.String(), 300)}
	}
	at := d.findLabel(p.Label)
	a.LabelPriority = at.rank
	switch {
	case !at.value.Exists():
		a.MissingLabel = true
	case at.ambiguous || isAmbiguous(d.json, at.value):
		a.DuplicateLabel = true
	case at.value.Type != gjson.Null:
		a.HasLabel = true
		a.Label = clip(at.value.String(), maxLabel) // labels may look like numbers or booleans: 5, true
	}
	confidence := lookup(d.json, p.Confidence)
	if !confidence.Exists() && p.Label == "" && p.Confidence == DefaultPaths().Confidence {
		confidence = lookup(at.parent, p.Confidence) // next to a label in an object
	}
	if n, ok := llm.ParseNumber(json.RawMessage(confidence.Raw)); ok && n >= 0 && n <= 1 {
		a.Confidence = &n
	}
	if p.ID != "" {
		a.ID = d.ID(p)
	}
	a.Text = clip(lookup(d.json, p.Text).String(), maxText)
	a.Tokens = d.Tokens(p)
	for _, one := range lookup(d.json, p.Events).Array() {
		if len(a.Events) == maxEvents {
			return a, tooManyEventsError()
		}
		a.Events = append(a.Events, readEvent(one))
	}
	a.Raw = clip(d.json.Raw, trace.MaxRawAnswer)
	return a, nil
}

// Validate returns an error if the path of the label does not exist in the answer. Then either the
// agent or the configured path is wrong.
func (a Answer) Validate() error {
	if a.MissingPathError == "" {
		return nil
	}
	return MalformedAnswerError("%s", a.MissingPathError)
}

// Tokens returns the token counts in a document; nil: absent or out of range.
func (d Document) Tokens(p AnswerPaths) *trace.Tokens {
	in, out := count(lookup(d.json, p.TokensIn)), count(lookup(d.json, p.TokensOut))
	if in < 0 || out < 0 {
		return nil
	}
	return &trace.Tokens{In: in, Out: out}
}

// count returns a number of tokens; -1: invalid.
func count(at gjson.Result) int64 {
	if at.Type != gjson.Number || at.Num != math.Trunc(at.Num) || at.Num < 0 || at.Num > trace.MaxPlausibleTokens {
		return -1
	}
	return int64(at.Num)
}

// WrongIDError returns the error for an answer whose id is not that of the request.
func WrongIDError(got, want string) *llm.Error {
	if got == "" {
		return &llm.Error{Kind: llm.KindMalformedResponse,
			Message: fmt.Sprintf("the answer does not say to which question: expected the id %s", want)}
	}
	return &llm.Error{Kind: llm.KindMalformedResponse,
		Message: fmt.Sprintf("the answer is for the question %.100q, where %s was asked", got, want)}
}

// tooManyEventsError returns the error for an answer with more than maxEvents events.
func tooManyEventsError() *llm.Error {
	return &llm.Error{Kind: llm.KindMalformedResponse,
		Message: fmt.Sprintf("the answer has more than %d events", maxEvents)}
}

// NoAnswerError returns the error for an agent that ended without an answer.
func NoAnswerError(what string, err error) *llm.Error {
	return &llm.Error{Kind: llm.KindTruncated, Message: what, Err: err}
}

// clip returns the beginning of a text in bytes, without a partial character at the end.
func clip(text string, maxBytes int) string {
	if len(text) <= maxBytes {
		return text
	}
	return strings.ToValidUTF8(text[:maxBytes], "")
}
