package view

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"path/filepath"
	"time"

	"evalctl/agent/file"
	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/runs"
	"evalctl/reports/visible"
)

// progress is how far a run is.
type progress struct {
	Done       int64   `json:"done"` // trials
	Planned    int64   `json:"planned"`
	Errors     int64   `json:"errors"` // trials without an answer
	Rate       float64 `json:"rate"`   // trials a second, lately
	Quiet      int64   `json:"quiet"`  // seconds since anything was written
	Conditions []tally `json:"cells"`
}

// tally is what is known of a cell so far.
type tally struct {
	Suite   string `json:"suite"`
	Variant string `json:"variant"`
	Fault   string `json:"fault"`
	Right   int64  `json:"right"`
	Judged  int64  `json:"judged"`
}

// tail reads what a run writes while it is under way. One goroutine at a time may use it.
type tail struct {
	path       string // of the run
	at         int64  // bytes that are counted
	conditions map[[3]string]int
	last       map[uint64]mark // by trial: one may be played again
	seed       maphash.Seed
	looks      []look
	progress
}

// mark is what a trial came to.
type mark struct {
	condition            int
	right, judged, error bool
}

// look is how many trials there were at a time.
type look struct {
	at   time.Time
	done int64
}

// rateOf is how many looks back the rate goes.
const rateOf = 20

// maxRead is how much is read at one look, but for its last line: the next goes on.
const maxRead = 64 << 20

// maxLine bounds a result.
const maxLine = 256 << 20

func newTail(path string) (*tail, error) {
	sum, err := runs.LoadSummary(path)
	if err != nil {
		return nil, err
	}
	t := &tail{path: path, conditions: map[[3]string]int{}, last: map[uint64]mark{}, seed: maphash.MakeSeed()}
	for _, s := range sum.Suites {
		t.Planned += s.Cases * int64(max(s.Epochs, 1)) * int64(len(s.Conditions))
		for _, c := range s.Conditions {
			fault := cmp.Or(c.Fault, eval.NoFault)
			t.conditions[[3]string{s.Name, c.Name, fault}] = len(t.Conditions)
			t.Conditions = append(t.Conditions, tally{Suite: shown(s.Name), Variant: shown(c.Name), Fault: shown(fault)})
		}
	}
	return t, nil
}

// shown is a name from outside as one short line.
func shown(name string) string { return visible.Excerpt(name, 80) }

// read counts the results that were added. A line that is being written is read the next
// time.
func (t *tail) read(now time.Time) error {
	f, err := file.Open(filepath.Join(t.path, journal.ResultsFile))
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.Size() < t.at {
		return errors.New("its results were cut")
	}
	if _, err := f.Seek(t.at, io.SeekStart); err != nil {
		return err
	}
	if err := t.lines(bufio.NewReaderSize(f, 64<<10)); err != nil {
		return err
	}
	t.Quiet = max(0, int64(now.Sub(info.ModTime()).Seconds()))
	t.looks = append(t.looks, look{at: now, done: t.Done})
	t.looks = t.looks[max(0, len(t.looks)-rateOf):]
	first := t.looks[0]
	if duration := now.Sub(first.at).Seconds(); duration > 0 {
		t.Rate = float64(t.Done-first.done) / duration
	}
	return nil
}

func (t *tail) lines(r *bufio.Reader) error {
	var line []byte
	for size := 0; size < maxRead; {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull) && len(line) <= maxLine:
			continue
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		res, err := journal.DecodeResult(line)
		if err != nil {
			return fmt.Errorf("its results cannot be read: %w", err)
		}
		t.add(res)
		t.at += int64(len(line))
		size += len(line)
		line = line[:0]
	}
	return nil
}

// add counts a trial; one that was played again counts as it is now.
func (t *tail) add(r eval.Result) {
	condition, known := t.conditions[[3]string{r.Suite, r.Variant, cmp.Or(r.Fault, eval.NoFault)}]
	if !known {
		return
	}
	m := mark{condition: condition, error: r.Error != nil}
	if d, ok := r.Decision(); ok && d.Verdict != eval.Unscored {
		m.judged, m.right = true, d.Verdict == eval.Pass
	}
	key := maphash.String(t.seed, r.Key)
	if before, again := t.last[key]; again {
		t.count(before, -1)
	}
	t.last[key] = m
	t.count(m, 1)
}

func (t *tail) count(m mark, n int64) {
	t.Done += n
	c := &t.Conditions[m.condition]
	if m.error {
		t.Errors += n
	}
	if m.judged {
		c.Judged += n
	}
	if m.right {
		c.Right += n
	}
}
