// Package system defines how an agent declares itself to evalctl: its cases, settings and
// components. From this declaration, evalctl derives datasets, scores, flags, faults and
// simulations.
package system

import (
	"context"
	"encoding/json"
	"iter"
	"regexp"
	"time"

	"evalctl/agent"
	"evalctl/agent/trace"
)

// System declares one agent that evalctl can run and evaluate.
type System struct {
	Name                 string   // name of the target, the built-in suite and the dataset
	Summary              string   // a short description for lists
	Examples             []string // command lines for the help, without the program name
	Contract             Contract
	Components           []Component // models, services and stores, in the order in which reports list them
	Settings             []Setting   // parameters of variants; generated variant names always include the first
	DecisionSources      []string    // possible values of Reply.DecidedBy, such as llm or rules
	SupportsDecisionOnly bool        // a trial can stop after the decision, before the answer (--decision-only)

	// NewRuleDecider returns a function that decides by rules. A simulated decider uses it for
	// texts that no case labels. nil: there are no rules.
	NewRuleDecider func(Options) (func(text string) Decision, error)
	// SimulateNextDecision returns the next decision of a simulated decider, in a turn that makes
	// several. text is the last user message of the request. path lists the correct labels of each
	// decision of the turn, in order. nil: a turn has one decision.
	SimulateNextDecision func(text string, path [][]string) string
	// AnswerFormat returns the format in which the decider must answer; nil: the zero AnswerFormat.
	AnswerFormat func(SettingValues) AnswerFormat
	// SettingsFromPrompt returns the settings that can be recognized from the prompt of a request.
	// The simulation uses them to answer in the required format. nil: no setting can be recognized.
	SettingsFromPrompt func(prompt string) SettingValues
	// EventNames maps an event kind to the name that clients receive. Kinds that are not listed
	// have their own name.
	EventNames map[trace.Kind]string
	// DebounceTimes returns how LoadedVariant.Debounce combines messages, for user interfaces that
	// combine them as the user types; nil: never.
	DebounceTimes func(SettingValues) DebounceTimes
	// Open reads the prompts and stores of a variant once, before any trial.
	Open func(Options) (LoadedVariant, error)
}

// DebounceTimes limits the messages that are combined into one turn. The zero value combines none.
type DebounceTimes struct {
	QuietPeriod time.Duration // the turn starts this long after the last message
	MaxWait     time.Duration // … or this long after the first
	MaxMessages int           // … or after this many
}

// Contract defines the fields that the cases of a system may contain, and their valid values.
type Contract struct {
	LabelField        string   // field of a case's expectation that contains the correct label
	Labels            []string // all labels, the fallback label last; nil: the dataset defines the labels
	OtherRoutes       []string // routes that can answer a turn but are never a correct label
	Options           []string // names of the true/false options of a turn
	ButtonIDs         []string // ids of the buttons that the agent shows and a turn may press
	Slots             []string // names of the values that a decision extracts
	ExactSlots        []string // the Slots that must match exactly; the others may match in part
	DecisionPathField string   // field with the correct labels of all decisions of a turn; "": a turn has one decision
	ExtraLabelFields  []string // further label fields of the expectation that are scored together with the decision
	AttributeFields   []string // further label fields that are compared with Reply.Attributes
	FactsField        string   // field with the facts that the answer must state; "": none
	MemoryField       string   // field with what the agent must remember of earlier turns; "": none
	RetrievalField    string   // field with the ids that the agent must retrieve; "": nothing is retrieved
	RequireAllIDs     bool     // all ids of RetrievalField are required; false: one is enough
	HasImageLabels    bool     // the dataset labels the quality of image attempts, to score a critic
	// the correct label also depends on StateFields, not only on the message
	LabelDependsOnState bool
	AllowEmptyText      bool // a turn may have no text, for example only an image
	AllowBatch          bool // a turn may consist of several messages
	AllowTools          bool // a turn may have tools of its own, which the agent chooses from instead of the labels
	AllowAnyOption      bool // a turn may set options that are neither in Options nor in OptionChecks

	// SimulatedFields are further fields of an expectation, which control the simulation.
	// StateFields are the fields that the state of a turn may contain; nil: any. Each function
	// checks the value of its field.
	SimulatedFields, StateFields map[string]func(json.RawMessage) error

	// OptionChecks are the options of a turn with other values than true and false. Each function
	// checks the value of its option.
	OptionChecks map[string]func(json.RawMessage) error

	// ValueChecks contains functions that check the values in a case. A key is the name of a slot,
	// an attribute field or RetrievalField. A name without a function accepts any value.
	ValueChecks map[string]func(list []string) error

	// CanonicalID maps the id of a search hit to the id that cases use, for example a chunk to its
	// document; nil: the ids are the same.
	CanonicalID func(id string) string

	// RetrievableIDs returns the ids that RetrievalField may contain with these settings; a nil
	// slice or a nil function accepts any id.
	RetrievableIDs func(SettingValues) ([]string, error)

	// NewTurnCheck returns a function that checks a turn with these settings, for example whether its
	// documents exist. want contains the values of AttributeFields and RetrievalField. nil: no
	// check.
	NewTurnCheck func(SettingValues) (func(turn agent.Turn, want map[string][]string) error, error)
}

