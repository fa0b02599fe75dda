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

// progress is the state of a run in progress.
type progress struct {
	Done       int64   `json:"done"` // in trials
	Planned    int64   `json:"planned"`
	Errors     int64   `json:"errors"` // trials without an answer
	Rate       float64 `json:"rate"`   // recent trials per second
	Quiet      int64   `json:"quiet"`  // seconds since the last write
	Conditions []tally `json:"cells"`
}

// tally counts the results of a condition.
type tally struct {
	Suite   string `json:"suite"`
	Variant string `json:"variant"`
	Fault   string `json:"fault"`
	Right   int64  `json:"right"`
	Judged  int64  `json:"judged"`
}

// tail reads the results of a run as they are written. It is not safe for concurrent use.
type tail struct {
	path       string // run directory
	at         int64  // counted bytes
	conditions map[[3]string]int
	last       map[uint64]mark // latest outcome by trial, because a trial may run again
	seed       maphash.Seed
	samples    []sample
	progress
}

// mark is the outcome of a trial.
type mark struct {
	condition            int
	right, scored, error bool
}

// sample is the number of trials at a time.
type sample struct {
	at   time.Time
	done int64
}

// rateSamples is the number of polls that the rate covers.
const rateSamples = 20

// maxRead limits the bytes that one poll reads, except for the rest of its last line.
const maxRead = 64 << 20

// maxLine limits the size of a result.
const maxLine = 256 << 20

func newTail(path string) (*tail, error) {
	sum, err := runs.LoadSummary(path)
	if err != nil {
		return nil, err
	}
	t := &tail{
		path:       path,
		conditions: map[[3]string]int{},
		last:       map[uint64]mark{},
		seed:       maphash.MakeSeed(),
	}
	for _, s := range sum.Suites {
		t.Planned += s.Cases * int64(max(s.Epochs, 1)) * int64(len(s.Conditions))
		for _, c := range s.Conditions {
			fault := cmp.Or(c.Fault, eval.NoFault)
			t.conditions[[3]string{s.Name, c.Name, fault}] = len(t.Conditions)
			t.Conditions = append(t.Conditions,
				tally{Suite: shown(s.Name), Variant: shown(c.Name), Fault: shown(fault)})
		}
	}
	return t, nil
}

// shown shortens a name from a file to one safe line.
func shown(name string) string { return visible.Excerpt(name, 80) }

// read counts the new results. An incomplete line is read again in the next poll.
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
	t.samples = append(t.samples, sample{at: now, done: t.Done})
	t.samples = t.samples[max(0, len(t.samples)-rateSamples):]
	first := t.samples[0]
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

// add counts a trial. A repeated trial replaces its earlier outcome.
func (t *tail) add(r eval.Result) {
	condition, known := t.conditions[[3]string{r.Suite, r.Variant, cmp.Or(r.Fault, eval.NoFault)}]
	if !known {
		return
	}
	m := mark{condition: condition, error: r.Error != nil}
	if d, ok := r.Decision(); ok && d.Verdict != eval.Unscored {
		m.scored, m.right = true, d.Verdict == eval.Pass
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
	if m.scored {
		c.Judged += n
	}
	if m.right {
		c.Right += n
	}
}
