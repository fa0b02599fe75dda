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

// suites loads the suites that the arguments and flags select, and applies the flags to them.
func (f *runFlags) suites(args []string) ([]suite.Suite, error) {
	target := f.target
	switch {
	case target != "" && len(args) > 0:
		return nil, errors.New("--target: cannot be combined with a suite: name one of them")
	case target == "" && len(args) == 0 && f.dataset != "" && !slices.Contains(datasets.BuiltInNames(), f.dataset):
		target = datasets.DetectSystemInCSV(f.dataset, f.columns).Name // system that the cases belong to
	}
	if target != "" {
		s, err := f.plainSuite(target)
		list := []suite.Suite{s}
		return list, cmp.Or(err, f.checkBaselineVariant(list))
	}
	if len(args) == 0 {
		var err error
		if args, err = f.matchingSuites(); err != nil {
			return nil, err
		}
	}
	if name := f.givenFileSetting(); len(args) > 1 && name != "" {
		return nil, flagError(name, fmt.Errorf("name the one suite that the file is for: %s", suggest.JoinWords(args)))
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
			if s, err = f.applyTo(s); err != nil {
				return nil, err
			}
			if !isShipped(arg) {
				if err := f.checkExposure(s, filepath.Dir(arg), "suite file"); err != nil {
					return nil, err
				}
			}
			list = append(list, s)
		}
	}
	return list, f.checkBaselineVariant(list)
}

// expandCollection returns the suite that an argument names, or the suites of a collection. It
// omits suites of a collection that do not support the given settings and faults.
func (f *runFlags) expandCollection(arg string) ([]suite.Suite, error) {
	if !slices.Contains(datasets.CollectionNames(), arg) {
		s, err := play.LoadSuite(arg)
		return []suite.Suite{s}, err
	}
	list, err := datasets.LoadCollection(arg)
	list = slices.DeleteFunc(list, func(s suite.Suite) bool { return !f.supports(s.System()) })
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("no suite of %s has all of these settings and faults", arg)
	}
	return list, err
}

// isShipped reports whether arg names a shipped suite or collection, not a file.
func isShipped(arg string) bool { return slices.Contains(shippedNames(), arg) }

func shippedNames() []string { return append(datasets.BuiltInNames(), datasets.CollectionNames()...) }

// givenFileSetting returns the name of a setting whose values are files and that a flag gives, or
// "".
func (f *runFlags) givenFileSetting() string {
	for _, set := range suite.Settings() {
		if s, _ := set.Systems[0].Setting(set.Name); s.IsFile && *f.settings[set.Name] != nil {
			return set.Name
		}
	}
	return ""
}

// plainSuite builds the suite for --target, without a suite file. It uses the models of the
// target's shipped suite.
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
	return f.applyTo(s)
}

// matchingSuites returns the names of the shipped suites that support the given settings and
// faults.
func (f *runFlags) matchingSuites() (names []string, err error) {
	for _, name := range datasets.BuiltInNames() {
		of, _ := suite.FindSystem(name)
		if f.supports(of) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("no shipped suite (%s) has all of these settings and faults",
			suggest.JoinWords(datasets.BuiltInNames()))
	}
	return names, nil
}

func (f *runFlags) supports(of system.System) bool {
	for _, a := range f.axes() {
		if _, ok := of.Setting(a.Setting); !ok {
			return false
		}
	}
	switch {
	case f.dataset != "" && datasets.DetectSystemInCSV(f.dataset, f.columns).Name != of.Name,
		(f.labels != "" || f.oosLabel != "") && !of.Contract.HasDatasetLabels(),
		f.decisionOnly && !of.SupportsDecisionOnly, !f.secondJudgment.isSupported(of,
			system.RoleCritic), !f.gradeFacts.isSupported(of, system.RoleGrader):
		return false
	}
	return !slices.ContainsFunc(f.faults,
		func(spec string) bool { return spec != suite.AllFaults && !backend.HasFaultComponents(spec, of) })
}

// axes returns the settings that flags give, each with its values.
func (f *runFlags) axes() (list []suite.ComparedSetting) {
	for _, set := range suite.Settings() {
		if values := *f.settings[set.Name]; values != nil {
			list = append(list, suite.ComparedSetting{Setting: set.Name, Values: values})
		}
	}
	return list
}

// applyTo returns the suite with the changes that the flags request.
func (f *runFlags) applyTo(s suite.Suite) (suite.Suite, error) {
	if err := f.applyCases(&s); err != nil {
		return s, err
	}
	if f.suitePreparer != nil {
		s = f.suitePreparer(s)
	}
	s.Epochs = cmp.Or(f.epochs, s.Epochs)
	if f.decisionOnlyGiven() {
		s.DecisionOnly = f.decisionOnly
	}
	s.RejudgeFirstAttempts = f.secondJudgment.valueFor(s.RejudgeFirstAttempts, f.models != nil)
	s.GradeFacts = f.gradeFacts.valueFor(s.GradeFacts, f.models != nil)
	if f.faults != nil || f.models != nil && !s.FaultMatrix {
		s.Faults = f.faults // real models would cost a further run for each fault
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
		s.BaselineVariant = "" // the flags have replaced the variants, possibly the baseline variant too
	}
	if s, err = expandFaults(s); err != nil {
		return s, fmt.Errorf("suite %s: %w", s.Name, err)
	}
	if err := s.Check(); err != nil {
		return s, fmt.Errorf("suite %s: %w", s.Name, err)
	}
	return s, nil
}

