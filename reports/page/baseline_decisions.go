package page

import (
	"errors"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/compare"
	"evalctl/eval/runs"
)

// RunDiff contains the differences between a run and its baseline run.
type RunDiff struct {
	BaselinePath string // path of the baseline run

	suites map[string]SuiteDiff
}

// SuiteDiff compares a suite with the baseline run. It has one comparison for each variant without
// a fault. The first candidate of a comparison is the variant in the baseline run.
type SuiteDiff struct {
	Variants          []compare.Comparison // one comparison for each variant
	NewVariants       []string             // variants that the baseline run does not have
	NotComparedReason string               // why the suite cannot be compared; "": it was compared
}

// CompareWithBaseline compares all suites of the run now with those of the earlier run before.
func CompareWithBaseline(now, before *runs.Run) *RunDiff {
	r := &RunDiff{BaselinePath: before.Path, suites: map[string]SuiteDiff{}}
	sources := []compare.RunData{before.ComparisonData(), now.ComparisonData()}
	var both []string
	for _, s := range sources[1].Suites {
		if hasSuite(sources[0], s.Name) {
			both = append(both, s.Name)
		} else {
			r.suites[s.Name] = SuiteDiff{NotComparedReason: "the earlier run has no such suite"}
		}
	}
	if len(both) == 0 {
		return r
	}
	if list, err := compare.Runs(sources, compare.Selection{Suites: both}); err == nil {
		r.add(sources, both, list)
		return r
	}
	for _, name := range both { // compare suites one by one, so that an error in one does not affect the others
		list, err := compare.Runs(sources, compare.Selection{Suites: []string{name}})
		if err != nil {
			r.suites[name] = SuiteDiff{NotComparedReason: reason(err)}
			continue
		}
		r.add(sources, []string{name}, list)
	}
	return r
}

func hasSuite(s compare.RunData, name string) bool {
	return slices.ContainsFunc(s.Suites, func(one eval.SuiteSummary) bool { return one.Name == name })
}

func reason(err error) string {
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner // remove the prefix, because the reader knows the suite
	}
	// a report has no flag --common-cases, so name the command that has it
	return strings.Replace(err.Error(), "; --common-cases ", "; evalctl compare … --common-cases ", 1)
}

func (r *RunDiff) add(sources []compare.RunData, names []string, list []compare.Comparison) {
	for _, name := range names {
		s := SuiteDiff{}
		for _, c := range list {
			if c.Suite == name {
				s.Variants = append(s.Variants, c)
			}
		}
		for _, v := range variantsOf(sources[1], name) {
			isPaired := slices.ContainsFunc(s.Variants,
				func(c compare.Comparison) bool { return c.Candidates[1].Variant == v })
			if !isPaired && !slices.Contains(variantsOf(sources[0], name), v) {
				s.NewVariants = append(s.NewVariants, v)
			}
		}
		r.suites[name] = s
	}
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

// Suite returns the comparison of a suite. It returns the zero value for an unknown name.
func (r *RunDiff) Suite(name string) SuiteDiff { return r.suites[name] }
