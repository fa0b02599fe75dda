package page

// Version is the version of the data format.
const Version = 2

// Meta is the index of the data. The script always decodes it.
type Meta struct {
	Version      int     `json:"version"`                 // version of the format, see [Version]
	Dir          string  `json:"dir"`                     // directory of the run, for commands on the page; "": none
	BaselinePath string  `json:"baseline_path,omitempty"` // path of the baseline run; "": none
	Suites       []Suite `json:"suites"`
	Traced       int64   `json:"traced"` // number of trials with a full trace
	Trials       int64   `json:"trials"` // number of all trials
	// URL from which the page requests traces that it does not contain; "": none
	TraceURL string `json:"trace_url,omitempty"`
}

// Suite lists the names of a suite's cases, labels and so on. The columns of its Trials refer to
// them by index.
type Suite struct {
	Name              string      `json:"name"`
	Target            string      `json:"target"`           // what the suite evaluates
	BaselineVariant   string      `json:"baseline_variant"` // name of the baseline variant
	Epochs            int         `json:"epochs"`           // number of epochs of each case
	Cases             []string    `json:"cases"`            // case ids
	Conditions        []Condition `json:"conditions"`       // variants with each of their faults
	Labels            []string    `json:"labels"`           // predicted or expected labels
	AcceptedLabelSets [][]int     `json:"label_sets"`       // sets of accepted labels, as indexes in Labels
	Sources           []string    `json:"sources"`          // what made decisions, such as the model or rules
	Fallbacks         []string    `json:"fallbacks"`        // first fallbacks of trials, such as "router → rules"
	Failures          []string    `json:"failures"`         // codes of error replies, followed by kinds of errors
	// how many entries at the end of Failures are kinds of errors; trials with these have no answer
	ErrorKindCount int      `json:"error_kinds"`
	Tags           []string `json:"tags"`   // all tags of the cases
	Blocks         []int    `json:"blocks"` // index of the block with the traces of each case; −1: none
}

// Condition is a combination of a variant and a fault.
type Condition struct {
	Variant       string `json:"variant"`
	Fault         string `json:"fault"`                    // "none": without a fault
	BaselineModel bool   `json:"baseline_model,omitempty"` // the variant is a baseline model
}

// Trials contains the trials of a suite. Each column of a condition has Epochs values for each
// case; the epochs of a case are consecutive. Cases have the order of Suite.Cases. The value −1
// means unknown or not run. A missing column is −1 everywhere.
//
// Verdict is −1 only for trials that did not run. For trials without an expected label, Verdict is
// 0 and Expected is −1. The empty label is −1.
type Trials struct {
	Conditions []Columns `json:"conditions"` // in the order of Suite.Conditions
	Tags       [][]int   `json:"tags"`       // tags of each case, as indexes in Suite.Tags
}

// Columns contains the trials of a condition as columns of numbers, which compress well. "Index in
// Labels" refers to the list in [Suite].
type Columns struct {
	Predicted     []int `json:"predicted,omitempty"`      // predicted label: index in Labels
	Expected      []int `json:"expected,omitempty"`       // accepted labels: index in AcceptedLabelSets
	Verdict       []int `json:"verdict,omitempty"`        // 0 unscored, 1 right, 2 wrong
	Duration      []int `json:"duration_us,omitempty"`    // microseconds, with three significant digits
	Fallbacks     []int `json:"fallbacks,omitempty"`      // number of fallbacks in the trial
	FirstFallback []int `json:"first_fallback,omitempty"` // first fallback: index in Suite.Fallbacks
	Failure       []int `json:"failure,omitempty"`        // error reply or error: index in Failures
	Confidence    []int `json:"confidence,omitempty"`     // confidence of the deciding model, in percent
	Rejected      []int `json:"rejected,omitempty"`       // 1: the agent did not follow the deciding model
	Source        []int `json:"source,omitempty"`         // what made the decision: index in Sources
	// effect of the fault: 0 unchanged, 1 more fallbacks, 2 label changed, 3 now wrong, 4 now error
	// reply, 5 now unscored; only in conditions with a fault
	FaultOutcome []int `json:"fault_outcome,omitempty"`
	AnsweredBy   []int `json:"answered_by,omitempty"` // route that answered: index in Labels
	Cost         []int `json:"cost,omitempty"`        // billionths of a US dollar, with three significant digits
	// most frequent verdict in the baseline run, repeated for each epoch
	BaselineVerdict []int `json:"baseline_verdict,omitempty"`
	// most frequent label of the trials with that verdict: index in Labels
	BaselinePredicted []int `json:"baseline_predicted,omitempty"`
	// number of right epochs in the baseline run, repeated for each epoch
	BaselineRight []int `json:"baseline_right,omitempty"`
	// number of scored epochs in the baseline run, repeated for each epoch
	BaselineScored []int `json:"baseline_scored,omitempty"`

	// Turns contains the decisions of trials with several labeled turns. The key is the index of the
	// trial in the other columns. Each turn has four values: number of the turn, first expected label,
	// predicted label (both indexes in Labels) and verdict.
	Turns map[int][]int `json:"turns,omitempty"`
}

