package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/goccy/go-yaml"

	"evalctl/eval/suite"
)

// What became of a run.
const (
	statusRunning     = "running"
	statusDone        = "done"
	statusInterrupted = "interrupted"
	statusFailed      = "failed"
)

const (
	manifestFile = "manifest.json"
	summaryFile  = "summary.json"
)

// manifest says what ran: enough to go on with it, and to tell whether two
// runs are comparable. Times and ids of the run stand here and nowhere else.
type manifest struct {
	Version  string            `json:"version"`
	Built    string            `json:"built"` // compiler and platform: floating point differs between them
	Status   string            `json:"status"`
	Error    string            `json:"error,omitempty"`
	Started  time.Time         `json:"started"`
	Finished *time.Time        `json:"finished,omitempty"`
	Args     []string          `json:"args"`
	Time     string            `json:"time"`
	Seed     uint64            `json:"seed"`
	Gates    []string          `json:"gates"`
	Suites   []json.RawMessage `json:"suites"`   // resolved, as a suite file
	Datasets []datasetNote     `json:"datasets"` // in the order of suites
	Settings map[string]string `json:"settings"` // hash by suite and variant
}

type datasetNote struct {
	Name  string `json:"name"`
	Hash  string `json:"hash"`
	Cases int64  `json:"cases"` // after filters
}

// manifestOf describes a plan.
func manifestOf(p *plan, args, gates []string) (*manifest, error) {
	m := &manifest{Version: version(), Built: runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH, Status: statusRunning, Started: time.Now(), Args: args, Gates: gates,
		Seed: p.seed, Time: p.summaries()[0].Time, Settings: map[string]string{}}
	for _, part := range p.parts {
		s, err := absolute(part.suite)
		if err != nil {
			return nil, err
		}
		text, err := yaml.MarshalWithOptions(s, yaml.JSON(), yaml.OmitZero())
		if err != nil {
			return nil, fmt.Errorf("encode suite %s: %w", s.Name, err)
		}
		m.Suites = append(m.Suites, text)
		m.Datasets = append(m.Datasets, datasetNote{Name: s.Dataset, Hash: part.data.Hash, Cases: part.cases})
		for _, c := range part.cells {
			m.Settings[c.Suite+"/"+c.Variant] = c.Settings
		}
	}
	return m, nil
}

// absolute frees a suite of the working directory; its other paths are so
// already.
func absolute(s suite.Suite) (suite.Suite, error) {
	if isShipped(s.Dataset) {
		return s, nil
	}
	var err error
	s.Dataset, err = filepath.Abs(s.Dataset)
	return s, err
}

func readManifest(dir string) (*manifest, error) {
	path := filepath.Join(dir, manifestFile)
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s holds no run: it has no %s", dir, manifestFile)
	}
	if err != nil {
		return nil, err
	}
	var m manifest
	if err := json.Unmarshal(b, &m); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(m.Suites) == 0 || len(m.Suites) != len(m.Datasets) {
		return nil, fmt.Errorf("%s: names %d suites and %d datasets", path, len(m.Suites), len(m.Datasets))
	}
	return &m, nil
}

// suites are those that the manifest's run consists of.
func (m *manifest) suites(dir string) ([]suite.Suite, error) {
	var list []suite.Suite
	for _, text := range m.Suites {
		s, err := suite.Parse(filepath.Join(dir, manifestFile), text)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// sameAs says where a plan differs from what the manifest's run began with:
// results of different runs must not be added up.
func (m *manifest) sameAs(now *manifest) error {
	for i, d := range m.Datasets {
		if now.Datasets[i].Hash != d.Hash {
			return fmt.Errorf("dataset %s has changed since the run began", d.Name)
		}
	}
	for name, hash := range m.Settings {
		if now.Settings[name] != hash {
			return fmt.Errorf("the settings or prompts of %s have changed since the run began", name)
		}
	}
	return nil
}

// write replaces dir's manifest as a whole.
func (m *manifest) write(dir string) error {
	return writeJSON(filepath.Join(dir, manifestFile), m)
}

// writeJSON writes a file that is there as a whole or not at all.
func writeJSON(path string, v any) error {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("encode %s: %w", path, err)
	}
	tmp, err := os.Create(path + ".tmp")
	if err != nil {
		return err
	}
	_, err = tmp.Write(append(b, '\n'))
	if err == nil {
		err = tmp.Sync()
	}
	if err = errors.Join(err, tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	return nil
}
