// Package suite reads suite files, which name a dataset, a target and the
// variants to compare, and makes the cells of a run out of them. It is the
// only package that knows all agent systems.
package suite

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml"

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
	Epochs   int              `yaml:"epochs"` // 0: 1
	Timeout  time.Duration    `yaml:"timeout"`
	Faults   []string         `yaml:"faults"` // cells besides the fault-free one; each variant may name its own
	Variants []Variant        `yaml:"variants"`
	Models   map[string]Model `yaml:"models"` // by component

	Dir string `yaml:"-"` // where relative paths start
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

// Load reads a shipped suite by its name, or a suite file by its path. Errors
// name file and line.
func Load(nameOrPath string) (Suite, error) {
	if slices.Contains(Shipped(), nameOrPath) {
		b, err := shipped.ReadFile(nameOrPath + ".yaml")
		if err != nil {
			return Suite{}, err
		}
		return Parse(nameOrPath+".yaml", b)
	}
	b, err := os.ReadFile(nameOrPath)
	if errors.Is(err, os.ErrNotExist) {
		return Suite{}, fmt.Errorf("suite %s: no such file, and no shipped suite (those are: %s)", nameOrPath, strings.Join(Shipped(), ", "))
	}
	if err != nil {
		return Suite{}, fmt.Errorf("suite %w", err)
	}
	s, err := Parse(nameOrPath, b)
	s.Dir = filepath.Dir(nameOrPath)
	return s, err
}

// Parse reads a suite strictly: an unknown field is an error.
func Parse(file string, text []byte) (Suite, error) {
	var s Suite
	if err := yaml.UnmarshalWithOptions(text, &s, yaml.Strict()); err != nil {
		return s, explain(file, err)
	}
	if err := s.Check(); err != nil {
		return s, fmt.Errorf("%s: %w", file, err)
	}
	return s, nil
}

// explain puts a YAML error on one line, with its place.
func explain(file string, err error) error {
	var at yaml.Error
	if errors.As(err, &at) && at.GetToken() != nil {
		pos := at.GetToken().Position
		return fmt.Errorf("%s:%d:%d: %s", file, pos.Line, pos.Column, at.GetMessage())
	}
	first, _, _ := strings.Cut(strings.TrimSpace(err.Error()), "\n")
	return fmt.Errorf("%s: %s", file, first)
}

// Check says what is wrong with the suite's own settings. Models are checked
// by who makes them, datasets by who reads them.
func (s Suite) Check() error {
	switch {
	case s.Name == "":
		return errors.New("name: is missing")
	case !slices.Contains(Targets(), s.Target):
		return fmt.Errorf("target: unknown %q (known: %s)", s.Target, strings.Join(Targets(), ", "))
	case s.Dataset == "":
		return errors.New("dataset: is missing")
	case !slices.Contains([]string{"", "train", "dev", "test"}, s.Split):
		return fmt.Errorf("split: %q is none of train, dev, test", s.Split)
	case s.Epochs < 0:
		return fmt.Errorf("epochs: %d is negative", s.Epochs)
	case s.Limit < 0:
		return fmt.Errorf("limit: %d is negative", s.Limit)
	case s.Timeout < 0:
		return fmt.Errorf("timeout: %v is negative", s.Timeout)
	case len(s.Variants) == 0:
		return errors.New("variants: there is none")
	}
	for name := range s.Models {
		if !slices.Contains(Components(), name) {
			return fmt.Errorf("models.%s: unknown component (known: %s)", name, strings.Join(Components(), ", "))
		}
	}
	return s.checkVariants()
}

func (s Suite) checkVariants() error {
	seen := map[string]bool{}
	for i, v := range s.Variants {
		switch {
		case v.Name == "":
			return fmt.Errorf("variants[%d].name: is missing", i)
		case seen[v.Name]:
			return fmt.Errorf("variants[%d].name: %q is used twice", i, v.Name)
		case !slices.Contains(Routers(), v.Router):
			return fmt.Errorf("variants[%d].router: unknown %q (known: %s)", i, v.Router, strings.Join(Routers(), ", "))
		case v.Threshold != nil && !(*v.Threshold >= 0 && *v.Threshold <= 1):
			return fmt.Errorf("variants[%d].threshold: %v is not in 0..1", i, *v.Threshold)
		}
		seen[v.Name] = true
	}
	return nil
}

// FaultsOf lists the cells of a variant: the fault-free one first.
func (s Suite) FaultsOf(v Variant) []string {
	faults := v.Faults
	if faults == nil {
		faults = s.Faults
	}
	list := []string{eval.NoFault}
	for _, f := range faults {
		if !slices.Contains(list, f) {
			list = append(list, f)
		}
	}
	return list
}

// Path makes a suite's relative path one from here.
func (s Suite) Path(p string) string {
	if p == "" || filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(cmp.Or(s.Dir, "."), p)
}
