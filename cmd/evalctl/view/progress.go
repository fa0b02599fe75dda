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
	"evalctl/agent/text"
	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/runs"
)

// progress is how far a run has come, as sent to the browser.
type progress struct {
	Done              int64             `json:"done"` // finished trials
	Planned           int64             `json:"planned"`
	Errors            int64             `json:"errors"` // trials without an answer
	Rate              float64           `json:"rate"`   // trials per second over the latest polls
	SecondsSinceWrite int64             `json:"quiet"`  // seconds since the results file was last written
	Conditions        []conditionCounts `json:"cells"`
}

// conditionCounts counts the scored and the correct decisions of one condition.
type conditionCounts struct {
	Suite   string `json:"suite"`
	Variant string `json:"variant"`
	Fault   string `json:"fault"`
	Correct int64  `json:"right"`
	Scored  int64  `json:"judged"`
}

// resultTail counts the results of a run while they are written. Each read continues where the
// previous one ended. It is not safe for concurrent use.
type resultTail struct {
	path       string // run directory
	at         int64  // number of bytes of the results file that are counted
	conditions map[[3]string]int
	// latest outcome of each trial, by the hash of its key, because a trial may run again
	last    map[uint64]trialOutcome
	seed    maphash.Seed
	samples []progressSample
	progress
}

type trialOutcome struct {
	condition               int
	right, scored, noAnswer bool
}

// progressSample is the number of finished trials at a point in time, for computing the rate.
type progressSample struct {
	at   time.Time
	done int64
}

// rateSamples is the number of polls over which the trial rate is computed.
const rateSamples = 20

// maxRead is the number of bytes after which one poll stops reading, at the next end of a line.
const maxRead = 64 << 20

// maxLine is the maximum size of one result, in bytes.
const maxLine = 256 << 20

func newTail(path string) (*resultTail, error) {
	sum, err := runs.LoadSummaryOrPlan(path)
	if err != nil {
		return nil, err
	}
	t := &resultTail{
		path:       path,
		conditions: map[[3]string]int{},
		last:       map[uint64]trialOutcome{},
		seed:       maphash.MakeSeed(),
	}
	for _, s := range sum.Suites {
		t.Planned += s.Cases * int64(max(s.Epochs, 1)) * int64(len(s.Conditions))
		for _, c := range s.Conditions {
			fault := cmp.Or(c.Fault, eval.NoFault)
			t.conditions[[3]string{s.Name, c.Variant, fault}] = len(t.Conditions)
			t.Conditions = append(t.Conditions,
				conditionCounts{Suite: shown(s.Name), Variant: shown(c.Variant), Fault: shown(fault)})
		}
	}
	return t, nil
}

// shown makes a name from a file safe to display: one line of at most 80 characters.
func shown(name string) string { return text.Excerpt(name, 80) }

// read counts the results since the last call. It leaves an incomplete last line for the next call.
func (t *resultTail) read(now time.Time) error {
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
	t.SecondsSinceWrite = max(0, int64(now.Sub(info.ModTime()).Seconds()))
	t.samples = append(t.samples, progressSample{at: now, done: t.Done})
	t.samples = t.samples[max(0, len(t.samples)-rateSamples):]
	first := t.samples[0]
	if duration := now.Sub(first.at).Seconds(); duration > 0 {
		t.Rate = float64(t.Done-first.done) / duration
	}
	return nil
}

func (t *resultTail) lines(r *bufio.Reader) error {
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

// add counts a result. If the trial has run before, the new outcome replaces the old one.
func (t *resultTail) add(r eval.Result) {
	condition, known := t.conditions[[3]string{r.Suite, r.Variant, cmp.Or(r.Fault, eval.NoFault)}]
	if !known {
		return
	}
	m := trialOutcome{condition: condition, noAnswer: r.Error != nil}
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

func (t *resultTail) count(m trialOutcome, n int64) {
	t.Done += n
	c := &t.Conditions[m.condition]
	if m.noAnswer {
		t.Errors += n
	}
	if m.scored {
		c.Scored += n
	}
	if m.right {
		c.Correct += n
	}
}
