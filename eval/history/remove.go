package history

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"evalctl/eval/journal"
	"evalctl/eval/suggest"
)

// RemovalFilter picks runs to remove.
type RemovalFilter struct {
	Before time.Time // that began before; zero: none
	Keep   int       // besides those that are not among the newest so many; 0: none
}

// SelectForRemoval are the names of runs that are named, and of those that are old. Where both
// limits are given, what is old is beyond both.
func (h *History) SelectForRemoval(ctx context.Context, named []string, old RemovalFilter) ([]string, error) {
	list, err := h.Runs(ctx)
	if err != nil {
		return nil, err
	}
	_, known, err := folders(h.Dir) // also those whose files cannot be read
	if err != nil {
		return nil, err
	}
	var picked []string
	for i, r := range list {
		late := old.Before.IsZero() || r.Started.Before(old.Before)
		beyond := old.Keep == 0 || i >= old.Keep
		if (!old.Before.IsZero() || old.Keep > 0) && late && beyond {
			picked = append(picked, r.Name)
		}
	}
	for _, name := range named {
		if dir, base := filepath.Split(filepath.Clean(name)); dir != "" && filepath.Clean(dir) == filepath.Clean(h.Dir) {
			name = base // as shells complete it
		}
		if err := suggest.CheckWord("run", name, known); err != nil {
			return nil, err
		}
		if !slices.Contains(picked, name) {
			picked = append(picked, name)
		}
	}
	return picked, nil
}

// Removed is what became of a run's folder.
type Removed struct {
	Name      string
	Bytes     int64
	Remaining []string // what is no file of a run, and so keeps the folder
	Err       error    // why nothing of it was removed; of a file that could not be, what is left is a broken run
}

// Remove deletes the files of a run and then its folder, unless something else is in
// it. It follows no link, and leaves a run alone that is being played. A dry one only
// tells.
func (h *History) Remove(name string, dry bool) Removed {
	out := Removed{Name: name}
	out.Err = h.remove(name, dry, &out)
	return out
}

func (h *History) remove(name string, dry bool, out *Removed) (err error) {
	root, err := os.OpenRoot(h.Dir)
	if err != nil {
		return err
	}
	defer root.Close()
	path := filepath.Join(h.Dir, name)
	info, err := root.Lstat(name)
	switch {
	case err != nil:
		return err
	case name != filepath.Base(name) || !info.IsDir():
		return fmt.Errorf("%s: is no folder of a run", path)
	}
	if _, err := root.Lstat(filepath.Join(name, journal.ManifestFile)); err != nil {
		return fmt.Errorf("%s contains no run: it has no %s", path, journal.ManifestFile)
	}
	if results, err := root.Lstat(filepath.Join(name, journal.ResultsFile)); err == nil && results.Mode().IsRegular() {
		held, err := journal.LockFile(filepath.Join(path, journal.ResultsFile))
		if err != nil {
			return err
		}
		defer held.Close()
	}
	entries, err := fs.ReadDir(root.FS(), filepath.ToSlash(name))
	if err != nil {
		return err
	}
	var files []string
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			return err
		}
		if !isOfRun(e.Name()) || info.IsDir() {
			out.Remaining = append(out.Remaining, e.Name())
			continue
		}
		files = append(files, filepath.Join(name, e.Name()))
		out.Bytes += info.Size()
	}
	if dry {
		return nil
	}
	for _, f := range files {
		if err := root.Remove(f); err != nil {
			return err
		}
	}
	if out.Remaining != nil {
		return nil
	}
	return root.Remove(name)
}

// isOfRun tells a file that a run keeps, or one of those that take their places.
func isOfRun(name string) bool {
	return slices.ContainsFunc(journal.Files(), func(f string) bool {
		return name == f || strings.HasPrefix(name, f+".") && strings.HasSuffix(name, ".tmp")
	})
}
