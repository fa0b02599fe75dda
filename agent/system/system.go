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
	Name     string   // of its target, its suite and its dataset
	Short    string   // what it is, in a few words
	Examples []string // command lines that show it off: a verb and what follows
	Contract Contract
	Parts    []Part    // what has a model, a service or a store behind it, in the order of reports
	Settings []Setting // what its variants may set; the first stands in every name that is made of them
	Sources  []string  // who may have decided, as replies name them
	Scoped   bool      // it can stop once it has decided

	// Guess makes what a simulated decider makes of texts that nobody has labelled;
	// nil: it knows nothing of them.
	Guess func(Options) (func(text string) Answer, error)
	// Next is what a decider who knows the labels that the turn comes by, each a list of
	// which any is right, says next to the user's last text that it is shown; nil: it
	// is decided once.
	Next func(text string, path [][]string) string
	// Form is how the decider is asked to answer; nil: as the zero Form says.
	Form func(Values) Form
	// Recognise knows a prompt that is seen on the wire by the settings of which it
	// speaks; nil: it knows none.
	Recognise func(prompt string) Values
	// Events are the names under which clients hear of events, where another than the
	// kind's.
	Events map[trace.Kind]string
	// Open reads prompts and stores, once, before any trial.
	Open func(Options) (Opened, error)
}

// Contract is what a system's cases may say.
type Contract struct {
	Field     string   // of the expectation: what the label is called
	Labels    []string // the residual one last; nil: the dataset's own
	Served    []string // what may answer besides the labels
	Options   []string // switches of a turn
	Slots     []string // values that the decision names besides the label
	Exact     []string // those of Slots that are right only as a whole
	Path      string   // field of the labels that a turn comes by in which it is decided again and again; "": there is none
	Also      []string // further fields with labels, in the light of which the decision is judged besides
	Aspects   []string // further fields with labels, of what the reply tells in its Aspects
	Facts     string   // field that lists what the answer must state; "": nothing is labelled
	Remembers string   // field that lists what must still be known of earlier turns; "": nothing is labelled
	Finds     string   // field that lists the ids of what is to be found; "": nothing is looked up
	FindsAll  bool     // all of Finds are to be found; else any one of them will do
	Pictures  bool     // attempts at a picture are labelled, for a critic
	Wordless  bool     // a turn may be without a word
	Batches   bool     // a turn may be several messages
	AnyOption bool     // a turn may set options of any name, besides Options and Params, to anything

	// Simulated are further fields of an expectation, that tell what is simulated what
	// to say, and State what an input's state may hold, each with its check; a nil
	// State may hold anything.
	Simulated, State map[string]func(json.RawMessage) error

	// Params are values of a turn, in its options beside the switches, each with its check.
	Params map[string]func(json.RawMessage) error

	// Values check, by the name of a slot, of one of Aspects or of Finds, what a case lists
	// there: the values that are accepted in the slot, the labels, the ids that are to be
	// found. Without a check anything goes.
	Values map[string]func(list []string) error

	// FoundAs gives, of the id of something found, the one by which Finds lists it, where
	// that is another: such as of a piece of a passage the passage's. Nil: they are the same.
	FoundAs func(id string) string

	// Known are the ids that Finds may list with such settings, nil: any; a nil
	// func allows any.
	Known func(Values) ([]string, error)

	// Fits makes, with such settings, the check of whether there is what a turn and its
	// expectation name, of which it is given what stands in Aspects and in Finds. Nil:
	// nothing is checked.
	Fits func(Values) (func(turn agent.Turn, want map[string][]string) error, error)
}

// IsOpen tells a contract whose labels are the dataset's own.
func (c Contract) IsOpen() bool { return c.Labels == nil }

// Answer is a decision: a label, and what the decision names besides.
type Answer struct {
	Label string
	Slots map[string]string
}

// Form is how a decider is asked to answer. The zero Form is a JSON object with
// the contract's field, confidence, reason and the slots.
type Form struct {
	Field string                                                    // in place of the contract's
	Plain bool                                                      // the label and nothing else
	Calls bool                                                      // a call of the tool that is named as the label is, or words where none is
	Name  func(label string) string                                 // what the decider calls a label; nil: the same
	Slot  func(name string, accepted []string) string               // what it says in a slot of which these are right; nil: the first
	Extra func(text string, slots map[string]string) map[string]any // further fields, beside slots that are right; nil: none

	Nested bool // the slots stand in what Extra says, which is given them as the decider names them
}

// Options are what a variant is opened with.
type Options struct {
	Values                                 // all settings, the usual ones where none is given
	Link         func(part string) Link    // as in a trial without faults
	Labels       []Label                   // of an open contract
	OutOfScope   string                    // the one of Labels that stands for all else; "": none does
	Examples     iter.Seq2[Example, error] // labelled texts that no trial plays; nil: there are none
	DecisionOnly bool                      // stop once the decision is made
	Context      context.Context           // ends what opening waits for; nil: nothing does
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

// Opened is a variant with all that it reads from files.
type Opened struct {
	Version    string // changes with what was read
	Agent      func(seed uint64, link func(part string) Link) (agent.Agent, error)
	Close      func() error    // frees what was opened, once none of its agents answers; nil: there is nothing to free
	Order      *regexp.Regexp  // matches the stream of a turn's events, see scorer.Order; nil: any will do
	Components json.RawMessage // JSON Schema of what is shown in a user interface; nil: nothing is

	// Judge makes a judge of the attempts of the critic's reviews, for a second
	// judgement that knows nothing of the first; nil: they cannot be judged again.
	Judge func(seed uint64, link func(part string) Link) (Judge, error)

	// Grade makes a grader of the facts that answers state, which works when the turn is
	// over; nil: only their words are compared.
	Grade func(seed uint64, link func(part string) Link) (Grader, error)

	// Gather stands before the memory of sessions, to make one turn of several messages;
	// nil: nothing does.
	Gather func(next agent.Agent) agent.Agent

	// Busy answers a turn that comes while another of its session is being answered;
	// nil: it waits. Whoever makes agents gives each a memory for its sessions.
	Busy agent.Agent
}

// Judge gives the score, 0..1, of the Attempt of a Review.
type Judge func(ctx context.Context, attempt any) (score float64, err error)

// Grader tells of facts, each worded in one or more ways, which of them an answer
// states.
type Grader func(ctx context.Context, facts [][]string, answer string) (stated []bool, err error)

// Part finds a part by its name.
func (s System) Part(name string) (Part, bool) {
	for _, p := range s.Parts {
		if p.Name == name {
			return p, true
		}
	}
	return Part{}, false
}

// Decider is the part that makes the decision which is scored.
func (s System) Decider() Part {
	for _, p := range s.Parts {
		if p.Work == Decides {
			return p
		}
	}
	return Part{}
}

// IsForeign tells a system whose decider is somebody else's, where the settings say: it
// has no cases of ours, and nothing to simulate it.
func (s System) IsForeign() bool { return s.Decider().Address != nil }

// Setting finds a setting by its name.
func (s System) Setting(name string) (Setting, bool) {
	for _, set := range s.Settings {
		if set.Name == name {
			return set, true
		}
	}
	return Setting{}, false
}

// Resolve puts the usual values in the place of those that are not given.
func (s System) Resolve(given map[string]string) Values {
	v := Values{}
	for _, set := range s.Settings {
		if set.Usual != "" {
			v[set.Name] = set.Usual
		}
		if value, ok := given[set.Name]; ok {
			v[set.Name] = value
		}
	}
	return v
}
