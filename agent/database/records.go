package database

import (
	"context"
	"fmt"
)

// RecordStore stores texts by ID in a SQLite file. It is safe for concurrent use.
type RecordStore struct {
	db   *DB
	most int
}

// OpenRecordStore opens the file at path, or creates it. id identifies the kind of file, as in
// Schema. If the file has more than most records, the oldest are deleted.
func OpenRecordStore(path string, id int32, most int) (*RecordStore, error) {
	db, err := Open(path, Schema{ID: id, Migrations: []string{`
	CREATE TABLE records (at INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, content TEXT NOT NULL) STRICT`}})
	if err != nil {
		return nil, err
	}
	return &RecordStore{db: db, most: most}, nil
}

// Load returns a record; ok is false if there is none.
func (r *RecordStore) Load(ctx context.Context, id string) (content string, ok bool, err error) {
	err = r.db.View(ctx, func(tx *Tx) error {
		for row, err := range tx.Rows("SELECT content FROM records WHERE id = ?", id) {
			if err != nil {
				return err
			}
			ok = true
			return row.Scan(&content)
		}
		return nil
	})
	if err != nil {
		return "", false, fmt.Errorf("load %.40q: %w", id, err)
	}
	return content, ok, nil
}

// Save stores a record and replaces the previous one with this ID.
func (r *RecordStore) Save(ctx context.Context, id, content string) error {
	err := r.db.Update(ctx, func(tx *Tx) error {
		if err := tx.Exec("INSERT OR REPLACE INTO records (id, content) VALUES (?, ?)", id, content); err != nil {
			return err
		}
		return tx.Exec("DELETE FROM records WHERE at <= (SELECT max(at) FROM records) - ?", r.most)
	})
	if err != nil {
		return fmt.Errorf("save %.40q: %w", id, err)
	}
	return nil
}

// Close closes the file.
func (r *RecordStore) Close() error { return r.db.Close() }
