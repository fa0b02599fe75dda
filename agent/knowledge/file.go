package knowledge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// WriteLibrary computes a vector for each name of the styles and writes a library file atomically. It
// replaces an existing file.
func WriteLibrary(ctx context.Context, path string, styles []Style, e Embedder) error {
	c, err := embed(ctx, styles, e)
	if err != nil {
		return fmt.Errorf("create style library %s: %w", path, err)
	}
	m, err := c.buildImage()
	if err != nil {
		return fmt.Errorf("create style library %s: %w", path, err)
	}
	return replace(path, m)
}

// schema creates the tables of a library file. They are plain tables, because the index format of
// sqlite-vec can change between releases.
var schema = []script{
	{statement: "CREATE TABLE library (embedder TEXT NOT NULL, dimensions INTEGER NOT NULL, checksum TEXT NOT NULL)"},
	{statement: "CREATE TABLE styles (id TEXT PRIMARY KEY, zh TEXT NOT NULL, en TEXT NOT NULL, aliases TEXT NOT NULL, prompt TEXT NOT NULL)"},
	{statement: "CREATE TABLE vectors (name INTEGER PRIMARY KEY, vector BLOB NOT NULL)"},
}

// buildImage returns the bytes of the library file.
func (c content) buildImage() (databaseFile, error) {
	scripts := append(schema[:len(schema):len(schema)],
		script{"INSERT INTO library VALUES (?, ?, ?)", []any{c.embedder, c.dimensions, c.checksum()}})
	for _, s := range c.styles {
		aliases, err := json.Marshal(s.Aliases)
		if err != nil {
			return nil, err
		}
		scripts = append(scripts,
			script{"INSERT INTO styles VALUES (?, ?, ?, ?, ?)", []any{s.ID, s.ZH, s.EN, string(aliases), s.Prompt}})
	}
	for i, v := range c.vectors {
		scripts = append(scripts, script{"INSERT INTO vectors VALUES (?, ?)", []any{i, encodeVectors(v)}})
	}
	return buildImage(scripts)
}

// replace writes data to path atomically.
func replace(path string, data []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	_, err = f.Write(data)
	if err = errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
