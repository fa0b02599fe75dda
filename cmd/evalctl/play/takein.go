package play

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"iter"
	"path/filepath"
	"slices"

	"evalctl/eval"
	"evalctl/eval/journal"
)

// previousResult is the last result of a trial in a resumed run's journal: there may be a
// million.
type previousResult struct {
	line  int64
	name  uint64 // hash of the result's
	row   uint64 // hash of all that it repeats of its trial
	old   bool   // its row has no case hash
	known bool   // the plan has a trial of this name
	fits  bool   // and it repeats what the plan says
}

// loadJournal counts the results that are there; a trial that a real endpoint or the
// harness failed is played again. A result of no trial of the plan is an error:
// it would be counted beside them.
func (r *Run) loadJournal() error {
	seed := maphash.MakeSeed()
	last, err := r.last(seed)
	if err != nil {
		return err
	}
	n := int64(0)
	for res, err := range journal.ReadRunResults(r.Dir) {
		if err != nil {
			return err
		}
		n++
		r.purse.take(res)
		id, _ := journal.ParseID(res.Key)
		k := last[id]
		if k.line != n {
			continue // played again later
		}
		k.row, k.old = maphash.Bytes(seed, res.CaseFields()), res.CaseHash == ""
		last[id] = k
		switch {
		case r.outage.lost(res) || res.Error != nil && res.Error.Kind == eval.HarnessError:
			continue
		}
		r.done[id] = struct{}{}
		r.outage.add(res)
		r.plan.judge.see(res)
		if err := r.table.Add(res); err != nil {
			return cmp.Or(r.recognize(last, seed), err) // one of no cell is a stranger
		}
	}
	return r.recognize(last, seed)
}

// last finds the last result of each trial. Names are all that it reads of them: most of
// what makes a result long is read once.
func (r *Run) last(seed maphash.Seed) (map[journal.TrialID]previousResult, error) {
	last := map[journal.TrialID]previousResult{}
	n := int64(0)
	for name, err := range r.names() {
		if err != nil {
			return nil, err
		}
		n++
		id, ok := journal.ParseID(name.Key)
		if !ok {
			return nil, r.stranger(name, n)
		}
		last[id] = previousResult{line: n, name: maphash.Comparable(seed, name)}
	}
	return last, nil
}

// recognize makes sure that each result is of a trial of the plan, and repeats what that
// says.
func (r *Run) recognize(last map[journal.TrialID]previousResult, seed maphash.Seed) error {
	if len(last) == 0 {
		return nil
	}
	strangers := len(last)
	for t, err := range r.plan.trials() {
		if err != nil {
			return err
		}
		name := nameOf(t)
		id, _ := journal.ParseID(name.Key)
		if k, ok := last[id]; ok && !k.known && k.name == maphash.Comparable(seed, name) {
			k.known, k.fits = true, slices.ContainsFunc(t.EmptyResults(), func(b eval.Result) bool {
				if k.old {
					b.CaseHash = ""
				}
				return maphash.Bytes(seed, b.CaseFields()) == k.row
			})
			last[id] = k
			if k.fits {
				strangers--
			}
		}
	}
	if strangers == 0 {
		return nil
	}
	n := int64(0)
	for name, err := range r.names() {
		if err != nil {
			return err
		}
		n++
		switch id, _ := journal.ParseID(name.Key); {
		case last[id].line != n:
		case !last[id].known:
			return r.stranger(name, n)
		case !last[id].fits:
			return fmt.Errorf("%s:%d: its text, language, tags or labels are not those of case %.40q: the line was edited", r.resultsPath(), n, name.Case)
		}
	}
	return nil
}

func (r *Run) names() iter.Seq2[journal.TrialName, error] { return journal.ReadNames(r.resultsPath()) }

func (r *Run) resultsPath() string { return filepath.Join(r.Dir, journal.ResultsFile) }

func (r *Run) stranger(name journal.TrialName, line int64) error {
	return fmt.Errorf("%s:%d: is the result of no trial of this run: key %.40q, case %.40q", r.resultsPath(), line, name.Key, name.Case)
}

func nameOf(t eval.Trial) journal.TrialName {
	return journal.TrialName{Key: t.Key(), Suite: t.Condition.Suite, Variant: t.Condition.Variant, Fault: t.Condition.Fault, Case: t.Case.ID, Epoch: t.Epoch}
}
