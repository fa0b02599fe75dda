package system

import (
	"encoding/json"

	"evalctl/agent"
	"evalctl/agent/recall"
)

// Component is one part of a system that has a model, a service or a store behind it.
type Component struct {
	Name string // in suites, faults and reports
	Role Role
	Node string // under which its calls stand in the trace; "": Name

	// UsedIf tells whether a variant has any use for it; nil: every one has.
	UsedIf func(Values) bool
	// UsesVariantModel tells whether a variant's own chat model (--model) stands behind it;
	// nil: it does where the part decides, talks or writes.
	UsesVariantModel func(Values) bool
	// Local says what does its work in the process, "" where it is asked over
	// the wire; nil: it always is.
	Local func(Values) string
	// IsURL says where the settings lead, of a part that is somebody else's: to an http
	// address, or to what only the part itself understands. What is there is real, whatever
	// else a suite says of it. "": the settings do not say; nil: they never do.
	URL func(Values) string
	// FreeProvider is the provider, as spans name it, of what Local does: it has no
	// price.
	FreeProvider string
	// RemoteSettings are the settings with which it is asked over the wire; nil: any.
	RemoteSettings Values
	// MatchPrompt knows a prompt that is seen on the wire as one of this part's; nil: only
	// the model's name tells.
	MatchPrompt func(prompt string) bool
	// Simulate is what a simulated model says in a part whose answers have a form of
	// their own; nil: what is usual for its work. The decider's follows from labels.
	Simulate func(SimulatedRequest) SimulatedReply
	// NewCorpus makes what a simulated service searches, of a part that Recalls, with such
	// settings; it is made once for all variants that are alike in those of CorpusSettings, nil:
	// in all.
	NewCorpus      func(Values) (recall.Searcher, error)
	CorpusSettings []string
}

// SimulatedRequest is what a simulated model is shown, and what is expected of the turn.
type SimulatedRequest struct {
	System, Text string          // the system's messages, and the last of the user
	History      []agent.Message // what was said before Text, and its summaries
	SampleText   string          // believable ones, in the language of Text
	Tools        []string        // names of the functions offered
	Results      int             // of tools, since the user spoke
	Nth          int             // question to this part in the turn, from 1
	Expected     json.RawMessage // the expectation; nil: none
	Seed         uint64          // the same for the same case, epoch, part and Nth
}

// SimulatedReply is what a model says: words, or calls of the functions it was offered.
type SimulatedReply struct {
	Content string
	Calls   []agent.ToolCall // Name and Input
}

// Role is what a part does: what can go wrong with it, and how it is simulated.
type Role string

// What parts do. The names are those of the mocks' components.
const (
	RoleRouter       Role = "router"        // a chat model that is asked for a label in JSON
	RoleChat         Role = "chat"          // a chat model
	RoleStructured   Role = "structured"    // a chat model that is asked for a JSON object, which is no decision
	RoleVision       Role = "vision"        // a chat model that sees pictures
	RoleCritic       Role = "critic"        // a chat model that is asked for a score in JSON
	RoleGrader       Role = "grader"        // a chat model that is asked in JSON whether an answer states facts
	RoleSearchModel  Role = "search"        // a chat model that searches the web
	RoleImage        Role = "image"         // a service of pictures
	RoleEmbedding    Role = "embedding"     // a service of vectors
	RoleRetrieval    Role = "retrieval"     // a service that finds passages of documents
	RoleSearchEngine Role = "search_engine" // a service that searches the web, and is no model
	RoleStore        Role = "store"         // a store in the process
)

// NeedsModel tells whether a model is to be named where the work is done over the wire:
// some services have one of their own, or none.
func (w Role) NeedsModel() bool {
	return w != RoleSearchModel && w != RoleImage && w != RoleRetrieval && w != RoleSearchEngine
}

// Poll is the name under which asking for a picture that is made by a task is
// told and struck, whatever the part is called that paints.
const Poll = "poll"

// IsUsed tells whether a variant has any use for the part.
func (p Component) IsUsed(v Values) bool { return p.UsedIf == nil || p.UsedIf(v) }

// HasAnswerFormat tells a part whose model is asked for an answer of a certain form.
func (p Component) HasAnswerFormat() bool {
	return p.Role == RoleRouter || p.Role == RoleStructured || p.Role == RoleCritic || p.Role == RoleGrader || p.Role == RoleVision
}

// IsByModel tells whether a variant's own chat model stands behind the part.
func (p Component) IsByModel(v Values) bool {
	if p.UsesVariantModel == nil {
		return p.Role == RoleRouter || p.Role == RoleChat || p.Role == RoleStructured
	}
	return p.UsesVariantModel(v)
}

// InProcess says what does the part's work in the process, "" where it is asked
// over the wire.
func (p Component) InProcess(v Values) string {
	if p.Local == nil {
		return ""
	}
	return p.Local(v)
}

// URLFor is where the settings lead, "" where they do not.
func (p Component) URLFor(v Values) string {
	if p.URL == nil {
		return ""
	}
	return p.URL(v)
}

// NodeName is the node of the trace under which the part's calls stand.
func (p Component) NodeName() string {
	if p.Node != "" {
		return p.Node
	}
	return p.Name
}
