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

// previousResult describes the last stored result of a trial. It is small, as there may be a
// million.
type previousResult struct {
	line       int64
	name       uint64 // hash of the suite, variant, fault, case and epoch
	row        uint64 // hash of the fields that the result repeats from its case
	isUnhashed bool   // the result has no case hash
	isKnown    bool   // the plan contains this trial
	matches    bool   // the fields of the result match the case in the plan
}

// loadJournal reads the stored results of a resumed run and adds them to its metrics. Trials that a
// real endpoint did not answer, or in which evalctl itself failed, are not added: they run again.
// It returns an error for a result that belongs to no trial of the plan.
func (r *Run) loadJournal() error {
	seed := maphash.MakeSeed()
	last, err := r.lastResults(seed)
	if err != nil {
		return err
	}
	n := int64(0)
	for res, err := range journal.ReadRunResults(r.Dir) {
		if err != nil {
			return err
		}
		n++
		r.spend.addStored(res)
		id, _ := journal.ParseTrialID(res.Key)
		k := last[id]
		if k.line != n {
			continue // a later line has another result of the same trial
		}
		k.row, k.isUnhashed = maphash.Bytes(seed, res.EncodeCaseFields()), res.CaseHash == ""
		last[id] = k
		switch {
		case r.health.lost(res) || res.Error != nil && res.Error.Kind == eval.HarnessError:
			continue
		}
		r.done[id] = struct{}{}
		r.health.add(res)
		r.plan.gateChecker.addResult(res)
		if err := r.table.Add(res); err != nil {
			// if the result belongs to no trial, checkStored returns a clearer error
			return cmp.Or(r.checkStored(last, seed), err)
		}
	}
	return r.checkStored(last, seed)
}

// lastResults finds the last stored result of each trial. To save time, it decodes only the fields
// that identify the trial.
func (r *Run) lastResults(seed maphash.Seed) (map[journal.TrialID]previousResult, error) {
	last := map[journal.TrialID]previousResult{}
	n := int64(0)
	for name, err := range r.names() {
		if err != nil {
			return nil, err
		}
		n++
		id, ok := journal.ParseTrialID(name.Key)
		if !ok {
			return nil, r.unknownTrial(name, n)
		}
		last[id] = previousResult{line: n, name: maphash.Comparable(seed, name)}
	}
	return last, nil
}

// checkStored returns an error for a stored result that belongs to no trial of the plan or does not
// match its case.
func (r *Run) checkStored(last map[journal.TrialID]previousResult, seed maphash.Seed) error {
	if len(last) == 0 {
		return nil
	}
	strangers := len(last)
	for t, err := range r.plan.shardTrials() {
		if err != nil {
			return err
		}
		name := nameOf(t)
		id, _ := journal.ParseTrialID(name.Key)
		if k, ok := last[id]; ok && !k.isKnown && k.name == maphash.Comparable(seed, name) {
			k.isKnown, k.matches = true, slices.ContainsFunc(t.EmptyResults(), func(b eval.Result) bool {
				if k.isUnhashed {
					b.CaseHash = ""
				}
				return maphash.Bytes(seed, b.EncodeCaseFields()) == k.row
			})
			last[id] = k
			if k.matches {
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
		switch id, _ := journal.ParseTrialID(name.Key); {
		case last[id].line != n:
		case !last[id].isKnown:
			return r.unknownTrial(name, n)
		case !last[id].matches:
			return fmt.Errorf("%s:%d: its text, language, tags or labels are not those of case %.40q: the line was edited", r.resultsPath(), n, name.Case)
		}
	}
	return nil
}

func (r *Run) names() iter.Seq2[journal.TrialName, error] {
	return journal.ReadTrialNames(r.resultsPath())
}

func (r *Run) resultsPath() string { return filepath.Join(r.Dir, journal.ResultsFile) }

func (r *Run) unknownTrial(name journal.TrialName, line int64) error {
	return fmt.Errorf("%s:%d: is the result of no trial of this run: key %.40q, case %.40q", r.resultsPath(),
		line, name.Key, name.Case)
}

func nameOf(t eval.Trial) journal.TrialName {
	return journal.TrialName{
		Key:     t.Key(),
		Suite:   t.Condition.Suite,
		Variant: t.Condition.Variant,
		Fault:   t.Condition.Fault,
		Case:    t.Case.ID,
		Epoch:   t.Epoch,
	}
}