// HasDatasetLabels reports whether the dataset, and not the system, defines the labels.
func (c Contract) HasDatasetLabels() bool { return c.Labels == nil }

// Decision is the label that a decider chose and the slots that it extracted.
type Decision struct {
	Label string
	Slots map[string]string
}

// AnswerFormat describes the answer that a decider must give. The zero value is a JSON object with
// the label field of the Contract, confidence, reason and the slots.
type AnswerFormat struct {
	Field      string // name of the label field; "": LabelField of the Contract
	PlainLabel bool   // the answer is only the label, as plain text
	// the answer is a call of the tool for the label, or plain text if the label has no tool
	ToolCall  bool
	LabelName func(label string) string // converts a label to the name in the answer; nil: the label itself
	// SlotValue selects the value of a slot from the accepted ones; nil: the first one.
	SlotValue func(name string, accepted []string) string
	// ExtraFields returns further fields of the answer for the correct slots; nil: none.
	ExtraFields func(text string, slots map[string]string) map[string]any

	// the slots are part of ExtraFields, under the names of the answer; false: they are top-level
	// fields
	SlotsInExtra bool
}

// Options are the arguments of System.Open for one variant.
type Options struct {
	SettingValues                            // all settings of the variant, with defaults
	EndpointOf    func(part string) Endpoint // returns the endpoint of a component, without injected faults
	Labels        []Label                    // the labels of turns without tools, if the Contract defines none
	// each turn has tools of its own, so there may be fewer than two Labels
	ToolsPerTurn bool
	OOSLabel     string                           // the fallback label in Labels; "": none
	Aliases      map[string]string                // further names of labels in answers, each with its label
	Examples     iter.Seq2[LabeledExample, error] // labeled training texts, never run as trials; nil: none
	DecisionOnly bool                             // stop after the decision, without an answer
	Context      context.Context                  // cancels Open; nil: context.Background
	Warn         func(message string)             // reports a problem to the user that is no error; nil: not reported
}

// Label is one label of a dataset, for systems whose Contract defines no labels.
type Label struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
}

// LabelNames returns the names of the labels in the same order.
func LabelNames(labels []Label) []string {
	names := make([]string, len(labels))
	for i, l := range labels {
		names[i] = l.Name
	}
	return names
}

// LoadedVariant is a variant whose files have been read. It creates an agent for each trial.
type LoadedVariant struct {
	Version string // hash that changes if the prompts or the data change
	// texts of the prompts, each by the setting that replaces it; nil: the variant has none
	Prompts map[string]string
	// further texts that calls send unchanged, such as a prompt filled in with the labels
	FilledPrompts []string
	NewAgent      func(seed uint64, link func(part string) Endpoint) (agent.Agent, error)
	Close         func() error // releases resources after the last agent has finished; nil: there are none
	// matches the events of a correct turn in order, see scorer.EventOrder; nil: the order is not
	// checked
	EventOrderPattern *regexp.Regexp
	ComponentSchema   json.RawMessage // JSON Schema of the UI components that the agent sends; nil: it sends none

	// NewJudge returns a judge that scores the attempts that the critic has reviewed, independently
	// of the critic; nil: there is no second judgment.
	NewJudge func(seed uint64, link func(part string) Endpoint) (Judge, error)

	// NewGrader returns a model-based grader that checks which facts an answer states. It runs
	// after the turn. nil: facts are compared by words only.
	NewGrader func(seed uint64, link func(part string) Endpoint) (Grader, error)

	// Debounce returns an agent that merges messages in quick succession into one turn and passes
	// it to next. It is called before the session memory. nil: messages are not merged.
	Debounce func(next agent.Agent) agent.Agent

	// BusyAgent answers a turn that arrives while the session is busy with another turn; nil: the
	// turn waits. The caller adds the session memory.
	BusyAgent agent.Agent
}

// Judge returns a score from 0 to 1 for an attempt that a critic has reviewed.
type Judge func(ctx context.Context, attempt any) (score float64, err error)

// Grader reports for each fact whether an answer states it. A fact is a list of equivalent
// wordings.
type Grader func(ctx context.Context, facts [][]string, answer string) (stated []bool, err error)

// Component returns the component with this name, and false if there is none.
func (s System) Component(name string) (Component, bool) {
	for _, p := range s.Components {
		if p.Name == name {
			return p, true
		}
	}
	return Component{}, false
}

// DecidingComponent returns the component whose decision is scored: the first one with RoleRouter.
// It is zero if there is none.
func (s System) DecidingComponent() Component {
	for _, p := range s.Components {
		if p.Role == RoleRouter {
			return p
		}
	}
	return Component{}
}

// IsExternal reports whether the decider is an external program or service with an address in the
// settings. Such a system has no built-in cases and no simulation.
func (s System) IsExternal() bool { return s.DecidingComponent().URL != nil }

// Setting returns the setting with this name, and false if there is none.
func (s System) Setting(name string) (Setting, bool) {
	for _, set := range s.Settings {
		if set.Name == name {
			return set, true
		}
	}
	return Setting{}, false
}

// WithDefaults returns the value of every setting: the given one, otherwise its default.
func (s System) WithDefaults(given map[string]string) SettingValues {
	v := SettingValues{}
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
