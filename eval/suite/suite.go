// Package suite reads suite files, which name a dataset, a target and the
// variants to compare, and makes the cells of a run out of them. It is the
// only package that knows all agent systems.
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
	Name      string   `yaml:"name"`
	Router    string   `yaml:"router"`    // rules, llm or llm-first
	Threshold *float64 `yaml:"threshold"` // nil: 0.6
	Prompt    string   `yaml:"prompt"`    // path of the router's prompt; "": the shipped one
	Faults    []string `yaml:"faults"`    // nil: the suite's

	Model   string `yaml:"model"`       // real model that routes and chats; "": the suite's
	BaseURL string `yaml:"base_url"`    // where it is, with Model
	KeyEnv  string `yaml:"api_key_env"` // environment variable with its key
}

// Model says what stands behind a component: a model of a provider and, where
// it is simulated, how it behaves.
type Model struct {
	Model     string `yaml:"model"`    // NAME or PROVIDER:NAME
	BaseURL   string `yaml:"base_url"` // set: a real endpoint
	KeyEnv    string `yaml:"api_key_env"`
	Simulated `yaml:",inline"`
}

// Simulated is the behaviour of a simulated model. The mocks check it.
type Simulated struct {
	Behaviour  string                        `yaml:"behaviour"` // labelled or scripted; "": short stock answers
	Script     string                        `yaml:"script"`
	Accuracy   float64                       `yaml:"accuracy"`
	Confusion  map[string]map[string]float64 `yaml:"confusion"`
	Confidence *Confidence                   `yaml:"confidence"`
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
		if !slices.Contains(list, f) && !(v.Router == "rules" && onlyRouter(f)) {
			list = append(list, f)
		}
	}
	return list
}

// onlyRouter tells a fault spec all of whose parts strike the router.
func onlyRouter(spec string) bool {
	for part := range strings.SplitSeq(spec, "+") {
		if !strings.HasPrefix(strings.TrimSpace(part), "router:") {
			return false
		}
	}
	return true
}

// Path makes a suite's relative path one from here.
func (s Suite) Path(p string) string {
	if p == "" || filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(cmp.Or(s.Dir, "."), p)
}
