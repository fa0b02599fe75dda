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

// Limits of a cassette file: number of exchanges, and bytes of the header line.
const (
	maxExchanges = 5_000_000
	maxHeader    = 64 << 10
)

// Cassette is a cassette file opened for reading. Requests and answers stay in the file; only an
// index is in memory.
type Cassette struct {
	Path      string // path of the file
	Truncated bool   // the last line was incomplete, as after a crash, and is ignored

	file    *os.File
	entries []entry
	names   []string // names of suites, variants, faults, cases, components and paths, by number
	numbers map[string]uint32
	keys    map[keyHash]keyEntries
	trials  map[trial][]int32 // indexes into entries, in file order
	paths   map[uint32][]int32
}

type keyHash [keyBytes]byte

// entry is the index record of one exchange. Names are stored as numbers, to save memory.
type entry struct {
	key, keyWithoutTimes keyHash
	offset               int64
	length, line         int32
	session              int32 // number of the recording in the file that the exchange belongs to, from 1
	epoch, nth           int32
	at                   time.Time
	who                  trialNumbers
	path                 uint32
	next                 int32 // index of the next entry with the same key; -1: none
}

// trialNumbers is a TrialRef with numbers instead of names.
type trialNumbers struct {
	suite, variant, fault, id, part uint32
	rescoredTurn                    int32
}

// trial identifies a recorded trial, regardless of the component.
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

// numbered returns w with numbers instead of names. The function number assigns them.
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

// keyEntries are the indexes of the first and last entry in the linked list of entries with the
// same key.
type keyEntries struct{ first, last int32 }

// indexedFields are the fields of a line that Load decodes for the index. Request and response
// bodies are skipped.
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
		End EndReason `json:"end"`
	} `json:"response"`
}

// linesPerContextCheck is how many lines Load reads between two checks for cancellation.
const linesPerContextCheck = 1000

// Load reads an open cassette file and builds its index. The index takes less than a kilobyte per
// exchange. Closing the Cassette closes the file.
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

// readLine returns the next line with its newline. An incomplete last line is returned with io.EOF.
func readLine(in *bufio.Reader) (line []byte, err error) {
	for {
		piece, err := in.ReadSlice('\n')
		if line == nil && err == nil {
			return piece, nil
		}
		if line = append(line, piece...); len(line) > MaxLineBytes {
			return nil, fmt.Errorf("the line has more than %d bytes", MaxLineBytes)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// readHeader decodes a header line. The error explains a file that is not a cassette, or one of
// another version.
func readHeader(line []byte) (FileHeader, error) {
	var h FileHeader
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

// number returns the number of a name. A new name gets the next number.
func (c *Cassette) number(name string) uint32 {
	n, ok := c.numbers[name]
	if !ok {
		n = uint32(len(c.names))
		c.names = append(c.names, name)
		c.numbers[name] = n
	}
	return n
}

// index adds an entry to the lists of its key, its trial and its path.
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

// Len returns the number of exchanges in the cassette.
func (c *Cassette) Len() int { return len(c.entries) }

// Close closes the cassette file. The Cassette and every Player that replays it must not be used
// afterwards.
func (c *Cassette) Close() error { return c.file.Close() }

// raw returns the line of an entry, read from the file.
func (c *Cassette) raw(e entry) ([]byte, error) {
	line := make([]byte, e.length)
	if _, err := c.file.ReadAt(line, e.offset); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", c.Path, e.line, err)
	}
	return line, nil
}

// read returns the exchange at index i, read from the file and checked.
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

// maxDuration is the longest valid duration of a recorded answer.
const maxDuration = 24 * time.Hour

// check returns an error for invalid times or an invalid status, which a damaged or edited file may
// contain.
func (r Response) check(path string, line int32) error {
	previous := int64(0)
	times := []int64{r.HeadersMicros}
	for _, c := range r.Chunks {
		times = append(times, c.OffsetMicros)
	}
	for _, at := range append(times, r.EndMicros) {
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
