package datasets

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"

	"evalctl/eval/suggest"
	"evalctl/eval/suite"
)

//go:embed */*.jsonl */README.md */suite.yaml */suites.yaml */faults.yaml */labels.txt
var embedded embed.FS

// BuiltInNames returns the names of the datasets that are built into evalctl.
func BuiltInNames() (names []string) {
	for _, name := range suite.Targets() {
		if _, err := fs.Stat(embedded, name); err == nil {
			names = append(names, name)
		}
	}
	return names
}

// DatasetCard returns the dataset card of a built-in dataset, in Markdown: its origin, counts,
// version and hash.
func DatasetCard(name string) (string, error) {
	b, err := embedded.ReadFile(path.Join(name, "README.md"))
	return string(b), err
}

// LoadSuite reads a built-in suite by its name, or a suite file by its path. Errors contain file
// and line.
func LoadSuite(nameOrPath string) (suite.Suite, error) {
	if !slices.Contains(BuiltInNames(), nameOrPath) {
		return suiteFile(nameOrPath)
	}
	file := path.Join(nameOrPath, "suite.yaml")
	b, err := embedded.ReadFile(file)
	if err != nil {
		return suite.Suite{}, err
	}
	s, err := suite.Parse(file, b)
	if err != nil || s.Labels.File == "" {
		return s, err
	}
	return s, shippedLabels(path.Join(nameOrPath, s.Labels.File), &s.Labels)
}

// suiteFile reads a suite file, or suggests a built-in suite with a similar name.
func suiteFile(name string) (suite.Suite, error) {
	if path.Ext(name) == ".jsonl" || IsTableFile(name) {
		return suite.Suite{}, fmt.Errorf("suite %s: is a file of cases: use --dataset", name)
	}
	if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
		return suite.Load(name)
	}
	if near, ok := suggest.Closest(name, append(BuiltInNames(), CollectionNames()...)); ok {
		return suite.Suite{}, fmt.Errorf("suite %s: no such file, did you mean the shipped suite %q?", name, near)
	}
	return suite.Suite{}, fmt.Errorf("suite %s: no such file, and no shipped suite (those are: %s)", name,
		suggest.JoinWords(BuiltInNames()))
}

// shippedLabels reads the label file of a built-in suite into the suite's labels.
func shippedLabels(name string, into *suite.Labels) error {
	f, err := embedded.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	list, err := suite.ReadLabels(name, f)
	*into = suite.Labels{List: list}
	return err
}
