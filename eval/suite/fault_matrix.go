package suite

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/goccy/go-yaml"

	"evalctl/agent/file"
	"evalctl/eval/scorer"
)

// AllFaults is a placeholder for every applicable fault of a variant, or of one component after
// "COMPONENT:". The code that creates faults expands it.
const AllFaults = "all"

// matrixFile is a fault matrix file.
type matrixFile struct {
	Cases  []string `yaml:"cases"`  // cases to run; nil: those of the suite
	Sample int64    `yaml:"sample"` // number of sampled cases, instead of Cases
	// variants of the suite, by name, or new ones; nil: all of the suite
	Variants Variants         `yaml:"variants"`
	Models   map[string]Model `yaml:"models"` // models of components that the suite does not use
	// tables that outcomes refer to; each covers every case that is run
	LabelTables      scorer.LabelTables `yaml:"label_tables"`
	ExpectedOutcomes []FaultExpectation `yaml:"expected_outcomes"`
}

// WithFaultMatrix extends a suite with a fault matrix file, which is parsed strictly. Errors
// contain file and line.
func (s Suite) WithFaultMatrix(name string, text []byte) (Suite, error) {
	s.file, s.text = name, text
	if err := file.CheckYAML(text); err != nil {
		return s, fmt.Errorf("%s:%w", name, err)
	}
	var m matrixFile
	d := yaml.NewDecoder(bytes.NewReader(text), yaml.Strict(), yaml.CustomUnmarshaler(duration))
	if err := d.Decode(&m); err != nil {
		return s, s.explain(err)
	}
	if err := d.Decode(&yaml.MapSlice{}); !errors.Is(err, io.EOF) {
		return s, fmt.Errorf("%s: has more than one document", name)
	}
	s.FaultMatrix = true
	s.Faults = []string{AllFaults}
	s.ExpectedOutcomes = m.ExpectedOutcomes
	s.LabelTables = m.LabelTables
	s.Gates = nil
	if m.Cases != nil {
		s.Cases = m.Cases
	}
	s.Sample = cmp.Or(m.Sample, s.Sample)
	s.Models = maps.Clone(s.Models)
	maps.Copy(s.Models, m.Models)
	if m.Variants != nil {
		s.Variants = s.resolveVariants(m.Variants)
	}
	if err := cmp.Or(s.Check(), s.checkTableCases()); err != nil {
		return s, fmt.Errorf("%s: %w", cmp.Or(s.position(err), name), err)
	}
	return s, nil
}

// resolveVariants replaces variants that have only a name by the suite's variant of that name.
func (s Suite) resolveVariants(list Variants) (all Variants) {
	for _, v := range list {
		at := slices.IndexFunc(s.Variants, func(own Variant) bool { return own.Name == v.Name })
		if at >= 0 && v.Settings == nil && v.Model == "" {
			faults := v.Faults
			v = s.Variants[at]
			v.Faults = faults
		}
		all = append(all, v)
	}
	return all
}