// expandFaults replaces collective faults such as "all" by single ones. If the suite defines no
// expected outcomes, it uses those of the target's shipped fault matrix.
func expandFaults(s suite.Suite) (suite.Suite, error) {
	s, err := backend.ExpandFaults(s)
	if err != nil || !s.FaultMatrix || s.ExpectedOutcomes != nil ||
		!slices.Contains(datasets.BuiltInNames(), s.Target) {
		return s, err
	}
	known, err := datasets.LoadFaultMatrix(s.Target)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	s.ExpectedOutcomes, s.LabelTables = known.ExpectedOutcomes, known.LabelTables
	return s, err
}

// baselineVariant returns the variant of --baseline-variant if the suite has it, or else the
// baseline variant of the suite. A run may have suites without that variant.
func (f *runFlags) baselineVariant(s suite.Suite) string {
	if slices.Contains(s.VariantNames(), f.baselineVariantFlag) {
		return f.baselineVariantFlag
	}
	return s.BaselineVariant
}

// checkBaselineVariant returns an error if no suite has the variant of --baseline-variant.
func (f *runFlags) checkBaselineVariant(list []suite.Suite) error {
	if f.baselineVariantFlag == "" {
		return nil
	}
	var known []string
	for _, s := range list {
		known = append(known, s.VariantNames()...)
	}
	if err := suggest.CheckKnown("variant", f.baselineVariantFlag, known); err != nil {
		return flagError("baseline-variant", err)
	}
	return nil
}

// applyCases applies the flags that select cases to a suite. It also removes the suite's split and
// labels if the flags name another dataset.
func (f *runFlags) applyCases(s *suite.Suite) error {
	if f.dataset != "" && s.Dataset != f.dataset {
		s.Dataset = f.dataset
		s.TextColumn = ""
		s.LabelColumn = ""
		s.IDColumn = ""
		s.Split = ""
		s.Labels = suite.Labels{}
		s.OOSLabel = ""
		s.Aliases = nil
		// the dataset can lack training texts: --baseline-model adds baselines again
		s.Variants = s.WithoutBaselineModels()
	}
	s.TextColumn = cmp.Or(f.columns.Text, s.TextColumn)
	s.LabelColumn = cmp.Or(f.columns.Label, s.LabelColumn)
	s.IDColumn = cmp.Or(f.columns.ID, s.IDColumn)
	s.Split = cmp.Or(f.split, s.Split)
	if s.Split == "all" {
		s.Split = ""
	}
	if f.limit > 0 || f.sample > 0 {
		s.Limit, s.Sample = f.limit, f.sample
	}
	if s.FaultMatrix && (f.limit > 0 || f.sample > 0 || f.dataset != "" || f.split != "" || f.tags != nil) {
		s.Cases = nil // the suite's list may name cases that the flags do not select
	}
	if f.tags != nil {
		s.Tags = f.tags
	}
	if f.oosLabel != "" || f.labels != "" || f.aliases != nil {
		*s = s.WithoutPositions()
	}
	s.OOSLabel = cmp.Or(f.oosLabel, s.OOSLabel)
	if f.labels != "" { // those of the suite may not be in --labels
		s.OOSLabel, s.Aliases = f.oosLabel, nil
	}
	var err error
	if f.aliases != nil {
		if s.Aliases, err = suite.ParseAliases(f.aliases); err != nil {
			return flagError("alias", err)
		}
	}
	if f.labels == "" {
		return nil
	}
	if s.Labels, err = suite.ParseLabels(f.labels); err != nil {
		return flagError("labels", err)
	}
	if s.Labels.File != "" {
		s.Labels.File, err = filepath.Abs(s.Labels.File)
	}
	return err
}

// variants returns the variants to run: those of the suite, combined with each setting value, model
// and baseline model of the flags.
func (f *runFlags) variants(s suite.Suite) ([]suite.Variant, error) {
	if err := f.requireModel(f.models); err != nil {
		return nil, err
	}
	list, err := s.CombineSettings(f.axes())
	if err != nil {
		return nil, fmt.Errorf("--%w", err)
	}
	if f.models != nil {
		asksModel := func(v suite.Variant) bool { // a baseline model of the suite does not get the model of the flag
			return s.UsesComponent(v, s.SystemOf(v).DecidingComponent().Name) && !suite.IsBaselineModel(v.Model)
		}
		list, err = suite.ExpandVariants(list, f.models, asksModel,
			func(v suite.Variant, model string) (suite.Variant, error) {
				if len(f.models) > 1 {
					v.Name = strings.TrimSpace(v.Name + " model=" + model)
				}
				return f.withModel(v, model)
			})
		if err != nil {
			return nil, flagError("model", err)
		}
		list = s.MergeBaselineModels(list)
	}
	for i := range list {
		list[i].Name = cmp.Or(list[i].Name, s.TargetOf(list[i]))
	}
	return f.withBaselineModels(s, list)
}

// withBaselineModels adds a variant for each kind of --baseline-model.
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
