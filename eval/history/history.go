// Package history tells of all runs in a folder: which there are, how a figure went
// from run to run, and since when something is broken. What it knows of them stands in
// an index, which is made anew from the folders wherever it does not fit them.
package history

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"evalctl/agent/database"
)

// History is what is known of the runs in a folder.
type History struct {
	Dir      string
	Problems []error // folders that cannot be read, and so are passed over
	Note     string  // why the index is kept in memory alone; "": it is not

	db *database.DB
}

// Open reads the index of the runs in dir, and brings it up to date. Where no file of
// an index can be kept there, it works in memory.
func Open(ctx context.Context, dir string) (*History, error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s holds no runs: no such directory", dir)
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, fmt.Errorf("%s: is no folder of runs", dir)
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

// inMemory knows the same without a file.
func inMemory(ctx context.Context, dir string, why error) (h *History, err error) {
	h = &History{Dir: dir, Note: fmt.Sprintf("the index is kept in memory: %v", why)}
	if h.db, err = database.Open("", schema()); err != nil {
		return nil, err
	}
	if err := h.update(ctx); err != nil {
		return nil, errors.Join(err, h.Close())
	}
	return h, nil
}

// Rebuild makes the index anew from the folders.
func (h *History) Rebuild(ctx context.Context) error {
	if err := h.db.Tx(ctx, func(tx *database.Tx) error { return tx.Exec("DELETE FROM run") }); err != nil {
		return err
	}
	return h.update(ctx)
}

// Close gives the index free.
func (h *History) Close() error {
	if h.db == nil {
		return nil
	}
	return h.db.Close()
}

func (h *History) closeUnless(kept bool) error {
	if kept {
		return nil
	}
	return h.Close()
}