// Texts contains the texts of a suite's cases, for lists and for the search.
type Texts struct {
	TurnCounts []int `json:"turns"` // number of turns of each case
	// first 300 characters of the user's messages of each case, with one line for each turn
	CaseTexts []string `json:"texts"`
}

// Block contains the traces of some cases of a suite.
type Block struct {
	Suite int          `json:"suite"` // index in Meta.Suites
	Cases map[int]Case `json:"cases"` // key: index of the case in Suite.Cases
}

// Case contains the traces of a case. The inputs are the same for all its trials.
type Case struct {
	Inputs []Input `json:"inputs"` // one for each turn
	Trials []Trial `json:"trials"` // only the trials with a full trace
}

// Input is what the user sent in a turn.
type Input struct {
	Text         string    `json:"text"`
	History      []Message `json:"history,omitempty"`   // earlier messages, sent with the input
	Images       []string  `json:"images,omitempty"`    // small images as data URLs, otherwise a URL or a description
	Documents    []string  `json:"documents,omitempty"` // names of the documents
	Details      []Pair    `json:"details,omitempty"`   // session, options, state and delay
	OmittedChars int       `json:"cut,omitempty"`       // number of omitted characters
}

// Message is an earlier message of a conversation.
type Message struct {
	Role string `json:"role"`
	Text string `json:"text"`
}

// Pair is a named detail, such as "session" and its id.
type Pair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Trial is one run of a case, in one condition and epoch.
type Trial struct {
	Condition    int     `json:"condition"` // index in Suite.Conditions
	Epoch        int     `json:"epoch"`     // number of the epoch, from 1
	Turns        []Turn  `json:"turns"`
	Scores       []Score `json:"scores,omitempty"`
	DecidingTurn int     `json:"deciding_turn,omitempty"` // number of the turn that decides the verdict; 0: none
	Error        string  `json:"error,omitempty"`         // why there is no answer, as "kind: message"
	InputTokens  int64   `json:"in"`                      // input tokens
	OutputTokens int64   `json:"out"`                     // output tokens
	Cost         string  `json:"cost,omitempty"`          // cost with its unit
	Calls        int64   `json:"calls"`                   // number of component calls
}

// Turn is the reaction of the agent to an input.
type Turn struct {
	Decision     *Decision `json:"decision,omitempty"` // decision of the turn; nil: none
	Duration     float64   `json:"ms"`                 // milliseconds
	Reply        string    `json:"reply"`              // text of the answer; "" if there are Messages
	Messages     []string  `json:"messages,omitempty"` // messages of the answer; only if there are several
	OmittedChars int       `json:"cut,omitempty"`
	ErrorReply   string    `json:"error_reply,omitempty"` // code of the error reply
	// details such as decision, slots and retrieved items; a name can occur more than once
	Facts []Pair `json:"facts,omitempty"`
	// generated images: small ones as data URLs, others as a URL or a description
	Images []string `json:"images,omitempty"`
	Steps  []Step   `json:"steps,omitempty"` // steps of a turn with several decisions
	Events []Event  `json:"events,omitempty"`
}

