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

// MaxLine bounds a line of a file, in bytes.
const MaxLine = 128 << 20

// Recorder adds exchanges to a file, each as one line that is written at once. It is
// safe for concurrent use.
type Recorder struct {
	Redact  func(string) string // takes known secrets out of a text; nil: none are known
	OnError func(error)         // hears at once of what cannot be written, and with it all behind it; nil: nobody does

	mu   sync.Mutex
	file *os.File
	err  error // the first

	n      atomic.Int64
	broken sync.Once
}

// Append goes on with a file that is open to be read and appended to, or begins it where
// it is empty. A last line that was not written to its end is cut off. No other process
// may record into the file meanwhile.
func Append(f *os.File, h Header) (*Recorder, error) {
	if err := lock(f); err != nil {
		return nil, err
	}
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	if size > 0 {
		if err := isCassette(f); err != nil {
			return nil, err
		}
		if err := cutTorn(f, size); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name(), err)
		}
	}
	h.CassetteVersion = version
	r := &Recorder{file: f}
	return r, r.write(h)
}

// isCassette refuses to add to what is none.
func isCassette(f *os.File) error {
	line, err := bufio.NewReader(io.NewSectionReader(f, 0, maxHeader)).ReadBytes('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if _, err := readHeader(line); err != nil {
		return fmt.Errorf("%s:1: %w", f.Name(), err)
	}
	return nil
}

// cutTorn cuts off what stands behind the last line's end.
func cutTorn(f *os.File, size int64) error {
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

// add writes an exchange; what cannot be written is told.
func (r *Recorder) add(e Exchange) {
	switch err := r.write(e); {
	case err == nil:
		r.n.Add(1)
	case r.OnError != nil:
		r.broken.Do(func() { r.OnError(err) })
	}
}

// write writes a line. Behind one that could not be written there is none.
func (r *Recorder) write(v any) error {
	line, err := encoded(v)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil && err == nil {
		_, err = r.file.Write(line)
	}
	r.err = cmp.Or(r.err, err)
	return r.err
}

// encoded is a line.
func encoded(v any) ([]byte, error) {
	var line bytes.Buffer
	e := json.NewEncoder(&line)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("encode a recording: %w", err)
	}
	if line.Len() > MaxLine {
		return nil, fmt.Errorf("an exchange has %d bytes, more than %d", line.Len(), MaxLine)
	}
	return line.Bytes(), nil
}

// Recorded is how many exchanges were added.
func (r *Recorder) Recorded() int64 { return r.n.Load() }

// Close makes the file safe, and says what could not be written.
func (r *Recorder) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return errors.Join(r.err, r.file.Sync(), r.file.Close())
}
