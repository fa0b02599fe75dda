// Package suite reads suite files and creates the conditions of a run from them. A suite file names
// a dataset, a target and the variants to compare. This package also contains the list of agent
// systems.
package suite

import (
	"time"

	"evalctl/agent/system"
	"evalctl/eval"
	"evalctl/eval/scorer"
)

// Suite is the content of a suite file: what is evaluated, on which cases, in which variants and
// under which faults.
type Suite struct {
	Name    string   `yaml:"name"`    // name in reports
	Target  string   `yaml:"target"`  // name of the agent system
	Dataset string   `yaml:"dataset"` // name of a built-in dataset, or path of a file
	Split   string   `yaml:"split"`   // train, dev or test; "": all cases
	Tags    []string `yaml:"tags"`    // only cases with all these tags
	Limit   int64    `yaml:"limit"`   // run only the first cases, up to this number; 0: all
	Sample  int64    `yaml:"sample"`  // number of cases in a random sample, in proportion to their labels; 0: all
	Cases   []string `yaml:"cases"`   // run only the cases with these IDs; nil: all
	Epochs  int      `yaml:"epochs"`  // number of runs of each case; 0: 1
	// columns of the text, the label and the ID in a CSV file; "": found by their usual names
	TextColumn  string `yaml:"text_column"`
	LabelColumn string `yaml:"label_column"`
	IDColumn    string `yaml:"id_column"`
	// time limit of a conversation, without the user's pauses; 0: only the general limit of a turn
	Timeout time.Duration `yaml:"timeout"`
	// faults to inject, each in an additional condition; a variant may have its own
	Faults   []string `yaml:"faults"`
	Variants Variants `yaml:"variants"` // configurations to compare
	// inject all faults that can affect a variant, and compare each with the run without a fault
	FaultMatrix bool `yaml:"fault_matrix"`
	// expected outcomes under faults; the first one that applies is used
	ExpectedOutcomes []FaultExpectation `yaml:"expected_outcomes"`
	LabelTables      scorer.LabelTables `yaml:"label_tables"` // label tables that ExpectedOutcomes refers to
	// variant that the others are compared with; "": the first
	BaselineVariant string           `yaml:"baseline_variant"`
	Models          map[string]Model `yaml:"models"` // models by component
	// the prices of Models apply only to simulated models
	SimulatedPrices bool `yaml:"simulated_prices"`

	Gates []string `yaml:"gates"` // gate rules for this suite

	Labels   Labels `yaml:"labels"`    // labels of a target with free labels; none: the labels of the dataset
	OOSLabel string `yaml:"oos_label"` // label for everything that fits no other label; "": there is none
	// further names of labels in answers, each with the label that it means; nil: there are none
	Aliases map[string]string `yaml:"aliases"`

	// DecisionOnly ends a trial after the decision. Nothing else is generated or scored.
	DecisionOnly bool `yaml:"decision_only"`

	// earlier run whose failed cases are run again, for the report; "": the suite is not restricted
	// to failed cases
	OnlyFailedIn string `yaml:"only_failing"`

	// RejudgeFirstAttempts lets the critic judge the first attempt again, in every turn with a second
	// attempt. The turn is not changed. The difference shows how much of the improvement by a
	// second attempt is chance.
	RejudgeFirstAttempts bool `yaml:"second_judgment"`

	// GradeFacts lets a model grade, after each turn, which facts the answer states.
	GradeFacts bool `yaml:"grade_facts"`

	Dir    string      `yaml:"-"` // directory that relative paths refer to
	Prices *PriceTable `yaml:"-"` // prices of real models that the suite does not price; nil: the built-in table

	// declaration of a target that evalctl does not contain; its Name must be Target
	CustomSystem *system.System `yaml:"-"`

	file string // path and text of the suite file, for the positions in errors
	text []byte
}

// Model defines the model of a component. Without BaseURL, the model is simulated.
type Model struct {
	Model     string      `yaml:"model"`       // name of the model: NAME or PROVIDER:NAME
	BaseURL   string      `yaml:"base_url"`    // URL of a real endpoint; "": the model is simulated
	APIKeyEnv string      `yaml:"api_key_env"` // environment variable that contains the API key
	Price     *eval.Price `yaml:"price"`       // nil: unknown
	Simulated `yaml:",inline"`
}

// Simulated defines the behavior of a simulated model. It is checked when the simulation is
// created.
type Simulated struct {
	// labeled, flaky or scripted; "": short fixed answers
	Behavior string   `yaml:"behavior"`
	Script   string   `yaml:"script"`   // file with the answers of a scripted model
	Accuracy *float64 `yaml:"accuracy"` // share of right answers of a labeled model; nil: 1
	// weight of each wrong label, by right label; nil: all wrong labels are equally likely
	Confusion map[string]map[string]float64 `yaml:"confusion"`
	// relation of confidence to accuracy; none: perfect
	Calibration Calibration `yaml:"calibration"`
	// probability that a text gets the same answer in two epochs; nil: it follows from Difficulty
	Consistency *float64 `yaml:"consistency"`
	// probability that a slot value of a labeled answer, such as the subject, is right; nil: 1
	SlotAccuracy *float64 `yaml:"slot_accuracy"`
	// standard deviation of the noise that a labeled critic adds to the quality of the image; the
	// result is its score
	ScoreNoise float64 `yaml:"score_noise"`
	Latency    string  `yaml:"latency"` // simulated time of an answer
	// time until an asynchronous image task is done; 0: the image is returned at once
	TaskDuration time.Duration `yaml:"task_duration"`

	// Difficulty is the correlation between two answers to the same case, from 0 to 1. With 0,
	// errors are independent. nil: 0.5, or the highest value that Consistency allows.
	Difficulty *float64 `yaml:"difficulty"`
}
