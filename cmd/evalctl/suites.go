package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"evalctl/agent/system"
	"evalctl/cmd/evalctl/play"
	"evalctl/datasets"
	"evalctl/eval/suggest"
	"evalctl/eval/suite"
	"evalctl/mocks/backend"
)

// suites are what the arguments name, with the flags laid over.
func (f *runFlags) suites(args []string) ([]suite.Suite, error) {
	target := f.target
	switch {
	case target != "" && len(args) > 0:
		return nil, errors.New("--target: cannot be combined with a suite: name one of them")
	case target == "" && len(args) == 0 && f.dataset != "" && !slices.Contains(datasets.Shipped(), f.dataset):
		target = datasets.Detect(f.dataset).Name // whose cases they are
	}
	if target != "" {
		s, err := f.plainSuite(target)
		list := []suite.Suite{s}
		return list, cmp.Or(err, f.checkAgainst(list))
	}
	if len(args) == 0 {
		var err error
		if args, err = f.fitting(); err != nil {
			return nil, err
		}
	}
	if name := f.fileGiven(); len(args) > 1 && name != "" {
		return nil, flagError(name, fmt.Errorf("name the one suite that the file is for: %s", suggest.Join(args)))
	}
	var list []suite.Suite
	names := map[string]bool{}
	for _, arg := range args {
		of, err := f.expandCollection(arg)
		if err != nil {
			return nil, err
		}
		for _, s := range of {
			if names[s.Name] {
				return nil, fmt.Errorf("suite %s: is named twice", s.Name)
			}
			names[s.Name] = true
			if s, err = f.over(s); err != nil {
				return nil, err
			}
			if !isShipped(arg) {
				if err := f.expose(s, filepath.Dir(arg), "suite file"); err != nil {
					return nil, err
				}
			}
			list = append(list, s)
		}
	}
	return list, f.checkAgainst(list)
}

// expandCollection are the suites that an argument stands for: of a collection those that what was
// asked for can be asked of.
func (f *runFlags) expandCollection(arg string) ([]suite.Suite, error) {
	if !slices.Contains(datasets.Collections(), arg) {
		s, err := play.LoadSuite(arg)
		return []suite.Suite{s}, err
	}
	list, err := datasets.Collection(arg)
	list = slices.DeleteFunc(list, func(s suite.Suite) bool { return !f.fits(s.System()) })
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("no suite of %s knows all of these settings and faults", arg)
	}
	return list, err
}

// isShipped tells the name of what is shipped from a file's.
func isShipped(arg string) bool { return slices.Contains(shippedNames(), arg) }

// shippedNames are those of all that can be played by its name.
func shippedNames() []string { return append(datasets.Shipped(), datasets.Collections()...) }

// fileGiven is a given setting that names files, "" where there is none.
func (f *runFlags) fileGiven() string {
	for _, set := range suite.Settings() {
		if s, _ := set.Owners[0].Setting(set.Name); s.IsFile && *f.settings[set.Name] != nil {
			return set.Name
		}
	}
	return ""
}

// plainSuite is a run without a suite file: the target's shipped suite lends
// its models.
func (f *runFlags) plainSuite(target string) (suite.Suite, error) {
	s, err := datasets.DefaultSuite(target)
	if err == nil && s.Dataset == "" && f.dataset == "" {
		err = fmt.Errorf("%s has no shipped cases: set --dataset FILE", target)
	}
	if err != nil {
		return s, flagError("target", err)
	}
	if f.dataset != "" && f.split == "" {
		s.Split = ""
	}
	s.Variants = []suite.Variant{s.DefaultVariant()}
	return f.over(s)
}

// fitting are the shipped suites that what was asked for can be asked of.
func (f *runFlags) fitting() (names []string, err error) {
	for _, name := range datasets.Shipped() {
		of, _ := suite.Find(name)
		if f.fits(of) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("no shipped suite (%s) knows all of these settings and faults", suggest.Join(datasets.Shipped()))
	}
	return names, nil
}

func (f *runFlags) fits(of system.System) bool {
	for _, a := range f.axes() {
		if _, ok := of.Setting(a.Setting); !ok {
			return false
		}
	}
	switch {
	case f.dataset != "" && datasets.Detect(f.dataset).Name != of.Name,
		(f.labels != "" || f.oosLabel != "") && !of.Contract.IsOpen(),
		f.decisionOnly && !of.SupportsDecisionOnly, !f.second.fits(of, system.RoleCritic), !f.grade.fits(of, system.RoleGrader):
		return false
	}
	return !slices.ContainsFunc(f.faults, func(spec string) bool { return spec != suite.AllFaults && !backend.HasParts(spec, of) })
}

// axes are the settings that are given.
func (f *runFlags) axes() (list []suite.Axis) {
	for _, set := range suite.Settings() {
		if values := *f.settings[set.Name]; values != nil {
			list = append(list, suite.Axis{Setting: set.Name, Values: values})
		}
	}
	return list
}

