package runs_test

import (
	"encoding/json"
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/runs"
)

// runInProgress writes a run that is still running. It returns the directory and the open journal.
func runInProgress() (dir string, log *journal.Writer) {
	GinkgoHelper()
	m, err := journal.Manifest{Version: "test", Status: journal.StatusRunning, Clock: "simulated", Seed: 7,
		Suites: []json.RawMessage{json.RawMessage(
			`{"name":"mine","target":"toolrouter","dataset":"/data/mine.jsonl","epochs":2,"faults":["router:timeout"],"variants":[{"name":"rules","router":"rules"},{"name":"llm","router":"llm"}]}`)},
		Datasets: []journal.DatasetInfo{{Name: "mine", Hash: "h", Cases: 10}}}.WithHash()
	Expect(err).NotTo(HaveOccurred())
	dir = filepath.Join(GinkgoT().TempDir(), "run")
	log, err = journal.CreateRun(dir, m, func() error { return nil })
	Expect(err).NotTo(HaveOccurred())
	return dir, log
}

func judged(id, variant string, right bool) eval.Result {
	got := map[bool]string{true: "chat", false: "search"}[right]
	return eval.Result{Key: id + variant, Suite: "mine", Case: id, Variant: variant, Fault: eval.NoFault, Epoch: 1,
		Expected: eval.OneOf{"chat"}, Predicted: got, Correct: &right,
		Scores: []eval.Score{{Name: eval.RouteScore, Turn: 1, Actual: got, Expected: eval.OneOf{"chat"},
			Verdict: eval.PassIf(right)}}, Turns: []eval.TurnSummary{{Answered: true}}}
}

var _ = Describe("A run in progress", func() {
	It("is read with its plan and the metrics of its results so far", func() {
		dir, log := runInProgress()
		r, err := runs.OpenPartial(dir)
		Expect(err).NotTo(HaveOccurred(), "nothing is there yet")
		sum, err := r.Recompute()
		Expect(err).NotTo(HaveOccurred())
		Expect(sum.Partial).To(BeTrue())
		Expect(sum.Suites).To(HaveLen(1))
		s := sum.Suites[0]
		Expect([]any{s.Name, s.Target, s.Dataset, s.Cases, s.Epochs, s.Clock}).
			To(Equal([]any{"mine", "toolrouter", "mine.jsonl", int64(10), 2, "simulated"}))
		var conditions []string
		for _, c := range s.Conditions {
			conditions = append(conditions, c.Variant+"/"+c.Fault)
		}
		Expect(conditions).To(Equal([]string{"rules/none", "llm/none", "llm/router:timeout"}), "rules ask no router")

		Expect(log.Add(judged("c1", "llm", true))).To(Succeed())
		Expect(log.Add(judged("c2", "llm", false))).To(Succeed())
		appendResult(dir, `{"key":"torn","su`)
		r, err = runs.OpenPartial(dir)
		Expect(err).NotTo(HaveOccurred())
		sum, err = r.Recompute()
		Expect(err).NotTo(HaveOccurred())
		Expect(sum.Partial).To(BeTrue())
		Expect(sum.Suites[0].Conditions[1].Trials).To(BeEquivalentTo(2))
		Expect(*sum.Suites[0].Conditions[1].Metrics["route.accuracy"].Value).To(Equal(0.5))
		_, err = runs.Open(dir)
		Expect(err).To(MatchError(ContainSubstring("was interrupted")), "a torn file is not read as a whole run")
		Expect(log.Close()).To(Succeed())
	})

	It("is read like any other if it has already written a summary", func() {
		dir, _ := write()
		r, err := runs.OpenPartial(dir)
		Expect(err).NotTo(HaveOccurred())
		whole, err := runs.Open(dir)
		Expect(err).NotTo(HaveOccurred())
		Expect(r.Summary).To(Equal(whole.Summary))
	})

	It("cannot be read if the directory contains no run, or a damaged one", func() {
		_, err := runs.OpenPartial(GinkgoT().TempDir())
		Expect(err).To(MatchError(ContainSubstring("contains no run")))
		dir, log := runInProgress()
		Expect(log.Close()).To(Succeed())
		Expect(os.WriteFile(filepath.Join(dir, journal.ManifestFile), []byte("{"), 0o600)).To(Succeed())
		_, err = runs.OpenPartial(dir)
		Expect(err).To(MatchError(ContainSubstring(journal.ManifestFile)))
	})
})

func appendResult(dir, text string) {
	GinkgoHelper()
	f, err := os.OpenFile(filepath.Join(dir, journal.ResultsFile), os.O_APPEND|os.O_WRONLY, 0)
	Expect(err).NotTo(HaveOccurred())
	_, err = f.WriteString(text)
	Expect(err).NotTo(HaveOccurred())
	Expect(f.Close()).To(Succeed())
}
