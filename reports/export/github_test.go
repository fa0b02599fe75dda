package export_test

import (
	"fmt"
	"regexp"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/reports/export"
)

// workflowCommand matches a line that GitHub's runner turns into an annotation.
var workflowCommand = regexp.MustCompile(`^::(error|warning|notice) title=([^:,]*)::(.*)$`)

func annotations(text string) map[string][]string {
	GinkgoHelper()
	list := map[string][]string{}
	for line := range strings.Lines(text) {
		m := workflowCommand.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		Expect(m).NotTo(BeNil(), "%q", line)
		list[m[1]] = append(list[m[1]], unescaped.Replace(m[2]+": "+m[3]))
	}
	return list
}

var unescaped = strings.NewReplacer("%25", "%", "%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",")

var _ = Describe("GitHub annotations", func() {
	It("are errors for failed gates, warnings for undecided gates and missing answers, and one notice for the run",
		func() {
			r := over(trial("a", "llm", eval.NoFault, 1, "yes"), trial("b", "llm", eval.NoFault, 1, ""),
				trial("a", "llm", "router:timeout", 1, ""))
			r.Summary.Gates = gates()
			list := annotations(written(export.WriteGitHub, r))
			Expect(list["error"]).To(Equal([]string{"Gate failed: new_failures <= 0 — 3 cases: a, b, c"}))
			Expect(list["warning"]).
				To(Equal([]string{"Gate undecided: drop(route.accuracy) <= 1pp — 40 cases are too few",
					"Answers missing: mine · llm: 50.0 % of 2 trials have no answer"}), "under a fault none is missed")
			Expect(list["notice"]).To(
				Equal([]string{"evalctl: 1 of 3 gates passed, 1 failed, 1 undecided · 3 trials in 2 cells"}))
		})

	It("report new failures, those in the most conditions first", func() {
		conditions := []string{"v1", "v2", "v3", "v4"}
		var before, now []eval.Result
		for _, v := range conditions {
			before = append(before, trial("a", v, eval.NoFault, 1, "yes"), trial("b", v, eval.NoFault, 1, "yes"),
				trial("was wrong", v, eval.NoFault, 1, "no"),
				trial("asks more", v, eval.NoFault, 1, "yes"), trial("lost", v, eval.NoFault, 1, "yes"))
			other := trial("asks more", v, eval.NoFault, 1, "no")
			other.Text = "another question"
			now = append(now, trial("b", v, eval.NoFault, 1, "no"), trial("was wrong", v, eval.NoFault, 1, "no"), other,
				trial("lost", v, eval.NoFault, 1, ""), trial("new", v, eval.NoFault, 1, "no"))
		}
		now = append(now, trial("a", "v2", eval.NoFault, 1, "chat"))
		r := over(now...)
		r.BaselineRun = stored(before...)
		Expect(annotations(written(export.WriteGitHub, r))["warning"]).To(ContainElements(
			"New failure: mine · b was right and is wrong in v1, v2, v3 and 1 other cell: expected yes, got no",
			"New failure: mine · a was right and is wrong in v2: expected yes, got chat"))
		Expect(written(export.WriteGitHub, r)).
			NotTo(Or(ContainSubstring("was wrong was"), ContainSubstring("asks more"), ContainSubstring("lost was"),
				ContainSubstring("new was")))
	})

	It("report a case once for each wrong answer if it has different wrong answers in several conditions", func() {
		r := over(trial("a", "v1", eval.NoFault, 1, "no"), trial("a", "v2", eval.NoFault, 1, "chat"),
			trial("a", "v3", eval.NoFault, 1, "no"))
		r.BaselineRun = stored(trial("a", "v1", eval.NoFault, 1, "yes"), trial("a", "v2", eval.NoFault, 1, "yes"),
			trial("a", "v3", eval.NoFault, 1, "yes"))
		Expect(annotations(written(export.WriteGitHub, r))["warning"]).To(Equal([]string{
			"New failure: mine · a was right and is wrong in v1, v3: expected yes, got no",
			"New failure: mine · a was right and is wrong in v2: expected yes, got chat"}))
	})

	It("report a new failure in a conversation, even if its scored turn differs from the one in the baseline run",
		func() {
			conversation := func(wrong bool) eval.Result {
				r := trial("talk", "v", eval.NoFault, 1, "yes")
				r.Turns = append(r.Turns, r.Turns[0])
				turns := []eval.TurnScore{{Turn: 1, Expected: eval.OneOf{"first"}, Actual: "first", Verdict: eval.Pass,
					Answered: true}, {Turn: 2, Expected: eval.OneOf{"yes"}, Actual: "yes", Verdict: eval.Pass,
					Answered: true}}
				r.Scores[0].Turn, r.Scores[0].Turns = 2, turns
				if wrong {
					turns[0].Actual, turns[0].Verdict = "no", eval.Fail
					r.Text, r.Expected, r.Predicted, r.Correct = "question of the first turn",
						eval.OneOf{"first"}, "no", new(false)
					r.Scores[0] = eval.Score{Name: eval.RouteScore, Verdict: eval.Fail, Turn: 1, Actual: "no",
						Expected: eval.OneOf{"first"}, Turns: turns}
				}
				return r
			}
			r := over(conversation(true))
			r.BaselineRun = stored(conversation(false))
			Expect(annotations(written(export.WriteGitHub, r))["warning"]).
				To(Equal([]string{"New failure: mine · talk was right and is wrong in v: expected first, got no"}))
		})

	It("report a case as a new failure only if it is wrong in most epochs", func() {
		var before, now []eval.Result
		for epoch := range 3 {
			before = append(before, trial("luck", "v", eval.NoFault, epoch+1, "yes"),
				trial("worse", "v", eval.NoFault, epoch+1, "yes"))
			now = append(now, trial("luck", "v", eval.NoFault, epoch+1, []string{"no", "yes", "yes"}[epoch]),
				trial("worse", "v", eval.NoFault, epoch+1, []string{"no", "yes", "no"}[epoch]))
		}
		r := over(now...)
		r.BaselineRun = stored(before...)
		Expect(annotations(written(export.WriteGitHub, r))["warning"]).
			To(Equal([]string{"New failure: mine · worse was right and is wrong in v: expected yes, got no"}))
	})

	It("are limited to ten of each kind; the tenth states how many are omitted", func() {
		var r export.Report
		for i := range 14 {
			r.Summary.Gates = append(r.Summary.Gates,
				eval.GateVerdict{Rule: fmt.Sprintf("m >= %d", i), Verdict: eval.GateFailed, Reason: "is less"})
		}
		r.Summary.Suites = []eval.SuiteSummary{{Name: "mine"}}
		list := annotations(written(export.WriteGitHub, r))["error"]
		Expect(list).To(HaveLen(export.MaxAnnotations))
		Expect(list[9]).To(Equal("evalctl: and 5 more in the report"))
		Expect(list[8]).To(HavePrefix("Gate failed: m >= 8"))
	})

	It("are errors if the run was interrupted or no suite ran", func() {
		Expect(annotations(written(export.WriteGitHub, export.Report{Summary: eval.Summary{Partial: true}}))["error"]).
			To(HaveExactElements(
				HavePrefix("Incomplete: PARTIAL"), "Incomplete: no suite ran: nothing was measured"))
	})
})
