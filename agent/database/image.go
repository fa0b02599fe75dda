package database

import (
	"errors"
	"sync"
)

// Snapshot is a database as it stood, of which copies are made. A copy is a connection of
// its own in which a transaction runs that is never committed: when the copy is closed,
// what it has written is undone, and the next copy takes it over.
type Snapshot struct {
	bytes []byte

	mu   sync.Mutex
	idle []conn
}

// maxIdle bounds the connections that wait for the next copy.
const maxIdle = 32

// Snapshot is db as it stands.
func (db *DB) Snapshot() (*Snapshot, error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	if err := db.wake(); err != nil {
		return nil, db.failed(err)
	}
	b, err := db.serialize()
	if err != nil {
		return nil, db.failed(err)
	}
	const writeVersion, readVersion, rollback = 18, 19, 1 // https://www.sqlite.org/fileformat.html, 1.3: in memory there is no WAL
	b[writeVersion], b[readVersion] = rollback, rollback
	return &Snapshot{bytes: b}, nil
}

// serialize commits what a copy has written: no other takes that copy over.
func (db *DB) serialize() ([]byte, error) {
	if db.image != nil {
		if err := db.conn.exec("RELEASE copy"); err != nil {
			return nil, err
		}
		db.cleanup.Stop()
		db.image = nil
		db.use(db.conn)
	}
	return db.conn.Serialize()
}

// Open is a database in memory that holds what the image holds. It is made when it is
// first used: one that never is costs nothing.
func (i *Snapshot) Open() *DB { return &DB{name: "in memory", image: i} }

// wake makes a copy of its image.
func (db *DB) wake() error {
	if db.conn.driverConn != nil {
		return nil
	}
	if db.closed {
		return errors.New("is closed")
	}
	c, err := db.image.connect()
	if err == nil {
		db.use(c)
	}
	return err
}

// connect takes over a connection that nobody uses, or makes one.
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

// release undoes what a copy has written, or closes what is no copy.
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
