// Package pack makes the data of a report's file: what its script shows of single
// cases. Each part is JSON, gzipped and in base64, in an element of its own with the
// id d-NAME; the script unpacks those that it needs.
//
//	d-meta     Meta
//	d-tN       Trials of the nth suite, from 0
//	d-sN       Texts of the nth suite
//	d-bN       Block: traces of neighbouring cases
package pack

// Version is the format's.
const Version = 1

// Meta is what is known before any case is looked at.
type Meta struct {
	Version int     `json:"version"`
	Dir     string  `json:"dir"`               // of the run, for commands; "": nowhere
	Earlier string  `json:"earlier,omitempty"` // the run that it is held against
	Suites  []Suite `json:"suites"`
	Traced  int64   `json:"traced"` // trials with their full trace
	Trials  int64   `json:"trials"`
	Live    string  `json:"live,omitempty"` // where a server has the trace of a case that the file has not; "": nowhere
}

// Suite has the dictionaries to which the columns of its Trials point.
type Suite struct {
	Name       string      `json:"name"`
	Target     string      `json:"target"`
	Against    string      `json:"against"` // the variant that others are held against
	Epochs     int         `json:"epochs"`
	Cases      []string    `json:"cases"` // ids
	Conditions []Condition `json:"cells"`
	Labels     []string    `json:"labels"`   // that were got or expected
	Expects    [][]int     `json:"expects"`  // sets of labels of which each is right
	Sources    []string    `json:"sources"`  // who decided
	Failures   []string    `json:"failures"` // codes of apologies, then kinds of errors
	Errors     int         `json:"errors"`   // how many of Failures, at the end, are kinds of errors: there is no answer
	Tags       []string    `json:"tags"`
	Blocks     []int       `json:"blocks"` // of each case its block; −1: it has none
}

// Condition is a variant under a fault.
type Condition struct {
	Variant       string `json:"variant"`
	Fault         string `json:"fault"`
	BaselineModel bool   `json:"floor,omitempty"`
}

// Trials are a suite's. Each column of a cell has Epochs values for each case, in the
// order of Meta's cases, the epochs of a case one after another; −1: not played, or not
// known. A column that is left out has −1 everywhere. Verdict is −1 where a trial was
// not played, and nowhere else: of what has no label it is 0, and Expected −1. The
// empty label is −1.
type Trials struct {
	Conditions []Columns `json:"cells"`
	Tags       [][]int   `json:"tags"` // of each case
}

// Columns are the trials of a cell.
type Columns struct {
	Got        []int `json:"got,omitempty"`    // in Labels
	Expected   []int `json:"exp,omitempty"`    // in Expects
	Verdict    []int `json:"ver,omitempty"`    // 0 unjudged, 1 right, 2 wrong
	Duration   []int `json:"us,omitempty"`     // microseconds, with three significant digits
	Fallbacks  []int `json:"fb,omitempty"`     // how many
	Failure    []int `json:"fail,omitempty"`   // in Failures
	Confidence []int `json:"conf,omitempty"`   // percent, of a deciding model
	Source     []int `json:"src,omitempty"`    // in Sources
	Fate       []int `json:"fate,omitempty"`   // 0 same, 1 stepped, 2 changed, 3 wrong, 4 apology, 5 unjudged; of cells with a fault
	Served     []int `json:"srv,omitempty"`    // in Labels
	Was        []int `json:"was,omitempty"`    // the verdict in the earlier run, of its epochs the most frequent, in all epochs
	WasGot     []int `json:"wasgot,omitempty"` // in Labels; of the trials that have that verdict
	WasRight   []int `json:"wask,omitempty"`   // in how many epochs of the earlier run the case was right, in all epochs
	WasJudged  []int `json:"wasn,omitempty"`   // of how many that have a verdict there

	// Turns are of the trials with several labelled turns, by their place in the other
	// columns: of each turn the label that is expected first, what was got, both in
	// Labels, and the verdict.
	Turns map[int][]int `json:"turns,omitempty"`
}

