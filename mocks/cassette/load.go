package cassette

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// Limits of a file.
const (
	maxExchanges = 5_000_000
	maxHeader    = 64 << 10
)

// Cassette is an indexed file. Requests and answers stay in the file; only their offsets are in
// memory.
type Cassette struct {
	Path      string
	Truncated bool // the last line was incomplete and is ignored

	file    *os.File
	entries []entry
	names   []string // by number
	numbers map[string]uint32
	keys    map[keyHash]keyEntries
	trials  map[trial][]int32 // in file order
	paths   map[uint32][]int32
}

type keyHash [keyBytes]byte

// entry is an exchange in the index. Names are stored as numbers.
type entry struct {
	key, keyWithoutTimes keyHash
	offset               int64
	length, line         int32
	session              int32 // number of its recording in the file, from 1
	epoch, nth           int32
	at                   time.Time
	who                  trialNumbers
	path                 uint32
	next                 int32 // next entry with the same key; -1: none
}

// trialNumbers is a TrialRef with numbers instead of names.
type trialNumbers struct {
	suite, variant, fault, id, part uint32
	rescoredTurn                    int32
}

// trial identifies the trial of an exchange.
type trial struct {
	suite, variant, fault, id uint32
	epoch                     int32
}

func (e entry) trial() trial { return e.who.trial(e.epoch) }

func (w trialNumbers) trial(epoch int32) trial {
	return trial{
		suite:   w.suite,
		variant: w.variant,
		fault:   w.fault,
		id:      w.id,
		epoch:   epoch,
	}
}

// numbered returns the TrialRef with numbers instead of names.
func (w TrialRef) numbered(number func(name string) uint32) trialNumbers {
	return trialNumbers{
		suite:        number(w.Suite),
		variant:      number(w.Variant),
		fault:        number(w.Fault),
		id:           number(w.Case),
		part:         number(w.Component),
		rescoredTurn: int32(w.RescoredTurn),
	}
}

// keyEntries contains the first and the last entry of a key.
type keyEntries struct{ first, last int32 }

// indexedFields contains the fields of an exchange that are indexed.
type indexedFields struct {
	CassetteVersion *int      `json:"cassette_version"`
	Key             string    `json:"key"`
	KeyWithoutTimes string    `json:"key_without_times"`
	Epoch           int32     `json:"epoch"`
	Nth             int32     `json:"nth"`
	Time            time.Time `json:"time"`
	Trial           TrialRef  `json:"trial"`
	Request         struct {
		Path string `json:"path"`
	} `json:"request"`
	Response struct {
		End End `json:"end"`
	} `json:"response"`
}

// linesPerContextCheck is the number of lines between two checks of the context.
const linesPerContextCheck = 1000

// Load indexes an open file; the index takes less than a kilobyte per exchange. Closing the
// cassette closes the file.
func Load(ctx context.Context, f *os.File) (*Cassette, error) {
	c := &Cassette{
		Path:    f.Name(),
		file:    f,
		numbers: map[string]uint32{},
		keys:    map[keyHash]keyEntries{},
		trials:  map[trial][]int32{},
		paths:   map[uint32][]int32{},
	}
	in := bufio.NewReaderSize(io.NewSectionReader(f, 0, 1<<62), 1<<20)
	var offset int64
	var session int32
	for n := int32(1); ; n++ {
		if n%linesPerContextCheck == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		line, err := readLine(in)
		switch {
		case err == io.EOF:
			c.Truncated = len(line) > 0
			if n == 1 {
				return nil, fmt.Errorf("%s:1: is not a cassette: it is empty", c.Path)
			}
			return c, nil
		case err != nil:
			return nil, fmt.Errorf("%s:%d: %w", c.Path, n, err)
		}
		if err := c.add(line, offset, n, &session); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", c.Path, n, err)
		}
		offset += int64(len(line))
	}
}

