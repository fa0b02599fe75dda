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

// AllFaults stands for every fault that can strike, of a variant or, behind a part and a
// colon, of the part. Who makes faults puts them in its place.
const AllFaults = "all"

// matrixFile is how a suite is put under all faults.
type matrixFile struct {
	Cases            []string           `yaml:"cases"`        // to be played; none: the suite's
	Sample           int64              `yaml:"sample"`       // so many of the suite's, in place of Cases
	Variants         Variants           `yaml:"variants"`     // the suite's own, by name, or others; none: all of the suite's
	Models           map[string]Model   `yaml:"models"`       // of parts of which the suite makes no use
	LabelTables      scorer.LabelTables `yaml:"label_tables"` // that the outcomes name: of each case that is played
	ExpectedOutcomes []FaultExpectation `yaml:"expected_outcomes"`
}

// WithFaultMatrix puts a suite under all faults, as a file strictly says. Errors name file and line.
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
	s.FaultMatrix, s.Faults, s.ExpectedOutcomes, s.LabelTables, s.Gates = true, []string{AllFaults}, m.ExpectedOutcomes, m.LabelTables, nil
	if m.Cases != nil {
		s.Cases = m.Cases
	}
	s.Sample = cmp.Or(m.Sample, s.Sample)
	s.Models = maps.Clone(s.Models)
	maps.Copy(s.Models, m.Models)
	if m.Variants != nil {
		s.Variants = s.resolved(m.Variants)
	}
	if err := cmp.Or(s.Check(), s.checkLaidDown()); err != nil {
		return s, fmt.Errorf("%s: %w", cmp.Or(s.place(err), name), err)
	}
	return s, nil
}

// resolved has the settings of variants that are named and nothing else.
func (s Suite) resolved(list Variants) (all Variants) {
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
