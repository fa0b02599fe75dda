package reports

import (
	"errors"
	"path/filepath"
	"slices"

	"evalctl/eval"
	"evalctl/eval/compare"
	"evalctl/eval/journal"
	"evalctl/eval/runs"
)

// suiteComparison compares a suite of a run with the baseline run. The first candidate of each
// comparison is a variant of the baseline run.
type suiteComparison struct {
	variants          []compare.Comparison // one comparison for each variant
	newVariants       []string             // variants that only the run has
	removedVariants   []string             // variants that only the baseline run has
	notComparedReason string               // why the suite is not compared; "": it is compared
}

// compareWithBaseline compares the selected suites of the run now with those of the earlier run
// before. If their cases differ, it compares those that both have, and notes say so. The result contains
// each selected suite of the run now, by name.
func compareWithBaseline(now, before *runs.Run, selection compare.Selection) map[string]suiteComparison {
	selection.CommonCases = true
	all := map[string]suiteComparison{}
	sources := []compare.RunData{before.ComparisonData(), now.ComparisonData()}
	add := func(suites []string) error {
		of := selection
		of.Suites = suites
		list, err := compare.Runs(sources, of)
		for _, c := range list {
			s := all[c.Candidates[1].Suite]
			s.variants = append(s.variants, c)
			all[c.Candidates[1].Suite] = s
		}
		return err
	}
	var both []string
	for _, s := range sources[1].Suites {
		switch {
		case selection.Suites != nil && !slices.Contains(selection.Suites, s.Name):
		case hasSuite(sources[0], s.Name):
			both = append(both, s.Name)
		case len(sources[0].Suites) == 1 && len(sources[1].Suites) == 1:
			if err := add(nil); err != nil { // suites with different names, if there is only one in each run
				all[s.Name] = suiteComparison{notComparedReason: notComparedReason(err)}
			}
		default:
			all[s.Name] = suiteComparison{notComparedReason: "the earlier run has no such suite"}
		}
	}
	if len(both) > 0 && add(both) != nil {
		for _, name := range both { // one by one, so that an error in a suite does not affect the others
			if err := add([]string{name}); err != nil {
				all[name] = suiteComparison{notComparedReason: notComparedReason(err)}
			}
		}
	}
	if selection.Variants == nil {
		for _, name := range both {
			if s := all[name]; s.notComparedReason == "" {
				s.newVariants = s.unpaired(sources[1], sources[0], name, 1)
				s.removedVariants = s.unpaired(sources[0], sources[1], name, 0)
				all[name] = s
			}
		}
	}
	return all
}

// unpaired returns the variants of a suite that only one run has. side is the index of the run among
// the candidates.
func (s suiteComparison) unpaired(run, other compare.RunData, suite string, side int) (names []string) {
	for _, v := range variantsOf(run, suite) {
		isPaired := slices.ContainsFunc(s.variants,
			func(c compare.Comparison) bool { return c.Candidates[side].Variant == v })
		if !isPaired && !slices.Contains(variantsOf(other, suite), v) {
			names = append(names, v)
		}
	}
	return names
}

func hasSuite(s compare.RunData, name string) bool {
	return slices.ContainsFunc(s.Suites, func(one eval.SuiteSummary) bool { return one.Name == name })
}

// notComparedReason returns the innermost error as a reason: the reader knows the suite.
func notComparedReason(err error) string {
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner
	}
	return err.Error()
}

func variantsOf(s compare.RunData, suite string) (names []string) {
	for _, one := range s.Suites {
		for _, c := range one.Conditions {
			if one.Name == suite && !slices.Contains(names, c.Variant) {
				names = append(names, c.Variant)
			}
		}
	}
	return names
}

// runNames returns short names of two runs: the ends of their paths from which they differ.
func runNames(before, after string) (string, string) {
	a, b := runDir(before), runDir(after)
	nameA, nameB := filepath.Base(a), filepath.Base(b)
	for a != b && nameA == nameB && filepath.Dir(a) != a && filepath.Dir(b) != b {
		a, b = filepath.Dir(a), filepath.Dir(b)
		nameA, nameB = filepath.Join(filepath.Base(a), nameA), filepath.Join(filepath.Base(b), nameB)
	}
	return nameA, nameB
}

// runDir returns the directory of a run, which can also be given as its results file.
func runDir(path string) string {
	if filepath.Base(path) == journal.ResultsFile && filepath.Dir(path) != "." {
		return filepath.Dir(path)
	}
	return filepath.Clean(path)
}
