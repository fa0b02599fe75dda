package responses

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"evalctl/mocks/cassette"
)

// entry is a cached answer with its request: the content of one file.
type entry struct {
	Key     string            `json:"key"`
	Request cassette.Request  `json:"request"`
	Status  int               `json:"status"`
	Headers map[string]string `json:"headers"`
	Body    []byte            `json:"body"`
	CRC     uint32            `json:"crc"` // CRC-32C checksum of the body, to detect damaged files
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// maxFile is the maximum size of a cached answer's file in bytes.
const maxFile = cassette.MaxLineBytes

// keyOf returns the cache key of a request: a hash of the request, its host, the epoch, and its
// number nth among the identical requests of a trial.
func keyOf(q cassette.Request, epoch, nth int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%d", q.Key(epoch), q.Origin, nth))
	return hex.EncodeToString(sum[:16])
}

func (f *Cache) path(key string) string { return filepath.Join(f.dir, key[:2], key+".json") }

// load returns the cached answer with a key. ok is false if there is none or the file is damaged.
func (f *Cache) load(key string) (entry, bool) {
	var k entry
	path := f.path(key)
	text, err := readFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return k, false
	}
	if err == nil {
		err = json.Unmarshal(text, &k)
	}
	if err == nil && (k.Key != key || k.Status < 200 || k.Status > 299 || crc32.Checksum(k.Body, castagnoli) != k.CRC) {
		err = errors.New("is damaged")
	}
	if err != nil {
		f.warn(fmt.Sprintf("%s: %v: it is asked again", path, err))
		return k, false
	}
	return k, true
}

// readFile reads a file of the cache. It rejects links, devices and large files, so that other
// files cannot be read through the cache.
func readFile(path string) ([]byte, error) {
	if err := checkDir(filepath.Dir(path)); err != nil {
		return nil, err
	}
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("is not a regular file")
	case info.Size() > maxFile:
		return nil, fmt.Errorf("has more than %d bytes", int64(maxFile))
	}
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return io.ReadAll(io.LimitReader(in, maxFile))
}

// checkDir returns an error if the path is not a directory but, for example, a link to one.
func checkDir(path string) error {
	info, err := os.Lstat(path)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s: is not a folder, or a link to one", path)
	}
	return err
}

func (f *Cache) warn(text string) {
	if f.cfg.Warn != nil {
		f.cfg.Warn(text)
	}
}

// store writes an answer to the cache. The first error is stored for Err.
func (f *Cache) store(k entry) {
	k.CRC = crc32.Checksum(k.Body, castagnoli)
	text, err := json.Marshal(k)
	folder := filepath.Dir(f.path(k.Key))
	if err == nil {
		err = os.MkdirAll(folder, 0o700)
	}
	if err == nil {
		err = checkDir(folder)
	}
	if err == nil {
		err = f.writeAtomic(f.path(k.Key), text)
	}
	if err != nil {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.err == nil {
			f.err = err
		}
	}
}