// over lays the flags over a suite.
func (f *runFlags) over(s suite.Suite) (suite.Suite, error) {
	if err := f.overCases(&s); err != nil {
		return s, err
	}
	if f.bases != nil {
		s = f.bases(s)
	}
	s.Epochs = cmp.Or(f.epochs, s.Epochs)
	if f.decisionOnlyGiven() {
		s.DecisionOnly = f.decisionOnly
	}
	s.SecondJudgment = f.second.over(s.SecondJudgment, f.models != nil)
	s.GradeFacts = f.grade.over(s.GradeFacts, f.models != nil)
	if f.faults != nil || f.models != nil && !s.FaultMatrix {
		s.Faults = f.faults // each fault would cost a real model as much again
		s.Variants = slices.Clone(s.Variants)
		for i := range s.Variants {
			s.Variants[i].Faults = nil
		}
	}
	var err error
	if s.Variants, err = f.variants(s); err != nil {
		return s, err
	}
	if s.BaselineVariant = f.baselineVariant(s); !slices.Contains(s.VariantNames(), s.BaselineVariant) {
		s.BaselineVariant = "" // flags have made other variants
	}
	if s, err = spread(s); err != nil {
		return s, fmt.Errorf("suite %s: %w", s.Name, err)
	}
	if err := s.Check(); err != nil {
		return s, fmt.Errorf("suite %s: %w", s.Name, err)
	}
	return s, nil
}

// spread puts all faults where all are asked for; what is to come of them the target's own
// set says, where the suite does not.
func spread(s suite.Suite) (suite.Suite, error) {
	s, err := backend.ExpandFaults(s)
	if err != nil || !s.FaultMatrix || s.ExpectedOutcomes != nil || !slices.Contains(datasets.Shipped(), s.Target) {
		return s, err
	}
	known, err := datasets.FaultMatrix(s.Target)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	s.ExpectedOutcomes, s.LabelTables = known.ExpectedOutcomes, known.LabelTables
	return s, err
}

// baselineVariant is the variant that a suite's others are compared with: of several
// suites not all need have the one that is asked for.
func (f *runFlags) baselineVariant(s suite.Suite) string {
	if slices.Contains(s.VariantNames(), f.against) {
		return f.against
	}
	return s.BaselineVariant
}

// checkAgainst refuses a variant that no suite has.
func (f *runFlags) checkAgainst(list []suite.Suite) error {
	if f.against == "" {
		return nil
	}
	var known []string
	for _, s := range list {
		known = append(known, s.VariantNames()...)
	}
	if err := suggest.CheckWord("variant", f.against, known); err != nil {
		return flagError("baseline-variant", err)
	}
	return nil
}

// overCases settles what is played: another set's splits and labels are its own.
func (f *runFlags) overCases(s *suite.Suite) error {
	if f.dataset != "" && s.Dataset != f.dataset {
		s.Dataset, s.Split, s.Labels, s.OOSLabel = f.dataset, "", suite.Labels{}, ""
		s.Variants = s.WithoutBaselineModels() // it may have nothing to learn from: --baseline-model asks for one
	}
	s.Split = cmp.Or(f.split, s.Split)
	if s.Split == "all" {
		s.Split = ""
	}
	if f.limit > 0 || f.sample > 0 {
		s.Limit, s.Sample = f.limit, f.sample
	}
	if s.FaultMatrix && (f.limit > 0 || f.sample > 0 || f.dataset != "" || f.split != "" || f.tags != nil) {
		s.Cases = nil // those that it would play are named
	}
	if f.tags != nil {
		s.Tags = f.tags
	}
	if f.oosLabel != "" || f.labels != "" {
		*s = s.WithoutPositions()
	}
	s.OOSLabel = cmp.Or(f.oosLabel, s.OOSLabel)
	if f.labels == "" {
		return nil
	}
	s.OOSLabel = f.oosLabel // the suite's is none of these
	var err error
	if s.Labels, err = suite.ParseLabels(f.labels); err != nil {
		return flagError("labels", err)
	}
	if s.Labels.File != "" {
		s.Labels.File, err = filepath.Abs(s.Labels.File)
	}
	return err
}

// variants crosses the suite's variants with the axes.
func (f *runFlags) variants(s suite.Suite) ([]suite.Variant, error) {
	if err := f.wantsModel(f.models); err != nil {
		return nil, err
	}
	list, err := s.Product(f.axes())
	if err != nil {
		return nil, fmt.Errorf("--%w", err)
	}
	if f.models != nil {
		asksModel := func(v suite.Variant) bool { // a floor of the suite's stays beside them
			return s.UsesComponent(v, s.System().DecidingComponent().Name) && !suite.IsBaselineModel(v.Model)
		}
		list, err = suite.WithAxis(list, f.models, asksModel, func(v suite.Variant, model string) (suite.Variant, error) {
			if len(f.models) > 1 {
				v.Name = strings.TrimSpace(v.Name + " model=" + model)
			}
			return f.withModel(v, model)
		})
		if err != nil {
			return nil, flagError("model", err)
		}
	}
	for i := range list {
		list[i].Name = cmp.Or(list[i].Name, s.Target)
	}
	return f.withBaselineModels(s, list)
}

// withBaselineModels adds the floors that are asked for.
func (f *runFlags) withBaselineModels(s suite.Suite, list []suite.Variant) ([]suite.Variant, error) {
	if f.baselineModels == nil {
		return list, nil
	}
	shipped, err := datasets.DefaultSuite(s.Target)
	if err != nil {
		return nil, err
	}
	if list, err = s.WithBaselineModels(list, f.baselineModels, shipped.Variants); err != nil {
		return nil, flagError("baseline-model", err)
	}
	return list, nil
}
