package journal

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"evalctl/agent/file"
	"evalctl/eval"
)

// Status is what became of a run.
type Status string

// The statuses.
const (
	Running     Status = "running"
	Done        Status = "done"
	Interrupted Status = "interrupted"
	Failed      Status = "failed"
)

// Manifest says what ran: enough to go on with it, and to tell whether two runs
// are comparable. Times and ids of the run stand here and nowhere else.
type Manifest struct {
	FormatVersion  int               `json:"format_version"` // of all files of the run; set by Write
	Version        string            `json:"version"`        // identity of the build of evalctl
	Toolchain      string            `json:"toolchain"`      // compiler and platform: floating point differs between them
	Status         Status            `json:"status"`
	Error          string            `json:"error,omitempty"`
	Incomplete     string            `json:"incomplete,omitempty"` // what was measured too little of, in a run that ended
	Started        time.Time         `json:"started"`
	Finished       *time.Time        `json:"finished,omitempty"`
	Args           []string          `json:"args"`
	Time           string            `json:"clock"`
	CassetteMode   string            `json:"cassette_mode,omitempty"` // recorded or replayed; "": neither
	Seed           uint64            `json:"seed"`
	Gates          []string          `json:"gates"`              // besides those of the suites
	Baseline       string            `json:"baseline,omitempty"` // that gates compare with
	Suites         []json.RawMessage `json:"suites"`             // resolved, as a suite file
	Datasets       []DatasetNote     `json:"datasets"`           // in the order of suites
	SettingsHashes map[string]string `json:"settings_hashes"`    // hash by suite and variant
	Prices         PricesNote        `json:"prices,omitzero"`    // of the user's own; zero: there are none
	Shard          *eval.Shard       `json:"shard,omitempty"`    // the part that is played here; null: the whole run
	Budget         *Budget           `json:"budget,omitempty"`   // until another is given; nil: there is none
	Spent          *Spent            `json:"spent,omitempty"`    // on real endpoints, until now; nil: the run was killed before any was counted
	ManifestHash   string            `json:"manifest_hash"`      // hash of all that settles which trials there are and what comes of them
	Traces         Traces            `json:"traces,omitempty"`   // that are kept; changes nothing of what comes of trials

	Parallel []int `json:"parallel,omitempty"` // trials at once, of each start with another number; only where time is real

	Programs         []Program        `json:"programs,omitempty"`           // files that commands name; in no key of a trial
	ChangedPrograms  []ChangedProgram `json:"changed_programs,omitempty"`   // that --allow-changed accepted, in the order of the changes
	WorkersMayDiffer bool             `json:"workers_may_differ,omitempty"` // workers may run other programs than Programs
}

// form is what a manifest says of how the run's files are written.
type form struct {
	ManifestHash string `json:"manifest_hash"`
	Traces       Traces `json:"traces"`
}

// formOf is that of the run in a folder, zero where there is none: who needs a manifest
// reads it.
func formOf(dir string) (f form) {
	b, err := ReadFile(dir, ManifestFile, maxManifest)
	if err != nil || json.Unmarshal(b, &f) != nil {
		return form{}
	}
	if f.ManifestHash == "" && json.Unmarshal(newerManifest(b), &f) != nil {
		return form{}
	}
	return f
}

// mark is that of the run's lines, "" where no manifest tells it.
func (f form) mark() mark {
	if f.ManifestHash == "" {
		return ""
	}
	return markOf(f.ManifestHash)
}

// Spent is what a run has spent on real endpoints, all its parts together.
type Spent struct {
	Calls       int64   `json:"requests"` // requests that went out; of a run with a budget of calls that was killed, a few more
	USD         float64 `json:"usd"`      // of calls that have a price
	Seconds     float64 `json:"seconds"`
	RateLimited int64   `json:"rate_limited,omitempty"` // of the calls: for want of room; they were sent again
}

// Budget bounds what a run spends on real endpoints, earlier parts of it included; 0: it
// does not.
type Budget struct {
	Cost  float64       `json:"usd,omitempty"`         // US dollars, of the trials that ended; those under way end, too
	Time  time.Duration `json:"duration_ns,omitempty"` // by the wall clock
	Calls int64         `json:"requests,omitempty"`    // requests that go out, those that are sent again included
}

