package reports_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/llm"
	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/eval/runs"
	"evalctl/reports"
)

// viewOf renders one view of a run with these results.
func viewOf(format reports.Format, by reports.View, width int, rows ...eval.Result) string {
	GinkgoHelper()
	r := reportOn(rows...)
	r.View, r.Width = by, width
	return written(format, r)
}

func reportOn(rows ...eval.Result) reports.Report {
	GinkgoHelper()
	var lines strings.Builder
	for _, r := range rows {
		line, err := json.Marshal(r)
		Expect(err).NotTo(HaveOccurred())
		lines.Write(append(line, '\n'))
	}
	path := filepath.Join(GinkgoT().TempDir(), "results.jsonl")
	Expect(os.WriteFile(path, []byte(lines.String()), 0o600)).To(Succeed())
	run, err := runs.Open(path)
	Expect(err).NotTo(HaveOccurred())
	sum, err := run.Recompute()
	Expect(err).NotTo(HaveOccurred())
	return reports.Report{Summary: sum, Run: run}
}

// trialResult returns a trial with an expected and a predicted label; got "": no decision was
// scored.
func trialResult(variant, id string, epoch int, want, got string, tags ...string) eval.Result {
	r := eval.Result{Key: fmt.Sprint(variant, id, epoch), Suite: "s", Case: id, Variant: variant, Fault: eval.NoFault,
		Epoch: epoch, Tags: tags, Language: "zh",
		Expected: eval.OneOf{want}, Predicted: got, AnsweredBy: got,
		Turns:  []eval.TurnSummary{{Answered: true, Duration: eval.Millis(time.Second)}},
		Scores: []eval.Score{{Name: eval.RouteScore, Turn: 1, Expected: eval.OneOf{want}, Actual: got}}}
	if got != "" {
		r.Scores[0].Verdict, r.Correct = eval.PassIf(got == want), new(got == want)
	}
	return r
}

func shown(lines ...string) string { return strings.Join(lines, "\n") + "\n" }

