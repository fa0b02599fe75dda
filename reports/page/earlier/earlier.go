// Package earlier holds a run against one before it, suite by suite, as evalctl compare
// does. What cannot be compared is no error: it is said why.
package earlier

import (
	"errors"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/compare"
	"evalctl/eval/runs"
)

// BaselineDiff is what a run differs in from an earlier one.
type BaselineDiff struct {
	Name string // of the earlier one

	suites map[string]BaselineSuite
}

// BaselineSuite is what one suite differs in: its variants, each without a fault. The first side
// of each is the earlier run's.
type BaselineSuite struct {
	Variants []compare.Comparison
	New      []string // variants that the earlier run has not
	Refused  string   // why there is nothing to compare; "": there is
}

// CompareWithBaseline compares now with before.
func CompareWithBaseline(now, before *runs.Run) *BaselineDiff {
	r := &BaselineDiff{Name: before.Path, suites: map[string]BaselineSuite{}}
	sources := []compare.RunData{before.Source(), now.Source()}
	var both []string
	for _, s := range sources[1].Suites {
		if hasSuite(sources[0], s.Name) {
			both = append(both, s.Name)
		} else {
			r.suites[s.Name] = BaselineSuite{Refused: "the earlier run has no such suite"}
		}
	}
	if len(both) == 0 {
		return r
	}
	if list, err := compare.Between(sources, compare.Selection{Suites: both}); err == nil {
		r.take(sources, both, list)
		return r
	}
	for _, name := range both { // what one suite is refused for is not the others'
		list, err := compare.Between(sources, compare.Selection{Suites: []string{name}})
		if err != nil {
			r.suites[name] = BaselineSuite{Refused: reason(err)}
			continue
		}
		r.take(sources, []string{name}, list)
	}
	return r
}

func hasSuite(s compare.RunData, name string) bool {
	return slices.ContainsFunc(s.Suites, func(one eval.SuiteSummary) bool { return one.Name == name })
}

func reason(err error) string {
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner // the suite is known
	}
	return strings.Replace(err.Error(), "; --common-cases ", "; evalctl compare … --common-cases ", 1) // a report has no such flag
}

func (r *BaselineDiff) take(sources []compare.RunData, names []string, list []compare.Comparison) {
	for _, name := range names {
		s := BaselineSuite{}
		for _, c := range list {
			if c.Suite == name {
				s.Variants = append(s.Variants, c)
			}
		}
		for _, v := range variantsOf(sources[1], name) {
			if !slices.Contains(variantsOf(sources[0], name), v) {
				s.New = append(s.New, v)
			}
		}
		r.suites[name] = s
	}
}

func variantsOf(s compare.RunData, suite string) (names []string) {
	for _, one := range s.Suites {
		for _, c := range one.Conditions {
			if one.Name == suite && !slices.Contains(names, c.Name) {
				names = append(names, c.Name)
			}
		}
	}
	return names
}

// BaselineSuite is what a suite differs in.
func (r *BaselineDiff) Suite(name string) BaselineSuite { return r.suites[name] }
