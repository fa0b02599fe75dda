// Package pack encodes the data of a report page: the cases and traces that its script shows. Each
// part is gzipped JSON in base64, in its own element with the id d-NAME. The script unpacks parts
// on demand.
//
//	d-meta: Meta
//	d-tN: Trials of the nth suite, from 0
//	d-sN: Texts of the nth suite
//	d-bN: Block: traces of consecutive cases
package pack

// Version is the version of the format.
const Version = 1

// Meta is the index, which is always unpacked.
type Meta struct {
	Version      int     `json:"version"`
	Dir          string  `json:"dir"`               // directory of the run, for commands; "": none
	BaselinePath string  `json:"earlier,omitempty"` // path of the baseline run
	Suites       []Suite `json:"suites"`
	Traced       int64   `json:"traced"` // trials with a full trace
	Trials       int64   `json:"trials"`
	TraceURL     string  `json:"live,omitempty"` // server URL for traces that the file does not contain; "": none
}

// Suite contains the dictionaries for the columns of its Trials.
type Suite struct {
	Name            string      `json:"name"`
	Target          string      `json:"target"`
	BaselineVariant string      `json:"against"` // baseline variant
	Epochs          int         `json:"epochs"`
	Cases           []string    `json:"cases"` // ids
	Conditions      []Condition `json:"cells"`
	Labels          []string    `json:"labels"`   // predicted or expected labels
	Expects         [][]int     `json:"expects"`  // sets of accepted labels
	Sources         []string    `json:"sources"`  // what made the decisions
	Failures        []string    `json:"failures"` // codes of error replies, then kinds of errors
	// number of kinds of errors at the end of Failures; such trials have no answer
	Errors int      `json:"errors"`
	Tags   []string `json:"tags"`
	Blocks []int    `json:"blocks"` // block of each case; −1: none
}

// Condition is a variant with a fault.
type Condition struct {
	Variant       string `json:"variant"`
	Fault         string `json:"fault"`
	BaselineModel bool   `json:"floor,omitempty"`
}

// Trials contains the trials of a suite. Each column of a condition has Epochs values for each
// case; the epochs of a case are consecutive. The order of cases is the order in Meta. Value −1
// means unknown or not run. A missing column is −1 everywhere.
//
// Verdict is −1 only for trials that did not run. For trials without an expected label, Verdict is
// 0 and Expected is −1. The empty label is −1.
type Trials struct {
	Conditions []Columns `json:"cells"`
	Tags       [][]int   `json:"tags"` // tags of each case
}

// Columns contains the trials of a condition.
type Columns struct {
	Got        []int `json:"got,omitempty"`  // index in Labels
	Expected   []int `json:"exp,omitempty"`  // index in Expects
	Verdict    []int `json:"ver,omitempty"`  // 0 unscored, 1 right, 2 wrong
	Duration   []int `json:"us,omitempty"`   // microseconds, with three significant digits
	Fallbacks  []int `json:"fb,omitempty"`   // number of fallbacks
	Failure    []int `json:"fail,omitempty"` // index in Failures
	Confidence []int `json:"conf,omitempty"` // percent; stated by the deciding model
	Source     []int `json:"src,omitempty"`  // index in Sources
	// only with a fault: 0 unchanged, 1 more fallbacks, 2 label changed, 3 now wrong, 4 now error
	// reply, 5 now unscored
	FaultOutcome []int `json:"fate,omitempty"`
	AnsweredBy   []int `json:"srv,omitempty"`    // index in Labels
	Was          []int `json:"was,omitempty"`    // most frequent verdict in the earlier run, repeated for all epochs
	WasGot       []int `json:"wasgot,omitempty"` // index in Labels; most frequent label of the trials with that verdict
	WasRight     []int `json:"wask,omitempty"`   // number of right epochs in the earlier run, repeated for all epochs
	WasScored    []int `json:"wasn,omitempty"`   // number of scored epochs in the earlier run

	// Turns contains the turns of trials with several labeled turns, by index in the other columns.
	// Each turn has three values: first expected label, predicted label (both indexes in Labels)
	// and verdict.
	Turns map[int][]int `json:"turns,omitempty"`
}