var _ = Describe("a report of a single view", func() {
	It("lists tags with the most cases first, shows counts for small samples, and shows variants with equal values once", func() {
		var rows []eval.Result
		for i := range 30 {
			id, got := fmt.Sprintf("c%02d", i), "x"
			if i == 7 {
				got = "y"
			}
			tags := []string{"all"}
			if i < 8 {
				tags = append(tags, "near:x")
			}
			rows = append(rows, trialResult("a", id, 1, "x", got, tags...), trialResult("b", id, 1, "x", got, tags...))
		}
		Expect(viewOf(reports.Table, reports.ByTag, 60, rows...)).To(Equal(shown(
			"s: a and b",
			"tag"+strings.Repeat(" ", 9)+"accuracy [95 %]  cases",
			"all     96.7 % [83.3, 99.4]     30",
			"near:x"+strings.Repeat(" ", 15)+"7 of 8      8")))
		Expect(viewOf(reports.Table, "tag:near", 60, rows...)).NotTo(ContainSubstring("all "))
		Expect(viewOf(reports.Table, reports.ByLanguage, 60, rows...)).
			To(MatchRegexp(`\nlanguage \(detected\) +accuracy \[95 %\]  cases\nzh +96\.7 % \[83\.3, 99\.4\]     30\n`))
		for i := range rows {
			rows[i].Tags = []string{"lang:xx"}
		}
		Expect(viewOf(reports.Table, reports.ByLanguage, 60, rows...)).
			To(MatchRegexp(`\nlanguage +accuracy \[95 %\]  cases\nlang:xx +96\.7 %`),
				"15.27: the set's own tag can be looked up")
		Expect(viewOf(reports.Table, "tag:far", 60, rows...)).To(ContainSubstring("No scored case has such a tag."))
	})

	It("lists the cases that are wrong most often, with their top confusion", func() {
		rows := []eval.Result{
			trialResult("a", "hard", 1, "x", "y"), trialResult("a", "hard", 2, "x", "z"),
			trialResult("b", "hard", 1, "x", "z"), trialResult("b", "hard", 2, "x", "y"),
			trialResult("a", "odd", 1, "x", "x"), trialResult("a", "odd", 2, "x", "y"),
			trialResult("b", "odd", 1, "x", ""), trialResult("b", "odd", 2, "x", "x"),
			trialResult("a", "easy", 1, "x", "x"), trialResult("a", "easy", 2, "x", "x"),
			trialResult("b", "easy", 1, "x", "x"), trialResult("b", "easy", 2, "x", "x"),
		}
		Expect(viewOf(reports.Table, reports.ByCase, 80, rows...)).To(Equal(shown(
			"s",
			"2 of 3 cases are wrong in at least one of 2 variants.",
			"",
			"case   wrong  expected  top prediction  language  wrong in",
			"hard  4 of 4  x         y ×2            zh        all",
			"odd   1 of 3  x         y ×1            zh        a")))
		read, err := csv.NewReader(strings.NewReader(viewOf(reports.CSV, reports.ByCase, 0, rows...))).ReadAll()
		Expect(err).NotTo(HaveOccurred())
		Expect(read).To(Equal([][]string{
			{"suite", "variant", "case", "wrong", "scored", "expected", "top_prediction", "top_prediction_count",
				"language", "wrong_in"},
			{"s", "", "hard", "4", "4", "x", "y", "2", "zh", "a b"},
			{"s", "", "odd", "1", "3", "x", "y", "1", "zh", "a"}}))
	})

	It("lists twenty cases, or all in the detailed report", func() {
		var rows []eval.Result
		for i := range 21 {
			rows = append(rows, trialResult("a", fmt.Sprintf("c%02d", i), 1, "x", "y"))
		}
		text := viewOf(reports.Table, reports.ByCase, 80, rows...)
		Expect(text).To(And(ContainSubstring("First 20 of 21 cases; -v shows all."), ContainSubstring("c19"),
			Not(ContainSubstring("c20"))))
		Expect(viewOf(reports.CSV, reports.ByCase, 80, rows...)).To(ContainSubstring("c20"))
	})

	It("shows for each node the time of its executions, its failed calls and its rejected answers", func() {
		visit := func(node string, seconds int, failed bool) eval.NodeVisit {
			n := eval.NodeVisit{Node: node, Turn: 1, Duration: eval.Millis(time.Duration(seconds) * time.Second),
				Calls: 2, CallDurations: []eval.Millis{1, 2}}
			if failed {
				n.CallError = "timeout"
			}
			return n
		}
		one, two := trialResult("a", "c1", 1, "x", "x"), trialResult("a", "c2", 1, "x", "x")
		unsure := visit("chat", 1, false)
		unsure.CallError = trace.ReasonLowConfidence
		one.Nodes, two.Nodes = []eval.NodeVisit{visit("chat", 1, false),
			visit("image", 6, true)}, []eval.NodeVisit{unsure}
		broken := trialResult("a", "c1", 1, "x", "x")
		broken.Key, broken.Fault, broken.Nodes = "f", "chat:timeout", []eval.NodeVisit{visit("chat", 9, true)}
		Expect(viewOf(reports.Table, reports.ByNode, 90, one, two, broken)).To(HaveSuffix(shown(
			"s: a",
			"node   calls     p50         p95         p99  share of time  errors  rejected  of visits",
			"image      2  6.00 s  max 6.00 s  max 6.00 s         75.0 %       1                    1",
			"chat       4  1.00 s  max 1.00 s  max 1.00 s         25.0 %                 1          2")))
	})

	It("15.27: counts failed calls of a node as errors, even if a retry succeeded, but does not count invalid labels",
		func() {
			visit := func(calls, cached, answered int, failed llm.ErrorKind) eval.NodeVisit {
				return eval.NodeVisit{Node: "router", Turn: 1, Calls: int64(calls), CachedCalls: int64(cached),
					CallDurations: make([]eval.Millis, answered), CallError: failed}
			}
			var rows []eval.Result
			for i, n := range []eval.NodeVisit{
				visit(2, 0, 1, ""),                              // the first attempt failed, the second was answered
				visit(3, 0, 0, llm.KindServerError),             // both attempts failed
				visit(1, 0, 1, llm.KindUnknownLabel),            // answered with an invalid label
				visit(1, 0, 1, llm.KindEmptyContent),            // answered without content
				visit(1, 1, 0, ""),                              // answered from a cache
				visit(1, 0, 1, llm.ErrorKind("low_confidence")), // answered with a confidence below the threshold
			} {
				r := trialResult("a", fmt.Sprintf("c%02d", i), 1, "x", "x")
				r.Nodes = []eval.NodeVisit{n}
				rows = append(rows, r)
			}
			Expect(viewOf(reports.CSV, reports.ByNode, 80, rows...)).
				To(MatchRegexp(`(?m)errors,unusable,rejected_answers,visits\r?\n.*,router,.*,5,1,1,6\r?$`))
		})

	It("states that there are no data for the view, or returns an error if it requires trials that are not available",
		func() {
			Expect(viewOf(reports.Table, reports.ByLoop, 80, trialResult("a", "c1", 1, "x", "x"))).
				To(ContainSubstring("The run has no data for this view."))
			summary := reports.Report{Summary: tools().Summary, View: reports.ByNode}
			Expect(written(reports.Table, summary)).To(ContainSubstring("toolrouter"), "does not require them")
			summary.View = reports.ByCase
			err := reports.Write(&strings.Builder{}, reports.Table, summary)
			Expect(err).To(MatchError("--by case: requires the results of the run, which are not available"))
		})

	It("fits every width, and contains the same tables in every format", func() {
		var rows []eval.Result
		for i := range 30 {
			rows = append(rows, trialResult("a-variant-with-quite-a-name", fmt.Sprintf("很长的标签很长的标签-%02d", i), 1,
				"很长的标签很长的标签", "another_label_of_some_length", "tag:很长的标签"),
				trialResult("b", fmt.Sprintf("很长的标签很长的标签-%02d", i), 1, "很长的标签很长的标签", "很长的标签很长的标签", "tag:很长的标签"))
		}
		r := reportOn(rows...)
		for _, r.View = range reports.Views() {
			var tables struct {
				View   reports.View
				Tables []struct{ Rows []map[string]any }
			}
			Expect(json.Unmarshal([]byte(written(reports.JSON, r)), &tables)).To(Succeed())
			Expect(tables.View).To(Equal(r.View))
			for _, r.Width = range []int{40, 60, 80, 100, 140} {
				expectWithin(r.Width, written(reports.Table, r))
			}
			for _, format := range reports.TableFormats() {
				Expect(unsafeText(format, written(format, r))).To(BeEmpty(), "%s by %s", format, r.View)
			}
		}
	})
})
