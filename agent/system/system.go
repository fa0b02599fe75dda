// Package system says what an agent system declares of itself. All that the
// harness does with a system follows from its declaration: what its cases may
// say, how they are scored, its settings and their flags, the faults that can
// strike it, what stands behind each of its parts, and who decides.
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
	Summary              string   // what it is, in a few words
	Examples             []string // command lines that show it off: a verb and what follows
	Contract             Contract
	Parts                []Component // what has a model, a service or a store behind it, in the order of reports
	Settings             []Setting   // what its variants may set; the first stands in every name that is made of them
	DecisionSources      []string    // who may have decided, as replies name them
	SupportsDecisionOnly bool        // it can stop once it has decided

	// HeuristicDecider makes what a simulated decider makes of texts that nobody has labelled;
	// nil: it knows nothing of them.
	HeuristicDecider func(Options) (func(text string) Decision, error)
	// NextDecision is what a decider who knows the labels that the turn comes by, each a list of
	// which any is right, says next to the user's last text that it is shown; nil: it
	// is decided once.
	NextDecision func(text string, path [][]string) string
	// AnswerFormat is how the decider is asked to answer; nil: as the zero Form says.
	AnswerFormat func(Values) AnswerFormat
	// MatchPrompt knows a prompt that is seen on the wire by the settings of which it
	// speaks; nil: it knows none.
	MatchPrompt func(prompt string) Values
	// EventNames are the names under which clients hear of events, where another than the
	// kind's.
	EventNames map[trace.Kind]string
	// Open reads prompts and stores, once, before any trial.
	Open func(Options) (OpenVariant, error)
}

// Contract is what a system's cases may say.
type Contract struct {
	LabelField      string   // of the expectation: what the label is called
	Labels          []string // the residual one last; nil: the dataset's own
	OtherRoutes     []string // what may answer besides the labels
	Options         []string // switches of a turn
	Slots           []string // values that the decision names besides the label
	ExactSlots      []string // those of Slots that are right only as a whole
	PathField       string   // field of the labels that a turn comes by in which it is decided again and again; "": there is none
	ExtraLabels     []string // further fields with labels, in the light of which the decision is judged besides
	AttributeFields []string // further fields with labels, of what the reply tells in its Aspects
	FactsField      string   // field that lists what the answer must state; "": nothing is labelled
	MemoryField     string   // field that lists what must still be known of earlier turns; "": nothing is labelled
	RetrievalField  string   // field that lists the ids of what is to be found; "": nothing is looked up
	RequireAll      bool     // all of Finds are to be found; else any one of them will do
	ImageLabels     bool     // attempts at a picture are labelled, for a critic
	AllowEmptyText  bool     // a turn may be without a word
	AllowBatch      bool     // a turn may be several messages
	AllowAnyOption  bool     // a turn may set options of any name, besides Options and Params, to anything

	// SimulatedFields are further fields of an expectation, that tell what is simulated what
	// to say, and State what an input's state may hold, each with its check; a nil
	// State may hold anything.
	SimulatedFields, StateFields map[string]func(json.RawMessage) error

	// OptionChecks are values of a turn, in its options beside the switches, each with its check.
	OptionChecks map[string]func(json.RawMessage) error

	// ValueChecks check, by the name of a slot, of one of Aspects or of Finds, what a case lists
	// there: the values that are accepted in the slot, the labels, the ids that are to be
	// found. Without a check anything goes.
	ValueChecks map[string]func(list []string) error

	// CanonicalID gives, of the id of something found, the one by which Finds lists it, where
	// that is another: such as of a piece of a passage the passage's. Nil: they are the same.
	CanonicalID func(id string) string

	// Known are the ids that Finds may list with such settings, nil: any; a nil
	// func allows any.
	Known func(Values) ([]string, error)

	// CheckTurn makes, with such settings, the check of whether there is what a turn and its
	// expectation name, of which it is given what stands in Aspects and in Finds. Nil:
	// nothing is checked.
	CheckTurn func(Values) (func(turn agent.Turn, want map[string][]string) error, error)
}

