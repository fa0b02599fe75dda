package importer_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	. "github.com/onsi/gomega"

	"evalctl/agent/system"
	"evalctl/datasets"
	"evalctl/datasets/importer"
)

func FuzzClinc(f *testing.F)   { fuzz(f, "clinc150", "set.json", "clinc150/data_full.json") }
func FuzzBanking(f *testing.F) { fuzz(f, "banking77", "train.csv", "banking77/train.csv") }
func FuzzHWU(f *testing.F)     { fuzz(f, "hwu64", "set.csv", "hwu64/annotated.csv") }
func FuzzMassive(f *testing.F) { fuzz(f, "massive", "zh-CN.jsonl", "massive/data/zh-CN.jsonl") }
func FuzzEvals(f *testing.F)   { fuzz(f, "openai-evals", "set.jsonl", "openai-evals/samples.jsonl") }
func FuzzColumns(f *testing.F) { fuzz(f, "csv", "set.csv", "csv/tickets.csv") }
func FuzzPromptfooYAML(f *testing.F) {
	fuzz(f, "promptfoo", "set.yaml", "promptfoo/promptfooconfig.yaml")
}
func FuzzPromptfooJSON(f *testing.F) { fuzz(f, "promptfoo", "set.json", "promptfoo/tests.json") }
func FuzzPromptfooCSV(f *testing.F)  { fuzz(f, "promptfoo", "set.csv", "promptfoo/tests.csv") }
func FuzzSnips(f *testing.F) {
	fuzz(f, "snips", "train_X_full.json", "snips/PlayMusic/train_PlayMusic_full.json")
}

// FuzzBFCL imports arbitrary questions and answers of the Berkeley Function Calling Leaderboard.
func FuzzBFCL(f *testing.F) {
	const name = "BFCL_v4_multi_turn_base.json"
	questions, err := os.ReadFile(filepath.Join("testdata", "bfcl", name))
	if err != nil {
		f.Fatal(err)
	}
	answers, err := os.ReadFile(filepath.Join("testdata", "bfcl", "possible_answer", name))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(questions, answers)
	f.Add([]byte(`{"id":"a_0","question":[[{"role":"user","content":"x"}]],"function":[{"name":"f"}]}`),
		[]byte(`{"id":"a_0","ground_truth":[{"f":{}}]}`))
	dir := f.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "possible_answer"), 0o700); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, questions, answers []byte) {
		g := NewWithT(t)
		g.Expect(os.WriteFile(filepath.Join(dir, "possible_answer", name), answers, 0o600)).To(Succeed())
		g.Expect(os.WriteFile(filepath.Join(dir, name), questions, 0o600)).To(Succeed())
		checkImport(g, "bfcl", filepath.Join(dir, name), importer.Options{})
	})
}

func fuzz(f *testing.F, format, name, seed string) {
	text, err := os.ReadFile(filepath.Join("testdata", filepath.FromSlash(seed)))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	path := filepath.Join(f.TempDir(), name)
	var o importer.Options
	if format == "csv" {
		o = tickets
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		g := NewWithT(t)
		g.Expect(os.WriteFile(path, text, 0o600)).To(Succeed())
		checkImport(g, format, path, o)
	})
}

// checkImport imports arbitrary input. Each output line must be a valid case with a unique ID, and
// each message must have one line.
func checkImport(g Gomega, format, path string, o importer.Options) {
	var cases bytes.Buffer
	var messages []string
	i, _ := importer.Find(format)
	sum, err := i.Import(context.Background(), importer.Config{Path: path, Options: o, Out: &cases,
		Rejected: func(r importer.Rejection) { messages = append(messages, r.Error()) },
		Note:     func(m string) { messages = append(messages, m) }})
	if err != nil {
		messages = append(messages, err.Error())
	}
	for _, m := range messages {
		g.Expect(strings.ContainsFunc(m, unicode.IsControl)).To(BeFalse(), "%q", m)
	}
	ids := map[string]bool{}
	for line := range bytes.Lines(cases.Bytes()) {
		schema := datasets.Schema{Target: "any", Contract: system.Contract{LabelField: "label", AllowTools: true}}
		c, err := schema.ParseCase(bytes.TrimSpace(line))
		g.Expect(err).NotTo(HaveOccurred(), "%s", line)
		g.Expect(ids).NotTo(HaveKey(c.ID))
		ids[c.ID] = true
	}
	g.Expect(sum.Cases).To(BeEquivalentTo(len(ids)))
}
