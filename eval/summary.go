package eval

// Summary is what a run found, derived from its results alone: no times or
// ids of the run itself, so that equal runs have equal summaries.
type Summary struct {
	Partial bool           `json:"partial,omitempty"` // the run did not end
	Suites  []SuiteSummary `json:"suites"`
	Gates   []GateVerdict  `json:"gates"`
}

// SuiteSummary is one suite's part.
type SuiteSummary struct {
	Name    string      `json:"name"`
	Target  string      `json:"target"`
	Dataset string      `json:"dataset"`
	Split   string      `json:"split,omitempty"`
	Tags    []string    `json:"tags,omitempty"`   // that all cases have
	Limit   int64       `json:"limit,omitempty"`  // the first so many of them
	Sample  int64       `json:"sample,omitempty"` // so many of them, in proportion to their labels
	Of      int64       `json:"of,omitempty"`     // how many have the split and the tags, where these are fewer
	Cases   int64       `json:"cases"`
	Epochs  int         `json:"epochs"` // times that each case was to be played
	Time    string      `json:"time"`   // real or simulated
	Models  []ModelNote `json:"models"` // what stood behind the numbers

	Scope      string   `json:"scope,omitempty"`        // decision: all stopped there; "": the whole answer was played
	OutOfScope string   `json:"out_of_scope,omitempty"` // the label that stands for all that is none of the others
	Sources    []string `json:"-"`                      // who may have decided, as replies name them

	Variants []CellSummary `json:"variants"`
}

// ModelNote says what a component's model really was.
type ModelNote struct {
	Component string `json:"component"` // router, chat, search …
	Kind      string `json:"kind"`      // real or simulated
	Note      string `json:"note"`      // such as the stated accuracy, or the URL

	Variants []string `json:"variants,omitempty"` // in which it is so; none: in all that make use of the component
}

// CellSummary holds the metrics of one variant under one fault.
type CellSummary struct {
	Name      string              `json:"name"`
	Fault     string              `json:"fault"` // "none" without one
	Trials    int64               `json:"trials"`
	Metrics   map[string]Estimate `json:"metrics"`
	Confusion *Confusion          `json:"confusion,omitempty"`
	Pairs     []ConfusedPair      `json:"confused_pairs,omitempty"` // most frequent first
	Loops     []LoopSummary       `json:"loops,omitempty"`          // of the critic, the first round first
}

// LoopSummary is the nth round of a cell's Critic loops: how many turns came
// to it, how its attempts were judged, and what it added to each of them.
type LoopSummary struct {
	Loop        int      `json:"loop"` // from 1
	Reached     int64    `json:"reached"`
	Passed      Estimate `json:"passed"`
	Exhausted   int64    `json:"exhausted"` // did not pass and may not go round once more
	Score       Estimate `json:"score"`     // mean
	Gain        Estimate `json:"gain"`      // mean difference to the round before
	AddedMillis Estimate `json:"added_ms"`  // means, as the next
	AddedCalls  Estimate `json:"added_calls"`
	AddedTokens Estimate `json:"added_tokens"`
	AddedCost   Estimate `json:"added_cost"` // USD; no value: something has no price
}

// NoFault names the cell without an injected fault.
const NoFault = "none"

// Estimate is a metric's value. Value is nil when nothing was measured.
type Estimate struct {
	Value   *float64 `json:"value"`
	Lo      *float64 `json:"lo,omitempty"` // 95 % interval
	Hi      *float64 `json:"hi,omitempty"`
	N       int64    `json:"n"`               // trials (or calls) behind the value
	Missing int64    `json:"missing"`         // trials that could not be judged
	Worst   *float64 `json:"worst,omitempty"` // the value if all missing were wrong
	Best    *float64 `json:"best,omitempty"`  // and if all were right
}

// Confusion counts trials by expected (row) and predicted (column) label.
type Confusion struct {
	Labels []string  `json:"labels"`
	Counts [][]int64 `json:"counts"`
}

// ConfusedPair is one kind of wrong answer, with some of its cases.
type ConfusedPair struct {
	Expected  string   `json:"expected"`
	Predicted string   `json:"predicted"`
	N         int64    `json:"n"`
	Cases     []string `json:"cases"`
}

// GateVerdict is one gate rule's outcome.
type GateVerdict struct {
	Rule   string `json:"rule"`
	Passed bool   `json:"passed"`
	Reason string `json:"reason"` // the worst cell and its value, or what was missing
}
