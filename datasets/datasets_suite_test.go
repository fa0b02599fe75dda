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

	"evalctl/datasets"
	"evalctl/eval"
	"evalctl/mocks/fault"
)

var update = flag.Bool("update", false, "write the card's figures anew")

func TestDatasets(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Datasets")
}

// schema is the tool router's, with one kind of fault that it refuses.
func schema() datasets.Schema {
	return datasets.ToolRouter(func(spec string) error {
		if strings.HasSuffix(spec, ":oops") {
			return errors.New("unknown kind\noops")
		}
		return nil
	})
}

// short is a good line in the short form.
func short(id, text string) string {
	return `{"id":"` + id + `","text":"` + text + `","label":"chat"}` + "\n"
}

// write makes a file of lines and returns its path.
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

// shipped opens a shipped set, with faults that can be injected.
func shipped(name string) *datasets.Dataset {
	d, err := datasets.Open(name, schemaOf(name))
	Expect(err).NotTo(HaveOccurred())
	return d
}

func schemaOf(name string) datasets.Schema {
	s, ok := datasets.For(name, parses)
	Expect(ok).To(BeTrue())
	return s
}

// parses judges a fault as a run does.
func parses(spec string) error {
	_, err := fault.Parse(spec, nil)
	return err
}

// all are the cases that f picks.
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
