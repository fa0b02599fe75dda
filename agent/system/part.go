package system

import (
	"encoding/json"

	"evalctl/agent"
	"evalctl/agent/recall"
)

// Component is an external dependency of a system: a model, a service or a store. It can be
// simulated, and faults can be injected into its calls.
type Component struct {
	Name string // unique name in suites, faults and reports
	Role Role
	Node string // node that the trace records for the component's calls; "": Name

	// UsedIf reports whether a variant with these settings uses the component; nil: every variant
	// does.
	UsedIf func(SettingValues) bool
	// UsesVariantModel reports whether the component calls the chat model of the variant (--model).
	// nil: components with RoleRouter, RoleChat or RoleStructured call it, others do not.
	UsesVariantModel func(SettingValues) bool
	// LocalImplementation returns the name of the implementation that runs in this process, or "" if
	// the component is called over the network. nil: always over the network.
	LocalImplementation func(SettingValues) string
	// URL returns the address of the component according to the settings: an http address, or
	// another form that only the component interprets. "": not set. An address that is set is
	// called even if the suite simulates the component. nil: no setting contains an address.
	URL func(SettingValues) string
	// LocalProviderName is the provider name in spans of the local implementation. Its calls cost
	// nothing.
	LocalProviderName string
	// RemoteSettings are the settings that a variant needs for the component to be called over the
	// network; nil: none.
	RemoteSettings SettingValues
	// SettingsFromPrompt reports whether a request with this prompt comes from this component. The
	// simulation uses it if several components share a model. nil: the model name identifies the
	// component.
	MatchPrompt func(prompt string) bool
	// Simulate returns the reply of the simulated model, for a component with its own answer
	// format. nil: the reply depends on the role. A component with RoleRouter then replies with the
	// labels of the case.
	Simulate func(SimulatedRequest) SimulatedReply
	// NewCorpus returns the data that a simulated service searches, for a component with
	// RoleRetrieval. Variants with the same values of CorpusSettings share one corpus. If
	// CorpusSettings is nil, all settings must be the same.
	NewCorpus      func(SettingValues) (recall.Searcher, error)
	CorpusSettings []string
}

// SimulatedRequest is the request to a simulated model, together with the expected result from the
// case.
type SimulatedRequest struct {
	System, Text string          // system messages, and the last message of the user
	History      []agent.Message // the messages before Text, including summaries of older ones
	SampleText   string          // realistic sentences in the language of Text, to build a reply from
	Tools        []string        // names of the functions that the model may call
	ToolResults  int             // number of tool results since the last message of the user
	CallNumber   int             // how often the turn has called the component, from 1 for the first call
	Expected     json.RawMessage // the expectation of the case in its dataset; nil: none
	Seed         uint64          // seed for random choices: the same for the same case, epoch, component and CallNumber
}

// SimulatedReply is the reply of a simulated model: text, or calls of functions.
type SimulatedReply struct {
	Content string
	Calls   []agent.ToolCall // only Name and Input are set
}

// Role is the task of a component. It determines which faults can be injected and how the component
// is simulated.
type Role string

// The roles of components. The values are the component names in package mocks.
const (
	RoleRouter       Role = "router"        // a chat model that returns a label in JSON
	RoleChat         Role = "chat"          // a chat model
	RoleStructured   Role = "structured"    // a chat model that returns a JSON object other than a decision
	RoleVision       Role = "vision"        // a chat model with image input
	RoleCritic       Role = "critic"        // a chat model that returns a score in JSON
	RoleGrader       Role = "grader"        // a chat model that returns in JSON which facts an answer states
	RoleSearchModel  Role = "search"        // a chat model that searches the web
	RoleImage        Role = "image"         // an image generator
	RoleEmbedding    Role = "embedding"     // a service that converts texts to vectors
	RoleRetrieval    Role = "retrieval"     // a service that returns passages of documents
	RoleSearchEngine Role = "search_engine" // a web search service without a model
	RoleStore        Role = "store"         // a store in this process, such as a cache
)

// NeedsModelName reports whether a call over the network must name a model. Search, retrieval and
// image services need no name: they have a fixed model or none.
func (w Role) NeedsModelName() bool {
	return w != RoleSearchModel && w != RoleImage && w != RoleRetrieval && w != RoleSearchEngine
}

// PollComponent is the component name for polling the task of an image generator. Faults and spans
// use it to distinguish polls from the call that starts the task.
const PollComponent = "poll"

// IsUsed reports whether a variant with these settings uses the component.
func (p Component) IsUsed(v SettingValues) bool { return p.UsedIf == nil || p.UsedIf(v) }

// HasAnswerFormat reports whether the component's model must answer in a fixed format such as JSON.
// Only such answers are checked for their format.
func (p Component) HasAnswerFormat() bool {
	return p.Role == RoleRouter || p.Role == RoleStructured || p.Role == RoleCritic || p.Role == RoleGrader ||
		p.Role == RoleVision
}

// UsesChatModel reports whether the component calls the chat model of the variant (--model).
func (p Component) UsesChatModel(v SettingValues) bool {
	if p.UsesVariantModel == nil {
		return p.Role == RoleRouter || p.Role == RoleChat || p.Role == RoleStructured
	}
	return p.UsesVariantModel(v)
}

// LocalImplementationFor returns the name of the implementation that runs in this process, or "" if
// the component is called over the network.
func (p Component) LocalImplementationFor(v SettingValues) string {
	if p.LocalImplementation == nil {
		return ""
	}
	return p.LocalImplementation(v)
}

// URLFor returns the address of the component according to the settings, or "" if they contain
// none.
func (p Component) URLFor(v SettingValues) string {
	if p.URL == nil {
		return ""
	}
	return p.URL(v)
}

// NodeName returns the node that the trace records for the component's calls.
func (p Component) NodeName() string {
	if p.Node != "" {
		return p.Node
	}
	return p.Name
}