// Step is one step of a turn in which an agent makes several decisions.
type Step struct {
	// what the decision proposed, if it differs from Executed; "(nothing)": no proposal
	Proposed  string  `json:"proposed,omitempty"`
	Executed  string  `json:"executed"` // agent that acted; "": none, and the supervisor decided again
	DecidedBy string  `json:"by"`       // what decided
	Reason    string  `json:"reason,omitempty"`
	At        float64 `json:"at,omitempty"` // milliseconds since the start of the turn; 0: unknown
}

// Score is a score of a trial, such as that of its route.
type Score struct {
	Name     string `json:"name"`
	Turn     int    `json:"turn,omitempty"`
	Verdict  int    `json:"verdict"` // 0 unscored, 1 pass, 2 fail
	Value    string `json:"value,omitempty"`
	Got      string `json:"got,omitempty"` // actual label or value
	Expected string `json:"expected,omitempty"`
	Reason   string `json:"reason,omitempty"`
}

// Decision is the scored decision of a turn.
type Decision struct {
	Predicted  string `json:"predicted"`            // "": no label
	Expected   string `json:"expected,omitempty"`   // accepted labels, separated by " or "; "": the turn is not labeled
	Verdict    int    `json:"verdict"`              // 0 unscored, 1 right, 2 wrong
	Confidence string `json:"confidence,omitempty"` // confidence of the deciding model, such as "0.52"
	IsRejected bool   `json:"rejected,omitempty"`   // the agent did not follow the deciding model
}

// Event is a row in the timeline of a turn.
type Event struct {
	At       float64 `json:"at"`           // milliseconds since the start of the turn
	Duration float64 `json:"ms,omitempty"` // 0: the event happened at one moment
	// start times of further calls of the same kind, such as polls of a task
	RepeatStarts []float64 `json:"ticks,omitempty"`
	Node         string    `json:"node,omitempty"`
	Text         string    `json:"text,omitempty"`  // description; for a call its error, "": it succeeded
	Kind         string    `json:"kind"`            // "call", "failed" or "mark", see finding.TimelineRow
	Minor        bool      `json:"minor,omitempty"` // less important: shown only if the reader selects all events
	Call         *Call     `json:"call,omitempty"`  // nil: the event is not a call

	// text that the model returned; in the row of its call, or of the event that contains it if the
	// turn has no such call
	Answer       string `json:"answer,omitempty"`
	OmittedChars int    `json:"cut,omitempty"`     // number of omitted characters of Answer
	Decides      bool   `json:"decides,omitempty"` // Answer contains the scored decision of the turn
}

// Call contains the details of an external call.
type Call struct {
	Model        string        `json:"model,omitempty"`    // provider and model
	Attempt      int           `json:"attempt,omitempty"`  // number of the attempt; 0: the first
	FirstToken   float64       `json:"first,omitempty"`    // milliseconds from the start of the call to the first token
	InputTokens  int64         `json:"in,omitempty"`       // input tokens
	OutputTokens int64         `json:"out,omitempty"`      // output tokens
	Images       int64         `json:"images,omitempty"`   // number of images that the call returned
	Messages     []SentMessage `json:"messages,omitempty"` // what the call sent, if the file contains it
}

// SentMessage is a message that was sent to a model.
type SentMessage struct {
	Role         string `json:"role"`
	Text         string `json:"text,omitempty"`
	Prompt       string `json:"prompt,omitempty"` // ID of the prompt in Prompts that is the text; "": Text has it
	OmittedChars int    `json:"cut,omitempty"`    // number of omitted characters
	Images       int    `json:"images,omitempty"` // number of images
}

// Prompts contains the prompts that the run stored, by ID. Many messages refer to the same prompt.
type Prompts map[string]Prompt

// Prompt is the text of a prompt.
type Prompt struct {
	Text         string `json:"text"`
	OmittedChars int    `json:"cut,omitempty"` // number of omitted characters
}
