package history

import (
	"context"
	"fmt"
	"path/filepath"

	"evalctl/agent/database"
	"evalctl/eval"
	"evalctl/eval/runs"
)

// maxVerdicts is the maximum number of trials without a fault for which the index stores the
// verdicts of a run.
const maxVerdicts = 200_000

// States of the verdicts of a run in the index: not read yet, read, too many, or unreadable.
const (
	verdictsUnread = iota
	verdictsRead
	verdictsTooMany
	verdictsBroken
)

// tally counts the scored and the correct epochs of a case in one condition.
type tally struct{ correct, scored int64 }

// key identifies a tally by suite, variant and case ID.
type key struct{ suite, variant, of string }

// readVerdicts adds the verdicts of all runs to the index that are not there yet. This happens only
// when a case history is requested, because it must read all results.
func (h *History) readVerdicts(ctx context.Context) error {
	names, err := h.queryTexts(ctx,
		"SELECT name FROM run WHERE verdicts = ? AND EXISTS (SELECT * FROM cell WHERE run = run.id)", verdictsUnread)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		found, state, err := verdictsOf(filepath.Join(h.Dir, name))
		if err != nil {
			found, state = nil, verdictsBroken
		}
		if err := h.db.Update(ctx,
			func(tx *database.Tx) error { return addVerdicts(tx, name, found, state) }); err != nil {
			return err
		}
	}
	return h.reportUnread(ctx)
}

// reportUnread adds an error to Problems for each run whose verdicts are unknown.
func (h *History) reportUnread(ctx context.Context) error {
	for state, why := range map[int]string{
		verdictsTooMany: fmt.Sprintf("has more than %d trials without a fault: its cases are left out",
			maxVerdicts),
		verdictsBroken: "its results cannot be read: its cases are left out",
	} {
		names, err := h.queryTexts(ctx, "SELECT name FROM run WHERE verdicts = ? ORDER BY name", state)
		if err != nil {
			return err
		}
		for _, name := range names {
			h.Problems = append(h.Problems, fmt.Errorf("%s: %s", filepath.Join(h.Dir, name), why))
		}
	}
	return nil
}

func verdictsOf(path string) (map[key]tally, int, error) {
	r, err := runs.Open(path)
	if err != nil {
		return nil, 0, err
	}
	found := map[key]tally{}
	n := 0
	for res, err := range r.Results() {
		if err != nil {
			return nil, 0, err
		}
		if res.Fault != "" && res.Fault != eval.NoFault {
			continue
		}
		if n++; n > maxVerdicts {
			return nil, verdictsTooMany, nil
		}
		d, ok := res.Decision()
		if !ok || d.Verdict == eval.Unscored {
			continue
		}
		at := key{suite: res.Suite, variant: res.Variant, of: res.Case}
		t := found[at]
		t.scored++
		if d.Verdict == eval.Pass {
			t.correct++
		}
		found[at] = t
	}
	return found, verdictsRead, nil
}

func addVerdicts(tx *database.Tx, run string, found map[key]tally, state int) error {
	if err := tx.Exec("DELETE FROM verdict WHERE cell IN (SELECT cell.id FROM cell JOIN run ON cell.run = run.id WHERE run.name = ?)", run); err != nil {
		return err
	}
	conditions := map[[2]string]int64{}
	for row, err := range tx.Rows(
		"SELECT cell.id, suite, variant FROM cell JOIN run ON cell.run = run.id WHERE run.name = ? AND fault = ?",
		run, eval.NoFault) {
		var id int64
		var suite, variant string
		if err == nil {
			err = row.Scan(&id, &suite, &variant)
		}
		if err != nil {
			return err
		}
		conditions[[2]string{suite, variant}] = id
	}
	for at, t := range found {
		id, there := conditions[[2]string{at.suite, at.variant}]
		if !there {
			continue // the summary does not contain this condition
		}
		if err := tx.Exec(`INSERT INTO verdict (cell, of, "right", judged) VALUES (?, ?, ?, ?)`, id, at.of, t.correct,
			t.scored); err != nil {
			return err
		}
	}
	return tx.Exec("UPDATE run SET verdicts = ? WHERE name = ?", state, run)
}
