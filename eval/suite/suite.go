// Package suite reads suite files and creates the conditions of a run from them. A suite file names
// a dataset, a target and the variants to compare. Only this package contains the list of agent
// systems.
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
	Name    string   `yaml:"name"`
	Target  string   `yaml:"target"`
	Dataset string   `yaml:"dataset"`
	Split   string   `yaml:"split"`
	Tags    []string `yaml:"tags"`
	Limit   int64    `yaml:"limit"`  // only the first cases, up to this number
	Sample  int64    `yaml:"sample"` // number of cases, sampled in proportion to their labels
	Cases   []string `yaml:"cases"`  // only those with these ids; none: all
	Epochs  int      `yaml:"epochs"` // 0: 1
	// of a whole conversation without its pauses; 0: only the limit of the run
	Timeout time.Duration `yaml:"timeout"`
	// additional conditions besides the fault-free one; a variant may have its own
	Faults   []string `yaml:"faults"`
	Variants Variants `yaml:"variants"`
	// inject all applicable faults; each condition is compared with its fault-free one
	FaultMatrix bool `yaml:"fault_matrix"`
	// expected outcomes under faults; the first match applies
	ExpectedOutcomes []FaultExpectation `yaml:"expected_outcomes"`
	LabelTables      scorer.LabelTables `yaml:"label_tables"` // tables that ExpectedOutcomes refer to
	// the variant that the others are compared with; "": the first
	BaselineVariant string           `yaml:"baseline_variant"`
	Models          map[string]Model `yaml:"models"` // by component

	Gates []string `yaml:"gates"` // rules for this suite only

	Labels   Labels `yaml:"labels"`    // labels of a target with free labels; none: those of the dataset
	OOSLabel string `yaml:"oos_label"` // label for everything that fits no other label; "": none

	// DecisionOnly stops a trial after the decision: nothing else is requested or scored.
	DecisionOnly bool `yaml:"decision_only"`

	// run in which the selected cases failed, for the report; "": not such a selection
	FailedIn string `yaml:"only_failing"`

	// SecondJudgment scores again the first attempt of every turn that had a second round,
	// independently and outside the turn. This separates the gain of a loop from chance.
	SecondJudgment bool `yaml:"second_judgment"`

	// GradeFacts lets a model grade the stated facts of answers, outside the turns.
	GradeFacts bool `yaml:"grade_facts"`

	Dir    string       `yaml:"-"` // base of relative paths
	Prices *price.Table `yaml:"-"` // prices of real models that the suite does not price; nil: the built-in table

	CustomSystem *system.System `yaml:"-"` // declaration of a target that is not in the list; its Name is the Target

	file string // path and text of the suite file; see Locate
	text []byte
}

// Model defines the model of a component and, if it is simulated, its behavior.
type Model struct {
	Model     string      `yaml:"model"`    // NAME or PROVIDER:NAME
	BaseURL   string      `yaml:"base_url"` // set: a real endpoint
	APIKeyEnv string      `yaml:"api_key_env"`
	Price     *eval.Price `yaml:"price"` // nil: unknown
	Simulated `yaml:",inline"`
}

// Simulated is the behavior of a simulated model. The mocks validate it.
type Simulated struct {
	// labeled, flaky or scripted; "": short stock answers
	Behavior string   `yaml:"behavior"`
	Script   string   `yaml:"script"`
	Accuracy *float64 `yaml:"accuracy"` // nil: perfect
	// right label → wrong label → weight; nil: all wrong labels have equal weight
	Confusion   map[string]map[string]float64 `yaml:"confusion"`
	Calibration Calibration                   `yaml:"calibration"` // none: perfect
	// probability that two epochs of a text have the same answer; nil: follows from the difficulty
	Consistency *float64 `yaml:"consistency"`
	// probability that each further value of a labeled answer, such as the subject, is correct;
	// nil: 1
	SlotAccuracy *float64 `yaml:"slot_accuracy"`
	// standard deviation of a labeled critic's score around the quality of the image
	ScoreNoise float64 `yaml:"score_noise"`
	Latency    string  `yaml:"latency"`
	// duration of an asynchronous image task; 0: synchronous
	TaskDuration time.Duration `yaml:"task_duration"`

	// Difficulty is the correlation between two answers to the same case, 0..1. nil: 0.5, or as
	// much as a given consistency allows; 0: errors are independent.
	Difficulty *float64 `yaml:"difficulty"`
}
