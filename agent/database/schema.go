package database

import (
	"errors"
	"fmt"
)

// Schema describes the tables that a program expects in its database.
type Schema struct {
	ID         int32    // identifies database files of the program (SQLite's application_id); not 0
	Migrations []string // SQL statements; element i upgrades version i to version i+1
}

// settings configures a connection so that a committed transaction is on disk.
const settings = `PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL; PRAGMA journal_mode = WAL`

// prepare validates and upgrades the database. It does not change a file that is invalid.
func (s Schema) prepare(c conn) error {
	if err := c.exec(fmt.Sprintf("PRAGMA busy_timeout = %d", busyTimeoutMS)); err != nil {
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

// applySettings executes settings. The change to WAL mode fails at once if another connection is
// active. Transactions do wait, so an empty transaction is run before the next attempt.
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

// validate checks that the database is the program's and not damaged, and returns its version.
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

// upgrade runs the missing migrations. It reads the version again, because another process may have
// run them in the meantime.
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
