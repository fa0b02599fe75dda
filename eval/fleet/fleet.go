// Package fleet distributes the trials of one run to several machines, over NATS JetStream.
//
// A coordinator sends ranges of trials as messages of a work queue. A worker that receives such a
// message holds a lease on its trials. It renews the lease while it runs the trials, and
// acknowledges the message when the broker has stored all results. If a worker dies, its lease
// expires and another worker receives the message. The coordinator acknowledges a result when its
// journal contains it, and drops duplicates. Every trial is therefore counted once, no matter which
// process is killed.
package fleet

import (
	"crypto/sha256"
	"encoding/hex"
	stdjson "encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/go-json-experiment/json"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"evalctl/eval/journal"
)

// Limits for the data on a broker, and time limits.
const (
	maxFiles  = 64 << 20 // total size of the files of a run, in bytes
	maxSpec   = 64 << 20 // size of the run specification, in bytes
	maxResult = 256 << 20
	maxQueue  = 1 << 30        // total size of the uncollected results, in bytes
	maxAge    = 24 * time.Hour // age after which the broker deletes unread data
	maxText   = 500            // maximum length of a worker's error message on the coordinator's terminal

	defaultLost          = 30 * time.Second // time without a sign of life after which a worker counts as lost
	announcementLifetime = 2 * time.Minute  // lifetime of a run's announcement that is not renewed
	defaultTimeout       = 5 * time.Second  // default time limit of a request and of the shutdown
	transferTimeout      = 2 * time.Minute  // time limit of a file transfer
)

// RunSpec contains everything that a worker needs to run trials of a run.
type RunSpec struct {
	Manifest      stdjson.RawMessage `json:"manifest"` // manifest of the run, as JSON
	Files         []FileSet          `json:"roots"`    // files and directories that the suites use
	WorkerTimeout time.Duration      `json:"lost_ns"`  // time without a sign of life after which a lease expires
}

// RunID returns the name of a run on the broker. It is derived from the hash of the manifest and the
// start time, so that a resumed run finds its data.
func RunID(m journal.Manifest) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", m.ManifestHash, m.Started.UnixNano()))
	return hex.EncodeToString(sum[:10])
}

// Range is a range of trials, numbered in the order of the run, from From up to but excluding To.
type Range struct {
	From int64 `json:"from"`
	To   int64 `json:"to"`
}

// Assignment is the set of trials that one worker is to run.
type Assignment struct {
	Ranges []Range `json:"ranges"` // ranges of trials in ascending order
}

// Len returns the number of trials in the assignment.
func (l Assignment) Len() (n int64) {
	for _, r := range l.Ranges {
		n += r.To - r.From
	}
	return n
}

// Minimum and maximum number of trials per assignment. If a worker is lost, its whole assignment
// runs again.
const (
	minAssignment = 16
	maxAssignment = 64
)

// readAssignment decodes an assignment, and returns an error for one with invalid trials.
func readAssignment(text []byte, total int64) (l Assignment, err error) {
	if err := decode(text, &l); err != nil {
		return l, fmt.Errorf("lease: %w", err)
	}
	for _, r := range l.Ranges {
		if r.From < 0 || r.From >= r.To || r.To > total {
			return l, fmt.Errorf("lease: trials %d to %d of %d", r.From, r.To, total)
		}
	}
	if n := l.Len(); n < 1 || n > maxAssignment {
		return l, fmt.Errorf("lease: %d trials", n)
	}
	return l, nil
}

// decode decodes JSON from another machine and returns an error for unknown fields.
func decode(text []byte, v any) error {
	return json.Unmarshal(text, v, json.RejectUnknownMembers(true), jsonv1.FormatDurationAsNano(true))
}

func assignmentOf(trials map[int64]struct{}) (l Assignment) {
	for _, i := range slices.Sorted(maps.Keys(trials)) {
		l.add(i)
	}
	return l
}

// add appends a trial to the assignment. Consecutive trials are merged into one range.
func (l *Assignment) add(i int64) {
	if last := len(l.Ranges) - 1; last >= 0 && l.Ranges[last].To == i {
		l.Ranges[last].To++
		return
	}
	l.Ranges = append(l.Ranges, Range{From: i, To: i + 1})
}

// sanitize makes a text from another machine safe to print as one line on a terminal.
func sanitize(text string) string {
	var shown strings.Builder
	for _, r := range text {
		if unicode.IsPrint(r) {
			shown.WriteRune(r)
		} else {
			shown.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
	}
	text = shown.String()
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "") + "…"
	}
	return text
}