// Texts contains the texts of a suite's cases for lists and search.
type Texts struct {
	Turns []int    `json:"turns"` // number of turns of each case
	Texts []string `json:"texts"` // first 300 characters of the user's messages, one line for each turn
}

// Block contains the details of some cases, by index in the suite.
type Block struct {
	Suite int          `json:"suite"`
	Cases map[int]Case `json:"cases"` // by index of the case in the suite
}

// Case contains the inputs, which all trials share, and the trials.
type Case struct {
	Inputs []Input `json:"inputs"` // one for each turn
	Trials []Trial `json:"trials"` // trials with a full trace
}

// Input is the user's input of a turn.
type Input struct {
	Text      string    `json:"text"`
	History   []Message `json:"history,omitempty"`
	Images    []string  `json:"images,omitempty"`
	Documents []string  `json:"documents,omitempty"` // names
	More      []Pair    `json:"more,omitempty"`      // session, options, state, pause
	Cut       int       `json:"cut,omitempty"`       // number of omitted characters
}

// Message is an earlier message.
type Message struct {
	Role string `json:"role"`
	Text string `json:"text"`
}

// Pair is a name with a text.
type Pair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Trial is one case in one condition and epoch.
type Trial struct {
	Condition int     `json:"cell"`
	Epoch     int     `json:"epoch"` // from 1
	Turns     []Turn  `json:"turns"`
	Scores    []Score `json:"scores,omitempty"`
	Error     string  `json:"error,omitempty"` // why there is no answer, as "kind: message"
	In        int64   `json:"in"`              // tokens
	Out       int64   `json:"out"`
	Cost      string  `json:"cost,omitempty"` // with its unit
	Calls     int64   `json:"calls"`
}

// Turn is the result of an input.
type Turn struct {
	Duration   float64  `json:"ms"`
	Reply      string   `json:"reply"`
	Messages   []string `json:"messages,omitempty"` // only if the answer consists of several messages
	Cut        int      `json:"cut,omitempty"`
	ErrorReply string   `json:"apology,omitempty"` // code of the error reply
	// decision, slots, retrieved items and so on; names can occur more than once
	Facts []Pair `json:"facts,omitempty"`
	// as in [Input]: small images as data URLs, otherwise a URL or a description
	Images []string `json:"pictures,omitempty"`
	Steps  []Step   `json:"steps,omitempty"` // path of an episode
	Events []Event  `json:"events,omitempty"`
}

// Step is one step of an episode.
type Step struct {
	// what the decision proposed, if it differs from Taken; "(nothing)": no proposal
	Proposed string  `json:"asked,omitempty"`
	Executed string  `json:"taken"` // "": the decider was called again
	By       string  `json:"by"`
	Reason   string  `json:"reason,omitempty"`
	At       float64 `json:"at,omitempty"` // milliseconds since the start of the turn; 0: unknown
}

// Score is a score of a trial.
type Score struct {
	Name     string `json:"name"`
	Turn     int    `json:"turn,omitempty"`
	Verdict  int    `json:"verdict"` // 0 unscored, 1 pass, 2 fail
	Value    string `json:"value,omitempty"`
	Got      string `json:"got,omitempty"`
	Expected string `json:"want,omitempty"`
	Reason   string `json:"reason,omitempty"`
}

// Event is a row of the timeline.
type Event struct {
	At       float64 `json:"at"`           // milliseconds since the start of the turn
	Duration float64 `json:"ms,omitempty"` // 0: an instant
	// start times of further calls of the same kind, such as polls of a task
	Ticks []float64 `json:"ticks,omitempty"`
	Node  string    `json:"node,omitempty"`
	Text  string    `json:"text"`
	Kind  string    `json:"kind"`            // call, failed (a call, a fallback, an error) or mark
	Minor bool      `json:"minor,omitempty"` // shown only with all events
}
