// Package suite reads suite files, which name a dataset, a target and the
// variants to compare, and makes the cells of a run out of them. It is the only
// package that knows which agent systems there are.
package suite

import (
	"cmp"
	"errors"
	"maps"
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
	Variants Variants         `yaml:"variants"`
	Models   map[string]Model `yaml:"models"` // by part

	Labels     Labels `yaml:"labels"`       // of a target whose labels are free; none: the dataset's own
	OutOfScope string `yaml:"out_of_scope"` // the one of them that stands for all else; "": none does
	Scope      Scope  `yaml:"scope"`        // "": the whole answer

	Dir string `yaml:"-"` // where relative paths start

	file string // that it was read from, with its text: see Locate
	text []byte
}

// Model says what stands behind a part: a model of a provider and, where
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
// Unknown parts are for those to judge who know the faults.
func (s Suite) strikes(spec string, v Variant) bool {
	for one := range strings.SplitSeq(spec, "+") {
		part, _, _ := strings.Cut(strings.TrimSpace(one), ":")
		if !slices.Contains(s.PartNames(), part) || s.Reaches(v, part) {
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

// Absolute frees the suite of the folder that its paths start from; its dataset
// stays as it is.
func (s Suite) Absolute() (Suite, error) {
	var errs []error
	abs := func(path string) string {
		if path == "" {
			return ""
		}
		full, err := filepath.Abs(s.Path(path))
		errs = append(errs, err)
		return full
	}
	s.Variants = slices.Clone(s.Variants)
	for i, v := range s.Variants {
		for _, set := range s.System().Settings {
			if path := v.Settings[set.Name]; set.File && path != "" {
				s.Variants[i] = s.Variants[i].with(set.Name, abs(path))
			}
		}
	}
	s.Models = maps.Clone(s.Models)
	for name, m := range s.Models {
		m.Script = abs(m.Script)
		s.Models[name] = m
	}
	s.Labels.File = abs(s.Labels.File)
	s.Dir = ""
	return s, errors.Join(errs...)
}
