// Package suite reads suite files, which name a dataset, a target and the
// variants to compare, and makes the cells of a run out of them. It is the only
// package that knows which agent systems there are.
package suite

import (
	"time"

	"evalctl/agent/system"
	"evalctl/eval"
	"evalctl/eval/price"
	"evalctl/eval/scorer"
)

// Suite is one evaluation: cases, target, variants, faults.
type Suite struct {
	Name             string             `yaml:"name"`
	Target           string             `yaml:"target"`
	Dataset          string             `yaml:"dataset"`
	Split            string             `yaml:"split"`
	Tags             []string           `yaml:"tags"`
	Limit            int64              `yaml:"limit"`   // the first so many
	Sample           int64              `yaml:"sample"`  // so many, in proportion to their labels
	Cases            []string           `yaml:"cases"`   // only those with these ids; none: all
	Epochs           int                `yaml:"epochs"`  // 0: 1
	Timeout          time.Duration      `yaml:"timeout"` // of one trial; 0: the run's, which bounds it too
	Faults           []string           `yaml:"faults"`  // cells besides the fault-free one; each variant may name its own
	Variants         Variants           `yaml:"variants"`
	FaultMatrix      bool               `yaml:"fault_matrix"`      // the faults are all that can strike: each cell is held against its own without a fault
	ExpectedOutcomes []FaultExpectation `yaml:"expected_outcomes"` // what is to come of turns that faults strike; of two that fit the first counts
	LabelTables      scorer.LabelTables `yaml:"label_tables"`      // that the outcomes name
	BaselineVariant  string             `yaml:"baseline_variant"`  // the variant that the others are compared with; "": the first
	Models           map[string]Model   `yaml:"models"`            // by part

	Gates []string `yaml:"gates"` // rules for this suite alone

	Labels   Labels `yaml:"labels"`    // of a target whose labels are free; none: the dataset's own
	OOSLabel string `yaml:"oos_label"` // the one of them that stands for all else; "": none does

	// DecisionOnly stops a trial after the decision: nothing else is requested or scored.
	DecisionOnly bool `yaml:"decision_only"`

	FailedIn string `yaml:"only_failing"` // the run in which these cases failed, which the report names; "": they are of no such choice

	// The first attempt of every turn that a critic sends round is judged once
	// more, blind and outside the turn: what a loop gains can be told from luck.
	SecondJudgment bool `yaml:"second_judgment"`

	// The facts that answers state are graded by a model besides, outside the turns.
	GradeFacts bool `yaml:"grade_facts"`

	Dir    string       `yaml:"-"` // where relative paths start
	Prices *price.Table `yaml:"-"` // of what is real, where the suite states none; nil: those that are known

	CustomSystem *system.System `yaml:"-"` // the target's declaration where it is none of the list; its Name is the Target

	file string // that it was read from, with its text: see Locate
	text []byte
}

// Model says what stands behind a part: a model of a provider and, where
// it is simulated, how it behaves.
type Model struct {
	Model     string      `yaml:"model"`    // NAME or PROVIDER:NAME
	BaseURL   string      `yaml:"base_url"` // set: a real endpoint
	APIKeyEnv string      `yaml:"api_key_env"`
	Price     *eval.Price `yaml:"price"` // nil: unknown
	Simulated `yaml:",inline"`
}

// Simulated is the behaviour of a simulated model. The mocks check it.
type Simulated struct {
	Behavior     string                        `yaml:"behavior"` // labeled, flaky or scripted; "": short stock answers
	Script       string                        `yaml:"script"`
	Accuracy     *float64                      `yaml:"accuracy"`      // nil: perfect
	Confusion    map[string]map[string]float64 `yaml:"confusion"`     // right label → wrong label → weight; none: any other, alike
	Calibration  Calibration                   `yaml:"calibration"`   // none: a perfect one
	Consistency  *float64                      `yaml:"consistency"`   // how often two epochs of a text have the same answer; nil: as often as the difficulty makes them
	SlotAccuracy *float64                      `yaml:"slot_accuracy"` // chance of each further value of a labelled answer, such as the subject; nil: 1
	ScoreNoise   float64                       `yaml:"score_noise"`   // standard deviation of a labelled critic's score around the picture's quality
	Latency      string                        `yaml:"latency"`
	TaskDuration time.Duration                 `yaml:"task_duration"` // pictures: how long an asynchronous task runs; 0: synchronous

	// Difficulty is the correlation of two answers to a case that share its difficulty, 0..1. nil: 0.5,
	// or as much as a stated consistency allows; 0: errors are independent.
	Difficulty *float64 `yaml:"difficulty"`
}
