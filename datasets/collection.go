package datasets

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"

	"github.com/goccy/go-yaml"

	"evalctl/eval/suite"
)

// collectionFile and faultsFile are the names of collection files and fault matrix files.
const (
	collectionFile = "suites.yaml"
	faultsFile     = "faults.yaml"
)

// collection is the content of a collection file: several built-in suites that run under one name.
type collection struct {
	Suites     string   `yaml:"suites"`
	FaultsFile string   `yaml:"faults"`
	Gates      []string `yaml:"gates"` // gates that are added to each suite
}

// CollectionNames returns the names of the collections: groups of built-in suites that can be run
// together.
func CollectionNames() (names []string) {
	found, err := fs.Glob(embedded, "*/"+collectionFile)
	if err != nil {
		panic(err) // the pattern is invalid
	}
	for _, file := range found {
		names = append(names, path.Dir(file))
	}
	return names
}

// LoadCollection returns the suites of a collection, such as all built-in suites with their fault
// matrices.
func LoadCollection(name string) (list []suite.Suite, err error) {
	file := path.Join(name, collectionFile)
	text, err := embedded.ReadFile(file)
	if err != nil {
		return nil, err
	}
	gates, err := readCollection(file, text)
	if err != nil {
		return nil, err
	}
	for _, of := range BuiltInNames() {
		s, err := LoadFaultMatrix(of)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		s.Gates = slices.Clone(gates)
		list = append(list, s)
	}
	return list, nil
}

// readCollection returns the gates of a collection file, which must select all suites and faults.
func readCollection(file string, text []byte) (gates []string, err error) {
	var c collection
	d := yaml.NewDecoder(bytes.NewReader(text), yaml.Strict())
	if err := d.Decode(&c); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if err := d.Decode(&yaml.MapSlice{}); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: has more than one document", file)
	}
	if all := suite.AllFaults; c.Suites != all || c.FaultsFile != all {
		return nil, fmt.Errorf("%s: suites and faults: are %q and %q, expected %s", file, c.Suites, c.FaultsFile, all)
	}
	return c.Gates, nil
}

// LoadFaultMatrix returns a built-in suite that runs under every fault of its fault matrix, with the
// expected outcomes. It returns fs.ErrNotExist if the dataset has no fault matrix.
func LoadFaultMatrix(name string) (suite.Suite, error) {
	if !slices.Contains(BuiltInNames(), name) {
		return suite.Suite{}, fs.ErrNotExist
	}
	s, err := LoadSuite(name)
	if err != nil {
		return s, err
	}
	file := path.Join(name, faultsFile)
	text, err := embedded.ReadFile(file)
	if err != nil {
		return s, err
	}
	return s.WithFaultMatrix(file, text)
}
