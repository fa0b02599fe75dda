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

// Suite is what to play: one of From, Target, Agent and System says whose answers, and
// the rest is laid over it. Paths start from the test's folder.
type Suite struct {
	From   string         // a shipped suite's name, or the path of a suite file
	Target string         // a shipped system's name; its shipped suite lends the models
	Agent  agent.Agent    // one of your own, which must bear being asked by several trials at once
	System *system.System // one of your own with parts, settings and faults

	Name    string      // in reports; "": what it is made from is called
	Labels  []string    // that an Agent chooses from; nil: those of the cases
	Cases   []eval.Case // to play in place of Dataset; see [Case]
	Dataset string      // a JSON Lines file, or the name of a shipped set; "": From's, or Target's

	Variants map[string][]string // axes: values by setting; the variants are their product
	Prompts  []string            // files: the axis prompt
	Faults   []string            // to inject, besides none, in place of From's
	Split    string              // train, dev, test, or all; "": From's
	Sample   int64               // so many cases, drawn by the seed in proportion to their labels; 0: all
	Epochs   int                 // times that each case is played; 0: From's, or once
	Gates    []string            // rules for this suite alone, beside From's
}

// Case is a message with the label that is right; several of which any is right have
// their case made by hand.
func Case(id, text, label string, tags ...string) eval.Case {
	want, _ := json.Marshal(map[string]string{"label": label}) // strings always can be
	return eval.Case{ID: id, Tags: tags, Turns: []eval.LabeledTurn{{Turn: agent.Turn{Text: text}, Expected: want}}}
}

// resolve is the suite as it is planned; cases in Go are written to a file.
func (s Suite) resolve(cases string) (suite.Suite, error) {
	of, err := s.base()
	if err != nil {
		return of, err
	}
	of.Name = cmp.Or(s.Name, of.Name)
	if err := s.overCases(&of, cases); err != nil {
		return of, fmt.Errorf("suite %s: %w", of.Name, err)
	}
	if s.Faults != nil {
		of.Faults, of.Variants = s.Faults, slices.Clone(of.Variants)
		for i := range of.Variants {
			of.Variants[i].Faults = nil
		}
	}
	of.Epochs, of.Gates = cmp.Or(s.Epochs, of.Epochs), slices.Concat(of.Gates, s.Gates)
	if of.Variants, err = of.Product(s.axes()); err != nil {
		return of, fmt.Errorf("suite %s: Variants: %w", of.Name, err)
	}
	for i := range of.Variants {
		of.Variants[i].Name = cmp.Or(of.Variants[i].Name, of.Target)
	}
	if !slices.Contains(of.VariantNames(), of.BaselineVariant) {
		of.BaselineVariant = "" // axes have made other variants
	}
	if err := of.Check(); err != nil {
		return of, fmt.Errorf("suite %s: %w", of.Name, err)
	}
	return of, nil
}

// base is what the rest is laid over.
func (s Suite) base() (of suite.Suite, err error) {
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
		return of, wrong("Labels", "are for an Agent: a System declares its own, a file names them")
	case s.From != "":
		return play.LoadSuite(s.From)
	case s.Agent != nil:
		return s.own(declared(s))
	case s.System != nil:
		return s.own(*s.System)
	}
	if !slices.Contains(suite.Targets(), s.Target) {
		return of, wrong("Target", "unknown system %q (known: %v)", s.Target, suite.Targets())
	}
	if of, err = play.LoadSuite(s.Target); err == nil {
		of.Variants, of.Gates = suite.Variants{of.DefaultVariant()}, nil
	}
	return of, err
}

// own is a suite of a system that no list has.
func (s Suite) own(of system.System) (suite.Suite, error) {
	made := suite.Suite{Name: of.Name, Target: of.Name, CustomSystem: &of}
	if of.Open == nil {
		return made, wrong("System", "has no Open, which makes its agents")
	}
	made.Variants = suite.Variants{made.DefaultVariant()}
	return made, nil
}

// declared is the declaration of an agent that has nothing but itself. No trial closes it.
func declared(s Suite) system.System {
	shared := agent.Func(s.Agent.Respond)
	return system.System{
		Name:     cmp.Or(s.Name, "agent"),
		Summary:  "an agent of one's own",
		Contract: system.Contract{LabelField: "label", Labels: s.Labels},
		Open: func(system.Options) (system.OpenVariant, error) {
			return system.OpenVariant{Agent: func(uint64, func(string) system.Endpoint) (agent.Agent, error) { return shared, nil }}, nil
		},
	}
}

// axes are the settings that are given, in the order of the systems' own.
func (s Suite) axes() (list []suite.Axis) {
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
			list = append(list, suite.Axis{Setting: set.Name, Values: values})
			delete(given, set.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(given)) { // Cross refuses it
		list = append(list, suite.Axis{Setting: name, Values: given[name]})
	}
	return list
}

// overCases settles what is played. Another set's splits and labels are its own.
func (s Suite) overCases(of *suite.Suite, cases string) error {
	if s.Cases != nil && s.Dataset != "" {
		return wrong("Cases", "stand in place of Dataset")
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
		if !slices.Contains(datasets.Shipped(), set) {
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

// line is a case as a dataset's file has it.
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

// write writes cases for the reader of datasets, who checks them.
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
			return wrong(fmt.Sprintf("Cases[%d]", i), "%w", err)
		}
		text = append(append(text, encoded...), '\n')
	}
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o600)
}
