package compare

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"evalctl/eval"
	"evalctl/eval/suggest"
)

// RunData is a run that is over, as far as it is compared.
type RunData struct {
	Name   string // as its user calls it
	Dir    string // with its traces; "": there are none
	Suites []eval.SuiteSummary

	Data       map[string]string // hash of the cases' file, by suite; none: it is not known
	Seed       *uint64           // nil: it is not known
	Remarks    []string          // what makes the run's figures weaker than they look
	Parallel   string            // trials at once where time is real; "": not known
	NoManifest bool              // there are results alone: nothing is known of how they came about
	Partial    bool              // the run did not end
	Shard      *eval.Shard       // the part of a run that it is; nil: it is no part by design
	Results    iter.Seq2[eval.Result, error]
}

// lacks says why a source is partial.
func (s RunData) lacks() string {
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

// variantsOf lists a suite's variants, each once.
func variantsOf(s eval.SuiteSummary) (names []string) {
	for _, c := range s.Conditions {
		if !slices.Contains(names, c.Name) {
			names = append(names, c.Name)
		}
	}
	return names
}

// faultsOf lists those under which a variant was played, and none.
func faultsOf(s eval.SuiteSummary, variant string) (names []string) {
	for _, c := range s.Conditions {
		if c.Name == variant {
			names = append(names, c.Fault)
		}
	}
	return names
}

// place is where in the sources a side's results are.
type place struct {
	source int
	suite  string
	condition
}

// rowsOf reads the results of the places, case by case.
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

// caseRows are the results of a side by case, all epochs.
type caseRows map[string][]eval.Result

// trimmed keeps of a result what is compared.
func trimmed(r eval.Result) eval.Result {
	kept := eval.Result{Case: r.Case, CaseHash: r.CaseHash, Epoch: r.Epoch, Text: r.Text, Tags: r.Tags, Turns: r.Turns, Cost: r.Cost}
	if d, ok := r.Decision(); ok {
		kept.Scores = []eval.Score{d}
	}
	return kept
}

// pickSuites are the suites to compare, a name for each source: those of all
// sources, or the only one of each.
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
