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

// RemovalFilter selects old runs to remove, by age or by number. If both limits are set, a run must
// exceed both.
type RemovalFilter struct {
	Before     time.Time // select runs that started before this time; zero: no limit
	KeepNewest int       // number of newest runs that are never selected; 0: no limit
}

// SelectForRemoval returns the names of the runs in named and of the runs that the filter selects.
func (h *History) SelectForRemoval(ctx context.Context, named []string, old RemovalFilter) ([]string, error) {
	list, err := h.Runs(ctx)
	if err != nil {
		return nil, err
	}
	_, known, err := folders(h.Dir) // also contains runs with unreadable files
	if err != nil {
		return nil, err
	}
	var picked []string
	for i, r := range list {
		late := old.Before.IsZero() || r.Started.Before(old.Before)
		beyond := old.KeepNewest == 0 || i >= old.KeepNewest
		if (!old.Before.IsZero() || old.KeepNewest > 0) && late && beyond {
			picked = append(picked, r.Name)
		}
	}
	for _, name := range named {
		if dir, base := filepath.Split(filepath.Clean(name)); dir != "" &&
			filepath.Clean(dir) == filepath.Clean(h.Dir) {
			name = base // shell completion inserts the whole path
		}
		if err := suggest.CheckKnown("run", name, known); err != nil {
			return nil, err
		}
		if !slices.Contains(picked, name) {
			picked = append(picked, name)
		}
	}
	return picked, nil
}

// RemovalResult is the result of removing one run.
type RemovalResult struct {
	Name      string   // name of the run
	Bytes     int64    // total size of the removed files
	Remaining []string // files that do not belong to a run and so prevent the removal of its directory
	// why the run was not removed; after a failed deletion, the remaining files are an incomplete
	// run
	Err error
}

// Remove deletes the files of a run, and its directory unless it contains other files. It does not
// follow links and does not remove a run that is in progress. dry: only report what would be
// removed.
func (h *History) Remove(name string, dry bool) RemovalResult {
	out := RemovalResult{Name: name}
	out.Err = h.remove(name, dry, &out)
	return out
}

func (h *History) remove(name string, dry bool, out *RemovalResult) (err error) {
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
		return fmt.Errorf("%s: is not a folder of a run", path)
	}
	if _, err := root.Lstat(filepath.Join(name, journal.ManifestFile)); err != nil {
		return fmt.Errorf("%s %w", path, journal.ErrNoRun)
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
		if e.Name() == journal.PromptsDir && info.IsDir() {
			if err := out.addPrompts(root, name, &files); err != nil {
				return err
			}
			continue
		}
		if !isRunFile(e.Name()) || info.IsDir() {
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

// addPrompts adds the prompts of a run, and their directory if it contains nothing else.
func (out *RemovalResult) addPrompts(root *os.Root, name string, files *[]string) error {
	run, err := fs.Sub(root.FS(), filepath.ToSlash(name))
	if err != nil {
		return err
	}
	prompts, others, err := journal.PromptFiles(run)
	if err != nil {
		return err
	}
	for _, prompt := range prompts {
		info, err := fs.Stat(run, prompt)
		if err != nil {
			return err
		}
		*files, out.Bytes = append(*files, filepath.Join(name, prompt)), out.Bytes+info.Size()
	}
	if out.Remaining = append(out.Remaining, others...); others == nil {
		*files = append(*files, filepath.Join(name, journal.PromptsDir))
	}
	return nil
}

// isRunFile reports whether a file name is that of a run's file or of its temporary file.
func isRunFile(name string) bool {
	return slices.ContainsFunc(journal.FileNames(), func(f string) bool {
		return name == f || strings.HasPrefix(name, f+".") && strings.HasSuffix(name, ".tmp")
	})
}
