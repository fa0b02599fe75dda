package evaltest

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"evalctl/agent"
	"evalctl/agent/system"
	"evalctl/cmd/evalctl/play"
	"evalctl/datasets"
	"evalctl/eval"
	"evalctl/eval/suite"
)

// Suite defines what a test run evaluates. Exactly one of From, Target, Agent and System must be
// set: it selects the evaluated system. The other fields override its settings. Paths are relative
// to the directory of the test.
type Suite struct {
	From   string         // name of a shipped suite, or path of a suite file
	Target string         // name of a shipped system; it uses the models of its shipped suite
	Agent  agent.Agent    // your own agent; several trials call it at the same time
	System *system.System // your own system with components, settings and faults

	Name    string      // name of the suite in reports; "": the name of From, Target, Agent or System
	Labels  []string    // labels that the Agent chooses from; nil: the labels of the cases
	Cases   []eval.Case // cases to run instead of those of Dataset; see [Case]
	Dataset string      // JSON Lines file, or name of a shipped dataset; "": the dataset of From or Target

	Variants map[string][]string // values to try for each setting; every combination is one variant
	Prompts  []string            // prompt files to try; they are values of the setting prompt
	Faults   []string            // faults to inject, in addition to a run without a fault; nil: those of From
	Split    string              // dataset split to run: train, dev, test, or all; "": the split of From
	Sample   int64               // number of cases to draw in proportion to their labels; 0: all cases
	Epochs   int                 // number of times that each case runs; 0: that of From, or 1
	Gates    []string            // gate rules for this suite only, in addition to those of From
}

// Case returns a test case with one message and one correct label. If several labels are correct,
// create an eval.Case yourself.
func Case(id, text, label string, tags ...string) eval.Case {
	want, _ := json.Marshal(map[string]string{"label": label}) // encoding a map of strings cannot fail
	return eval.Case{ID: id, Tags: tags, Turns: []eval.LabeledTurn{{Turn: agent.Turn{Text: text}, Expected: want}}}
}

// resolve returns the suite to run, and writes Cases to the file cases.
func (s Suite) resolve(cases string) (suite.Suite, error) {
	of, err := s.baseSuite()
	if err != nil {
		return of, err
	}
	of.Name = cmp.Or(s.Name, of.Name)
	if err := s.setCases(&of, cases); err != nil {
		return of, fmt.Errorf("suite %s: %w", of.Name, err)
	}
	if s.Faults != nil {
		of.Faults, of.Variants = s.Faults, slices.Clone(of.Variants)
		for i := range of.Variants {
			of.Variants[i].Faults = nil
		}
	}
	of.Epochs, of.Gates = cmp.Or(s.Epochs, of.Epochs), slices.Concat(of.Gates, s.Gates)
	if of.Variants, err = of.CombineSettings(s.axes()); err != nil {
		return of, fmt.Errorf("suite %s: Variants: %w", of.Name, err)
	}
	for i := range of.Variants {
		of.Variants[i].Name = cmp.Or(of.Variants[i].Name, of.Target)
	}
	if !slices.Contains(of.VariantNames(), of.BaselineVariant) {
		of.BaselineVariant = "" // the variants are now combinations of settings, so the old name is invalid
	}
	if err := of.Check(); err != nil {
		return of, fmt.Errorf("suite %s: %w", of.Name, err)
	}
	return of, nil
}

// baseSuite returns the suite that From, Target, Agent or System selects, without other overrides.
func (s Suite) baseSuite() (of suite.Suite, err error) {
	given := 0
	for _, is := range []bool{s.From != "", s.Target != "", s.Agent != nil, s.System != nil} {
		if is {
			given++
		}
	}
	switch {
	case given != 1:
		return of, errors.New("a suite requires one of From, Target, Agent and System")
	case s.Labels != nil && s.Agent == nil:
		return of, fieldError("Labels", "are for an Agent: a System declares its own, a file names them")
	case s.From != "":
		return play.LoadSuite(s.From)
	case s.Agent != nil:
		return s.customSuite(declareAgent(s))
	case s.System != nil:
		return s.customSuite(*s.System)
	}
	if !slices.Contains(suite.Targets(), s.Target) {
		return of, fieldError("Target", "unknown system %q (known: %v)", s.Target, suite.Targets())
	}
	if of, err = play.LoadSuite(s.Target); err == nil {
		of.Variants, of.Gates = suite.Variants{of.DefaultVariant()}, nil
	}
	return of, err
}

