package history

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"evalctl/agent/clock"
	"evalctl/agent/database"
	"evalctl/eval/journal"
)

// maxFolders is the maximum number of entries in a directory of runs.
const maxFolders = 100_000

// foldersError means that the directory of runs cannot be listed.
type foldersError struct{ error }

func (e *foldersError) Unwrap() error { return e.error }

// folders returns the run directories, each with a stamp (sizes and times) that changes when its
// indexed files change. It does not follow links.
func folders(dir string) (stamps map[string]string, names []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, &foldersError{err}
	}
	if len(entries) > maxFolders {
		return nil, nil, &foldersError{fmt.Errorf("%s: has more than %d entries", dir, maxFolders)}
	}
	stamps = map[string]string{}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		manifest, there := stampOf(filepath.Join(dir, e.Name(), journal.ManifestFile))
		if !there {
			continue
		}
		summary, _ := stampOf(filepath.Join(dir, e.Name(), journal.SummaryFile))
		stamps[e.Name()] = manifest + " " + summary
		names = append(names, e.Name())
	}
	return stamps, names, nil
}

func stampOf(path string) (stamp string, exists bool) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "none", false
	}
	if err != nil {
		return "unknown", true // a later read reports the error
	}
	return fmt.Sprintf("%d@%d", info.Size(), info.ModTime().UnixNano()), true
}

// indexed is a run with the data that the index stores about it.
type indexed struct {
	run        Run
	stamp      string
	conditions []condition
}

// maxPending is the number of metrics after which a transaction is written, because large
// transactions block other processes.
const maxPending = 10_000

// update adds new and changed runs to the index and removes deleted ones. It can be interrupted.
func (h *History) update(ctx context.Context) error {
	stamps, names, err := folders(h.Dir)
	if err != nil {
		return err
	}
	known, err := h.removeStale(ctx, stamps)
	if err != nil {
		return err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return known[name] })
	h.Problems = nil
	var list []indexed
	pending := 0
	for some := range slices.Chunk(names, runtime.GOMAXPROCS(0)) {
		found, problems, err := readRuns(ctx, h.Dir, some)
		if err != nil {
			return err
		}
		h.Problems = append(h.Problems, problems...)
		for _, one := range found {
			one.stamp = stamps[one.run.Name]
			list = append(list, one)
			for _, c := range one.conditions {
				pending += len(c.metrics)
			}
		}
		if pending >= maxPending {
			if err := h.write(ctx, list); err != nil {
				return err
			}
			list, pending = nil, 0
		}
	}
	if list == nil {
		return ctx.Err()
	}
	return h.write(ctx, list)
}

// readRuns reads the runs with these names at the same time. It returns an error for each unreadable
// run. The runs have no stamps.
func readRuns(ctx context.Context, dir string, names []string) (list []indexed, problems []error, err error) {
	read, errs := make([]indexed, len(names)), make([]error, len(names))
	group, _ := clock.NewGroup(ctx, 0)
	for i, name := range names {
		group.Go("read a run", func(ctx context.Context) error {
			read[i].run, read[i].conditions, errs[i] = readRun(dir, name)
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return nil, nil, err
	}
	for i, one := range read {
		if errs[i] != nil {
			problems = append(problems, errs[i])
			continue
		}
		list = append(list, one)
	}
	return list, problems, nil
}

// removeStale removes deleted and changed runs from the index. known contains the runs that remain.
func (h *History) removeStale(ctx context.Context, stamps map[string]string) (known map[string]bool, err error) {
	known = map[string]bool{}
	var stale []string
	err = h.db.View(ctx, func(tx *database.Tx) error {
		for row, err := range tx.Rows("SELECT name, stamp FROM run") {
			var name, stamp string
			if err == nil {
				err = row.Scan(&name, &stamp)
			}
			if err != nil {
				return err
			}
			if known[name] = stamps[name] == stamp; !known[name] {
				stale = append(stale, name)
			}
		}
		return nil
	})
	if err != nil || stale == nil {
		return known, err
	}
	return known, h.db.Update(ctx, func(tx *database.Tx) error {
		for _, name := range stale {
			if err := tx.Exec("DELETE FROM run WHERE name = ? AND stamp <> ?", name, stamps[name]); err != nil {
				return err
			}
		}
		return nil
	})
}

// write writes runs to the index. It replaces rows that another process wrote for the same runs.
func (h *History) write(ctx context.Context, list []indexed) error {
	return h.db.Update(ctx, func(tx *database.Tx) error {
		for _, one := range list {
			if err := add(tx, one); err != nil {
				return err
			}
		}
		return nil
	})
}

func add(tx *database.Tx, one indexed) error {
	head, err := json.Marshal(one.run)
	if err != nil {
		return err
	}
	if err := tx.Exec("DELETE FROM run WHERE name = ?", one.run.Name); err != nil {
		return err
	}
	if err := tx.Exec("INSERT INTO run (name, stamp, started, head) VALUES (?, ?, ?, ?)", one.run.Name, one.stamp,
		one.run.Started.UnixMicro(), string(head)); err != nil {
		return err
	}
	for i, c := range one.conditions {
		if err := tx.Exec("INSERT INTO cell (run, place, suite, variant, fault, trials, cases, settings) SELECT id, ?, ?, ?, ?, ?, ?, ? FROM run WHERE name = ?",
			i, c.suite, c.variant, c.fault, c.trials, c.casesID, c.settings, one.run.Name); err != nil {
			return err
		}
		metrics, err := json.Marshal(c.metrics)
		if err != nil {
			return err
		}
		if err := tx.Exec(`INSERT INTO metric (cell, name, estimate) SELECT (SELECT max(id) FROM cell), key, value
			FROM json_each(?) WHERE key IS NOT NULL`, string(metrics)); err != nil {
			return err
		}
	}
	return nil
}
