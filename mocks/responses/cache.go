// Package responses caches complete answers of providers in a directory. Later runs that send the
// same requests use the cached answers instead of calling the provider. Several processes may share
// the directory.
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

// version is the version of the cache directory's format.
const version = 1

// Default limits of the size of a cache directory, in bytes and in number of files.
const (
	maxBytes = 4 << 30
	maxFiles = 1_000_000
)

const (
	markFile = "responses.json"
	maxMark  = 1 << 10 // maximum size of a valid mark file, in bytes
)

type markContent struct {
	FormatVersion int `json:"responses"` // version of the format
}

// Config is the configuration of a Cache.
type Config struct {
	Redact   func(string) string // removes configured secrets from a text before it is stored; may be nil
	Warn     func(string)        // called with a message for each unreadable file; may be nil
	MaxBytes int64               // size limit of the directory in bytes; 0: maxBytes
}

// Cache stores answers of providers in a directory. It is safe for concurrent use.
type Cache struct {
	cfg          Config
	dir          string
	hits, misses atomic.Int64
	pruned       int

	mu  sync.Mutex
	err error // the first error of storing an answer
}

// Open opens a cache directory, or creates it. If the directory exceeds its limits, Open removes
// the least recently used answers. It returns an error if the directory contains other files.
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
		err = f.createMark()
	}
	if err != nil {
		return nil, err
	}
	return f, f.prune()
}

// checkMark returns nil if the directory has the file that marks it as a cache. It returns
// fs.ErrNotExist if there is no such file.
func (f *Cache) checkMark() error {
	path := filepath.Join(f.dir, markFile)
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	var m markContent
	if info.Mode().IsRegular() && info.Size() <= maxMark {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if json.Unmarshal(text, &m) == nil && m.FormatVersion == version {
			return nil
		}
	}
	return fmt.Errorf("%s: is not a folder of answers that this program reads", path)
}

// createMark creates the mark file in an empty directory. If another process creates it at the same
// time, that is no error. Unfinished files of a killed process are ignored.
func (f *Cache) createMark() error {
	list, err := os.ReadDir(f.dir)
	if err != nil {
		return err
	}
	for _, d := range list {
		// the pattern is valid, so there is no error
		if unfinished, _ := filepath.Match(temporary, d.Name()); unfinished {
			continue
		}
		if err := f.checkMark(); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return fmt.Errorf("%s: holds something else than answers: name another folder", f.dir)
	}
	text, err := json.Marshal(markContent{FormatVersion: version})
	if err != nil {
		return err
	}
	return f.writeAtomic(filepath.Join(f.dir, markFile), text)
}

// temporary is the name pattern of files that are still being written.
const temporary = ".*.tmp"

// writeAtomic writes a file so that other processes see either all of it or nothing.
func (f *Cache) writeAtomic(path string, text []byte) error {
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

type cachedFile struct {
	path string
	size int64
	used time.Time
}

// prune removes answers if the directory exceeds its limits. It removes the least recently used
// ones until 90 % of the limits are reached.
func (f *Cache) prune() error {
	var list []cachedFile
	var bytes int64
	err := filepath.WalkDir(f.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || d.Name() == markFile {
			return ignoreNotExist(err)
		}
		info, err := d.Info()
		if err != nil {
			return ignoreNotExist(err)
		}
		list, bytes = append(list, cachedFile{path: path, size: info.Size(), used: info.ModTime()}), bytes+info.Size()
		return nil
	})
	if err != nil || bytes <= f.cfg.MaxBytes && len(list) <= maxFiles {
		return err
	}
	slices.SortFunc(list, func(a, b cachedFile) int { return a.used.Compare(b.used) })
	for _, one := range list {
		if bytes <= f.cfg.MaxBytes/10*9 && len(list)-f.pruned <= maxFiles/10*9 {
			break
		}
		if err := ignoreNotExist(os.Remove(one.path)); err != nil {
			return err
		}
		bytes, f.pruned = bytes-one.size, f.pruned+1
	}
	return nil
}

// ignoreNotExist returns nil for the error that another process has removed the file, and err
// otherwise.
func ignoreNotExist(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Stats returns how many requests were answered from the cache (hits) and how many were not
// (misses).
func (f *Cache) Stats() (hits, misses int64) { return f.hits.Load(), f.misses.Load() }

// EvictedCount returns the number of old answers that Open has removed.
func (f *Cache) EvictedCount() int { return f.pruned }

// Err returns the first error of storing an answer; nil: none.
func (f *Cache) Err() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}
