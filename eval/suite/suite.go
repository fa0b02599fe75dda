// Package suite reads suite files, which name a dataset, a target and the
// variants to compare, and makes the cells of a run out of them. It is the
// only package that sets agent systems up.
package suite

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"evalctl/eval"
)

// Suite is one evaluation: cases, target, variants, faults.
type Suite struct {
	Name     string           `yaml:"name"`
	Target   string           `yaml:"target"`
	Dataset  string           `yaml:"dataset"`
	Split    string           `yaml:"split"`
	Tags     []string         `yaml:"tags"`
	Limit    int64            `yaml:"limit"`
	Epochs   int              `yaml:"epochs"`  // 0: 1
	Timeout  time.Duration    `yaml:"timeout"` // of one trial; 0: the run's, which bounds it too
	Faults   []string         `yaml:"faults"`  // cells besides the fault-free one; each variant may name its own
	Variants []Variant        `yaml:"variants"`
	Models   map[string]Model `yaml:"models"` // by component

	Dir string `yaml:"-"` // where relative paths start

	file string // that it was read from, with its text: see Locate
	text []byte
}

// Variant is one way to set the target up.
type Variant struct {
	Name   string   `yaml:"name"`
	Prompt string   `yaml:"prompt"` // path of the deciding model's prompt; "": the shipped one
	Faults []string `yaml:"faults"` // nil: the suite's

	Router    string   `yaml:"router"`    // toolrouter: rules, llm or llm-first
	Threshold *float64 `yaml:"threshold"` // toolrouter; nil: 0.6

	Profile  string `yaml:"profile"`  // studio: v2 ("") or v1
	Critic   string `yaml:"critic"`   // studio: heuristic (""), llm or vision
	Review   string `yaml:"review"`   // studio: path of the critic's prompt; "": the shipped one
	Library  string `yaml:"library"`  // studio: path of a library of styles; "": the shipped one
	Painter  string `yaml:"painter"`  // studio: placeholder ("") or dashscope
	Embedder string `yaml:"embedder"` // studio: local ("") or api

	Model   string `yaml:"model"`       // real model behind what Talks tells; "": the suite's
	BaseURL string `yaml:"base_url"`    // where it is, with Model
	KeyEnv  string `yaml:"api_key_env"` // environment variable with its key
}

// Model says what stands behind a component: a model of a provider and, where
// it is simulated, how it behaves.
type Model struct {
	Model     string      `yaml:"model"`    // NAME or PROVIDER:NAME
	BaseURL   string      `yaml:"base_url"` // set: a real endpoint
	KeyEnv    string      `yaml:"api_key_env"`
	Price     *eval.Price `yaml:"price"` // nil: unknown
	Simulated `yaml:",inline"`
}

// Simulated is the behaviour of a simulated model. The mocks check it.
type Simulated struct {
	Behaviour  string                        `yaml:"behaviour"` // labelled or scripted; "": short stock answers
	Script     string                        `yaml:"script"`
	Accuracy   float64                       `yaml:"accuracy"`
	Confusion  map[string]map[string]float64 `yaml:"confusion"`
	Confidence *Confidence                   `yaml:"confidence"`
	Slots      float64                       `yaml:"slots"`  // chance of each further value of a labelled answer, such as the subject
	Spread     float64                       `yaml:"spread"` // standard deviation of a labelled critic's score around the picture's quality
	Latency    string                        `yaml:"latency"`
	Task       time.Duration                 `yaml:"task"` // pictures: how long an asynchronous task runs; 0: synchronous
}

// Confidence is what a labelled model says of itself when right and when wrong.
type Confidence struct {
	Right  float64 `yaml:"right"`
	Wrong  float64 `yaml:"wrong"`
	Spread float64 `yaml:"spread"`
}

// FaultsOf lists the cells of a variant: the fault-free one first. What cannot
// strike it is left out: rules alone ask no router.
func (s Suite) FaultsOf(v Variant) []string {
	faults := v.Faults
	if faults == nil {
		faults = s.Faults
	}
	list := []string{eval.NoFault}
	for _, f := range faults {
		if !slices.Contains(list, f) && s.strikes(f, v) {
			list = append(list, f)
		}
	}
	return list
}

// strikes tells a fault spec that has a part which can reach the variant.
// Parts of unknown components are for those to judge who know the faults.
func (s Suite) strikes(spec string, v Variant) bool {
	known := append(Components(s.Target), "poll")
	for part := range strings.SplitSeq(spec, "+") {
		component, _, _ := strings.Cut(strings.TrimSpace(part), ":")
		if !slices.Contains(known, component) || s.Reaches(v, component) {
			return true
		}
	}
	return false
}

// Path makes a suite's relative path one from here.
func (s Suite) Path(p string) string {
	if p == "" || filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(cmp.Or(s.Dir, "."), p)
}
