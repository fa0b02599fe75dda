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

// Limits of an answer; the rest is ignored.
const (
	maxText  = 1 << 20 // bytes of its text, and of all its chunks together
	maxLabel = 1000    // bytes of a label
	maxName  = 100     // bytes of a node's name and similar fields
)

// AnswerPaths are the paths of the fields in an answer. See DefaultPaths.
type AnswerPaths struct {
	Label, Confidence, Text string
	TokensIn, TokensOut     string // tokens
	Events, Error           string
	Chunk                   string // in a stream event: a piece of the answer
	ID                      string // "": the answer has no request id
}

// DefaultPaths returns the default paths.
func DefaultPaths() AnswerPaths {
	return AnswerPaths{
		Label:      "/label",
		Confidence: "/confidence",
		Text:       "/text",
		TokensIn:   "/usage/in",
		TokensOut:  "/usage/out",
		Events:     "/events",
		Error:      "/error",
		Chunk:      "/text",
	}
}

// Answer is an agent's answer to a turn. Missing fields are zero.
type Answer struct {
	ID               string // of the request
	Label            string // unchanged
	HasLabel         bool   // there is exactly one label, of any type
	DuplicateLabel   bool   // the label is ambiguous, because its member occurs twice
	MissingPathError string // error text if the path of the label does not exist; "": it exists
	Confidence       *float64
	Text             string
	Tokens           *trace.Tokens
	Events           []Event
	Raw              string // beginning of the document
}

// Document is JSON from an agent.
type Document struct{ json gjson.Result }

// Read parses JSON. Its error is an *llm.Error of kind malformed_response.
func Read(raw []byte) (Document, error) {
	if err := outbound.LimitJSONParts(raw); err != nil {
		return Document{}, MalformedError("%v", err)
	}
	if !gjson.ValidBytes(raw) || !utf8.Valid(raw) {
		return Document{}, MalformedError("is not JSON: %.200q", raw)
	}
	return Document{json: gjson.ParseBytes(raw)}, nil
}

// MalformedError returns the error of an unreadable answer.
func MalformedError(format string, a ...any) *llm.Error {
	return &llm.Error{Kind: llm.KindMalformedResponse, Message: "the answer " + fmt.Sprintf(format, a...)}
}

// ID returns the request id in a document; "": none.
func (d Document) ID(p AnswerPaths) string { return clip(lookup(d.json, p.ID).String(), maxLabel) }

// Has reports whether a path has a value other than null.
func (d Document) Has(path string) bool {
	found := lookup(d.json, path)
	return found.Exists() && found.Type != gjson.Null
}

// Chunk returns a piece of the answer; "": none.
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

// Answer reads the fields at the paths. Its error is one that the agent reports.
func (d Document) Answer(p AnswerPaths) (a Answer, err error) {
	if said := lookup(d.json, p.Error); said.Exists() && said.Type != gjson.Null && said.Type != gjson.False {
		return a, &llm.Error{Kind: llm.KindServerError, Message: "the agent reports: " + clip(said.String(), 300)}
	}
	switch at := lookup(d.json, p.Label); {
	case !at.Exists():
		a.MissingPathError = fmt.Sprintf("has nothing at %s, where its label should be: it has %s",
			p.Label, d.members())
	case isTwice(d.json, at):
		a.DuplicateLabel = true
	case at.Type != gjson.Null:
		a.HasLabel = true
		a.Label = clip(at.String(), maxLabel) // labels may be called 5 or true
	}
	if n, ok := llm.Number(json.RawMessage(lookup(d.json, p.Confidence).Raw)); ok && n >= 0 && n <= 1 {
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
	a.Raw = clip(d.json.Raw, trace.MaxAnswer)
	return a, nil
}

// Validate returns an error if the path of the label does not exist. The configuration of the path
// may be wrong as well as the agent.
func (a Answer) Validate() error {
	if a.MissingPathError == "" {
		return nil
	}
	return MalformedError("%s", a.MissingPathError)
}

// maxMembers limits the listed members of an answer.
const maxMembers = 10

// members lists the members of a document.
func (d Document) members() string {
	if !d.json.IsObject() {
		return "no members"
	}
	var names []string
	d.json.ForEach(func(name, _ gjson.Result) bool {
		names = append(names, fmt.Sprintf("%q", clip(name.String(), maxName)))
		return len(names) < maxMembers
	})
	if len(names) == 0 {
		return "no members"
	}
	return strings.Join(names, ", ")
}

// Tokens returns the token counts of a document; nil if they are absent or impossible.
func (d Document) Tokens(p AnswerPaths) *trace.Tokens {
	in, out := count(lookup(d.json, p.TokensIn)), count(lookup(d.json, p.TokensOut))
	if in < 0 || out < 0 {
		return nil
	}
	return &trace.Tokens{In: in, Out: out}
}

// count returns a number of tokens; -1: invalid.
func count(at gjson.Result) int64 {
	if at.Type != gjson.Number || at.Num != math.Trunc(at.Num) || at.Num < 0 || at.Num > trace.MaxTokens {
		return -1
	}
	return int64(at.Num)
}

// WrongIDError returns the error of an answer to another request.
func WrongIDError(got, want string) *llm.Error {
	if got == "" {
		return &llm.Error{Kind: llm.KindMalformedResponse,
			Message: fmt.Sprintf("the answer does not say to which question: expected the id %s", want)}
	}
	return &llm.Error{Kind: llm.KindMalformedResponse,
		Message: fmt.Sprintf("the answer is for the question %.100q, where %s was asked", got, want)}
}

// tooManyEventsError returns the error of an answer with too many events.
func tooManyEventsError() *llm.Error {
	return &llm.Error{Kind: llm.KindMalformedResponse,
		Message: fmt.Sprintf("the answer has more than %d events", maxEvents)}
}

// NoAnswerError returns the error of an agent that ended without an answer.
func NoAnswerError(what string, err error) *llm.Error {
	return &llm.Error{Kind: llm.KindTruncated, Message: what, Err: err}
}

// clip returns the beginning of a text, in whole characters.
func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "")
}
