package history

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"evalctl/agent/database"
	"evalctl/eval/journal"
)

// IndexFile is the name of the index file in a directory of runs. It can be deleted at any time,
// because it is rebuilt.
const IndexFile = ".history.db"

// schema returns the tables of the index. It has only one version: an index of another version is
// rebuilt, not migrated.
func schema() database.Schema {
	return database.Schema{ID: 0x65_76_68_32, Migrations: []string{`
		CREATE TABLE run (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, stamp TEXT NOT NULL, started INTEGER NOT NULL,
			head TEXT NOT NULL, verdicts INTEGER NOT NULL DEFAULT 0);
		CREATE TABLE cell (id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, place INTEGER NOT NULL,
			suite TEXT NOT NULL, variant TEXT NOT NULL, fault TEXT NOT NULL, trials INTEGER NOT NULL, cases TEXT NOT NULL, settings TEXT NOT NULL);
		CREATE INDEX cell_of ON cell (run);
		CREATE TABLE metric (cell INTEGER NOT NULL REFERENCES cell ON DELETE CASCADE, name TEXT NOT NULL, estimate TEXT NOT NULL,
			PRIMARY KEY (cell, name)) WITHOUT ROWID;
		CREATE TABLE verdict (cell INTEGER NOT NULL REFERENCES cell ON DELETE CASCADE, of TEXT NOT NULL, "right" INTEGER NOT NULL, judged INTEGER NOT NULL,
			PRIMARY KEY (cell, of)) WITHOUT ROWID;`}}
}

// openIndex opens the index in dir. It deletes a damaged index, or one of another version, and
// creates a new one. A lock on the directory prevents two processes from deleting each other's new
// index.
func openIndex(dir string) (*database.DB, error) {
	path := filepath.Join(dir, IndexFile)
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	db, err := database.Open(path, schema())
	if err == nil || !exists(path) {
		return db, err
	}
	held, busy := journal.LockFile(dir)
	if busy != nil {
		return nil, busy
	}
	defer held.Close()
	if db, err = database.Open(path, schema()); err == nil {
		return db, nil // another process has already rebuilt the index
	}
	for _, name := range []string{path + "-wal", path + "-shm", path} {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return database.Open(path, schema())
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
