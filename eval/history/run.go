package history

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/runs"
)

// Run describes a run as its manifest and summary do, without its results.
type Run struct {
	Name    string             `json:"name"` // name of the directory of the run
	Started time.Time          `json:"started"`
	Status  journal.Status     `json:"status"`
	Partial bool               `json:"partial,omitempty"` // the run is incomplete, or only a shard
	Version string             `json:"version"`           // version of evalctl that started the run
	Seed    uint64             `json:"seed"`
	Clock   string             `json:"clock"` // clock of the run: real or simulated
	Suites  []Suite            `json:"suites"`
	Gates   []eval.GateVerdict `json:"gates"` // verdicts of the gates
}

// Suite describes one suite of a run, with the variant of highest accuracy.
type Suite struct {
	Name        string `json:"name"`
	Dataset     string `json:"dataset"`
	DatasetHash string `json:"dataset_hash"`
	Cases       int64  `json:"cases"`
	Epochs      int    `json:"epochs"`
	// earlier run whose failed cases were selected; "": the cases were not selected by result
	FailedInRun    string            `json:"only_failing,omitempty"`
	SettingsHashes map[string]string `json:"settings_hashes"` // hash of the settings of each variant
	// variant with the highest accuracy; nil: decisions were not scored
	Leader *Leader `json:"leader"`
}

// Leader is the variant with the highest accuracy in a suite, without a fault.
type Leader struct {
	Variant  string        `json:"variant"`
	Accuracy eval.Estimate `json:"accuracy"`
}

// condition contains the metrics of one condition of a run.
type condition struct {
	suite, variant, fault string
	trials                int64
	// identifies the cases and how they were run; metrics are comparable only if it is equal
	casesID  string
	settings string // hash of the settings of the variant
	metrics  map[string]eval.Estimate
}

func readRun(dir, name string) (Run, []condition, error) {
	path := filepath.Join(dir, name)
	m, err := journal.ReadManifest(path)
	if err != nil {
		return Run{}, nil, err
	}
	sum, err := runs.ReadSummary(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Run{}, nil, err
	}
	return describe(path, name, m, sum)
}

// ReadRun describes the run in a directory without an index. A run without a summary has its planned
// suites. The status is that of the manifest.
func ReadRun(path string) (Run, error) {
	m, err := journal.ReadManifest(path)
	if err != nil {
		return Run{}, err
	}
	sum, err := runs.LoadSummaryOrPlan(path)
	if err != nil {
		return Run{}, err
	}
	r, _, err := describe(path, filepath.Base(path), m, sum)
	return r, err
}

func describe(path, name string, m journal.Manifest, sum eval.Summary) (Run, []condition, error) {
	r := Run{
		Name:    name,
		Started: m.Started,
		Status:  m.Status,
		Partial: sum.Partial,
		Version: m.Version,
		Seed:    m.Seed,
		Clock:   m.Clock,
		Gates:   sum.Gates,
	}
	plans, err := plansOf(m)
	if err != nil {
		return Run{}, nil, fmt.Errorf("%s: %w", filepath.Join(path, journal.ManifestFile), err)
	}
	var conditions []condition
	for _, s := range sum.Suites {
		of := Suite{
			Name:           s.Name,
			Dataset:        s.Dataset,
			DatasetHash:    plans[s.Name].hash,
			Cases:          s.Cases,
			Epochs:         s.Epochs,
			FailedInRun:    s.FailedInRun,
			SettingsHashes: map[string]string{},
			Leader:         leader(s),
		}
		drawn := uint64(0) // seed of the sample, if the cases are a sample; 0: all cases
		if s.Sample > 0 {
			drawn = m.Seed
		}
		played, err := json.Marshal([]any{of.DatasetHash, s.Split, s.Tags, s.Limit, s.Sample, drawn,
			plans[s.Name].named, s.FailedInRun, s.DecisionOnly, s.Cases, s.Epochs, s.Clock})
		if err != nil {
			return Run{}, nil, err
		}
		for _, c := range s.Conditions {
			of.SettingsHashes[c.Variant] = m.SettingsHashes[s.Name+"/"+c.Variant]
			conditions = append(conditions, condition{
				suite:    s.Name,
				variant:  c.Variant,
				fault:    cmp.Or(c.Fault, eval.NoFault),
				trials:   c.Trials,
				casesID:  string(played),
				settings: of.SettingsHashes[c.Variant],
				metrics:  c.Metrics,
			})
		}
		r.Suites = append(r.Suites, of)
	}
	return r, conditions, nil
}

// plan describes which cases of a suite were to run, as recorded in the manifest.
type plan struct {
	hash  string   // hash of the dataset
	named []string // IDs of the cases that the suite names; nil: it names none
}

func plansOf(m journal.Manifest) (map[string]plan, error) {
	plans := map[string]plan{}
	for i, text := range m.Suites {
		var s struct {
			Name  string   `json:"name"`
			Cases []string `json:"cases"`
		}
		if err := json.Unmarshal(text, &s); err != nil {
			return nil, err
		}
		slices.Sort(s.Cases)
		plans[s.Name] = plan{hash: m.Datasets[i].Hash, named: s.Cases}
	}
	return plans, nil
}

const accuracy = "route.accuracy"

func leader(s eval.SuiteSummary) (best *Leader) {
	for _, c := range s.Conditions {
		e := c.Metrics[accuracy]
		if cmp.Or(c.Fault, eval.NoFault) == eval.NoFault && e.Value != nil &&
			(best == nil || *e.Value > *best.Accuracy.Value) {
			best = &Leader{Variant: c.Variant, Accuracy: e}
		}
	}
	return best
}