// WithDefaults is b, and other where b has no bound.
func (b Budget) WithDefaults(other *Budget) Budget {
	if other == nil {
		return b
	}
	return Budget{Cost: cmp.Or(b.Cost, other.Cost), Time: cmp.Or(b.Time, other.Time), Calls: cmp.Or(b.Calls, other.Calls)}
}

// DatasetNote says which cases were played.
type DatasetNote struct {
	Name  string `json:"name"`
	Hash  string `json:"hash"`
	Cases int64  `json:"cases"` // after filters
}

// PricesNote says by which prices of the user's own what is real was billed.
type PricesNote struct {
	Path string `json:"path"`
	Hash string `json:"hash"` // of the file
}

// maxManifest bounds a manifest, in bytes.
const maxManifest = 64 << 20

// ReadManifest reads the manifest of the run in dir, and refuses one that was changed
// since the run began, and a folder with a link or a pipe in the place of a run's file.
func ReadManifest(dir string) (Manifest, error) {
	var m Manifest
	path := filepath.Join(dir, ManifestFile)
	for _, name := range Files() {
		if err := checkKind(dir, name); err != nil {
			return m, err
		}
	}
	b, err := ReadFile(dir, ManifestFile, maxManifest)
	if errors.Is(err, fs.ErrNotExist) {
		return m, fmt.Errorf("%s contains no run: it has no %s", dir, ManifestFile)
	}
	if err != nil {
		return m, err
	}
	var of struct {
		Format int `json:"format_version"`
	}
	switch err := json.Unmarshal(b, &of); {
	case err == nil && of.Format > FormatVersion:
		return m, fmt.Errorf("%s: is of format version %d, this evalctl reads up to %d", path, of.Format, FormatVersion)
	case err == nil && of.Format < FormatVersion:
		b = newerManifest(b)
	}
	if err := json.Unmarshal(b, &m); err != nil {
		return m, fmt.Errorf("%s: %w", path, err)
	}
	if len(m.Suites) == 0 || len(m.Suites) != len(m.Datasets) {
		return m, fmt.Errorf("%s: names %d suites and %d datasets", path, len(m.Suites), len(m.Datasets))
	}
	if sealed, err := m.WithHash(); err != nil || sealed.ManifestHash != m.ManifestHash {
		return m, fmt.Errorf("%s has changed since the run began: its seal does not fit", path)
	}
	return m, nil
}

// WithHash has the seal of what the manifest says.
func (m Manifest) WithHash() (Manifest, error) {
	all := []any{m.Version, m.Time, m.Seed, m.Suites, m.Datasets, m.SettingsHashes}
	if m.Shard != nil {
		all = append(all, m.Shard)
	}
	if m.Prices.Hash != "" {
		all = append(all, m.Prices.Hash)
	}
	b, err := json.Marshal(all)
	if err != nil {
		return m, fmt.Errorf("seal the manifest: %w", err)
	}
	sum := sha256.Sum256(b)
	m.ManifestHash = hex.EncodeToString(sum[:12])
	return m, nil
}

// CheckBuild refuses another build of evalctl than the run began with: it may decide and count
// differently.
func (m Manifest) CheckBuild(now string) error {
	if now != m.Version {
		return fmt.Errorf("the run began with evalctl %s, this is %s", m.Version, now)
	}
	return nil
}

// CheckSame says where a plan differs from what the manifest's run began with:
// results of different runs must not be added up.
func (m Manifest) CheckSame(now Manifest) error {
	if err := m.CheckBuild(now.Version); err != nil {
		return err
	}
	for i, d := range m.Datasets {
		if now.Datasets[i].Hash != d.Hash {
			return fmt.Errorf("dataset %s has changed since the run began", d.Name)
		}
	}
	for name, hash := range m.SettingsHashes {
		if now.SettingsHashes[name] != hash {
			return fmt.Errorf("the settings or prompts of %s have changed since the run began", name)
		}
	}
	if now.ManifestHash != m.ManifestHash {
		return errors.New("the suites, the seed or the clock have changed since the run began")
	}
	return nil
}

// Write replaces dir's manifest as a whole.
func (m Manifest) Write(dir string) error {
	m.FormatVersion = FormatVersion
	return WriteJSON(filepath.Join(dir, ManifestFile), m)
}

// WriteJSON writes a file that is there as a whole or not at all.
func WriteJSON(path string, v any) error {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("encode %s: %w", path, err)
	}
	return file.ReplaceAtomic(path, append(b, '\n'), 0o600)
}
