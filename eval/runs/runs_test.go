package runs_test

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/metric"
	"evalctl/eval/runs"
)

func TestRuns(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "runs")
}

// write writes a run with two cases in two variants. The last trial is in the file twice.
func write() (dir string, sum eval.Summary) {
	GinkgoHelper()
	dir = GinkgoT().TempDir()
	suites := []eval.SuiteSummary{{Name: "mine", Target: "mine", Cases: 2, Epochs: 1,
		Conditions: []eval.ConditionSummary{{Variant: "a", Fault: eval.NoFault}, {Variant: "b", Fault: eval.NoFault}}}}
	m, err := journal.Manifest{Suites: []json.RawMessage{json.RawMessage(`{}`)},
		Datasets: []journal.DatasetInfo{{}}}.WithHash()
	Expect(err).NotTo(HaveOccurred())
	Expect(m.Write(dir)).To(Succeed())
	log, err := journal.Resume(dir, func(string) {})
	Expect(err).NotTo(HaveOccurred())
	table := metric.NewCollector(suites)
	add := func(key, id, variant, got string, counts bool) {
		r := eval.Result{Key: key, Suite: "mine", Case: id, Variant: variant, Fault: eval.NoFault, Epoch: 1,
			Predicted: got, Expected: eval.OneOf{"yes"}, Correct: new(got == "yes"), Scores: []eval.Score{
				{Name: "route", Verdict: eval.PassIf(got == "yes"), Actual: got, Expected: eval.OneOf{"yes"}}}}
		Expect(log.Add(r)).To(Succeed())
		if counts {
			Expect(table.Add(r)).To(Succeed())
		}
	}
	add("1", "c1", "a", "yes", true)
	add("4", "c2", "b", "no", false)
	add("2", "c1", "b", "yes", true)
	add("3", "c2", "a", "no", true)
	add("4", "c2", "b", "yes", true)
	Expect(log.Close()).To(Succeed())
	sum = table.Summarize()
	Expect(journal.WriteJSON(filepath.Join(dir, journal.SummaryFile), sum)).To(Succeed())
	return dir, sum
}

// withNewChecksums updates the checksums of edited lines.
func withNewChecksums(lines string) string {
	return regexp.MustCompile(`(?m)^(.*),"crc":"[0-9a-f]{8}"}$`).ReplaceAllStringFunc(lines, func(line string) string {
		at := strings.LastIndex(line, `,"crc":"`)
		return fmt.Sprintf(`%s,"crc":"%08x"}`, line[:at],
			crc32.Checksum([]byte(line[:at]), crc32.MakeTable(crc32.Castagnoli)))
	})
}

