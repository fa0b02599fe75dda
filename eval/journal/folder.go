package journal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Begin makes the folder of a new run, with its manifest and an empty journal,
// once ready agrees to what is in the folder. What is wrong leaves nothing
// behind that looks like a run.
func Begin(dir string, m Manifest, ready func() error) (*Writer, error) {
	var made []string
	for d := filepath.Clean(dir); missing(d); d = filepath.Dir(d) {
		made = append(made, d)
	}
	w, err := begin(dir, m, ready)
	for i := 0; err != nil && i < len(made) && !missing(made[i]); i++ {
		err = errors.Join(err, os.Remove(made[i]))
	}
	return w, err
}

// begin writes the manifest before the journal: a run that is killed between
// the two can go on.
func begin(dir string, m Manifest, ready func() error) (*Writer, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	for _, name := range []string{ManifestFile, ResultsFile} {
		if !missing(filepath.Join(dir, name)) {
			return nil, held(dir)
		}
	}
	if err := ready(); err != nil {
		return nil, err
	}
	if err := m.Write(dir); err != nil {
		return nil, err
	}
	w, err := Create(dir)
	if err != nil {
		return nil, errors.Join(err, os.Remove(filepath.Join(dir, ManifestFile)))
	}
	return w, nil
}

func missing(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}
