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

// Status is the state of a run: running, done, interrupted or failed.
type Status string

const (
	StatusRunning     Status = "running"     // in progress, or its process was killed
	StatusDone        Status = "done"        // all trials have ended
	StatusInterrupted Status = "interrupted" // stopped by the user or a limit; it can be resumed
	StatusFailed      Status = "failed"      // ended by an error
)

// Manifest describes a run in the file manifest.json. It contains everything that is needed to
// resume the run and to decide whether two runs are comparable. Only this file contains the times
// and IDs of the run.
type Manifest struct {
	FormatVersion int    `json:"format_version"` // version of the format of all files of the run; set by Write
	Version       string `json:"version"`        // version of evalctl that started the run
	// compiler and platform of evalctl, which can change floating-point results
	Toolchain string `json:"toolchain"`
	Status    Status `json:"status"`
	Error     string `json:"error,omitempty"` // why the run failed; "": it did not
	// metrics that have too little data although the run ended
	IncompleteMetrics string     `json:"incomplete,omitempty"`
	Started           time.Time  `json:"started"`
	Finished          *time.Time `json:"finished,omitempty"`
	Args              []string   `json:"args"`  // command line that started the run
	Clock             string     `json:"clock"` // clock of the trials: real or simulated
	// recorded or replayed, if a cassette is used; "": no cassette
	CassetteMode string   `json:"cassette_mode,omitempty"`
	Seed         uint64   `json:"seed"`               // seed of everything random
	Gates        []string `json:"gates"`              // gate rules, in addition to those of the suites
	Baseline     string   `json:"baseline,omitempty"` // directory of the run that gates compare with
	// the suites with all defaults filled in, in the format of a suite file
	Suites         []json.RawMessage `json:"suites"`
	Datasets       []DatasetInfo     `json:"datasets"`        // datasets of the suites, in the same order
	SettingsHashes map[string]string `json:"settings_hashes"` // hash of the settings by "SUITE/VARIANT"
	Prices         PricesInfo        `json:"prices,omitzero"` // prices of the real models; zero: no real models
	// prompts of the variants; their texts are in PromptsDir
	Prompts []PromptInfo `json:"prompts,omitempty"`
	Shard   *eval.Shard  `json:"shard,omitempty"` // the shard that this run executes; null: the whole run
	// limits of the spending; a resumed run may replace them; nil: none
	Budget *Budget `json:"budget,omitempty"`
	// spending on real endpoints so far; nil: the run was killed before it was recorded
	Spent *Spending `json:"spent,omitempty"`
	// hash of everything that determines the trials and their results
	ManifestHash string    `json:"manifest_hash"`
	Traces       TraceMode `json:"traces,omitempty"` // which traces are stored; this does not affect results

	// numbers of trials that ran at a time, each different number once; only in real time
	Parallel []int `json:"parallel,omitempty"`

	// program files that the run's commands name; they are not part of a trial's key
	Programs []Program `json:"programs,omitempty"`
	// programs that changed while --allow-changed was set, in order
	ChangedPrograms []ChangedProgram `json:"changed_programs,omitempty"`
	// workers may have run other programs than those in Programs
	WorkersMayDiffer bool `json:"workers_may_differ,omitempty"`
}

// form contains the manifest fields that a reader of the journal needs.
type form struct {
	ManifestHash string    `json:"manifest_hash"`
	Traces       TraceMode `json:"traces"`
}

// formOf reads the form of the run in a directory. Without a valid manifest it returns the zero
// form; callers that require a manifest report the error themselves.
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

func (f form) mark() mark {
	if f.ManifestHash == "" {
		return ""
	}
	return markOf(f.ManifestHash)
}

// Spending is what a run has spent on real endpoints, including earlier parts of a resumed run.
type Spending struct {
	// number of requests that were sent; slightly too high after a run with a request budget was
	// killed
	Calls   int64   `json:"requests"`
	USD     float64 `json:"usd"`     // cost in US dollars of the calls that have a price
	Seconds float64 `json:"seconds"` // wall-clock time
	// number of requests that a rate limit rejected and that were repeated
	RateLimitedRequests int64 `json:"rate_limited,omitempty"`
}

// Budget limits what a run may spend on real endpoints, including earlier parts of a resumed run. 0
// means no limit.
type Budget struct {
	// US dollars; when completed trials have cost this much, no new trial starts
	USD   float64       `json:"usd,omitempty"`
	Time  time.Duration `json:"duration_ns,omitempty"` // wall-clock time
	Calls int64         `json:"requests,omitempty"`    // number of requests, including retries
}

// WithDefaults returns the budget with its missing limits taken from other.
func (b Budget) WithDefaults(other *Budget) Budget {
	if other == nil {
		return b
	}
	return Budget{USD: cmp.Or(b.USD, other.USD), Time: cmp.Or(b.Time, other.Time),
		Calls: cmp.Or(b.Calls, other.Calls)}
}

// DatasetInfo identifies a dataset that a run used, and its number of cases.
type DatasetInfo struct {
	Name  string `json:"name"`
	Hash  string `json:"hash"`  // hash of the dataset file
	Cases int64  `json:"cases"` // number of cases that were selected
}

// PricesInfo has the prices of the real models, and identifies the user's own price file.
type PricesInfo struct {
	Path   string            `json:"path,omitempty"`   // "": no file of prices
	Hash   string            `json:"hash,omitempty"`   // of the file
	Models map[string]string `json:"models,omitempty"` // price, source and date by model
}

// maxManifest is the maximum size of a manifest in bytes.
const maxManifest = 64 << 20

// ErrNoRun is returned for a directory without a manifest.
var ErrNoRun = errors.New("contains no run: it has no " + ManifestFile)

// ReadManifest reads the manifest of the run in dir. It returns an error if the manifest was
// changed since the run started, or if a file of the run is a link or a pipe. It returns ErrNoRun
// if there is no manifest.
func ReadManifest(dir string) (Manifest, error) {
	var m Manifest
	path := filepath.Join(dir, ManifestFile)
	for _, name := range FileNames() {
		if err := checkKind(dir, name); err != nil {
			return m, err
		}
	}
	b, err := ReadFile(dir, ManifestFile, maxManifest)
	if errors.Is(err, fs.ErrNotExist) {
		return m, fmt.Errorf("%s %w", dir, ErrNoRun)
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

// WithHash returns a copy of the manifest with the hash of its content set.
func (m Manifest) WithHash() (Manifest, error) {
	all := []any{m.Version, m.Clock, m.Seed, m.Suites, m.Datasets, m.SettingsHashes}
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

// CheckVersion returns an error if the version of evalctl differs from the one that started the run.
// Another version may decide and count differently.
func (m Manifest) CheckVersion(now string) error {
	if now != m.Version {
		return fmt.Errorf("the run began with evalctl %s, this is %s", m.Version, now)
	}
	return nil
}

// CheckSamePlan returns an error that describes how a new plan differs from the manifest. Results
// of different plans must not be combined.
func (m Manifest) CheckSamePlan(now Manifest) error {
	if err := m.CheckVersion(now.Version); err != nil {
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

// Write writes the manifest to dir. It replaces an existing manifest atomically.
func (m Manifest) Write(dir string) error {
	m.FormatVersion = FormatVersion
	return WriteJSON(filepath.Join(dir, ManifestFile), m)
}

// WriteJSON writes a value as a JSON file. It replaces an existing file atomically.
func WriteJSON(path string, v any) error {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("encode %s: %w", path, err)
	}
	return file.ReplaceAtomic(path, append(b, '\n'), 0o600)
}
