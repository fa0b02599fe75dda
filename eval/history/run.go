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

// Run describes a run from its directory, without its results.
type Run struct {
	Name    string             `json:"name"` // name of the directory
	Started time.Time          `json:"started"`
	Status  journal.Status     `json:"status"`
	Partial bool               `json:"partial,omitempty"`
	Version string             `json:"version"`
	Seed    uint64             `json:"seed"`
	Time    string             `json:"clock"` // real or simulated
	Suites  []Suite            `json:"suites"`
	Gates   []eval.GateVerdict `json:"gates"`
}

// Suite describes one suite of a run.
type Suite struct {
	Name           string            `json:"name"`
	Dataset        string            `json:"dataset"`
	DatasetHash    string            `json:"dataset_hash"`
	Cases          int64             `json:"cases"`
	Epochs         int               `json:"epochs"`
	FailedIn       string            `json:"only_failing,omitempty"` // run in which these cases failed
	SettingsHashes map[string]string `json:"settings_hashes"`        // hash by variant
	Leader         *Leader           `json:"leader"`                 // nil: decisions were not scored
}

// Leader is the variant with the highest accuracy without a fault.
type Leader struct {
	Variant  string        `json:"variant"`
	Accuracy eval.Estimate `json:"accuracy"`
}

// condition contains the metrics of one condition of a run.
type condition struct {
	suite, variant, fault string
	trials                int64
	// identifies the cases and how they were run; metrics with different values are not comparable
	casesID  string
	settings string // hash
	metrics  map[string]eval.Estimate
}

// read reads a run's directory, without its results.
func read(dir, name string) (Run, []condition, error) {
	path := filepath.Join(dir, name)
	m, err := journal.ReadManifest(path)
	if err != nil {
		return Run{}, nil, err
	}
	sum, err := runs.ReadSummary(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Run{}, nil, err
	}
	r := Run{
		Name:    name,
		Started: m.Started,
		Status:  m.Status,
		Partial: sum.Partial,
		Version: m.Version,
		Seed:    m.Seed,
		Time:    m.Time,
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
			FailedIn:       s.FailedIn,
			SettingsHashes: map[string]string{},
			Leader:         leader(s),
		}
		drawn := uint64(0) // seed if it selects cases; a sample that contains all cases is not recognized
		if s.Sample > 0 {
			drawn = m.Seed
		}
		played, err := json.Marshal([]any{of.DatasetHash, s.Split, s.Tags, s.Limit, s.Sample, drawn,
			plans[s.Name].named, s.FailedIn, s.DecisionOnly, s.Cases, s.Epochs, s.Time})
		if err != nil {
			return Run{}, nil, err
		}
		for _, c := range s.Conditions {
			of.SettingsHashes[c.Name] = m.SettingsHashes[s.Name+"/"+c.Name]
			conditions = append(conditions, condition{
				suite:    s.Name,
				variant:  c.Name,
				fault:    cmp.Or(c.Fault, eval.NoFault),
				trials:   c.Trials,
				casesID:  string(played),
				settings: of.SettingsHashes[c.Name],
				metrics:  c.Metrics,
			})
		}
		r.Suites = append(r.Suites, of)
	}
	return r, conditions, nil
}

// plan contains the cases of a suite, as recorded in the manifest.
type plan struct {
	hash  string   // of the dataset
	named []string // cases listed by ID; nil: not listed
}

// plansOf returns the plans of the suites by name.
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
			best = &Leader{Variant: c.Name, Accuracy: e}
		}
	}
	return best
}
