package export_test

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/eval/runs"
	"evalctl/reports/export"
)

func TestExport(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "export")
}

// trial returns the result of a case in a condition. got is the predicted label; "": there is no
// answer.
func trial(id, variant, fault string, epoch int, got string) eval.Result {
	r := eval.Result{Key: fmt.Sprint(id, variant, fault, epoch), Suite: "mine", Case: id, Variant: variant,
		Fault: fault, Epoch: epoch,
		Text: "question " + id, Turns: []eval.TurnSummary{{Duration: eval.Millis(1_500_000_000), Answered: got != ""}},
		Expected: eval.OneOf{"yes"}, Duration: eval.Millis(1_500_000_000), DecidedBy: "llm", Confidence: new(0.5)}
	if got == "" {
		r.Error = &eval.Error{Kind: eval.ProviderError, Message: "status 503: busy"}
		r.Scores = []eval.Score{{Name: eval.RouteScore, Verdict: eval.Unscored, Turn: 1, Expected: eval.OneOf{"yes"}}}
		return r
	}
	r.Predicted, r.AnsweredBy, r.Correct = got, got, new(got == "yes")
	r.Scores = []eval.Score{{Name: eval.RouteScore, Verdict: eval.PassIf(got == "yes"), Turn: 1, Actual: got,
		Expected: eval.OneOf{"yes"}}}
	return r
}

func stored(rows ...eval.Result) *runs.Run {
	GinkgoHelper()
	var b strings.Builder
	for _, r := range rows {
		line, err := json.Marshal(r)
		Expect(err).NotTo(HaveOccurred())
		b.Write(line)
		b.WriteByte('\n')
	}
	path := filepath.Join(GinkgoT().TempDir(), "results.jsonl")
	Expect(os.WriteFile(path, []byte(b.String()), 0o600)).To(Succeed())
	run, err := runs.Open(path)
	Expect(err).NotTo(HaveOccurred())
	return run
}

// over returns the input of a CI report: a run of these trials and its summary.
func over(rows ...eval.Result) export.Report {
	GinkgoHelper()
	run := stored(rows...)
	table := metric.NewCollector(run.Suites())
	for r, err := range run.Results() {
		Expect(err).NotTo(HaveOccurred())
		Expect(table.Add(r)).To(Succeed())
	}
	return export.Report{Summary: table.Summarize(), Run: run}
}

func written(format func(io.Writer, export.Report) error, r export.Report) string {
	GinkgoHelper()
	var out strings.Builder
	Expect(format(&out, r)).To(Succeed())
	return out.String()
}

// gates returns three gates: one passed, one undecided, one failed.
func gates() []eval.GateVerdict {
	return []eval.GateVerdict{
		{Rule: "route.accuracy >= 90%", Verdict: eval.GatePassed, Passed: true, Reason: "95 %"},
		{Rule: "drop(route.accuracy) <= 1pp", Verdict: eval.GateUndecided, Reason: "40 cases are too few"},
		{Rule: "new_failures <= 0", Verdict: eval.GateFailed, Reason: "3 cases: a, b, c"},
	}
}

func reversed[T any](list []T) []T {
	list = slices.Clone(list)
	slices.Reverse(list)
	return list
}
