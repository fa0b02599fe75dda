package runs_test

import (
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/runs"
)

// runWithTraces writes a run whose trials have traces. The last trial is in the files twice.
func runWithTraces() (dir string, run *runs.Run) {
	GinkgoHelper()
	dir, _ = write()
	for _, name := range []string{journal.ResultsFile, journal.TracesFile} {
		Expect(os.Remove(filepath.Join(dir, name))).To(Succeed())
	}
	log, err := journal.Resume(dir, func(string) {})
	Expect(err).NotTo(HaveOccurred())
	for _, r := range []struct{ key, id, says string }{{"k1", "c1", "one"}, {"k3", "c3", "draft"}, {"k2", "c2", "two"},
		{"k3", "c3", "three"}} {
		Expect(log.Add(eval.Result{Key: r.key, Suite: "mine", Case: r.id, Variant: "a", Fault: eval.NoFault,
			Epoch: 1, Calls: 7,
			Outcome: eval.Outcome{Turns: []eval.TurnResult{{Reply: agent.Reply{Content: r.says}}}}})).To(Succeed())
	}
	Expect(log.Close()).To(Succeed())
	run, err = runs.Open(dir)
	Expect(err).NotTo(HaveOccurred())
	return dir, run
}

// lookupOf returns the Lookup of a run. It is closed at the end of the test.
func lookupOf(run *runs.Run) *runs.TrialIndex {
	GinkgoHelper()
	l, err := run.IndexTrials()
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(l.Close)
	return l
}

func appendTo(dir, text string) {
	GinkgoHelper()
	f, err := os.OpenFile(filepath.Join(dir, journal.TracesFile), os.O_APPEND|os.O_WRONLY, 0)
	Expect(err).NotTo(HaveOccurred())
	_, err = f.WriteString(text)
	Expect(err).NotTo(HaveOccurred())
	Expect(f.Close()).To(Succeed())
}

// answersOf returns the answers in the traces of the trials with the given keys.
func answersOf(run *runs.Run, keys ...string) (list []string) {
	GinkgoHelper()
	l := lookupOf(run)
	for _, key := range keys {
		t, err := l.Trace(key)
		Expect(err).NotTo(HaveOccurred())
		list = append(list, t.Outcome.Turns[0].Reply.Content)
	}
	return list
}

var _ = Describe("Single trials of a run", func() {
	It("are found by their keys with their event logs; the last row of a trial counts", func() {
		_, run := runWithTraces()
		l := lookupOf(run)
		Expect(l.TraceProblems()).To(BeEmpty())
		r, err := l.Trial("k3")
		Expect(err).NotTo(HaveOccurred())
		Expect(r.Case).To(Equal("c3"))
		Expect(r.Calls).To(BeEquivalentTo(7))
		Expect(r.Outcome.Turns[0].Reply.Content).To(Equal("three"))
		_, err = l.Trial("k9")
		Expect(err).To(MatchError(runs.ErrNoTrace))
	})

	It("are found together with the prompts that the run stored", func() {
		dir, run := runWithTraces()
		Expect(lookupOf(run).Prompts()).To(BeEmpty())
		Expect(os.MkdirAll(filepath.Join(dir, journal.PromptsDir), 0o755)).To(Succeed())
		file := filepath.Join(dir, journal.PromptsDir, "0123456789ab.txt")
		Expect(os.WriteFile(file, []byte("You route."), 0o600)).To(Succeed())
		Expect(lookupOf(run).Prompts()).To(Equal(map[string]string{"0123456789ab": "You route."}))
	})

	It("are found if the key is not the first field of a line", func() {
		dir, run := runWithTraces()
		appendTo(dir, `{"suite":"mine","case":"c2","key":"k2","variant":"a","fault":"none","epoch":1,"outcome":{"turns":[{"reply":{"content":"other"}}],"duration_ns":1}}`+"\n")
		Expect(answersOf(run, "k1", "k3", "k2")).To(Equal([]string{"one", "three", "other"}))
	})

	It("are found after a line that is longer than the read buffer", func() {
		dir, run := runWithTraces()
		appendTo(dir, `{"key":"k1","suite":"mine","outcome":{"turns":[{"reply":{"content":"`+
			strings.Repeat("long ", 200_000)+`"}}]}}`+"\n"+
			`{"outcome":{"turns":[{"reply":{"content":"`+strings.Repeat("late ", 200_000)+`"}}]},"key":"k2"}`+"\n"+
			`{"key":"k4","outcome":{"turns":[{"reply":{"content":"end"}}]}}`+"\n")
		list := answersOf(run, "k3", "k1", "k2", "k4")
		Expect(list[0]).To(Equal("three"))
		Expect(list[1]).To(HaveLen(1_000_000))
		Expect(list[2]).To(HavePrefix("late"))
		Expect(list[3]).To(Equal("end"))
	})

	It("with incomplete, invalid or missing traces are reported, and all others are found", func() {
		dir, run := runWithTraces()
		appendTo(dir, "{}\nno JSON\n"+`{"key":"k1","outco`)
		l := lookupOf(run)
		Expect(l.TraceProblems()).To(Equal([]string{"traces.jsonl ends in mid-line: what is torn is left out",
			"2 lines of traces.jsonl are no trace of a trial, and left out"}))
		Expect(answersOf(run, "k1", "k2", "k3")).To(Equal([]string{"one", "two", "three"}))

		Expect(os.WriteFile(filepath.Join(dir, journal.TracesFile), []byte(`{"key":"k1"}`+"\n"), 0o600)).To(Succeed())
		Expect(lookupOf(run).TraceProblems()).To(Equal([]string{"the trace of 2 trials is lacking"}))

		Expect(os.Remove(filepath.Join(dir, journal.TracesFile))).To(Succeed())
		l = lookupOf(run)
		Expect(l.TraceProblems()).To(Equal([]string{"the run has no traces.jsonl: no trial has its trace"}))
		_, err := l.Trial("k1")
		Expect(err).To(MatchError(runs.ErrNoTrace))
	})

	It("with an unreadable trace are an error that contains the file and the key", func() {
		dir, run := runWithTraces()
		appendTo(dir, `{"key":"k1","nonsense":1}`+"\n"+`{"key":"k2","suite":"x","key":"k3"}`+"\n")
		l := lookupOf(run)
		_, err := l.Trial("k1")
		Expect(err).To(MatchError(And(ContainSubstring(`traces.jsonl: trial "k1": `), ContainSubstring("nonsense"))))
		_, err = l.Trial("k2")
		Expect(err).To(MatchError(ContainSubstring("two keys")))
		_, err = l.Trial("k3")
		Expect(err).NotTo(HaveOccurred())
	})

	It("have no traces if the run is only a results file", func() {
		dir, _ := runWithTraces()
		run, err := runs.Open(filepath.Join(dir, journal.ResultsFile))
		Expect(err).NotTo(HaveOccurred())
		_, err = lookupOf(run).Trial("k1")
		Expect(err).To(MatchError(runs.ErrNoTrace))
	})
})
