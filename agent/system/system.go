// Package system defines the declaration of an agent system. The harness derives everything else
// from it: cases, scores, settings, flags, faults, components and the sources of decisions.
package system

import (
	"context"
	"encoding/json"
	"iter"
	"regexp"

	"evalctl/agent"
	"evalctl/agent/trace"
)

// System is the declaration of an agent system.
type System struct {
	Name                 string   // of its target, its suite and its dataset
	Summary              string   // a description in a few words
	Examples             []string // command lines for the help: a verb and its arguments
	Contract             Contract
	Parts                []Component // models, services and stores, in the order of reports
	Settings             []Setting   // settings of its variants; the first is part of every generated variant name
	DecisionSources      []string    // possible sources of a decision, as named in replies
	SupportsDecisionOnly bool        // a trial can stop after the decision

	// HeuristicDecider returns the rules by which a simulated decider answers unlabeled texts; nil:
	// none.
	HeuristicDecider func(Options) (func(text string) Decision, error)
	// NextDecision is the next decision of a simulated decider in a turn with several decisions.
	// text is the last message of the user in the request. Each step of path lists the labels that
	// are correct there. nil: a turn has one decision.
	NextDecision func(text string, path [][]string) string
	// AnswerFormat is the answer format of the decider; nil: the zero AnswerFormat.
	AnswerFormat func(Values) AnswerFormat
	// MatchPrompt returns the settings that a prompt in a request reveals; nil: none.
	MatchPrompt func(prompt string) Values
	// EventNames are the client-side names of event kinds, where they differ from the kind.
	EventNames map[trace.Kind]string
	// Open reads prompts and stores, once, before any trial.
	Open func(Options) (OpenVariant, error)
}

// Contract defines the fields of a system's cases.
type Contract struct {
	LabelField      string   // field of the expectation that contains the label
	Labels          []string // the fallback label last; nil: the dataset defines them
	OtherRoutes     []string // routes that may answer and are not labels
	Options         []string // switches of a turn
	Slots           []string // values that the decision extracts
	ExactSlots      []string // the Slots that are scored only as a whole
	PathField       string   // field with the labels of all decisions of a turn; "": a turn has one decision
	ExtraLabels     []string // further fields with labels that the decision is scored with
	AttributeFields []string // further fields with labels, compared with the reply's Attributes
	FactsField      string   // field that lists the facts that the answer must state; "": none
	MemoryField     string   // field that lists what must be remembered of earlier turns; "": none
	RetrievalField  string   // field that lists the ids to retrieve; "": nothing is retrieved
	RequireAll      bool     // all ids of RetrievalField must be found; false: one is enough
	ImageLabels     bool     // image attempts are labeled, for a critic
	AllowEmptyText  bool     // the text of a turn may be empty
	AllowBatch      bool     // a turn may consist of several messages
	AllowAnyOption  bool     // a turn may set any option, besides Options and OptionChecks

	// SimulatedFields are further fields of an expectation that control a simulation. StateFields
	// are the fields allowed in an input's state; nil: any. Each field has its check.
	SimulatedFields, StateFields map[string]func(json.RawMessage) error

	// OptionChecks are the options of a turn that are not switches, each with its check.
	OptionChecks map[string]func(json.RawMessage) error

	// ValueChecks check the values that a case lists, by the name of a slot, of one of
	// AttributeFields or of RetrievalField. A name without a check accepts any value.
	ValueChecks map[string]func(list []string) error

	// CanonicalID maps the id of a hit to the id listed in RetrievalField, for example a chunk to
	// its passage; nil: they are the same.
	CanonicalID func(id string) string

	// Known are the ids that RetrievalField may list with these settings, nil: any; a nil func
	// allows any.
	Known func(Values) ([]string, error)

	// CheckTurn returns the check that a turn and its expectation refer only to data that exists
	// with these settings. The check gets the values of AttributeFields and RetrievalField; nil: no
	// check.
	CheckTurn func(Values) (func(turn agent.Turn, want map[string][]string) error, error)
}

// IsOpen reports whether the dataset defines the labels.
func (c Contract) IsOpen() bool { return c.Labels == nil }

