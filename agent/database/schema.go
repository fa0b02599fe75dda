package database

import (
	"errors"
	"fmt"
)

// Schema describes the database that a program expects.
type Schema struct {
	ID         int32    // identifies the program's files (SQLite's application_id); not 0
	Migrations []string // statements, each from one version to the next
}

// settings of a connection. A committed transaction is on disk.
const settings = `PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL; PRAGMA journal_mode = WAL`

// prepare validates and upgrades a file. It does not change a file that it rejects.
func (s Schema) prepare(c conn) error {
	if err := c.exec(fmt.Sprintf("PRAGMA busy_timeout = %d", busyWait)); err != nil {
		return err
	}
	version, err := s.validate(c)
	if err != nil {
		return err
	}
	if err := applySettings(c); err != nil || version == len(s.Migrations) {
		return err
	}
	if err := c.exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	if err := s.upgrade(c); err != nil {
		return errors.Join(err, c.exec("ROLLBACK"))
	}
	return c.exec("COMMIT")
}

// applySettings applies the settings. The change to WAL does not wait for other connections, but
// transactions do, so an empty transaction waits.
func applySettings(c conn) error {
	err := c.exec(settings)
	for range 20 {
		if !isBusy(err) {
			return err
		}
		if err := c.exec("BEGIN IMMEDIATE; COMMIT"); err != nil {
			return err
		}
		err = c.exec(settings)
	}
	return err
}

// validate validates a file and returns its version.
func (s Schema) validate(c conn) (version int, err error) {
	var id, tables int
	if err := c.scanFirst("SELECT * FROM pragma_application_id, pragma_user_version, (SELECT count(*) FROM sqlite_schema)", &id, &version, &tables); err != nil {
		return 0, err
	}
	isNew := id == 0 && version == 0 && tables == 0
	if id != int(s.ID) && !isNew {
		return 0, errors.New("belongs to another program")
	}
	if version < 0 || version > len(s.Migrations) {
		return 0, fmt.Errorf("has version %d, and the newest that is known here is %d", version, len(s.Migrations))
	}
	var found string
	if err := c.scanFirst("PRAGMA quick_check(1)", &found); err != nil {
		return 0, err
	}
	if found != "ok" {
		return 0, fmt.Errorf("is damaged: %s", found)
	}
	return version, nil
}

// upgrade runs the missing migrations. Another process may have run them in the meantime.
func (s Schema) upgrade(c conn) error {
	var version int
	if err := c.scanFirst("PRAGMA user_version", &version); err != nil || version >= len(s.Migrations) {
		return err
	}
	if version < 0 {
		return errors.New("has a version below 0")
	}
	for _, step := range s.Migrations[version:] {
		if err := c.exec(step); err != nil {
			return err
		}
	}
	return c.exec(fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", s.ID, len(s.Migrations)))
}