// readLine reads a complete line. An incomplete last line returns io.EOF.
func readLine(in *bufio.Reader) (line []byte, err error) {
	for {
		piece, err := in.ReadSlice('\n')
		if line == nil && err == nil {
			return piece, nil
		}
		if line = append(line, piece...); len(line) > MaxLine {
			return nil, fmt.Errorf("the line has more than %d bytes", MaxLine)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// readHeader parses the first line of a recording.
func readHeader(line []byte) (Header, error) {
	var h Header
	var older struct {
		Version int `json:"cassette"`
	}
	if json.Unmarshal(line, &older) == nil && older.Version == 1 {
		return h, fmt.Errorf("is a cassette of version 1, written by an older evalctl; this program reads version %d: record it again", version)
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	switch err := d.Decode(&h); {
	case err != nil || h.CassetteVersion == 0:
		return h, errors.New(`is not a cassette: one begins with {"cassette_version":2,…}`)
	case h.CassetteVersion != version:
		return h, fmt.Errorf("is of version %d, this program reads %d", h.CassetteVersion, version)
	}
	return h, nil
}

func (c *Cassette) add(line []byte, offset int64, n int32, session *int32) error {
	var h indexedFields
	if err := json.Unmarshal(line, &h); err != nil && *session > 0 {
		return fmt.Errorf("is not an exchange: %w", err)
	}
	if h.CassetteVersion != nil || *session == 0 {
		*session++
		_, err := readHeader(line)
		return err
	}
	e := entry{
		offset:  offset,
		length:  int32(len(line)),
		line:    n,
		session: *session,
		epoch:   h.Epoch,
		nth:     h.Nth,
		at:      h.Time,
		next:    -1,
	}
	switch {
	case !e.key.set(h.Key):
		return fmt.Errorf("key: %.40q is none", h.Key)
	case !e.keyWithoutTimes.set(h.KeyWithoutTimes):
		return fmt.Errorf("key_without_times: %.40q is not a key", h.KeyWithoutTimes)
	case h.Epoch < 0 || h.Nth < 1:
		return errors.New("epoch counts from 0, and nth from 1")
	case !h.Response.End.isKnown():
		return fmt.Errorf("response.end: %.40q is none", h.Response.End)
	case len(c.entries) == maxExchanges:
		return fmt.Errorf("there are more than %d exchanges", maxExchanges)
	}
	e.who = h.Trial.numbered(c.number)
	e.path = c.number(withoutQuery(h.Request.Path))
	c.index(e)
	return nil
}

func (k *keyHash) set(text string) bool {
	n, err := hex.Decode(k[:], []byte(text[:min(len(text), 2*keyBytes)]))
	return err == nil && n == keyBytes && len(text) == 2*keyBytes
}

// number returns the number of a name and assigns one if necessary.
func (c *Cassette) number(name string) uint32 {
	n, ok := c.numbers[name]
	if !ok {
		n = uint32(len(c.names))
		c.names = append(c.names, name)
		c.numbers[name] = n
	}
	return n
}

// index adds an entry to the lists of its key, trial and path.
func (c *Cassette) index(e entry) {
	i := int32(len(c.entries))
	c.entries = append(c.entries, e)
	at, ok := c.keys[e.key]
	if ok {
		c.entries[at.last].next = i
	} else {
		at.first = i
	}
	at.last = i
	c.keys[e.key] = at
	c.trials[e.trial()] = append(c.trials[e.trial()], i)
	c.paths[e.path] = append(c.paths[e.path], i)
}

// Len returns the number of exchanges.
func (c *Cassette) Len() int { return len(c.entries) }

func (c *Cassette) Close() error { return c.file.Close() }

// raw returns the line of an entry.
func (c *Cassette) raw(e entry) ([]byte, error) {
	line := make([]byte, e.length)
	if _, err := c.file.ReadAt(line, e.offset); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", c.Path, e.line, err)
	}
	return line, nil
}

// read returns the exchange of an entry.
func (c *Cassette) read(i int32) (x Exchange, err error) {
	e := c.entries[i]
	line, err := c.raw(e)
	if err != nil {
		return x, err
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&x); err != nil {
		return x, fmt.Errorf("%s:%d: %w", c.Path, e.line, err)
	}
	return x, x.Response.check(c.Path, e.line)
}

// maxDuration is the maximum duration of an exchange.
const maxDuration = 24 * time.Hour

// check rejects invalid times and statuses.
func (r Response) check(path string, line int32) error {
	previous := int64(0)
	times := []int64{r.HeadersAfter}
	for _, c := range r.Chunks {
		times = append(times, c.Offset)
	}
	for _, at := range append(times, r.EndedAfter) {
		if at < previous && r.Status != 0 || at < 0 || at > maxDuration.Microseconds() {
			return fmt.Errorf("%s:%d: the times of the answer go back, or beyond a day", path, line)
		}
		previous = at
	}
	if r.Status != 0 && (r.Status < 100 || r.Status > 999) || r.Status == 0 && r.End == EndComplete {
		return fmt.Errorf("%s:%d: response.status is %d", path, line, r.Status)
	}
	return nil
}
