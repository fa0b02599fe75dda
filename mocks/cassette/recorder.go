package cassette

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
)

// MaxLineBytes is the maximum length, in bytes, of a line in a cassette file.
const MaxLineBytes = 128 << 20

// Recorder appends exchanges to a cassette file, one line each. Each line is written immediately. A
// Recorder is safe for concurrent use.
type Recorder struct {
	Redact func(string) string // removes configured secrets from a text; may be nil
	// called once, for the first write error; nothing more is recorded after an error; may be nil
	OnError func(error)

	mu   sync.Mutex
	file *os.File
	err  error // the first write error

	n      atomic.Int64
	broken sync.Once
}

// NewRecorder starts a recording at the end of a cassette file, or in an empty file. The file must
// be open for reading and appending. NewRecorder removes an incomplete last line, and locks the
// file so that no other process can record into it.
func NewRecorder(f *os.File, h FileHeader) (*Recorder, error) {
	if err := lock(f); err != nil {
		return nil, err
	}
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	if size > 0 {
		if err := checkHeader(f); err != nil {
			return nil, err
		}
		if err := removeIncompleteLine(f, size); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name(), err)
		}
	}
	h.CassetteVersion = version
	r := &Recorder{file: f}
	return r, r.write(h)
}

// checkHeader returns an error if the file does not start with a valid cassette header.
func checkHeader(f *os.File) error {
	line, err := bufio.NewReader(io.NewSectionReader(f, 0, maxHeader)).ReadBytes('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if _, err := readHeader(line); err != nil {
		return fmt.Errorf("%s:1: %w", f.Name(), err)
	}
	return nil
}

// removeIncompleteLine truncates the file after its last newline.
func removeIncompleteLine(f *os.File, size int64) error {
	piece := make([]byte, 64<<10)
	for end := size; end > 0; {
		begin := max(0, end-int64(len(piece)))
		b := piece[:end-begin]
		if _, err := f.ReadAt(b, begin); err != nil {
			return err
		}
		if i := bytes.LastIndexByte(b, '\n'); i >= 0 {
			return f.Truncate(begin + int64(i) + 1)
		}
		end = begin
	}
	return f.Truncate(0)
}

// append writes an exchange. The first error is passed to OnError.
func (r *Recorder) append(e Exchange) {
	switch err := r.write(e); {
	case err == nil:
		r.n.Add(1)
	case r.OnError != nil:
		r.broken.Do(func() { r.OnError(err) })
	}
}

// write writes v as one line. After an error nothing more is written, and the first error is
// returned.
func (r *Recorder) write(v any) error {
	line, err := encodeLine(v)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil && err == nil {
		_, err = r.file.Write(line)
	}
	r.err = cmp.Or(r.err, err)
	return r.err
}

// encodeLine returns v as one line of JSON. An error reports a line longer than MaxLineBytes.
func encodeLine(v any) ([]byte, error) {
	var line bytes.Buffer
	e := json.NewEncoder(&line)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("encode a recording: %w", err)
	}
	if line.Len() > MaxLineBytes {
		return nil, fmt.Errorf("an exchange has %d bytes, more than %d", line.Len(), MaxLineBytes)
	}
	return line.Bytes(), nil
}

// Recorded returns the number of exchanges recorded so far.
func (r *Recorder) Recorded() int64 { return r.n.Load() }

// Close syncs and closes the file. It also returns the first write error.
func (r *Recorder) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return errors.Join(r.err, r.file.Sync(), r.file.Close())
}
