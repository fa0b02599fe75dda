package database

import (
	"errors"
	"sync"
)

// Snapshot is the state of a database at one time, from which in-memory copies are created. A copy
// is a connection with a transaction that is never committed. When the copy is closed, its changes
// are rolled back and the connection becomes the next copy.
type Snapshot struct {
	bytes []byte

	mu   sync.Mutex
	idle []conn
}

// maxIdle limits the connections that wait to become the next copy.
const maxIdle = 32

// Snapshot returns the current state of db.
func (db *DB) Snapshot() (*Snapshot, error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	if err := db.ensureConn(); err != nil {
		return nil, db.wrapErr(err)
	}
	b, err := db.serialize()
	if err != nil {
		return nil, db.wrapErr(err)
	}
	// offsets of the format versions in the file header (https://www.sqlite.org/fileformat.html,
	// 1.3), and the version without WAL, which a database in memory cannot use
	const writeVersion, readVersion, rollback = 18, 19, 1
	b[writeVersion], b[readVersion] = rollback, rollback
	return &Snapshot{bytes: b}, nil
}

// serialize returns the content of the database. If db is a copy, its changes are committed first,
// so its connection cannot be reused.
func (db *DB) serialize() ([]byte, error) {
	if db.snapshot != nil {
		if err := db.conn.exec("RELEASE copy"); err != nil {
			return nil, err
		}
		db.cleanup.Stop()
		db.snapshot = nil
		db.use(db.conn)
	}
	return db.conn.Serialize()
}

// Open returns an in-memory copy, created at its first use, so that an unused copy costs nothing.
func (i *Snapshot) Open() *DB { return &DB{name: "in memory", snapshot: i} }

// ensureConn creates the connection of a copy at its first use.
func (db *DB) ensureConn() error {
	if db.conn.driverConn != nil {
		return nil
	}
	if db.closed {
		return errors.New("is closed")
	}
	c, err := db.snapshot.connect()
	if err == nil {
		db.use(c)
	}
	return err
}

// connect returns a connection with the content of the snapshot, an idle one if possible.
func (i *Snapshot) connect() (conn, error) {
	if c, ok := i.take(); ok {
		return c, nil
	}
	c, err := connect(":memory:")
	if err != nil {
		return c, err
	}
	if err = c.Deserialize(i.bytes); err == nil {
		err = c.exec("PRAGMA foreign_keys = ON; SAVEPOINT copy")
	}
	if err != nil {
		return conn{}, errors.Join(err, c.Close())
	}
	return c, nil
}

func (i *Snapshot) take() (c conn, ok bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	last := len(i.idle) - 1
	if last < 0 {
		return c, false
	}
	c, i.idle = i.idle[last], i.idle[:last]
	return c, true
}

// release ends the use of a connection. The changes of a copy are rolled back, so that the
// connection can be reused. All other connections are closed.
func (i *Snapshot) release(c conn) error {
	if i == nil || c.exec("ROLLBACK TO copy") != nil {
		return c.Close()
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if len(i.idle) == maxIdle {
		return c.Close()
	}
	i.idle = append(i.idle, c)
	return nil
}
