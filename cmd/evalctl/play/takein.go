package play

import (
	"fmt"
	"hash/maphash"
	"path/filepath"

	"evalctl/eval"
	"evalctl/eval/journal"
)

// kept is the last result of a trial in a resumed run's journal: there may be a
// million.
type kept struct {
	line  int
	place uint64 // hash of the place that the result names
	known bool   // the plan has this trial at this place
}

// place is where in a run a trial stands.
type place struct {
	suite, variant, fault, id string
	epoch                     int
}

// takeIn counts the results that are there; a trial that a real endpoint or the
// harness failed is played again. A result of no trial of the plan is an error:
// it would be counted beside them.
func (r *Run) takeIn() error {
	last, err := r.last()
	if err != nil {
		return err
	}
	n := 0
	for res, err := range journal.Results(r.Dir) {
		if err != nil {
			return err
		}
		n++
		r.purse.take(res)
		switch k := last[res.Key]; {
		case k.line != n:
			continue // played again later
		case !k.known:
			return fmt.Errorf("%s:%d: is the result of no trial of this run: key %.40q, case %.40q",
				filepath.Join(r.Dir, journal.ResultsFile), n, res.Key, res.Case)
		case r.outage.lost(res) || res.Error != nil && res.Error.Kind == eval.HarnessError:
			continue
		}
		r.done[res.Key] = struct{}{}
		r.outage.add(res)
		r.plan.judge.see(res)
		if err := r.table.Add(res); err != nil {
			return err
		}
	}
	return nil
}

// last finds the last result of each trial, and which trial of the plan it is of.
func (r *Run) last() (map[string]kept, error) {
	last, seed := map[string]kept{}, maphash.MakeSeed()
	n := 0
	for res, err := range journal.Results(r.Dir) {
		if err != nil {
			return nil, err
		}
		n++
		at := place{suite: res.Suite, variant: res.Variant, fault: res.Fault, id: res.Case, epoch: res.Epoch}
		last[res.Key] = kept{line: n, place: maphash.Comparable(seed, at)}
	}
	for t, err := range r.plan.trials() {
		if err != nil {
			return nil, err
		}
		if k, ok := last[t.Key()]; ok {
			k.known = k.place == maphash.Comparable(seed, placeOf(t))
			last[t.Key()] = k
		}
	}
	return last, nil
}

func placeOf(t eval.Trial) place {
	return place{suite: t.Cell.Suite, variant: t.Cell.Variant, fault: t.Cell.Fault, id: t.Case.ID, epoch: t.Epoch}
}
