// Package fleet distributes the trials of one run to several machines, over NATS JetStream. A
// coordinator sends ranges of trials as messages of a work queue; a worker receives one as its
// lease. It renews the lease while it runs the trials, and acknowledges it when the broker has
// stored all results. If a worker dies, its lease goes to another worker. The coordinator
// acknowledges a result when its journal contains it, and rejects duplicates. Every trial is
// counted once, no matter which process is killed.
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

// Limits of the data on a broker, and timeouts.
const (
	maxFiles  = 64 << 20 // bytes of all files of a run
	maxSpec   = 64 << 20 // bytes of the manifest
	maxResult = 256 << 20
	maxQueue  = 1 << 30        // bytes of uncollected results
	maxAge    = 24 * time.Hour // age at which a broker deletes unread data
	maxText   = 500            // length of a worker's error report on the coordinator's terminal

	defaultLost    = 30 * time.Second // silence after which a worker is lost
	announced      = 2 * time.Minute  // lifetime of a run's announcement without renewal
	defaultTimeout = 5 * time.Second  // default timeout of a request, and of the shutdown
	transfer       = 2 * time.Minute  // timeout of a file transfer
)

// RunSpec contains what a worker needs to run trials of a run.
type RunSpec struct {
	Manifest stdjson.RawMessage `json:"manifest"`
	Files    []FileSet          `json:"roots"` // files and directories that its suites name
	Lost     time.Duration      `json:"lost_ns"`
}

// ID returns the name of a run on the broker. It depends on the manifest hash and the start time,
// so that a resumed run finds its data.
func ID(m journal.Manifest) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", m.ManifestHash, m.Started.UnixNano()))
	return hex.EncodeToString(sum[:10])
}

// Range contains the trials from From to To, exclusive, in the order of the plan.
type Range struct {
	From int64 `json:"from"`
	To   int64 `json:"to"`
}

// Assignment is a set of trials assigned to one worker.
type Assignment struct {
	Ranges []Range `json:"ranges"`
}

// Len returns the number of trials.
func (l Assignment) Len() (n int64) {
	for _, r := range l.Ranges {
		n += r.To - r.From
	}
	return n
}

// Minimum and maximum number of trials per assignment. A lost assignment is run again as a whole.
const (
	minAssignment = 16
	maxAssignment = 64
)

// readAssignment decodes an assignment and rejects one that no coordinator creates.
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

// decode decodes JSON from another machine and rejects unknown fields.
func decode(text []byte, v any) error {
	return json.Unmarshal(text, v, json.RejectUnknownMembers(true), jsonv1.FormatDurationAsNano(true))
}

// assignmentOf returns an assignment of these trials.
func assignmentOf(trials map[int64]struct{}) (l Assignment) {
	for _, i := range slices.Sorted(maps.Keys(trials)) {
		l.add(i)
	}
	return l
}

// add appends a trial.
func (l *Assignment) add(i int64) {
	if last := len(l.Ranges) - 1; last >= 0 && l.Ranges[last].To == i {
		l.Ranges[last].To++
		return
	}
	l.Ranges = append(l.Ranges, Range{From: i, To: i + 1})
}

// sanitize makes text from another machine safe for one line of a terminal.
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