// IsOpen tells a contract whose labels are the dataset's own.
func (c Contract) IsOpen() bool { return c.Labels == nil }

// Decision is a decision: a label, and what the decision names besides.
type Decision struct {
	Label string
	Slots map[string]string
}

// AnswerFormat is how a decider is asked to answer. The zero Form is a JSON object with
// the contract's field, confidence, reason and the slots.
type AnswerFormat struct {
	Field       string                                                    // in place of the contract's
	Plain       bool                                                      // the label and nothing else
	ToolCall    bool                                                      // a call of the tool that is named as the label is, or words where none is
	LabelName   func(label string) string                                 // what the decider calls a label; nil: the same
	Slot        func(name string, accepted []string) string               // what it says in a slot of which these are right; nil: the first
	ExtraFields func(text string, slots map[string]string) map[string]any // further fields, beside slots that are right; nil: none

	SlotsInExtra bool // the slots stand in what Extra says, which is given them as the decider names them
}

// Options are what a variant is opened with.
type Options struct {
	Values                                  // all settings, the usual ones where none is given
	Link         func(part string) Endpoint // as in a trial without faults
	Labels       []Label                    // of an open contract
	OOSLabel     string                     // the one of Labels that stands for all else; "": none does
	Examples     iter.Seq2[Example, error]  // labelled texts that no trial plays; nil: there are none
	DecisionOnly bool                       // stop once the decision is made
	Context      context.Context            // ends what opening waits for; nil: nothing does
}

// Label is what a text may be labelled with.
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

// OpenVariant is a variant with all that it reads from files.
type OpenVariant struct {
	Version         string // changes with what was read
	Agent           func(seed uint64, link func(part string) Endpoint) (agent.Agent, error)
	Close           func() error    // frees what was opened, once none of its agents answers; nil: there is nothing to free
	EventOrder      *regexp.Regexp  // matches the stream of a turn's events, see scorer.EventOrder; nil: any will do
	ComponentSchema json.RawMessage // JSON Schema of what is shown in a user interface; nil: nothing is

	// NewJudge makes a judge of the attempts of the critic's reviews, for a second
	// judgement that knows nothing of the first; nil: they cannot be judged again.
	NewJudge func(seed uint64, link func(part string) Endpoint) (Judge, error)

	// NewGrader makes a grader of the facts that answers state, which works when the turn is
	// over; nil: only their words are compared.
	NewGrader func(seed uint64, link func(part string) Endpoint) (Grader, error)

	// Debounce stands before the memory of sessions, to make one turn of several messages;
	// nil: nothing does.
	Debounce func(next agent.Agent) agent.Agent

	// BusyAgent answers a turn that comes while another of its session is being answered;
	// nil: it waits. Whoever makes agents gives each a memory for its sessions.
	BusyAgent agent.Agent
}

// NewJudge gives the score, 0..1, of the Attempt of a Review.
type Judge func(ctx context.Context, attempt any) (score float64, err error)

// Grader tells of facts, each worded in one or more ways, which of them an answer
// states.
type Grader func(ctx context.Context, facts [][]string, answer string) (stated []bool, err error)

// Component finds a part by its name.
func (s System) Part(name string) (Component, bool) {
	for _, p := range s.Parts {
		if p.Name == name {
			return p, true
		}
	}
	return Component{}, false
}

// DecidingComponent is the part that makes the decision which is scored.
func (s System) DecidingComponent() Component {
	for _, p := range s.Parts {
		if p.Role == RoleRouter {
			return p
		}
	}
	return Component{}
}

// IsExternal tells a system whose decider is somebody else's, where the settings say: it
// has no cases of ours, and nothing to simulate it.
func (s System) IsExternal() bool { return s.DecidingComponent().URL != nil }

// Setting finds a setting by its name.
func (s System) Setting(name string) (Setting, bool) {
	for _, set := range s.Settings {
		if set.Name == name {
			return set, true
		}
	}
	return Setting{}, false
}

// WithDefaults puts the usual values in the place of those that are not given.
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
