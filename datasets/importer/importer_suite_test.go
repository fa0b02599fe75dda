package importer_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/system"
	"evalctl/datasets"
	"evalctl/datasets/importer"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestImporter(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Importer")
}

// outcome contains everything that an import returns and reports.
type outcome struct {
	cases    bytes.Buffer
	rejected []string
	notes    []string
	sum      importer.Summary
	err      error
}

// run imports a file or directory and returns the outcome.
func run(format, path string, o importer.Options) *outcome {
	GinkgoHelper()
	i, ok := importer.Find(format)
	Expect(ok).To(BeTrue())
	out := &outcome{}
	out.sum, out.err = i.Import(context.Background(), importer.Config{
		Path:     path,
		Options:  o,
		Out:      &out.cases,
		Rejected: func(r importer.Rejection) { out.rejected = append(out.rejected, r.Error()) },
		Note:     func(message string) { out.notes = append(out.notes, message) },
	})
	Expect(out.sum.Rejected).To(BeEquivalentTo(len(out.rejected)))
	return out
}

var idField = regexp.MustCompile(`"id":"[^"]*"`)

// withoutIDs returns the imported cases with ID in place of their IDs.
func withoutIDs(o *outcome) string { return idField.ReplaceAllString(o.cases.String(), `"id":"ID"`) }

// String returns the outcome in the format of a golden file.
func (o *outcome) String() string {
	return fmt.Sprintf("%s\nrejected\n%s\n\nnotes\n%s\n\n%+v %v\n", o.cases.String(), strings.Join(o.rejected, "\n"),
		strings.Join(o.notes, "\n"), o.sum, o.err)
}

// load reads the written cases with package datasets, for a system with free labels.
func (o *outcome) load() *datasets.Dataset {
	GinkgoHelper()
	path := filepath.Join(GinkgoT().TempDir(), "cases.jsonl")
	Expect(os.WriteFile(path, o.cases.Bytes(), 0o600)).To(Succeed())
	d, err := datasets.Open(path, datasets.Schema{Target: "any",
		Contract: system.Contract{LabelField: "label", AllowTools: true}})
	Expect(err).NotTo(HaveOccurred())
	return d
}

// source writes an input file and returns its path.
func source(name, text string) string {
	path := filepath.Join(GinkgoT().TempDir(), name)
	Expect(os.WriteFile(path, []byte(text), 0o600)).To(Succeed())
	return path
}
