package compare

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"evalctl/eval"
	"evalctl/eval/suggest"
)

// RunData is a finished run, as far as it is compared.
type RunData struct {
	Name   string // name given by the user
	Dir    string // with its traces; "": none
	Suites []eval.SuiteSummary

	Data       map[string]string // hash of the data file, by suite; absent: unknown
	Seed       *uint64           // nil: unknown
	Remarks    []string          // limitations of the run's values
	Parallel   string            // parallel trials in real time; "": unknown
	NoManifest bool              // there are only results, without a manifest
	Partial    bool              // the run did not finish
	Shard      *eval.Shard       // the shard of a run; nil: not a shard
	Results    iter.Seq2[eval.Result, error]
}

// whyPartial explains why a source is partial.
func (s RunData) whyPartial() string {
	if s.Shard != nil {
		return "is " + s.Shard.Describe()
	}
	return "did not end"
}

func (s RunData) suite(name string) (eval.SuiteSummary, bool) {
	i := slices.IndexFunc(s.Suites, func(one eval.SuiteSummary) bool { return one.Name == name })
	if i < 0 {
		return eval.SuiteSummary{}, false
	}
	return s.Suites[i], true
}

func (s RunData) suiteNames() (names []string) {
	for _, one := range s.Suites {
		names = append(names, one.Name)
	}
	return names
}

// variantsOf returns a suite's variants, each once.
func variantsOf(s eval.SuiteSummary) (names []string) {
	for _, c := range s.Conditions {
		if !slices.Contains(names, c.Name) {
			names = append(names, c.Name)
		}
	}
	return names
}

// faultsOf returns the faults of a variant, including none.
func faultsOf(s eval.SuiteSummary, variant string) (names []string) {
	for _, c := range s.Conditions {
		if c.Name == variant {
			names = append(names, c.Fault)
		}
	}
	return names
}

// place identifies a side's results in the sources.
type place struct {
	source int
	suite  string
	condition
}

// rowsOf reads the results of the places, by case.
func rowsOf(sources []RunData, places map[place]bool) (map[place]caseRows, error) {
	found := map[place]caseRows{}
	for i, s := range sources {
		for r, err := range s.Results {
			if err != nil {
				return nil, err
			}
			at := place{source: i, suite: r.Suite, condition: conditionOf(r)}
			if !places[at] {
				continue
			}
			if found[at] == nil {
				found[at] = caseRows{}
			}
			found[at][r.Case] = append(found[at][r.Case], trimmed(r))
		}
	}
	for _, cases := range found {
		for _, rows := range cases {
			slices.SortStableFunc(rows, func(a, b eval.Result) int { return cmp.Compare(a.Epoch, b.Epoch) })
		}
	}
	return found, nil
}

// caseRows has the results of a side by case, all epochs.
type caseRows map[string][]eval.Result

// trimmed returns the parts of a result that are compared.
func trimmed(r eval.Result) eval.Result {
	kept := eval.Result{
		Case:     r.Case,
		CaseHash: r.CaseHash,
		Epoch:    r.Epoch,
		Text:     r.Text,
		Tags:     r.Tags,
		Turns:    r.Turns,
		Cost:     r.Cost,
	}
	if d, ok := r.Decision(); ok {
		kept.Scores = []eval.Score{d}
	}
	return kept
}

// pickSuites returns the suites to compare, with a name for each source: those in all sources, or
// the only one of each.
func pickSuites(sources []RunData, wanted []string) (picked [][]string, err error) {
	for _, name := range wanted {
		for _, s := range sources {
			if err := suggest.CheckWord("suite", name, s.suiteNames()); err != nil {
				return nil, fmt.Errorf("%s: %w", s.Name, err)
			}
		}
		picked = append(picked, slices.Repeat([]string{name}, len(sources)))
	}
	if picked != nil {
		return picked, nil
	}
	single := make([]string, len(sources))
	for i, s := range sources {
		if len(s.Suites) == 1 {
			single[i] = s.Suites[0].Name
		}
	}
	for _, name := range sources[0].suiteNames() {
		if inAll(sources, func(s RunData) bool { _, ok := s.suite(name); return ok }) {
			picked = append(picked, slices.Repeat([]string{name}, len(sources)))
		}
	}
	if picked == nil && !slices.Contains(single, "") {
		picked = [][]string{single}
	}
	if picked == nil {
		return nil, fmt.Errorf("no suite is in all runs: %s has %s, %s has %s", sources[0].Name,
			suggest.Join(sources[0].suiteNames()), sources[1].Name, suggest.Join(sources[1].suiteNames()))
	}
	return picked, nil
}

func inAll(sources []RunData, holds func(RunData) bool) bool {
	return !slices.ContainsFunc(sources, func(s RunData) bool { return !holds(s) })
}
