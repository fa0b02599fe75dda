package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"evalctl/cmd/evalctl/play"
	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/runs"
	"evalctl/eval/suggest"
	"evalctl/eval/suite"
	"evalctl/eval/tune"
	"evalctl/reports"
)

// tunedConditions contains the conditions for which a threshold is chosen, and the variants that
// are skipped.
type tunedConditions struct {
	conditions []*tunedCondition
	skipped    []skippedVariant
}

// skippedVariant is a reason for choosing no threshold, with the variants that it applies to.
type skippedVariant struct {
	reason   string
	variants []string
}

func (t *tunedConditions) skip(variant, why string) {
	i := slices.IndexFunc(t.skipped, func(l skippedVariant) bool { return l.reason == why })
	if i < 0 {
		i = len(t.skipped)
		t.skipped = append(t.skipped, skippedVariant{reason: why})
	}
	t.skipped[i].variants = append(t.skipped[i].variants, variant)
}

// notes returns a sentence for each reason why variants were skipped.
func (t tunedConditions) notes() (list []string) {
	for _, l := range t.skipped {
		slices.Sort(l.variants)
		list = append(list, strings.Join(slices.Compact(l.variants), ", ")+": "+l.reason+".")
	}
	return list
}

// tunedCondition is a condition of the run, with the tuner that chooses its threshold.
type tunedCondition struct {
	tuned   reports.TunedVariant
	tuner   *tune.Tuner
	isUsed  bool          // the agent has the setting
	suite   suite.Suite   // as the run used it; without a name if unknown
	variant suite.Variant // the variant of suite that is tuned
}

// add adds a result to the tuner of its condition. Results of other conditions are ignored.
func (t tunedConditions) add(r eval.Result) error {
	for _, c := range t.conditions {
		if c.tuned.Suite == r.Suite && c.tuned.Variant == r.Variant && c.tuned.Fault == cmp.Or(r.Fault, eval.NoFault) {
			return c.tuner.Add(r)
		}
	}
	return nil
}

// pick returns the conditions of a run that use the setting and that the flags select.
func (f *tuneFlags) pick(run *runs.Run) (picked tunedConditions, err error) {
	planned, err := plannedSuites(run)
	if err != nil {
		return picked, err
	}
	var suites, variants, faults []string
	for _, s := range run.Suites() {
		suites = append(suites, s.Name)
		if f.suite != "" && f.suite != s.Name {
			continue
		}
		for _, c := range s.Conditions {
			faults = append(faults, c.Fault)
			if c.Fault != f.fault {
				continue
			}
			variants = append(variants, c.Variant)
			if f.variant != "" && f.variant != c.Variant {
				continue
			}
			if err := f.addVariant(&picked, s, c.Variant, planned[s.Name]); err != nil {
				return picked, err
			}
		}
	}
	switch {
	case f.suite != "" && !slices.Contains(suites, f.suite):
		return picked, flagError("suite", suggest.CheckKnown("suite", f.suite, suites))
	case !slices.Contains(faults, f.fault):
		slices.Sort(faults)
		return picked, flagError("fault", suggest.CheckKnown("fault", f.fault, slices.Compact(faults)))
	case f.variant != "" && !slices.Contains(variants, f.variant):
		return picked, flagError("variant", suggest.CheckKnown("variant", f.variant, variants))
	case picked.conditions == nil:
		return picked, fmt.Errorf("--setting %s: %s", f.setting, strings.Join(picked.notes(), " "))
	}
	return picked, nil
}

// anyOOSLabel means the out-of-scope label in --prior, whatever its name is.
const anyOOSLabel = "oos"

// addVariant adds a variant to the conditions to tune, or records why it is skipped.
func (f *tuneFlags) addVariant(picked *tunedConditions, s eval.SuiteSummary, variant string,
	planned suite.Suite) error {
	cfg := tune.Config{
		Folds:     f.folds,
		Seed:      f.seed,
		OOSLabel:  cmp.Or(f.oosLabel, planned.OOSLabel, s.OOSLabel, f.priorLabel),
		FixedCost: s.DecisionOnly || planned.Name != "" && planned.System().Contract.HasDatasetLabels(),
		Objective: f.goal,
		OOSPrior:  f.priorShare,
	}
	if f.priorLabel != "" && f.priorLabel != cfg.OOSLabel && f.priorLabel != anyOOSLabel {
		return flagError("prior", fmt.Errorf("%q is not the out-of-scope label %q", f.priorLabel, cfg.OOSLabel))
	}
	var played suite.Variant
	isUsed := false
	if planned.Name != "" { // without a manifest the settings are unknown
		i := slices.IndexFunc(planned.Variants, func(v suite.Variant) bool { return v.Name == variant })
		if i >= 0 {
			played = planned.Variants[i]
		}
		set, ok := planned.SystemOf(played).Setting(f.setting)
		hasSetting := ok && set.IsThreshold
		if !hasSetting && cfg.OOSLabel == "" {
			picked.skip(variant, planned.TargetOf(played)+" has no "+f.setting+
				", and the run has no out-of-scope label to answer below one: name it with --oos-label LABEL")
			return nil
		}
		isUsed = hasSetting && i >= 0 && set.IsUsed(planned.SettingValues(played))
		if hasSetting && !isUsed && f.oosLabel == "" {
			picked.skip(variant, "no use of "+f.setting+" ("+strings.ReplaceAll(set.Help, "`", "")+")")
			return nil
		}
		present := 0.0 // an agent without a threshold accepts every answer
		if isUsed {
			present = planned.SettingValues(played).Number(f.setting)
		}
		cfg.CurrentThreshold = &present
	}
	tuner, err := tune.New(cfg)
	one := &tunedCondition{
		tuner:   tuner,
		isUsed:  isUsed,
		suite:   planned,
		variant: played,
		tuned: reports.TunedVariant{
			Suite:        s.Name,
			Dataset:      s.Dataset,
			Split:        cmp.Or(s.Split, planned.Split),
			DecisionOnly: s.DecisionOnly,
			Variant:      variant,
			Fault:        f.fault,
		},
	}
	if s.FailedInRun != "" {
		one.tuned.Notes = append(one.tuned.Notes,
			"Only cases that failed in "+s.FailedInRun+
				": they failed partly by chance, so a threshold chosen on them does not suit other cases.")
	}
	if one.tuned.Split == "test" {
		one.tuned.Notes = append(one.tuned.Notes, "These are the test cases: tune on train and dev, and report test.")
	}
	picked.conditions = append(picked.conditions, one)
	return err
}

// plannedSuites returns the suites of a run by name, from its manifest. For a results file it uses
// the manifest in the same directory, if there is one.
func plannedSuites(run *runs.Run) (map[string]suite.Suite, error) {
	dir, m := run.Path, run.Manifest
	if m.Suites == nil && filepath.Base(dir) == journal.ResultsFile {
		dir = filepath.Dir(dir)
		if _, err := os.Stat(filepath.Join(dir, journal.ManifestFile)); err == nil {
			if m, err = journal.ReadManifest(dir); err != nil {
				return nil, err
			}
		}
	}
	list, err := play.ManifestSuites(m, dir)
	planned := map[string]suite.Suite{}
	for _, s := range list {
		planned[s.Name] = s
	}
	return planned, err
}
