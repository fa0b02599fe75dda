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

// Status is the state of a run.
type Status string

const (
	Running     Status = "running"
	Done        Status = "done"
	Interrupted Status = "interrupted"
	Failed      Status = "failed"
)

// Manifest describes a run: everything needed to resume it and to decide whether two runs are
// comparable. Only the manifest contains the run's times and IDs.
type Manifest struct {
	FormatVersion int    `json:"format_version"` // of all files of the run; set by Write
	Version       string `json:"version"`        // identity of the build of evalctl
	// compiler and platform, which can change floating-point results
	Toolchain string `json:"toolchain"`
	Status    Status `json:"status"`
	Error     string `json:"error,omitempty"`
	// metrics with too little data, in a run that ended
	Incomplete     string            `json:"incomplete,omitempty"`
	Started        time.Time         `json:"started"`
	Finished       *time.Time        `json:"finished,omitempty"`
	Args           []string          `json:"args"`
	Time           string            `json:"clock"`
	CassetteMode   string            `json:"cassette_mode,omitempty"` // recorded or replayed; "": neither
	Seed           uint64            `json:"seed"`
	Gates          []string          `json:"gates"`              // in addition to those of the suites
	Baseline       string            `json:"baseline,omitempty"` // run that gates compare with
	Suites         []json.RawMessage `json:"suites"`             // resolved, in the format of a suite file
	Datasets       []DatasetNote     `json:"datasets"`           // in the order of suites
	SettingsHashes map[string]string `json:"settings_hashes"`    // hash by suite and variant
	Prices         PricesNote        `json:"prices,omitzero"`    // the user's own price file; zero: none
	Shard          *eval.Shard       `json:"shard,omitempty"`    // the shard that is run here; null: the whole run
	Budget         *Budget           `json:"budget,omitempty"`   // until another is given; nil: none
	// on real endpoints so far; nil: the run was killed before the first update
	Spent *Spent `json:"spent,omitempty"`
	// hash of everything that determines the trials and their results
	ManifestHash string `json:"manifest_hash"`
	Traces       Traces `json:"traces,omitempty"` // traces that are stored; does not affect results

	Parallel []int `json:"parallel,omitempty"` // concurrent trials, one entry per distinct value; only in real time

	// files named in commands; not part of a trial's key
	Programs        []Program        `json:"programs,omitempty"`
	ChangedPrograms []ChangedProgram `json:"changed_programs,omitempty"` // accepted by --allow-changed, in order
	// workers may run programs other than Programs
	WorkersMayDiffer bool `json:"workers_may_differ,omitempty"`
}

// form contains the manifest fields that define how the run's files are written.
type form struct {
	ManifestHash string `json:"manifest_hash"`
	Traces       Traces `json:"traces"`
}

// formOf reads the form of the run in a directory. It returns the zero form if there is no valid
// manifest; code that requires a manifest reports this itself.
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

// mark returns the mark of the run's lines, "" without a manifest.
func (f form) mark() mark {
	if f.ManifestHash == "" {
		return ""
	}
	return markOf(f.ManifestHash)
}

// Spent is the total that all parts of a run have spent on real endpoints.
type Spent struct {
	Calls       int64   `json:"requests"` // requests sent; a few too many if a run with a request budget was killed
	USD         float64 `json:"usd"`      // for calls that have a price
	Seconds     float64 `json:"seconds"`
	RateLimited int64   `json:"rate_limited,omitempty"` // requests rejected by a rate limit and sent again
}

// Budget limits what a run spends on real endpoints, including earlier parts. 0: no limit.
type Budget struct {
	// US dollars of completed trials; running trials are still completed
	Cost  float64       `json:"usd,omitempty"`
	Time  time.Duration `json:"duration_ns,omitempty"` // wall-clock time
	Calls int64         `json:"requests,omitempty"`    // requests sent, including retries
}

// WithDefaults returns b with the limits of other where b has none.
func (b Budget) WithDefaults(other *Budget) Budget {
	if other == nil {
		return b
	}
	return Budget{Cost: cmp.Or(b.Cost, other.Cost), Time: cmp.Or(b.Time, other.Time),
		Calls: cmp.Or(b.Calls, other.Calls)}
}

// DatasetNote identifies the cases of a run.
type DatasetNote struct {
	Name  string `json:"name"`
	Hash  string `json:"hash"`
	Cases int64  `json:"cases"` // after filters
}

// PricesNote identifies the user's own price file.
type PricesNote struct {
	Path string `json:"path"`
	Hash string `json:"hash"` // of the file
}

// maxManifest limits the size of a manifest, in bytes.
const maxManifest = 64 << 20

// ReadManifest reads the manifest of the run in dir. It returns an error if the manifest was
// changed since the run started. A link or a pipe in place of a run's file is also an error.
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

// WithHash returns the manifest with the hash of its content.
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

// CheckBuild returns an error for a build of evalctl other than the one that started the run. It
// may decide and count differently.
func (m Manifest) CheckBuild(now string) error {
	if now != m.Version {
		return fmt.Errorf("the run began with evalctl %s, this is %s", m.Version, now)
	}
	return nil
}

// CheckSame returns an error that describes how a plan differs from the manifest. Results of
// different plans must not be combined.
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

// Write replaces the manifest in dir atomically.
func (m Manifest) Write(dir string) error {
	m.FormatVersion = FormatVersion
	return WriteJSON(filepath.Join(dir, ManifestFile), m)
}

// WriteJSON writes a file atomically.
func WriteJSON(path string, v any) error {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("encode %s: %w", path, err)
	}
	return file.ReplaceAtomic(path, append(b, '\n'), 0o600)
}