var _ = Describe("A completed run", func() {
	It("has the same metrics when they are recomputed, with each trial counted once", func() {
		dir, sum := write()
		r, err := runs.Open(dir)
		Expect(err).NotTo(HaveOccurred())
		again, err := r.Recompute()
		Expect(err).NotTo(HaveOccurred())
		Expect(again.Suites[0].Conditions).To(Equal(sum.Suites[0].Conditions))
	})

	It("can be opened from a results file alone", func() {
		dir, sum := write()
		r, err := runs.Open(filepath.Join(dir, journal.ResultsFile))
		Expect(err).NotTo(HaveOccurred())
		Expect(r.Suites()).To(HaveLen(1))
		Expect(r.Suites()[0].Cases).To(BeEquivalentTo(2))
		again, err := r.Recompute()
		Expect(err).NotTo(HaveOccurred())
		Expect(again.Suites[0].Conditions).To(Equal(sum.Suites[0].Conditions))
	})

	DescribeTable("is marked as partial if results are missing",
		func(cut func(text string) string, bare bool, lacks string) {
			dir, _ := write()
			path := filepath.Join(dir, journal.ResultsFile)
			text, err := os.ReadFile(path)
			Expect(err).NotTo(HaveOccurred())
			Expect(os.WriteFile(path, []byte(cut(string(text))), 0o600)).To(Succeed())
			if bare {
				dir = path
			}
			r, err := runs.Open(dir)
			Expect(err).NotTo(HaveOccurred())
			sum, err := r.Recompute()
			Expect(err).NotTo(HaveOccurred())
			Expect(r.CheckComplete(sum)).To(MatchError(ContainSubstring(lacks)))
			Expect(sum.Partial).To(BeTrue())
		},
		Entry("a row of the run", func(text string) string { return text[strings.Index(text, "\n")+1:] }, false,
			"variant a, fault none: the results hold 1 of 2 trials"),
		Entry("a row of a results file alone", func(text string) string { return text[strings.Index(text, "\n")+1:] },
			true, "variant a, fault none: the results hold 1 of 2 trials"),
		Entry("the end of a results file alone", func(text string) string { return text[:len(text)-5] },
			true, "ends in mid-line"),
	)

	DescribeTable("is rejected if its number of epochs is invalid", func(epochs int) {
		dir, sum := write()
		sum.Suites[0].Epochs = epochs
		Expect(journal.WriteJSON(filepath.Join(dir, journal.SummaryFile), sum)).To(Succeed())
		_, err := runs.Open(dir)
		Expect(err).To(MatchError(fmt.Sprintf("%s: suite \"mine\" has %d epochs, not 0 to %d",
			filepath.Join(dir, journal.SummaryFile), epochs, eval.MaxEpochs)))
	}, Entry("one more than the maximum", eval.MaxEpochs+1), Entry("far more than the maximum", 2_000_000_000),
		Entry("a negative number", -1))

	DescribeTable("is rejected if it contains a row that no run writes", func(old, now, problem string) {
		dir, _ := write()
		path := filepath.Join(dir, journal.ResultsFile)
		text, err := os.ReadFile(path)
		Expect(err).NotTo(HaveOccurred())
		edited := withNewChecksums(strings.Replace(string(text), old, now, 1))
		Expect(os.WriteFile(path, []byte(edited), 0o600)).To(Succeed())
		r, err := runs.Open(dir)
		if err == nil {
			_, err = r.Recompute()
		}
		Expect(err).To(MatchError(And(HavePrefix(path+":"), ContainSubstring(problem))))
	},
		Entry("two keys for the same trial", `"key":"4"`, `"key":"5"`,
			`:5: case "c2" has another key here than on line 2`),
		Entry("epoch 0", `"epoch":1`, `"epoch":0`, "epoch is 0"),
		Entry("a confidence above 1", `"confidence":null`, `"confidence":1.5`, "confidence is 1.5"),
	)

	It("is rejected if its results file has too many conditions, with file and line", func() {
		of := func(conditions int) (path string) {
			var b strings.Builder
			for i := range conditions {
				fmt.Fprintf(&b, "{\"key\":\"k%d\",\"suite\":\"s%d\",\"case\":\"c\",\"variant\":\"v\",\"fault\":\"none\",\"epoch\":1}\n", i, i)
			}
			path = filepath.Join(GinkgoT().TempDir(), "results.jsonl")
			Expect(os.WriteFile(path, []byte(b.String()), 0o600)).To(Succeed())
			return path
		}
		r, err := runs.Open(of(10_000))
		Expect(err).NotTo(HaveOccurred())
		Expect(r.Suites()).To(HaveLen(10_000))
		path := of(10_001)
		_, err = runs.Open(path)
		Expect(err).To(MatchError(path + ":10001: there are more than 10000 suites, variants and faults"))
	})

	It("is not found in an empty file, in another directory, or without its summary, and the error explains why",
		func() {
			empty := filepath.Join(GinkgoT().TempDir(), "results.jsonl")
			Expect(os.WriteFile(empty, nil, 0o600)).To(Succeed())
			_, err := runs.Open(empty)
			Expect(err).To(MatchError(ContainSubstring("contains no result")))
			_, err = runs.Open(GinkgoT().TempDir())
			Expect(err).To(MatchError(ContainSubstring("contains no run")))
			dir, _ := write()
			Expect(os.Remove(filepath.Join(dir, journal.SummaryFile))).To(Succeed())
			_, err = runs.Open(dir)
			Expect(err).To(MatchError(ContainSubstring("--resume")))
		})
})

var _ = DescribeTable("ReadSummary refuses a summary with metrics that no run writes",
	func(edit func(e *eval.Estimate), want string) {
		dir, sum := write()
		_, err := runs.ReadSummary(dir)
		Expect(err).NotTo(HaveOccurred())
		metrics := sum.Suites[0].Conditions[0].Metrics
		e := metrics["route.accuracy"]
		edit(&e)
		metrics["route.accuracy"] = e
		Expect(journal.WriteJSON(filepath.Join(dir, journal.SummaryFile), sum)).To(Succeed())
		_, err = runs.ReadSummary(dir)
		Expect(err).To(MatchError(filepath.Join(dir, journal.SummaryFile) +
			`: suite "mine", variant "a": route.accuracy: ` + want + ": the file was edited"))
	},
	Entry(nil, func(e *eval.Estimate) { e.Value = new(1e308) }, "1e+308 is not a value from 0 to 1"),
	Entry(nil, func(e *eval.Estimate) { e.Lo = new(-1e308) }, "-1e+308 is not a value from 0 to 1"),
	Entry(nil, func(e *eval.Estimate) { e.Value = new(1.5) }, "1.5 is not a value from 0 to 1"),
	Entry(nil, func(e *eval.Estimate) { e.N = -1 }, "a number of trials or cases is negative"),
	Entry(nil, func(e *eval.Estimate) { e.Lo, e.Hi = new(0.7), new(0.6) }, "the interval from 0.7 to 0.6 is reversed"),
	Entry(nil, func(e *eval.Estimate) { e.Value, e.Lo, e.Hi = new(0.9), new(0.5), new(0.6) }, "0.9 is outside its interval"),
)
