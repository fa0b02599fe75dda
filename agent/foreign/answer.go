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

// Bounds of what is kept of an answer; the rest of it is passed over.
const (
	maxText  = 1 << 20 // bytes of its text, and of its chunks together
	maxLabel = 1000    // bytes of what is meant as a label
	maxName  = 100     // bytes of a node's name, and the like
)

// AnswerPaths are where an answer has what. The zero Paths are the usual ones.
type AnswerPaths struct {
	Label, Confidence, Text string
	TokensIn, TokensOut     string // tokens
	Events, Error           string
	Chunk                   string // in an event of a stream: a piece of the answer
	ID                      string // "": the answer repeats no question's
}

// DefaultPaths are the paths where nobody says otherwise.
func DefaultPaths() AnswerPaths {
	return AnswerPaths{Label: "/label", Confidence: "/confidence", Text: "/text", TokensIn: "/usage/in", TokensOut: "/usage/out",
		Events: "/events", Error: "/error", Chunk: "/text"}
}

// Answer is what an agent says of a turn, as far as it says it.
type Answer struct {
	ID             string // of the question that it repeats
	Label          string // as it stands there
	HasLabel       bool   // it says one and no second, of whatever kind
	DuplicateLabel bool   // its place is there twice: nobody can tell which label is meant
	MissingPath    string // what of it is not there at all: a label's path; "": nothing
	Confidence     *float64
	Text           string
	Tokens         *trace.Tokens
	Events         []Event
	Raw            string // its beginning
}

// Document is JSON that came from an agent.
type Document struct{ json gjson.Result }

// Read reads JSON; its error is an *llm.Error of kind malformed_response.
func Read(raw []byte) (Document, error) {
	if err := outbound.CheckShape(raw); err != nil {
		return Document{}, MalformedError("%v", err)
	}
	if !gjson.ValidBytes(raw) || !utf8.Valid(raw) {
		return Document{}, MalformedError("is no JSON: %.200q", raw)
	}
	return Document{json: gjson.ParseBytes(raw)}, nil
}

// MalformedError is the error of an answer that cannot be read.
func MalformedError(format string, a ...any) *llm.Error {
	return &llm.Error{Kind: llm.KindMalformedResponse, Message: "the answer " + fmt.Sprintf(format, a...)}
}

// ID is the question that a document speaks of, "" where it does not say.
func (d Document) ID(p AnswerPaths) string { return clip(lookup(d.json, p.ID).String(), maxLabel) }

// Has tells whether there is something at a path.
func (d Document) Has(path string) bool {
	found := lookup(d.json, path)
	return found.Exists() && found.Type != gjson.Null
}

// Chunk is a piece of the answer, "" where a document has none.
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

// Answer takes out of a document what stands at the paths. Its error is what the agent
// says went wrong.
func (d Document) Answer(p AnswerPaths) (a Answer, err error) {
	if said := lookup(d.json, p.Error); said.Exists() && said.Type != gjson.Null && said.Type != gjson.False {
		return a, &llm.Error{Kind: llm.KindServerError, Message: "the agent says: " + clip(said.String(), 300)}
	}
	switch at := lookup(d.json, p.Label); {
	case !at.Exists():
		a.MissingPath = fmt.Sprintf("has nothing at %s, where its label should be: it has %s", p.Label, d.members())
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
		if len(a.Events) == MaxEvents {
			return a, tooManyEventsError()
		}
		a.Events = append(a.Events, readEvent(one))
	}
	a.Raw = clip(d.json.Raw, trace.MaxAnswer)
	return a, nil
}

// Validate is the error of an answer without a place for a label: the fault of who says where
// it is, as likely as the agent's.
func (a Answer) Validate() error {
	if a.MissingPath == "" {
		return nil
	}
	return MalformedError("%s", a.MissingPath)
}

// maxMembers is how many members of an answer are named.
const maxMembers = 10

// members names those of a document.
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

// Tokens are those that a document tells of, nil where it does not, or of numbers that
// cannot be.
func (d Document) Tokens(p AnswerPaths) *trace.Tokens {
	in, out := count(lookup(d.json, p.TokensIn)), count(lookup(d.json, p.TokensOut))
	if in < 0 || out < 0 {
		return nil
	}
	return &trace.Tokens{In: in, Out: out}
}

// count is a number of tokens, -1 of what is none.
func count(at gjson.Result) int64 {
	if at.Type != gjson.Number || at.Num != math.Trunc(at.Num) || at.Num < 0 || at.Num > trace.MaxTokens {
		return -1
	}
	return int64(at.Num)
}

// WrongIDError is the error of an answer to another question than was asked.
func WrongIDError(got, want string) *llm.Error {
	if got == "" {
		return &llm.Error{Kind: llm.KindMalformedResponse, Message: fmt.Sprintf("the answer does not say to which question: want the id %s", want)}
	}
	return &llm.Error{Kind: llm.KindMalformedResponse, Message: fmt.Sprintf("the answer is for the question %.100q, where %s was asked", got, want)}
}

// tooManyEventsError is the error of an agent that tells more than anybody reads.
func tooManyEventsError() *llm.Error {
	return &llm.Error{Kind: llm.KindMalformedResponse, Message: fmt.Sprintf("the answer has more than %d events", MaxEvents)}
}

// NoAnswerError is the error of an agent that ends without an answer.
func NoAnswerError(what string, err error) *llm.Error {
	return &llm.Error{Kind: llm.KindTruncated, Message: what, Err: err}
}

// clip is the beginning of a text, of whole characters.
func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "")
}
