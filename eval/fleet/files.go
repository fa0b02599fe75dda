package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"evalctl/agent/clock"
	"evalctl/agent/file"
)

// FileSet lists a file, or the files of a directory, that suites use and that workers must receive.
// Path is the path on the coordinator's machine.
type FileSet struct {
	Path  string   `json:"path"`
	Files []string `json:"files"` // paths relative to Path, with slashes; "": Path itself is a file
}

// maxCount is the maximum number of files of a run.
const maxCount = 10_000

// ListFiles returns all files under the given paths. It returns an error if there are more than 10,000
// files or 64 MiB.
func ListFiles(paths []string) (roots []FileSet, err error) {
	var size int64
	count := 0
	for _, path := range paths {
		root := FileSet{Path: path}
		err := filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			info, err := os.Stat(name)
			if err != nil {
				return err
			}
			if !info.Mode().IsRegular() {
				return fmt.Errorf("%s: is not a regular file", name)
			}
			rel, err := filepath.Rel(path, name)
			if rel == "." {
				rel = ""
			}
			root.Files = append(root.Files, filepath.ToSlash(rel))
			if size, count = size+info.Size(), count+1; size > maxFiles || count > maxCount {
				return fmt.Errorf("%s: the files of the run are more than %d, or %d MiB, which workers get", name,
					maxCount, maxFiles>>20)
			}
			return err
		})
		// a missing file is reported later, by the system that needs it
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		roots = append(roots, root)
	}
	return roots, nil
}

func object(root, n int) string { return fmt.Sprintf("file-%d-%d", root, n) }

// specObject is the name of the object with the run specification. It is uploaded last, when all
// files that it names are there.
const specObject = "order"

// upload uploads the run specification and its files to the broker.
func (s runStreams) upload(ctx context.Context, o RunSpec) error {
	store, err := s.store(ctx)
	if err != nil {
		return err
	}
	for i, root := range o.Files {
		for n, rel := range root.Files {
			text, err := file.Read(filepath.Join(root.Path, filepath.FromSlash(rel)), maxFiles)
			if err != nil {
				return &finalError{err}
			}
			if err := s.put(ctx, store, object(i, n), text); err != nil {
				return err
			}
		}
	}
	text, err := json.Marshal(o)
	if err != nil {
		return &finalError{err}
	}
	if len(text) > maxSpec {
		return &finalError{fmt.Errorf("the manifest has %d bytes, more than %d", len(text), maxSpec)}
	}
	return s.put(ctx, store, specObject, text)
}

func (s runStreams) store(ctx context.Context) (store jetstream.ObjectStore, err error) {
	err = s.conn.retry(ctx, func(ctx context.Context) error {
		store, err = s.conn.js.ObjectStore(ctx, s.bucket())
		if errors.Is(err, jetstream.ErrBucketNotFound) {
			return &finalError{err}
		}
		return err
	})
	return store, err
}

func (s runStreams) put(ctx context.Context, store jetstream.ObjectStore, name string, text []byte) error {
	return s.conn.retryEach(ctx, transferTimeout, func(ctx context.Context) error {
		_, err := store.PutBytes(ctx, name, text)
		return err
	})
}

// get downloads an object. It returns an error if the object has more than most bytes.
func (s runStreams) get(ctx context.Context, store jetstream.ObjectStore, name string, most uint64) (text []byte,
	err error) {
	err = s.conn.retryEach(ctx, transferTimeout, func(ctx context.Context) error {
		info, err := store.GetInfo(ctx, name)
		if errors.Is(err, jetstream.ErrObjectNotFound) {
			return &finalError{err}
		}
		if err == nil && info.Size > most {
			err = &finalError{fmt.Errorf("%s has %d bytes, more than %d", name, info.Size, most)}
		}
		if err == nil {
			text, err = store.GetBytes(ctx, name)
		}
		return err
	})
	return text, err
}

// download downloads the run specification, and its files into the directory dir. at maps each path
// on the coordinator's machine to the local path.
func (s runStreams) download(ctx context.Context, dir string) (o RunSpec, at map[string]string, err error) {
	store, err := s.store(ctx)
	if err != nil {
		return o, nil, err
	}
	text, err := s.get(ctx, store, specObject, maxSpec)
	if err != nil {
		return o, nil, err
	}
	if err := decode(text, &o); err != nil {
		return o, nil, &finalError{fmt.Errorf("order: %w", err)}
	}
	folder, err := os.OpenRoot(dir) // prevents names that point outside the directory
	if err != nil {
		return o, nil, err
	}
	defer folder.Close()
	at = map[string]string{}
	left := uint64(maxFiles)
	for i, root := range o.Files {
		local := filepath.Join(fmt.Sprint(i), base(root.Path))
		at[root.Path] = filepath.Join(dir, local)
		for n, rel := range root.Files {
			if rel != "" && !filepath.IsLocal(filepath.FromSlash(rel)) {
				return o, nil, &finalError{fmt.Errorf("%q is not a path in a directory", rel)}
			}
			text, err := s.get(ctx, store, object(i, n), left)
			if err != nil {
				return o, nil, err
			}
			left -= uint64(len(text))
			if err := write(folder, filepath.Join(local, filepath.FromSlash(rel)), text); err != nil {
				return o, nil, &finalError{err}
			}
		}
	}
	return o, at, nil
}

// restoreTimeout is how long a worker waits for files that another client of the broker deleted.
// The coordinator uploads them again.
const restoreTimeout = 15 * time.Second

// fetchRestored repeats the download while files are missing, as long as the run is in progress.
func (s runStreams) fetchRestored(ctx context.Context, dir string) (o RunSpec, at map[string]string, err error) {
	for began := clock.Now(ctx); ; {
		if o, at, err = s.download(ctx, dir); err == nil || !isRemoved(err) ||
			clock.Since(ctx, began) >= restoreTimeout {
			return o, at, err
		}
		if now, failed := s.state(ctx); failed != nil || now != running {
			return o, at, err
		}
		if clock.Sleep(ctx, pollInterval) != nil {
			return o, at, err
		}
	}
}

// base returns the last element of a path from any operating system.
func base(path string) string {
	name := path[strings.LastIndexAny(path, `/\`)+1:]
	if !filepath.IsLocal(name) {
		return "file"
	}
	return name
}

func write(folder *os.Root, name string, text []byte) error {
	if err := folder.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	return folder.WriteFile(name, text, 0o600)
}
