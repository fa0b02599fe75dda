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

// AllFaults in the faults of a suite means every fault that can affect a variant. COMPONENT:all
// means all faults of one component.
const AllFaults = "all"

// matrixFile is the content of a fault matrix file, which defines how a suite is run under all
// faults.
type matrixFile struct {
	Cases  []string `yaml:"cases"`  // IDs of the cases to run; nil: the cases of the suite
	Sample int64    `yaml:"sample"` // number of sampled cases, in place of Cases
	// names of the suite's variants, or new variants; nil: all variants of the suite
	Variants Variants         `yaml:"variants"`
	Models   map[string]Model `yaml:"models"` // models of components that the suite does not use
	// tables that the outcomes refer to; each contains every case that is run
	LabelTables      scorer.LabelTables `yaml:"label_tables"`
	ExpectedOutcomes []FaultExpectation `yaml:"expected_outcomes"`
}

// WithFaultMatrix returns the suite extended by a fault matrix file, so that it runs under all
// faults. text is the content of the file. Errors contain file and line.
func (s Suite) WithFaultMatrix(name string, text []byte) (Suite, error) {
	s.file, s.text = name, text
	if err := file.CheckYAMLComplexity(text); err != nil {
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
	err := s.Check()
	if err == nil {
		err = s.checkTableCases()
	}
	if err != nil {
		return s, fmt.Errorf("%s: %w", cmp.Or(s.position(err), name), err)
	}
	return s, nil
}

// resolveVariants replaces each variant that has only a name by the suite's variant with this name.
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
