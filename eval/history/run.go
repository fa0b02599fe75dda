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

// Run is a run as far as its folder tells.
type Run struct {
	Name    string             `json:"name"` // of its folder
	Started time.Time          `json:"started"`
	Status  journal.Status     `json:"status"`
	Partial bool               `json:"partial,omitempty"`
	Version string             `json:"version"`
	Seed    uint64             `json:"seed"`
	Time    string             `json:"clock"` // real or simulated
	Suites  []Suite            `json:"suites"`
	Gates   []eval.GateVerdict `json:"gates"`
}

// Suite is what a run played of one.
type Suite struct {
	Name           string            `json:"name"`
	Dataset        string            `json:"dataset"`
	DatasetHash    string            `json:"dataset_hash"`
	Cases          int64             `json:"cases"`
	Epochs         int               `json:"epochs"`
	FailedIn       string            `json:"only_failing,omitempty"` // the run in which these cases failed
	SettingsHashes map[string]string `json:"settings_hashes"`        // hash by variant
	Leader         *Leader           `json:"leader"`                 // nil: no decision of it is measured
}

// Leader is the variant that is right most often without a fault.
type Leader struct {
	Variant  string        `json:"variant"`
	Accuracy eval.Estimate `json:"accuracy"`
}

// condition is a part of a run of which there are figures.
type condition struct {
	suite, variant, fault string
	trials                int64
	cases                 string // which were played, and how: figures of others are of something else
	settings              string // hash
	metrics               map[string]eval.Estimate
}

// read reads a run's folder, without its results.
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
	r := Run{Name: name, Started: m.Started, Status: m.Status, Partial: sum.Partial, Version: m.Version, Seed: m.Seed, Time: m.Time, Gates: sum.Gates}
	plans, err := plansOf(m)
	if err != nil {
		return Run{}, nil, fmt.Errorf("%s: %w", filepath.Join(path, journal.ManifestFile), err)
	}
	var conditions []condition
	for _, s := range sum.Suites {
		of := Suite{Name: s.Name, Dataset: s.Dataset, DatasetHash: plans[s.Name].hash, Cases: s.Cases, Epochs: s.Epochs, FailedIn: s.FailedIn, SettingsHashes: map[string]string{}, Leader: leader(s)}
		drawn := uint64(0) // the seed, where it picks cases: a sample of all of them is not told of
		if s.Sample > 0 {
			drawn = m.Seed
		}
		played, err := json.Marshal([]any{of.DatasetHash, s.Split, s.Tags, s.Limit, s.Sample, drawn, plans[s.Name].named, s.FailedIn, s.DecisionOnly, s.Cases, s.Epochs, s.Time})
		if err != nil {
			return Run{}, nil, err
		}
		for _, c := range s.Conditions {
			of.SettingsHashes[c.Name] = m.SettingsHashes[s.Name+"/"+c.Name]
			conditions = append(conditions, condition{suite: s.Name, variant: c.Name, fault: cmp.Or(c.Fault, eval.NoFault), trials: c.Trials,
				cases: string(played), settings: of.SettingsHashes[c.Name], metrics: c.Metrics})
		}
		r.Suites = append(r.Suites, of)
	}
	return r, conditions, nil
}

// plan is what a manifest says of the cases of a suite.
type plan struct {
	hash  string   // of the data set
	named []string // the cases that were named one by one; none: it was not so
}

// plansOf are those of the suites by name.
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
		if cmp.Or(c.Fault, eval.NoFault) == eval.NoFault && e.Value != nil && (best == nil || *e.Value > *best.Accuracy.Value) {
			best = &Leader{Variant: c.Name, Accuracy: e}
		}
	}
	return best
}
