package compare

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"

	"evalctl/eval"
	"evalctl/eval/suggest"
)

// RunData contains everything about a finished run that a comparison needs.
type RunData struct {
	Name   string              // name of the run as the user typed it
	Dir    string              // directory of the run with its traces; "": none
	Suites []eval.SuiteSummary // summaries of the suites

	DatasetHashes map[string]string // hash of the dataset file of each suite; absent: unknown
	// field of the expectation with the label, by suite, as the target declares it; absent: unknown
	LabelFields map[string]string
	Seed        *uint64  // random seed of the run; nil: unknown
	Caveats     []string // limits of the run's results that a reader must know
	Parallel    string   // number of parallel trials in real time; "": unknown
	// the data come from results alone, without a manifest (the file with the settings of a run)
	NoManifest bool
	Partial    bool                          // the run did not finish, or is only a shard
	Shard      *eval.Shard                   // shard that this run executed; nil: the whole run
	Results    iter.Seq2[eval.Result, error] // results of all trials, in any order
	Prompts    []Prompt                      // prompts that the run stored
}

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

func variantsOf(s eval.SuiteSummary) (names []string) {
	for _, c := range s.Conditions {
		if !slices.Contains(names, c.Variant) {
			names = append(names, c.Variant)
		}
	}
	return names
}

func faultsOf(s eval.SuiteSummary, variant string) (names []string) {
	for _, c := range s.Conditions {
		if c.Variant == variant {
			names = append(names, c.Fault)
		}
	}
	return names
}

// sideKey identifies one side of a comparison: the index of a run, with suite, variant and fault.
type sideKey struct {
	source int
	suite  string
	condition
}

// rowsOf reads the results of the given sides from all runs and groups them by case.
func rowsOf(sources []RunData, places map[sideKey]bool) (map[sideKey]caseRows, error) {
	found := map[sideKey]caseRows{}
	for i, s := range sources {
		for r, err := range s.Results {
			if err != nil {
				return nil, err
			}
			at := sideKey{source: i, suite: r.Suite, condition: conditionOf(r)}
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

// caseRows contains the results of one side, grouped by case ID, with all epochs.
type caseRows map[string][]eval.Result

// hashes returns the content of each case by ID.
func (rows caseRows) hashes() map[string]eval.CaseHash {
	list := map[string]eval.CaseHash{}
	for id, results := range rows {
		list[id] = results[0].CaseHash
	}
	return list
}

// renamedAs returns the rows with the IDs of the first side for cases that have another ID there.
func (rows caseRows) renamedAs(first caseRows) caseRows {
	renamed := eval.RenamedCases(first.hashes(), rows.hashes())
	if len(renamed) == 0 {
		return rows
	}
	rows = maps.Clone(rows)
	for id, old := range renamed {
		rows[old] = rows[id]
		delete(rows, id)
	}
	return rows
}

// trimmed returns a copy of the result with only the fields that are compared, to save memory.
func trimmed(r eval.Result) eval.Result {
	kept := eval.Result{
		Case:     r.Case,
		CaseHash: r.CaseHash,
		Epoch:    r.Epoch,
		Text:     r.Text,
		Tags:     r.Tags,
		Turns:    r.Turns,
		Cost:     r.Cost,
		Tokens:   r.Tokens,
		Error:    r.Error,
	}
	if d, ok := r.Decision(); ok {
		kept.Scores = []eval.Score{d}
	}
	return kept
}

// pickSuites returns the suites to compare, each with its name in every run. These are the suites
// that all runs have, or else the only suite of each run.
func pickSuites(sources []RunData, wanted []string) (picked [][]string, err error) {
	for _, name := range wanted {
		for _, s := range sources {
			if err := suggest.CheckKnown("suite", name, s.suiteNames()); err != nil {
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
			suggest.JoinWords(sources[0].suiteNames()), sources[1].Name, suggest.JoinWords(sources[1].suiteNames()))
	}
	return picked, nil
}

func inAll(sources []RunData, holds func(RunData) bool) bool {
	return !slices.ContainsFunc(sources, func(s RunData) bool { return !holds(s) })
}