// Decision is a label and the slots of the decision.
type Decision struct {
	Label string
	Slots map[string]string
}

// AnswerFormat is the answer format of a decider. The zero value is a JSON object with the
// contract's label field, confidence, reason and the slots.
type AnswerFormat struct {
	Field     string                    // replaces the contract's label field
	Plain     bool                      // only the label, as plain text
	ToolCall  bool                      // a call of the tool named like the label, or text if there is no such tool
	LabelName func(label string) string // the decider's name of a label; nil: the same
	// Slot is the value of a slot, given the accepted values; nil: the first one.
	Slot func(name string, accepted []string) string
	// ExtraFields are further fields, given the correct slots; nil: none.
	ExtraFields func(text string, slots map[string]string) map[string]any

	SlotsInExtra bool // ExtraFields contains the slots, and gets them under the decider's names
}

// Options are the arguments of System.Open.
type Options struct {
	Values                                  // all settings, with defaults
	Link         func(part string) Endpoint // as in a trial without faults
	Labels       []Label                    // of an open contract
	OOSLabel     string                     // the fallback label in Labels; "": none
	Examples     iter.Seq2[Example, error]  // labeled texts that are not run as trials; nil: none
	DecisionOnly bool                       // stop after the decision
	Context      context.Context            // cancels Open; nil: never
}

// Label is a label of an open contract.
type Label struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
}

// Names are the labels' names.
func Names(labels []Label) []string {
	names := make([]string, len(labels))
	for i, l := range labels {
		names[i] = l.Name
	}
	return names
}

// OpenVariant is a variant with all data read from files.
type OpenVariant struct {
	Version         string // changes with the data that was read
	Agent           func(seed uint64, link func(part string) Endpoint) (agent.Agent, error)
	Close           func() error    // releases resources after the last agent has finished; nil: none
	EventOrder      *regexp.Regexp  // matches a turn's event sequence, see scorer.EventOrder; nil: any order is valid
	ComponentSchema json.RawMessage // JSON Schema of the UI components; nil: none are sent

	// NewJudge returns a judge for the attempts that the critic reviewed. Its second judgment is
	// independent of the first; nil: no second judgment.
	NewJudge func(seed uint64, link func(part string) Endpoint) (Judge, error)

	// NewGrader returns a grader of the facts that an answer states. It runs after the turn; nil:
	// facts are compared by words only.
	NewGrader func(seed uint64, link func(part string) Endpoint) (Grader, error)

	// Debounce wraps an agent before the session memory and merges several messages into one turn;
	// nil: no debounce.
	Debounce func(next agent.Agent) agent.Agent

	// BusyAgent answers a turn that arrives while another turn of its session is running; nil: the
	// turn waits. The caller adds the session memory to each agent.
	BusyAgent agent.Agent
}

// Judge returns the score, 0..1, of the attempt of a review.
type Judge func(ctx context.Context, attempt any) (score float64, err error)

// Grader reports which facts an answer states. Each fact is given in one or more wordings.
type Grader func(ctx context.Context, facts [][]string, answer string) (stated []bool, err error)

// Part returns the component with a name.
func (s System) Part(name string) (Component, bool) {
	for _, p := range s.Parts {
		if p.Name == name {
			return p, true
		}
	}
	return Component{}, false
}

// DecidingComponent is the component that makes the scored decision.
func (s System) DecidingComponent() Component {
	for _, p := range s.Parts {
		if p.Role == RoleRouter {
			return p
		}
	}
	return Component{}
}

// IsExternal reports whether the settings can set the decider's address. Such a system has no
// built-in cases and no simulation.
func (s System) IsExternal() bool { return s.DecidingComponent().URL != nil }

// Setting returns the setting with a name.
func (s System) Setting(name string) (Setting, bool) {
	for _, set := range s.Settings {
		if set.Name == name {
			return set, true
		}
	}
	return Setting{}, false
}

// WithDefaults adds the defaults of settings that are not given.
func (s System) WithDefaults(given map[string]string) Values {
	v := Values{}
	for _, set := range s.Settings {
		if set.Default != "" {
			v[set.Name] = set.Default
		}
		if value, ok := given[set.Name]; ok {
			v[set.Name] = value
		}
	}
	return v
}
