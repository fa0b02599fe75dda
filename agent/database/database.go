// Package database keeps tables in a SQLite file or in memory: one connection, whole
// transactions, and cheap copies of a database that is prepared once.
//
// It calls the driver itself, for database/sql runs goroutines that simulated time
// cannot see, and so does the driver for a context that can be cancelled.
package database

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"evalctl/agent/file"
)

// busyWait is how long a transaction waits for another process, in milliseconds of
// the wall.
const busyWait = 1000

// DB is an open database, which serves one transaction after another. One that
// nobody holds any more is closed.
type DB struct {
	name    string // of its file
	mu      sync.Mutex
	image   *Snapshot // of which it is a copy; nil: of none
	conn    conn      // none: not yet used, or closed
	cleanup runtime.Cleanup
	closed  bool
}

// Open opens the file, or makes it; with the path "" or ":memory:" the database is
// in memory and nobody else's. It refuses a file that another program or a newer
// version has written, and one that is damaged.
func Open(path string, s Schema) (*DB, error) {
	if path == "" || path == ":memory:" {
		return open("in memory", ":memory:", s)
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if err := makeFile(path); err != nil {
		return nil, fmt.Errorf("database %s: %w", path, file.StripPath(err))
	}
	uri := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: "_error_rc=1"} // else CANTOPEN is «out of memory»
	return open(path, uri.String(), s)
}

// makeFile makes a file where there is none, for its owner's eyes; the log that
// SQLite writes beside it is as visible. A file at its place must never be opened
// here: closing it would drop the locks that the process has on it. So it is made
// elsewhere and given its name when it is closed.
func makeFile(path string) error {
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return errors.New("is not a regular file")
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	empty, err := os.CreateTemp(filepath.Dir(path), ".evalctl-*") // 0600
	if err != nil {
		return err
	}
	if err = empty.Close(); err == nil {
		_ = os.Link(empty.Name(), path) // somebody was faster, or links are unknown there, and so are modes
	}
	return errors.Join(err, os.Remove(empty.Name()))
}

func open(name, dsn string, s Schema) (*DB, error) {
	c, err := connect(dsn)
	if err != nil {
		return nil, fmt.Errorf("database %s: %w", name, err)
	}
	if err := s.prepare(c); err != nil {
		return nil, errors.Join(fmt.Errorf("database %s: %w", name, explained(err)), c.Close())
	}
	db := &DB{name: name}
	db.use(c)
	return db, nil
}

// use takes the connection, and sees to it that it is closed.
func (db *DB) use(c conn) {
	db.conn = c
	image := db.image
	db.cleanup = runtime.AddCleanup(db, func(c conn) { image.release(c) }, c) // nobody is left to hear of an error
}

// Close waits for the transaction that runs. It may be called twice.
func (db *DB) Close() error {
	db.mu.Lock()
	defer db.mu.Unlock()
	c := db.conn
	db.conn, db.closed = conn{}, true
	if c.driverConn == nil {
		return nil
	}
	db.cleanup.Stop()
	return db.failed(db.image.release(c))
}

// Tx runs f in a transaction that nobody else writes beside. What f has done is kept
// when it returns nil, and else undone as a whole, also when it panics. f must not
// wait on a clock, nor use db.
func (db *DB) Tx(ctx context.Context, f func(*Tx) error) error {
	w := db.words()
	return db.run(ctx, w.begin, w.commit, f)
}

// View runs f, which only reads: what it writes is undone.
func (db *DB) View(ctx context.Context, f func(*Tx) error) error {
	w := db.words()
	return db.run(ctx, w.look, w.undo, f)
}

// words begin and end transactions.
type words struct{ begin, look, commit, undo string }

// words of a copy are those of a part of one long transaction.
func (db *DB) words() words {
	if db.image != nil {
		return words{begin: "SAVEPOINT work", look: "SAVEPOINT work", commit: "RELEASE work", undo: "ROLLBACK TO work; RELEASE work"}
	}
	return words{begin: "BEGIN IMMEDIATE", look: "BEGIN", commit: "COMMIT", undo: "ROLLBACK"}
}

func (db *DB) run(ctx context.Context, begin, end string, f func(*Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	if err := db.wake(); err != nil {
		return db.failed(err)
	}
	if err := db.conn.exec(begin); err != nil {
		return db.failed(err)
	}
	done := false
	defer func() {
		if !done {
			db.conn.exec(db.words().undo) // where it fails, the next BEGIN does
		}
	}()
	if err := f(&Tx{db: db}); err != nil {
		return err
	}
	err := db.conn.exec(end)
	done = err == nil
	return db.failed(err)
}

// failed names the database in an error.
func (db *DB) failed(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("database %s: %w", db.name, explained(err))
}

func isBusy(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && e.Code()&0xff == sqlite3.SQLITE_BUSY
}

// explained says in our words what SQLite says in its own.
func explained(err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return err
	}
	switch e.Code() & 0xff { // the rest are details
	case sqlite3.SQLITE_BUSY:
		return fmt.Errorf("another process has held it for %d ms: %w", busyWait, err)
	case sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT:
		return fmt.Errorf("is damaged or no database: %w", err)
	}
	return err
}
