// Package responses keeps whole answers of providers in a folder, for the next run that
// asks the same: nothing is asked twice, and nothing is answered that was not asked in
// just these words. Several processes may share the folder.
package responses

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// version is of the folder's format.
const version = 1

// Bounds of a folder: when it is opened, the answers that were not used for longest go
// until it is within them.
const (
	maxBytes = 4 << 30
	maxFiles = 1_000_000
)

const (
	markFile = "responses.json"
	maxMark  = 1 << 10 // bytes
)

type mark struct {
	Responses int `json:"responses"` // Version
}

// Config says how a Folder is used.
type Config struct {
	Redact   func(string) string // takes known secrets out of a text; nil: none are known
	Warn     func(string)        // hears of files that cannot be used; nil: nobody does
	MaxBytes int64               // 0: maxBytes
}

// Cache keeps answers. It is safe for concurrent use.
type Cache struct {
	cfg          Config
	dir          string
	hits, misses atomic.Int64
	pruned       int

	mu  sync.Mutex
	err error // the first that kept an answer from being kept
}

// Open opens a folder, or makes it. One that holds something else is left alone.
func Open(dir string, cfg Config) (*Cache, error) {
	if cfg.MaxBytes == 0 {
		cfg.MaxBytes = maxBytes
	}
	f := &Cache{cfg: cfg, dir: dir}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	err := f.checkMark()
	if errors.Is(err, fs.ErrNotExist) {
		err = f.begin()
	}
	if err != nil {
		return nil, err
	}
	return f, f.prune()
}

// checkMark looks whether the folder is one of answers; fs.ErrNotExist: nobody has marked it.
func (f *Cache) checkMark() error {
	path := filepath.Join(f.dir, markFile)
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	var m mark
	if info.Mode().IsRegular() && info.Size() <= maxMark {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if json.Unmarshal(text, &m) == nil && m.Responses == version {
			return nil
		}
	}
	return fmt.Errorf("%s: is no folder of answers that this program reads", path)
}

// begin marks an empty folder, unless another process does so meanwhile. What a process
// that was killed has not finished does not count.
func (f *Cache) begin() error {
	list, err := os.ReadDir(f.dir)
	if err != nil {
		return err
	}
	for _, d := range list {
		if unfinished, _ := filepath.Match(temporary, d.Name()); unfinished { // the pattern is sound
			continue
		}
		if err := f.checkMark(); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return fmt.Errorf("%s: holds something else than answers: name another folder", f.dir)
	}
	text, err := json.Marshal(mark{Responses: version})
	if err != nil {
		return err
	}
	return f.write(filepath.Join(f.dir, markFile), text)
}

// temporary is what a file is called until it is whole.
const temporary = ".*.tmp"

// write has a file there as a whole or not at all.
func (f *Cache) write(path string, text []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), temporary)
	if err != nil {
		return err
	}
	_, err = tmp.Write(text)
	if err = errors.Join(err, tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	return nil
}

type file struct {
	path string
	size int64
	used time.Time
}

// prune removes what was not used for longest, down to nine tenths of the bounds.
func (f *Cache) prune() error {
	var list []file
	var bytes int64
	err := filepath.WalkDir(f.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || d.Name() == markFile {
			return gone(err)
		}
		info, err := d.Info()
		if err != nil {
			return gone(err)
		}
		list, bytes = append(list, file{path: path, size: info.Size(), used: info.ModTime()}), bytes+info.Size()
		return nil
	})
	if err != nil || bytes <= f.cfg.MaxBytes && len(list) <= maxFiles {
		return err
	}
	slices.SortFunc(list, func(a, b file) int { return a.used.Compare(b.used) })
	for _, one := range list {
		if bytes <= f.cfg.MaxBytes/10*9 && len(list)-f.pruned <= maxFiles/10*9 {
			break
		}
		if err := gone(os.Remove(one.path)); err != nil {
			return err
		}
		bytes, f.pruned = bytes-one.size, f.pruned+1
	}
	return nil
}

// gone forgives what another process has removed.
func gone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Stats are how many questions were answered from the folder, and how many were not.
func (f *Cache) Stats() (hits, misses int64) { return f.hits.Load(), f.misses.Load() }

// Evicted is how many files went when the folder was opened.
func (f *Cache) Evicted() int { return f.pruned }

// Err is the first error that kept an answer from being kept.
func (f *Cache) Err() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}
