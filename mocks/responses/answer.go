package responses

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"

	"evalctl/mocks/cassette"
)

// kept is what a file holds.
type kept struct {
	Key     string            `json:"key"`
	Request cassette.Request  `json:"request"`
	Status  int               `json:"status"`
	Headers map[string]string `json:"headers"`
	Body    []byte            `json:"body"`
	Sum     uint32            `json:"crc"` // CRC-32C of the body
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// keyOf is the hash of what is asked, where, in which epoch, and the how manieth time in
// its trial.
func keyOf(q cassette.Request, epoch, nth int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%d", q.Key(epoch), q.To, nth))
	return hex.EncodeToString(sum[:16])
}

func (f *Folder) path(key string) string { return filepath.Join(f.dir, key[:2], key+".json") }

// load finds an answer. One that is damaged is none.
func (f *Folder) load(key string) (kept, bool) {
	var k kept
	path := f.path(key)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return k, false
	}
	if err == nil {
		err = json.Unmarshal(text, &k)
	}
	if err == nil && (k.Key != key || k.Status < 200 || k.Status > 299 || crc32.Checksum(k.Body, castagnoli) != k.Sum) {
		err = errors.New("is damaged")
	}
	if err != nil {
		f.warn(fmt.Sprintf("%s: %v: it is asked again", path, err))
		return k, false
	}
	return k, true
}

func (f *Folder) warn(text string) {
	if f.cfg.Warn != nil {
		f.cfg.Warn(text)
	}
}

// keep keeps an answer; what keeps it from that is told once, by Err.
func (f *Folder) keep(k kept) {
	k.Sum = crc32.Checksum(k.Body, castagnoli)
	text, err := json.Marshal(k)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(f.path(k.Key)), 0o700)
	}
	if err == nil {
		err = f.write(f.path(k.Key), text)
	}
	if err != nil {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.err == nil {
			f.err = err
		}
	}
}
