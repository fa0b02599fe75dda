package reports_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/runs"
	"evalctl/reports"
)

// runForComment returns a run of n cases in which each variant is correct in the cases for which
// isCorrect returns true.
func runForComment(n int, variants []string, isCorrect func(variant string, i int) bool) *runs.Run {
	GinkgoHelper()
	var b strings.Builder
	for _, v := range variants {
		for i := range n {
			id, got := fmt.Sprintf("k-%03d", i), "other"
			if isCorrect(v, i) {
				got = "refund"
			}
			r := eval.Result{Key: id + v, Suite: "mine", Case: id, Variant: v, Fault: eval.NoFault, Epoch: 1,
				Text:     fmt.Sprintf("charged *twice* 两次 %d", i),
				Expected: eval.OneOf{"refund"}, Predicted: got, AnsweredBy: got, Correct: new(got == "refund"),
				Turns: []eval.TurnSummary{{Answered: true, Duration: 1_000_000}},
				Scores: []eval.Score{{Name: eval.RouteScore, Verdict: eval.PassIf(got == "refund"), Turn: 1,
					Actual: got, Expected: eval.OneOf{"refund"}}}}
			text, err := json.Marshal(r)
			Expect(err).NotTo(HaveOccurred())
			b.Write(append(text, '\n'))
		}
	}
	path := filepath.Join(GinkgoT().TempDir(), "results.jsonl")
	Expect(os.WriteFile(path, []byte(b.String()), 0o600)).To(Succeed())
	run, err := runs.Open(path)
	Expect(err).NotTo(HaveOccurred())
	return run
}

func commentOn(now, before *runs.Run, gates []eval.GateVerdict, link string) string {
	GinkgoHelper()
	sum, err := now.Recompute()
	Expect(err).NotTo(HaveOccurred())
	sum.Gates = gates
	var out strings.Builder
	Expect(reports.Write(&out, reports.Comment,
		reports.Report{Summary: sum, Run: now, BaselineRun: before, ResultsURL: link})).To(Succeed())
	Expect(strings.Count(out.String(), "\n")).To(BeNumerically("<=", reports.CommentLines))
	return out.String()
}

var _ = Describe("28.9: a pull request comment", func() {
	allRight := func(string, int) bool { return true }

	It("shows the gates first, then each variant before and after, then the newly failing and passing cases with their texts", func() {
		before := runForComment(40, []string{"a", "b"}, func(_ string, i int) bool { return i != 30 })
		now := runForComment(40, []string{"a", "b"}, func(v string, i int) bool { return i >= 3 || v == "b" && i > 0 })
		text := commentOn(now, before,
			[]eval.GateVerdict{{Rule: "route.accuracy >= 75%", Verdict: eval.GatePassed, Passed: true},
				{Rule: "new_failures <= 0", Verdict: eval.GateFailed, Reason: "3 new failures"}}, "")
		Expect(text).To(HavePrefix("### evalctl: gates: 1 failed, 1 passed"))
		Expect(strings.Index(text, "new")).To(BeNumerically("<", strings.Index(text, "route.accuracy")),
			"failed gates come first")
		Expect(text).To(MatchRegexp(`(?m)^\| a \| 97\.5 % \| 92\.5 % \| .*−5\.0.* \| 1/3 \|`))
		Expect(text).To(MatchRegexp(`(?m)^\| b \| 97\.5 % \| 97\.5 % \| .* \| 1/1 \|`))
		Expect(text).To(ContainSubstring(
			"**3 newly failing cases**\n\n- `k-000` \"charged \\*twice\\* 两次 0\": refund → other, expected refund (a, b)\n"))
		Expect(text).To(ContainSubstring("**1 newly passing case**\n\n- `k-030`"))
		Expect(text).To(And(ContainSubstring(`| \~ `), HaveSuffix("\n\n\\~ no significant difference\n")),
			"28.9: the sign is explained")
	})

	It("never exceeds its line limit, and links to the complete results", func() {
		var variants []string
		var gates []eval.GateVerdict
		for i := range 40 {
			variants = append(variants, fmt.Sprintf("variant-%02d", i))
			gates = append(gates, eval.GateVerdict{Rule: fmt.Sprintf("new_failures <= %d", i), Verdict: eval.GateFailed,
				Reason: "many"})
		}
		half := func(odd int) func(string, int) bool { return func(_ string, i int) bool { return i%2 == odd } }
		text := commentOn(runForComment(60, variants, half(0)), runForComment(60, variants, half(1)), gates,
			"https://ci.test/run/1")
		Expect(text).To(And(ContainSubstring("and 30 more variants"),
			ContainSubstring("[and 22 more](https://ci.test/run/1)"),
			ContainSubstring("[All results](https://ci.test/run/1)")))
	})

	It("shows the results without a comparison if there is no baseline run", func() {
		text := commentOn(runForComment(40, []string{"a", "b"}, allRight), nil, nil, "")
		Expect(text).To(ContainSubstring("| a | 100 % \\["))
		Expect(text).NotTo(Or(ContainSubstring("newly"), ContainSubstring("~")))
	})
})
