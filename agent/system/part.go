package system

import (
	"encoding/json"

	"evalctl/agent"
	"evalctl/agent/recall"
)

// Component is one part of a system that uses a model, a service or a store.
type Component struct {
	Name string // in suites, faults and reports
	Role Role
	Node string // node of its calls in the trace; "": Name

	// UsedIf reports whether a variant uses the component; nil: every variant does.
	UsedIf func(Values) bool
	// UsesVariantModel reports whether the component uses the chat model of the variant (--model);
	// nil: routers, chat and structured models do.
	UsesVariantModel func(Values) bool
	// Local names the implementation in this process, "" if the component is called over the
	// network; nil: it always is.
	Local func(Values) string
	// URL is the address of an external component according to the settings. It is an http address,
	// or another address that only the component interprets. An endpoint that is set here is real,
	// even if the suite simulates the component. "": not set; nil: never set.
	URL func(Values) string
	// FreeProvider is the provider name, as in spans, of the local implementation, which has no
	// price.
	FreeProvider string
	// RemoteSettings are the settings with which the component is called over the network; nil:
	// any.
	RemoteSettings Values
	// MatchPrompt reports whether a prompt in a request belongs to this component; nil: only the
	// model's name identifies it.
	MatchPrompt func(prompt string) bool
	// Simulate returns the reply of a simulated model in a component with its own answer format;
	// nil: the default for its role. The reply of the decider is derived from labels.
	Simulate func(SimulatedRequest) SimulatedReply
	// NewCorpus returns the data that a simulated service searches, for a component with
	// RoleRetrieval. It is called once for all variants with the same values of CorpusSettings;
	// nil: of all settings.
	NewCorpus      func(Values) (recall.Searcher, error)
	CorpusSettings []string
}

// SimulatedRequest is the input of a simulated model, and the expectation of the turn.
type SimulatedRequest struct {
	System, Text string          // the system's messages, and the last one of the user
	History      []agent.Message // the messages before Text, and their summaries
	SampleText   string          // realistic sentences in the language of Text
	Tools        []string        // names of the functions offered
	ToolResults  int             // number of tool results since the last message of the user
	CallNumber   int             // number of this call to the component in the turn, from 1
	Expected     json.RawMessage // the expectation; nil: none
	Seed         uint64          // the same for the same case, epoch, component and Nth
}

// SimulatedReply is the reply of a simulated model: text, or calls of the functions offered.
type SimulatedReply struct {
	Content string
	Calls   []agent.ToolCall // Name and Input
}

// Role is the task of a component. It determines the faults that apply and how the component is
// simulated.
type Role string

// The roles of components. The values are the component names of the mocks.
const (
	RoleRouter       Role = "router"        // a chat model that returns a label in JSON
	RoleChat         Role = "chat"          // a chat model
	RoleStructured   Role = "structured"    // a chat model that returns a JSON object that is not a decision
	RoleVision       Role = "vision"        // a chat model with image input
	RoleCritic       Role = "critic"        // a chat model that returns a score in JSON
	RoleGrader       Role = "grader"        // a chat model that returns in JSON whether an answer states facts
	RoleSearchModel  Role = "search"        // a chat model that searches the web
	RoleImage        Role = "image"         // an image generator
	RoleEmbedding    Role = "embedding"     // an embedding service
	RoleRetrieval    Role = "retrieval"     // a service that finds passages of documents
	RoleSearchEngine Role = "search_engine" // a web search service without a model
	RoleStore        Role = "store"         // a store in this process
)

// NeedsModel reports whether a call over the network requires the name of a model. Some services
// have a fixed model, or none.
func (w Role) NeedsModel() bool {
	return w != RoleSearchModel && w != RoleImage && w != RoleRetrieval && w != RoleSearchEngine
}

// Poll is the component name for faults and spans of polling an image task, for every image
// generator.
const Poll = "poll"

// IsUsed reports whether a variant uses the component.
func (p Component) IsUsed(v Values) bool { return p.UsedIf == nil || p.UsedIf(v) }

// HasAnswerFormat reports whether the model of the component must answer in a certain format.
func (p Component) HasAnswerFormat() bool {
	return p.Role == RoleRouter || p.Role == RoleStructured || p.Role == RoleCritic || p.Role == RoleGrader ||
		p.Role == RoleVision
}

// UsesChatModel reports whether the component uses the chat model of the variant.
func (p Component) UsesChatModel(v Values) bool {
	if p.UsesVariantModel == nil {
		return p.Role == RoleRouter || p.Role == RoleChat || p.Role == RoleStructured
	}
	return p.UsesVariantModel(v)
}

// LocalName names the implementation in this process, "" if the component is called over the
// network.
func (p Component) LocalName(v Values) string {
	if p.Local == nil {
		return ""
	}
	return p.Local(v)
}

// URLFor is the address of an external component, "" if the settings contain none.
func (p Component) URLFor(v Values) string {
	if p.URL == nil {
		return ""
	}
	return p.URL(v)
}

// NodeName is the node of the component's calls in the trace.
func (p Component) NodeName() string {
	if p.Node != "" {
		return p.Node
	}
	return p.Name
}