// Texts are those of a suite's cases, as far as lists show and search them.
type Texts struct {
	Turns []int    `json:"turns"` // how many each case has
	Texts []string `json:"texts"` // the first 300 characters of what its user says, a line a turn
}

// Block has all that is known of some cases, by their number in the suite.
type Block struct {
	Suite int          `json:"suite"`
	Cases map[int]Case `json:"cases"`
}

// Case has what all its trials share, once.
type Case struct {
	Inputs []Input `json:"inputs"` // turn by turn
	Trials []Trial `json:"trials"` // those with a full trace
}

// Input is what the user of a turn says.
type Input struct {
	Text      string    `json:"text"`
	History   []Message `json:"history,omitempty"`
	Images    []string  `json:"images,omitempty"`
	Documents []string  `json:"documents,omitempty"` // names
	More      []Pair    `json:"more,omitempty"`      // session, options, state, pause: name and value
	Cut       int       `json:"cut,omitempty"`       // characters that were left out
}

// Message is an earlier one.
type Message struct {
	Role string `json:"role"`
	Text string `json:"text"`
}

// Pair is a named value, in words.
type Pair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Trial is one case in one cell and epoch.
type Trial struct {
	Condition int     `json:"cell"`
	Epoch     int     `json:"epoch"` // from 1
	Turns     []Turn  `json:"turns"`
	Scores    []Score `json:"scores,omitempty"`
	Error     string  `json:"error,omitempty"` // why there is no answer: its kind, a colon, the message
	In        int64   `json:"in"`              // tokens
	Out       int64   `json:"out"`
	Cost      string  `json:"cost,omitempty"` // in words, with its unit
	Calls     int64   `json:"calls"`
}

// Turn is what came of an input.
type Turn struct {
	Duration   float64  `json:"ms"`
	Reply      string   `json:"reply"`
	Messages   []string `json:"messages,omitempty"` // where the answer is several
	Cut        int      `json:"cut,omitempty"`
	ErrorReply string   `json:"apology,omitempty"`  // its code
	Facts      []Pair   `json:"facts,omitempty"`    // decided, served by, slots, found …, in words; the name may be there more than once
	Images     []string `json:"pictures,omitempty"` // as those of an Input: data URLs of pictures as they are, of anything else words or an address
	Steps      []Step   `json:"steps,omitempty"`    // of an episode: the path of agents
	Events     []Event  `json:"events,omitempty"`
}

// Step is one decision of an episode.
type Step struct {
	Asked  string  `json:"asked,omitempty"` // where it is another than Taken; "(nothing)": the decider gave none
	Taken  string  `json:"taken"`           // "": it was asked again
	By     string  `json:"by"`
	Reason string  `json:"reason,omitempty"`
	At     float64 `json:"at,omitempty"` // ms since the turn began; 0: not known
}

// Score is a judgement.
type Score struct {
	Name    string `json:"name"`
	Turn    int    `json:"turn,omitempty"`
	Verdict int    `json:"verdict"` // 0 unjudged, 1 pass, 2 fail
	Value   string `json:"value,omitempty"`
	Got     string `json:"got,omitempty"`
	Want    string `json:"want,omitempty"`
	Reason  string `json:"reason,omitempty"`
}

// Event is a row of the timeline.
type Event struct {
	At       float64   `json:"at"`              // ms since the turn began
	Duration float64   `json:"ms,omitempty"`    // 0: an instant
	Ticks    []float64 `json:"ticks,omitempty"` // when further calls of the same kind began: the polls of a task
	Node     string    `json:"node,omitempty"`
	Text     string    `json:"text"`
	Kind     string    `json:"kind"`            // call, failed (a call, a fallback, an error), mark
	Minor    bool      `json:"minor,omitempty"` // shown only among all events
}
