// Package database stores tables in a SQLite file or in memory: one connection, atomic
// transactions, and cheap copies of a prepared database.
//
// It calls the driver directly, because database/sql starts goroutines that are not part of
// simulated time. So does the driver for a context that can be canceled.
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

// busyWait is how long a transaction waits for another process, in milliseconds of real time.
const busyWait = 1000

// DB is an open database, which runs one transaction at a time. It is closed when it is
// garbage-collected.
type DB struct {
	name    string // of its file
	mu      sync.Mutex
	image   *Snapshot // the snapshot that it is a copy of; nil: none
	conn    conn      // zero: not used yet, or closed
	cleanup runtime.Cleanup
	closed  bool
}

// Open opens or creates the file. With path "" or ":memory:" the database is private and in memory.
// It rejects files of another program or of a newer version, and damaged ones.
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
	// otherwise CANTOPEN is reported as «out of memory»
	uri := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: "_error_rc=1"}
	return open(path, uri.String(), s)
}

// makeFile creates the file if it does not exist, readable only by its owner. SQLite gives its log
// the same permissions. An existing file must not be opened here, because closing it would drop the
// locks of the process. Therefore the file is created under another name, closed, and then linked.
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
		// fails if the file was created concurrently, or on file systems without links, which have
		// no modes either
		_ = os.Link(empty.Name(), path)
	}
	return errors.Join(err, os.Remove(empty.Name()))
}

func open(name, dsn string, s Schema) (*DB, error) {
	c, err := connect(dsn)
	if err != nil {
		return nil, fmt.Errorf("database %s: %w", name, err)
	}
	if err := s.prepare(c); err != nil {
		return nil, errors.Join(fmt.Errorf("database %s: %w", name, explainErr(err)), c.Close())
	}
	db := &DB{name: name}
	db.use(c)
	return db, nil
}

// use sets the connection and arranges that it is closed.
func (db *DB) use(c conn) {
	db.conn = c
	image := db.image
	db.cleanup = runtime.AddCleanup(db, func(c conn) { image.release(c) }, c) // an error could not be reported
}

// Close waits for the running transaction. It may be called twice.
func (db *DB) Close() error {
	db.mu.Lock()
	defer db.mu.Unlock()
	c := db.conn
	db.conn, db.closed = conn{}, true
	if c.driverConn == nil {
		return nil
	}
	db.cleanup.Stop()
	return db.wrapErr(db.image.release(c))
}

// Tx runs f in a write transaction. The changes are committed if f returns nil, otherwise rolled
// back, also after a panic. f must not wait on a clock and must not use db.
func (db *DB) Tx(ctx context.Context, f func(*Tx) error) error {
	w := db.txStatements()
	return db.run(ctx, w.begin, w.commit, f)
}

// View runs f for reading. Changes are rolled back.
func (db *DB) View(ctx context.Context, f func(*Tx) error) error {
	w := db.txStatements()
	return db.run(ctx, w.look, w.undo, f)
}

// txStatements are the statements that begin and end transactions.
type txStatements struct{ begin, look, commit, undo string }

// txStatements returns the statements. A copy runs in one long transaction, so its transactions are
// savepoints.
func (db *DB) txStatements() txStatements {
	if db.image != nil {
		return txStatements{
			begin:  "SAVEPOINT work",
			look:   "SAVEPOINT work",
			commit: "RELEASE work",
			undo:   "ROLLBACK TO work; RELEASE work",
		}
	}
	return txStatements{
		begin:  "BEGIN IMMEDIATE",
		look:   "BEGIN",
		commit: "COMMIT",
		undo:   "ROLLBACK",
	}
}

func (db *DB) run(ctx context.Context, begin, end string, f func(*Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	if err := db.ensureConn(); err != nil {
		return db.wrapErr(err)
	}
	if err := db.conn.exec(begin); err != nil {
		return db.wrapErr(err)
	}
	done := false
	defer func() {
		if !done {
			db.conn.exec(db.txStatements().undo) // if it fails, the next BEGIN fails
		}
	}()
	if err := f(&Tx{db: db}); err != nil {
		return err
	}
	err := db.conn.exec(end)
	done = err == nil
	return db.wrapErr(err)
}

// wrapErr adds the name of the database to an error.
func (db *DB) wrapErr(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("database %s: %w", db.name, explainErr(err))
}

func isBusy(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && e.Code()&0xff == sqlite3.SQLITE_BUSY
}

// explainErr adds an explanation to an error of SQLite.
func explainErr(err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return err
	}
	switch e.Code() & 0xff { // the higher bits are details
	case sqlite3.SQLITE_BUSY:
		return fmt.Errorf("another process has held it for %d ms: %w", busyWait, err)
	case sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT:
		return fmt.Errorf("is damaged or no database: %w", err)
	}
	return err
}
