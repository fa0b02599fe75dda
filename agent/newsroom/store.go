package newsroom

import (
	"context"
	"fmt"

	"evalctl/agent/database"
)

// FileStore stores conversations in a SQLite file, so that another process can resume them. It is
// safe for concurrent use.
type FileStore struct{ db *database.DB }

var _ ThreadStore = (*FileStore)(nil)

// maxStoredThreads is the maximum number of conversations in a file. The oldest are deleted.
const maxStoredThreads = 100_000

var schema = database.Schema{ID: 0x6e657773, Migrations: []string{`
	CREATE TABLE threads (at INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, saved BLOB NOT NULL) STRICT`}}

// OpenFileStore opens the file at path, or creates it.
func OpenFileStore(path string) (*FileStore, error) {
	db, err := database.Open(path, schema)
	return &FileStore{db: db}, err
}

// Close closes the file.
func (s *FileStore) Close() error { return s.db.Close() }

// Load returns the stored state of a conversation; nil if there is none.
func (s *FileStore) Load(ctx context.Context, id string) (saved []byte, err error) {
	err = s.db.View(ctx, func(tx *database.Tx) error {
		for row, err := range tx.Rows("SELECT saved FROM threads WHERE id = ?", id) {
			if err != nil {
				return err
			}
			return row.Scan(&saved)
		}
		return nil
	})
	return saved, err
}

// Save stores the state of a conversation and replaces the previous one.
func (s *FileStore) Save(ctx context.Context, id string, saved []byte) error {
	return s.db.Update(ctx, func(tx *database.Tx) error {
		if err := tx.Exec("INSERT OR REPLACE INTO threads (id, saved) VALUES (?, ?)", id, saved); err != nil {
			return err
		}
		return tx.Exec("DELETE FROM threads WHERE at <= (SELECT max(at) FROM threads) - ?", maxStoredThreads)
	})
}

// openThreads opens the file with stored conversations. If path is "", it returns nil, and each
// Agent stores them in memory.
func openThreads(path string) (ThreadStore, error) {
	if path == "" {
		return nil, nil
	}
	s, err := OpenFileStore(path)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	return s, nil
}
