package database_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"evalctl/agent/database"
)

var schema = database.Schema{ID: 0x6e6f7465, Migrations: []string{`
	CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
	CREATE VIRTUAL TABLE words USING fts5(text, content='', contentless_delete=1)`}}

func fill(b testing.TB, db *database.DB, rows int) {
	err := db.Update(context.Background(), func(tx *database.Tx) error {
		for i := range rows {
			text := fmt.Sprintf("note %d says that %d follows %d and so on, for a line of about a hundred bytes or a few more", i, i+1, i)
			if err := tx.Exec("INSERT INTO notes (id, text) VALUES (?, ?)", i+1, text); err != nil {
				return err
			}
			if err := tx.Exec("INSERT INTO words (rowid, text) VALUES (?, ?)", i+1, text); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
}

func count(db *database.DB) (n int, err error) {
	err = db.View(context.Background(), func(tx *database.Tx) error {
		for row, err := range tx.Rows("SELECT count(*) FROM notes") {
			if err != nil {
				return err
			}
			return row.Scan(&n)
		}
		return nil
	})
	return n, err
}

// BenchmarkCopy measures a copy of 400 rows that is used once, as in a trial.
func BenchmarkCopy(b *testing.B) {
	db, err := database.Open("", schema)
	if err != nil {
		b.Fatal(err)
	}
	fill(b, db, 400)
	image, err := db.Snapshot()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		c := image.Open()
		if n, err := count(c); n != 400 || err != nil {
			b.Fatal(n, err)
		}
		c.Close()
	}
}

// BenchmarkOpenLarge measures opening a file of 100,000 rows, including its validation.
func BenchmarkOpenLarge(b *testing.B) {
	path := filepath.Join(b.TempDir(), "large.db")
	db, err := database.Open(path, schema)
	if err != nil {
		b.Fatal(err)
	}
	fill(b, db, 100_000)
	db.Close()
	for b.Loop() {
		db, err := database.Open(path, schema)
		if err != nil {
			b.Fatal(err)
		}
		db.Close()
	}
}
