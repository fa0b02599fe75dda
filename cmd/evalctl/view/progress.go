package view

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"net/http"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"time"

	"evalctl/agent/clock"
	"evalctl/agent/file"
	"evalctl/agent/text"
	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/runs"
)

// heartbeat is the number of polls without progress after which the server sends an empty comment.
// The write fails if the client has disconnected.
const heartbeat = 30

// progressStreams sends the progress of unfinished runs. Each run is read once for all its clients.
type progressStreams struct {
	clients chan struct{}               // its capacity limits the number of clients
	wait    func(context.Context) error // waits until the time of the next poll

	mu     sync.Mutex
	byPath map[string]*followedRun // runs that clients follow, by run directory
}

// followedRun is a run whose progress is being sent to at least one client.
type followedRun struct {
	followers int // number of clients; guarded by progressStreams.mu

	mu   sync.Mutex
	tail *resultTail // nil before the first poll
}

// streamProgress sends the progress of a run as server-sent events.
func (s *Server) streamProgress(w http.ResponseWriter, r *http.Request) error {
	p, err := s.dirs.find(r.PathValue("name"))
	if err != nil {
		return err
	}
	if m, err := journal.ReadManifest(p.path); err != nil {
		return readError(err, p)
	} else if m.Status != journal.StatusRunning {
		w.WriteHeader(http.StatusNoContent) // after status 204 an EventSource does not reconnect
		return nil
	}
	select {
	case s.progress.clients <- struct{}{}:
		defer func() { <-s.progress.clients }()
	default:
		w.Header().Set("Retry-After", "10")
		return newHTTPError(http.StatusServiceUnavailable, "%d pages follow runs already", cap(s.progress.clients))
	}
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	extendDeadline(w, r)
	if r.Method == http.MethodHead {
		return nil
	}
	s.progress.follow(w, r, p)
	return nil
}

// follow sends the progress of a run until the run ends or the client disconnects.
func (s *progressStreams) follow(w http.ResponseWriter, r *http.Request, p namedRun) {
	run, leave := s.add(p.path)
	defer leave()
	var last progress
	for silent := 0; ; silent++ {
		now, over := run.poll(p.path, clock.WallNow(r.Context()))
		var out bytes.Buffer
		if now.Conditions != nil && hasChanged(last, now) {
			event(&out, "progress", now)
			last = now
		}
		if over != "" {
			event(&out, "end", struct {
				Why string `json:"why"`
			}{over})
		}
		if silent%heartbeat == heartbeat-1 && out.Len() == 0 {
			out.WriteString(": nothing new\n\n")
		}
		if out.Len() > 0 {
			extendDeadline(w, r)
			_, err := w.Write(out.Bytes())
			if err != nil || http.NewResponseController(w).Flush() != nil {
				return
			}
		}
		if over != "" || s.wait(r.Context()) != nil {
			return
		}
	}
}

// hasChanged reports whether progress has changed enough to send an event. It ignores the rate, and
// counts the time since the last write in full minutes.
func hasChanged(last, now progress) bool {
	last.Rate, last.SecondsSinceWrite = now.Rate, last.SecondsSinceWrite/60
	now.SecondsSinceWrite /= 60
	return !reflect.DeepEqual(last, now)
}

// event appends a server-sent event to out, with data as JSON.
func event(out *bytes.Buffer, name string, data any) {
	text, err := json.Marshal(data)
	if err != nil {
		panic(fmt.Errorf("view: event %s: %w", name, err)) // impossible: data contains only numbers and strings
	}
	fmt.Fprintf(out, "event: %s\ndata: %s\n\n", name, text)
}

// add adds a client that follows the run in the directory path. leave removes the client again.
func (s *progressStreams) add(path string) (run *followedRun, leave func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	run, ok := s.byPath[path]
	if !ok {
		run = &followedRun{}
		s.byPath[path] = run
	}
	run.followers++
	return run, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if run.followers--; run.followers == 0 {
			delete(s.byPath, path)
		}
	}
}

// poll reads new results of the run and returns its progress. over is the reason why the run ended;
// "": it is still running.
func (f *followedRun) poll(path string, now time.Time) (p progress, over string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !hasManifest(path) {
		return p, "its folder is gone"
	}
	// Read the manifest before the results. Otherwise results written just before the run ended
	// could be missed.
	m, err := journal.ReadManifest(path)
	if err == nil && f.tail == nil {
		f.tail, err = newTail(path)
	}
	if err == nil {
		err = f.tail.read(now)
	}
	if err != nil {
		return p, err.Error()
	}
	p = f.tail.progress
	p.Conditions = slices.Clone(p.Conditions)
	if m.Status != journal.StatusRunning {
		over = "it is " + shown(string(m.Status))
	}
	return p, over
}

// progress is how far a run has come, as sent to the browser.
type progress struct {
	Done              int64             `json:"done"` // finished trials
	Planned           int64             `json:"planned"`
	Errors            int64             `json:"errors"`              // trials without an answer
	Rate              float64           `json:"rate"`                // trials per second over the latest polls
	SecondsSinceWrite int64             `json:"seconds_since_write"` // seconds since the results file was last written
	Conditions        []conditionCounts `json:"conditions"`
}

// conditionCounts counts the scored and the correct decisions of one condition.
type conditionCounts struct {
	Suite   string `json:"suite"`
	Variant string `json:"variant"`
	Fault   string `json:"fault"`
	Correct int64  `json:"correct"`
	Scored  int64  `json:"scored"`
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
	condition                 int
	correct, scored, noAnswer bool
}

// progressSample is the number of finished trials at a point in time, for computing the rate.
type progressSample struct {
	at   time.Time
	done int64
}

// rateSamples is the number of polls over which the trial rate is computed.
const rateSamples = 20

// maxRead is the number of bytes after which one poll stops reading, at the next end of a line. It is
// also the maximum size of one result. An agent sends at most 10,000 events per turn, and each adds
// less than 500 bytes to the result, so that a turn adds at most 5 MB.
const maxRead = 64 << 20

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
	if err := t.lines(bufio.NewReaderSize(f, 64<<10), info.Size()-t.at); err != nil {
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

// lines counts the complete lines that r reads. unread is the size of the rest of the file.
func (t *resultTail) lines(r *bufio.Reader, unread int64) error {
	var line []byte
	for size := 0; size < maxRead; {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > maxRead {
			return errors.New("a line of its results is too long")
		}
		line = append(line, part...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			rest := int(min(unread, maxRead)) - len(line)
			line = slices.Grow(line, max(rest, 0)) // one allocation for a long line
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
		m.scored, m.correct = true, d.Verdict == eval.Pass
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
	if m.correct {
		c.Correct += n
	}
}
