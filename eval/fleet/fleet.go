// Package fleet has the trials of one run played on many machines, over NATS
// JetStream. A coordinator lends ranges of trials to workers, as messages of a work
// queue: a worker keeps telling that it plays a lease, acknowledges it when all its
// results are kept by the broker, and a lease of one that has died goes to another. The
// coordinator acknowledges a result when its journal holds it, and takes none twice:
// whoever is killed when, every trial is counted once.
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

// Bounds of what lies on a broker, and of the waits for it.
const (
	MaxFiles  = 64 << 20 // bytes of all files of a run together
	maxOrder  = 64 << 20 // of its manifest
	maxResult = 256 << 20
	maxQueue  = 1 << 30        // of results that the coordinator has not taken
	maxAge    = 24 * time.Hour // after which a broker forgets what nobody has asked for
	maxText   = 500            // of what a worker tells the coordinator's terminal

	defaultLost = 30 * time.Second // silence after which a worker is lost
	announced   = 2 * time.Minute  // that a run is known after its coordinator was heard last
	patience    = 5 * time.Second  // for an answer of the broker, and at the end of things, where none is given
	transfer    = 2 * time.Minute  // for a file
)

// RunSpec is what a worker must know to play trials of a run.
type RunSpec struct {
	Manifest stdjson.RawMessage `json:"manifest"`
	Roots    []FileSet          `json:"roots"` // files and folders that its suites name
	Lost     time.Duration      `json:"lost_ns"`
}

// ID names a run on the broker: by what is played and when it began, so that a
// resumed run finds what is its own.
func ID(m journal.Manifest) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", m.ManifestHash, m.Started.UnixNano()))
	return hex.EncodeToString(sum[:10])
}

// Range are the trials from From up to, but without, To, in the order of the plan.
type Range struct {
	From int64 `json:"from"`
	To   int64 `json:"to"`
}

// Assignment is what is lent at once.
type Assignment struct {
	Ranges []Range `json:"ranges"`
}

// Len is how many trials are lent.
func (l Assignment) Len() (n int64) {
	for _, r := range l.Ranges {
		n += r.To - r.From
	}
	return n
}

// Least and most trials of a lease: one that is lost is played again as a whole.
const (
	leastLease = 16
	mostLease  = 64
)

// readLease refuses what no coordinator lends.
func readLease(text []byte, total int64) (l Assignment, err error) {
	if err := decode(text, &l); err != nil {
		return l, fmt.Errorf("lease: %w", err)
	}
	for _, r := range l.Ranges {
		if r.From < 0 || r.From >= r.To || r.To > total {
			return l, fmt.Errorf("lease: trials %d to %d of %d", r.From, r.To, total)
		}
	}
	if n := l.Len(); n < 1 || n > mostLease {
		return l, fmt.Errorf("lease: %d trials", n)
	}
	return l, nil
}

// decode reads what another machine wrote, and refuses what has fields that are not known
// here.
func decode(text []byte, v any) error {
	return json.Unmarshal(text, v, json.RejectUnknownMembers(true), jsonv1.FormatDurationAsNano(true))
}

// leaseOf lends trials.
func leaseOf(trials map[int64]struct{}) (l Assignment) {
	for _, i := range slices.Sorted(maps.Keys(trials)) {
		l.add(i)
	}
	return l
}

// add lends one more, behind the others.
func (l *Assignment) add(i int64) {
	if last := len(l.Ranges) - 1; last >= 0 && l.Ranges[last].To == i {
		l.Ranges[last].To++
		return
	}
	l.Ranges = append(l.Ranges, Range{From: i, To: i + 1})
}

// plain is a text of somebody else's, fit for one line of a terminal.
func plain(text string) string {
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
