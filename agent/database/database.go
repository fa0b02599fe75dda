// Package database stores tables in a SQLite file or in memory, with atomic transactions and cheap
// copies of a prepared database.
//
// It calls the SQLite driver directly, because database/sql starts goroutines that are not part of
// simulated time. For the same reason it passes no cancelable context to the driver.
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

// busyTimeoutMS is how long a transaction waits for another process, in milliseconds of wall-clock
// time.
const busyTimeoutMS = 1000

// DB is an open database. It runs one transaction at a time; other callers wait. A DB that is
// garbage-collected is closed automatically.
type DB struct {
	name     string // file name, for errors
	mu       sync.Mutex
	snapshot *Snapshot // the snapshot that this database is a copy of; nil: none
	conn     conn      // zero: not used yet, or closed
	cleanup  runtime.Cleanup
	closed   bool
}

// Open opens the database in a file, which it creates if necessary. With path "" or ":memory:" the
// database is in memory. Files of another program, of a newer version and damaged files are errors.
func Open(path string, s Schema) (*DB, error) {
	if path == "" || path == ":memory:" {
		return open("in memory", ":memory:", s)
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if err := createFile(path); err != nil {
		return nil, fmt.Errorf("database %s: %w", path, file.UnwrapPathError(err))
	}
	// without it, SQLite reports CANTOPEN as "out of memory"
	uri := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: "_error_rc=1"}
	return open(path, uri.String(), s)
}

// createFile creates the database file if it does not exist, readable only by its owner. SQLite
// gives its log the same permissions. The file is created under another name, closed and then
// linked. An existing file must not be opened here, because closing it would release SQLite's locks
// in this process.
func createFile(path string) error {
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return errors.New("is not a regular file")
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	empty, err := os.CreateTemp(filepath.Dir(path), ".evalctl-*") // mode 0600
	if err != nil {
		return err
	}
	if err = empty.Close(); err == nil {
		// Link fails if another process has just created the file. It also fails on file systems
		// without links, which have no permissions either.
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

// use sets the connection, and arranges that it is closed when db is garbage-collected.
func (db *DB) use(c conn) {
	db.conn = c
	image := db.snapshot
	db.cleanup = runtime.AddCleanup(db, func(c conn) { image.release(c) }, c) // an error cannot be reported here
}

// Close waits for the running transaction and closes the database. Further calls do nothing.
func (db *DB) Close() error {
	db.mu.Lock()
	defer db.mu.Unlock()
	c := db.conn
	db.conn, db.closed = conn{}, true
	if c.driverConn == nil {
		return nil
	}
	db.cleanup.Stop()
	return db.wrapErr(db.snapshot.release(c))
}

// Update runs f in a write transaction. If f returns nil, the changes are committed; after an error
// or a panic they are rolled back. f must not wait on a clock and must not use db.
func (db *DB) Update(ctx context.Context, f func(*Tx) error) error {
	w := db.txStatements()
	return db.run(ctx, w.begin, w.commit, f)
}

// View runs f in a transaction for reading. Changes that f makes are rolled back.
func (db *DB) View(ctx context.Context, f func(*Tx) error) error {
	w := db.txStatements()
	return db.run(ctx, w.beginRead, w.undo, f)
}

// txStatements contains the SQL statements that begin and end a transaction.
type txStatements struct{ begin, beginRead, commit, undo string }

// txStatements returns the statements for this database. The copy of a snapshot already runs inside
// one long transaction, so its transactions are savepoints.
func (db *DB) txStatements() txStatements {
	if db.snapshot != nil {
		return txStatements{
			begin:     "SAVEPOINT work",
			beginRead: "SAVEPOINT work",
			commit:    "RELEASE work",
			undo:      "ROLLBACK TO work; RELEASE work",
		}
	}
	return txStatements{
		begin:     "BEGIN IMMEDIATE",
		beginRead: "BEGIN",
		commit:    "COMMIT",
		undo:      "ROLLBACK",
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

// wrapErr adds the name of the database and an explanation to an error.
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

// explainErr adds an explanation to SQLite errors that users can act on.
func explainErr(err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return err
	}
	switch e.Code() & 0xff { // the higher bits are details
	case sqlite3.SQLITE_BUSY:
		return fmt.Errorf("another process has held it for %d ms: %w", busyTimeoutMS, err)
	case sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT:
		return fmt.Errorf("is damaged or no database: %w", err)
	}
	return err
}
