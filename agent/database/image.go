package database

import "errors"

// Image is a database as it stood, of which copies are made.
type Image struct{ bytes []byte }

// Image is db as it stands.
func (db *DB) Image() (*Image, error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	if err := db.wake(); err != nil {
		return nil, db.failed(err)
	}
	b, err := db.conn.Serialize()
	if err != nil {
		return nil, db.failed(err)
	}
	const writeVersion, readVersion, rollback = 18, 19, 1 // https://www.sqlite.org/fileformat.html, 1.3: in memory there is no WAL
	b[writeVersion], b[readVersion] = rollback, rollback
	return &Image{b}, nil
}

// Copy is a database in memory that holds what the image holds. It is made when it is
// first used: one that never is costs nothing.
func (i *Image) Copy() *DB { return &DB{name: "in memory", image: i.bytes} }

// wake makes a copy of its image.
func (db *DB) wake() error {
	if db.conn.driverConn != nil {
		return nil
	}
	if db.closed {
		return errors.New("is closed")
	}
	c, err := connect(":memory:")
	if err != nil {
		return err
	}
	if err = c.Deserialize(db.image); err == nil {
		err = c.exec("PRAGMA foreign_keys = ON")
	}
	if err != nil {
		return errors.Join(err, c.Close())
	}
	db.image = nil
	db.use(c)
	return nil
}
