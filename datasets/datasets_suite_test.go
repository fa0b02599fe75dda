package datasets_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/toolrouter"
	"evalctl/datasets"
	"evalctl/eval"
	"evalctl/eval/suite"
	"evalctl/mocks/backend"
	"evalctl/mocks/fault"
)

var update = flag.Bool("update", false, "write the card's figures anew")

func TestDatasets(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Datasets")
}

// schema is the schema of the system toolrouter. Of all faults, it rejects one kind.
func schema() datasets.Schema {
	return routerSchema(func(spec string) error {
		if strings.HasSuffix(spec, ":oops") {
			return errors.New("unknown kind\noops")
		}
		return nil
	})
}

// short returns a valid line in the short form.
func short(id, text string) string {
	return `{"id":"` + id + `","text":"` + text + `","label":"chat"}` + "\n"
}

// write writes the lines to a file and returns its path.
func write(lines ...string) string {
	path := filepath.Join(GinkgoT().TempDir(), "cases.jsonl")
	Expect(os.WriteFile(path, []byte(strings.Join(lines, "")), 0o600)).To(Succeed())
	return path
}

func open(path string) *datasets.Dataset {
	d, err := datasets.Open(path, schema())
	Expect(err).NotTo(HaveOccurred())
	return d
}

// shipped opens a built-in dataset. It accepts the faults of the dataset's system.
func shipped(name string) *datasets.Dataset {
	of, _ := suite.FindSystem(name)
	d, err := datasets.Open(name, schemaFor(name, func(spec string) error {
		_, err := backend.ParseFaults(spec, of)
		return err
	}))
	Expect(err).NotTo(HaveOccurred())
	return d
}

func schemaOf(name string) datasets.Schema { return schemaFor(name, parses) }

// schemaFor returns the schema of a system with its default settings.
func schemaFor(name string, fault func(string) error) datasets.Schema {
	of, ok := suite.FindSystem(name)
	Expect(ok).To(BeTrue())
	s, err := datasets.SchemaFor(of, of.WithDefaults(nil), nil, fault)
	Expect(err).NotTo(HaveOccurred())
	return s
}

// routerSchema returns the schema of the system toolrouter.
func routerSchema(fault func(string) error) datasets.Schema {
	of := toolrouter.System()
	return datasets.Schema{Target: of.Name, Contract: of.Contract, ValidateFault: fault}
}

// parses returns an error if a run would reject the fault specification.
func parses(spec string) error {
	_, err := fault.Parse(spec, nil)
	return err
}

// all returns the cases that the filter f selects.
func all(d *datasets.Dataset, f datasets.Filter) (cases []eval.Case) {
	for c, err := range d.Stream(f) {
		Expect(err).NotTo(HaveOccurred())
		cases = append(cases, c)
	}
	return cases
}

func ids(cases []eval.Case) (ids []string) {
	for _, c := range cases {
		ids = append(ids, c.ID)
	}
	return ids
}
