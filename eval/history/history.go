// Package history reports on all runs in a directory: which runs exist, how a metric develops, and
// since when a case or a gate rule fails. It uses an index file, which it rebuilds if it does not
// match the run directories.
package history

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"evalctl/agent/database"
)

// History is an index of all runs in a directory.
type History struct {
	Dir            string  // directory that contains the run directories
	Problems       []error // errors of run directories that cannot be read; these are skipped
	InMemoryReason string  // why the index exists only in memory; "": it is stored in a file

	db *database.DB
}

// Open opens the index of the runs in dir and updates it. If no index file can be written there,
// the index exists only in memory.
func Open(ctx context.Context, dir string) (*History, error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: no such directory", dir)
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, fmt.Errorf("%s: is not a folder of runs", dir)
	}
	h := &History{Dir: dir}
	if h.db, err = openIndex(dir); err == nil {
		err = h.update(ctx)
	}
	if err == nil || ctx.Err() != nil {
		return h, errors.Join(ctx.Err(), h.closeUnless(err == nil))
	}
	if _, failed := errors.AsType[*foldersError](err); failed {
		return nil, errors.Join(err, h.Close())
	}
	if err := h.Close(); err != nil {
		return nil, err
	}
	return inMemory(ctx, dir, err)
}

func inMemory(ctx context.Context, dir string, why error) (h *History, err error) {
	h = &History{Dir: dir, InMemoryReason: fmt.Sprintf("the index is kept in memory: %v", why)}
	if h.db, err = database.Open("", schema()); err != nil {
		return nil, err
	}
	if err := h.update(ctx); err != nil {
		return nil, errors.Join(err, h.Close())
	}
	return h, nil
}

// Rebuild creates the index anew from the run directories.
func (h *History) Rebuild(ctx context.Context) error {
	if err := h.db.Update(ctx, func(tx *database.Tx) error { return tx.Exec("DELETE FROM run") }); err != nil {
		return err
	}
	return h.update(ctx)
}

// Close closes the index file.
func (h *History) Close() error {
	if h.db == nil {
		return nil
	}
	return h.db.Close()
}

func (h *History) closeUnless(ok bool) error {
	if ok {
		return nil
	}
	return h.Close()
}