func (s Suite) customSuite(of system.System) (suite.Suite, error) {
	made := suite.Suite{Name: of.Name, Target: of.Name, CustomSystem: &of}
	if of.Open == nil {
		return made, fieldError("System", "has no Open, which makes its agents")
	}
	made.Variants = suite.Variants{made.DefaultVariant()}
	return made, nil
}

// declareAgent returns a system that consists of your own Agent. Trials do not close the agent.
func declareAgent(s Suite) system.System {
	shared := agent.Func(s.Agent.Respond)
	return system.System{
		Name:     cmp.Or(s.Name, "agent"),
		Summary:  "a custom agent",
		Contract: system.Contract{LabelField: "label", Labels: s.Labels},
		Open: func(system.Options) (system.LoadedVariant, error) {
			return system.LoadedVariant{NewAgent: func(uint64, func(string) system.Endpoint) (agent.Agent,
				error) {
				return shared, nil
			}}, nil
		},
	}
}

// axes returns the settings with several values to try, in the order of their declaration.
func (s Suite) axes() (list []suite.ComparedSetting) {
	given := map[string][]string{}
	maps.Copy(given, s.Variants)
	if s.Prompts != nil {
		given["prompt"] = append(slices.Clone(given["prompt"]), s.Prompts...)
	}
	known := suite.Settings()
	if s.System != nil {
		known = nil
		for _, set := range s.System.Settings {
			known = append(known, suite.Setting{Name: set.Name})
		}
	}
	for _, set := range known {
		if values, ok := given[set.Name]; ok {
			list = append(list, suite.ComparedSetting{Setting: set.Name, Values: values})
			delete(given, set.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(given)) { // an unknown setting, for which Product returns the error
		list = append(list, suite.ComparedSetting{Setting: name, Values: given[name]})
	}
	return list
}

// setCases sets the dataset and the selection of cases.
func (s Suite) setCases(of *suite.Suite, cases string) error {
	if s.Cases != nil && s.Dataset != "" {
		return fieldError("Cases", "cannot be combined with Dataset")
	}
	set := s.Dataset
	if s.Cases != nil {
		set = cases
		if err := write(cases, s.Cases); err != nil {
			return err
		}
	}
	if set != "" {
		of.Split, of.Variants = "", of.WithoutBaselineModels()
		if s.From == "" {
			of.Labels, of.OOSLabel = suite.Labels{}, ""
		}
		of.Dataset = set
		if !slices.Contains(datasets.BuiltInNames(), set) {
			of.Dataset = filepath.Clean(set)
		}
	}
	if of.Split = cmp.Or(s.Split, of.Split); of.Split == "all" {
		of.Split = ""
	}
	if s.Sample != 0 {
		of.Limit, of.Sample = 0, s.Sample
	}
	return nil
}

// line is one case in the format of a dataset file.
type line struct {
	ID    string   `json:"id"`
	Turns []turn   `json:"turns"`
	Now   string   `json:"now,omitempty"`
	Tags  []string `json:"tags,omitempty"`
	Split string   `json:"split,omitempty"`
}

type turn struct {
	Input  agent.Turn      `json:"input"`
	Expect json.RawMessage `json:"expect,omitempty"`
}

// write writes cases to a dataset file. They are validated when the file is read.
func write(path string, cases []eval.Case) error {
	var text []byte
	for i, c := range cases {
		one := line{ID: c.ID, Tags: c.Tags, Split: c.Split}
		if !c.Now.IsZero() {
			one.Now = c.Now.Format("2006-01-02T15:04:05Z07:00")
		}
		for _, s := range c.Turns {
			one.Turns = append(one.Turns, turn{Input: s.Turn, Expect: s.Expected})
		}
		encoded, err := json.Marshal(one)
		if err != nil {
			return fieldError(fmt.Sprintf("Cases[%d]", i), "%w", err)
		}
		text = append(append(text, encoded...), '\n')
	}
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o600)
}
