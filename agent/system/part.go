package system

import (
	"encoding/json"

	"evalctl/agent"
	"evalctl/agent/recall"
)

// Part is one part of a system that has a model, a service or a store behind it.
type Part struct {
	Name string // in suites, faults and reports
	Work Work
	Node string // under which its calls stand in the trace; "": Name

	// Used tells whether a variant has any use for it; nil: every one has.
	Used func(Values) bool
	// ByModel tells whether a variant's own chat model (--model) stands behind it;
	// nil: it does where the part decides, talks or writes.
	ByModel func(Values) bool
	// Local says what does its work in the process, "" where it is asked over
	// the wire; nil: it always is.
	Local func(Values) string
	// Address says where the settings lead, of a part that is somebody else's: to an http
	// address, or to what only the part itself understands. What is there is real, whatever
	// else a suite says of it. "": the settings do not say; nil: they never do.
	Address func(Values) string
	// Free is the provider, as spans name it, of what Local does: it has no
	// price.
	Free string
	// Wire are the settings with which it is asked over the wire; nil: any.
	Wire Values
	// Recognise knows a prompt that is seen on the wire as one of this part's; nil: only
	// the model's name tells.
	Recognise func(prompt string) bool
	// Says is what a simulated model says in a part whose answers have a form of
	// their own; nil: what is usual for its work. The decider's follows from labels.
	Says func(Shown) Spoken
	// Corpus makes what a simulated service searches, of a part that Recalls, with such
	// settings; it is made once for all variants that are alike in those of CorpusBy, nil:
	// in all.
	Corpus   func(Values) (recall.Searcher, error)
	CorpusBy []string
}

// Shown is what a simulated model is shown, and what is expected of the turn.
type Shown struct {
	System, Text string          // the system's messages, and the last of the user
	Earlier      []agent.Message // what was said before Text, and its summaries
	Words        string          // believable ones, in the language of Text
	Tools        []string        // names of the functions offered
	Results      int             // of tools, since the user spoke
	Nth          int             // question to this part in the turn, from 1
	Want         json.RawMessage // the expectation; nil: none
	Seed         uint64          // the same for the same case, epoch, part and Nth
}

// Spoken is what a model says: words, or calls of the functions it was offered.
type Spoken struct {
	Content string
	Calls   []agent.ToolCall // Name and Input
}

// Work is what a part does: what can go wrong with it, and how it is simulated.
type Work string

// What parts do. The names are those of the mocks' components.
const (
	Decides  Work = "router"        // a chat model that is asked for a label in JSON
	Talks    Work = "chat"          // a chat model
	Writes   Work = "structured"    // a chat model that is asked for a JSON object, which is no decision
	Looks    Work = "vision"        // a chat model that sees pictures
	Judges   Work = "critic"        // a chat model that is asked for a score in JSON
	Grades   Work = "grader"        // a chat model that is asked in JSON whether an answer states facts
	Searches Work = "search"        // a chat model that searches the web
	Paints   Work = "image"         // a service of pictures
	Embeds   Work = "embedding"     // a service of vectors
	Recalls  Work = "retrieval"     // a service that finds passages of documents
	Browses  Work = "search_engine" // a service that searches the web, and is no model
	Keeps    Work = "store"         // a store in the process
)

// NeedsModel tells whether a model is to be named where the work is done over the wire:
// some services have one of their own, or none.
func (w Work) NeedsModel() bool {
	return w != Searches && w != Paints && w != Recalls && w != Browses
}

// Poll is the name under which asking for a picture that is made by a task is
// told and struck, whatever the part is called that paints.
const Poll = "poll"

// IsUsed tells whether a variant has any use for the part.
func (p Part) IsUsed(v Values) bool { return p.Used == nil || p.Used(v) }

// IsAskedInForm tells a part whose model is asked for an answer of a certain form.
func (p Part) IsAskedInForm() bool {
	return p.Work == Decides || p.Work == Writes || p.Work == Judges || p.Work == Grades || p.Work == Looks
}

// IsByModel tells whether a variant's own chat model stands behind the part.
func (p Part) IsByModel(v Values) bool {
	if p.ByModel == nil {
		return p.Work == Decides || p.Work == Talks || p.Work == Writes
	}
	return p.ByModel(v)
}

// InProcess says what does the part's work in the process, "" where it is asked
// over the wire.
func (p Part) InProcess(v Values) string {
	if p.Local == nil {
		return ""
	}
	return p.Local(v)
}

// At is where the settings lead, "" where they do not.
func (p Part) At(v Values) string {
	if p.Address == nil {
		return ""
	}
	return p.Address(v)
}

// In is the node of the trace under which the part's calls stand.
func (p Part) In() string {
	if p.Node != "" {
		return p.Node
	}
	return p.Name
}
