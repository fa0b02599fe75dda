package reports_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"golang.org/x/net/html"

	"evalctl/eval"
	"evalctl/eval/compare"
	"evalctl/eval/journal"
	"evalctl/eval/metric"
	"evalctl/eval/runs"
	"evalctl/reports"
)

// suiteToRun describes a suite of a generated run.
type suiteToRun struct {
	name, settings string
	variants       []string
	cases          int
	correct        func(variant string, i int) bool
	text           func(i int) string // nil: "text 1" and so on
	turns          int                // turns of a conversation that expect "yes", see conversation; 0: one message
	usd            float64            // cost of the cheapest case; 0: unknown
}

// runOf writes a run with these suites to a directory with the given name. Correct decisions are
// "yes", wrong ones "no". Every second case has the tag "even".
func runOf(name string, list ...suiteToRun) *runs.Run {
	GinkgoHelper()
	dir := filepath.Join(GinkgoT().TempDir(), name)
	Expect(os.Mkdir(dir, 0o755)).To(Succeed())
	var summaries []eval.SuiteSummary
	var results []eval.Result
	m := journal.Manifest{Version: "1.0", Seed: 7}
	for _, s := range list {
		sum := eval.SuiteSummary{Name: s.name, Target: "toolrouter", Epochs: 1, Cases: int64(s.cases)}
		settings := map[string]any{"name": s.name, "temperature": s.settings}
		for _, v := range s.variants {
			sum.Conditions = append(sum.Conditions, eval.ConditionSummary{Variant: v, Fault: eval.NoFault})
			for i := range s.cases {
				right, got, tags, text := s.correct(v, i), "no", []string{"all"}, fmt.Sprint("text ", i)
				if right {
					got = "yes"
				}
				if i%2 == 0 {
					tags = append(tags, "even")
				}
				if s.text != nil {
					text = s.text(i)
				}
				id := fmt.Sprintf("c%03d", i)
				score := eval.Score{Name: eval.RouteScore, Verdict: eval.PassIf(right), Actual: got,
					Expected: eval.OneOf{"yes"}}
				if s.turns > 0 {
					score = conversation(s.turns, got)
				}
				var cost *float64
				if s.usd > 0 {
					cost = new(s.usd * float64(1+i%4))
				}
				results = append(results, eval.Result{Key: s.name + v + id, Cost: cost, Suite: s.name, Case: id, Variant: v,
					Fault: eval.NoFault, Epoch: 1, Text: text, Tags: tags, Predicted: score.Actual,
					Expected: score.Expected,
					Correct:  &right, Scores: []eval.Score{score}, Turns: make([]eval.TurnSummary, len(score.Turns))})
			}
		}
		summaries = append(summaries, sum)
		raw, err := json.Marshal(settings)
		Expect(err).NotTo(HaveOccurred())
		m.Suites, m.Datasets = append(m.Suites, raw), append(m.Datasets, journal.DatasetInfo{Hash: "57dc37f5c0ac"})
	}
	m, err := m.WithHash()
	Expect(err).NotTo(HaveOccurred())
	Expect(m.Write(dir)).To(Succeed())
	log, err := journal.Resume(dir, func(string) {})
	Expect(err).NotTo(HaveOccurred())
	table := metric.NewCollector(summaries)
	for _, r := range results {
		Expect(log.Add(r)).To(Succeed())
		Expect(table.Add(r)).To(Succeed())
	}
	Expect(log.Close()).To(Succeed())
	Expect(journal.WriteJSON(filepath.Join(dir, journal.SummaryFile), table.Summarize())).To(Succeed())
	r, err := runs.Open(dir)
	Expect(err).NotTo(HaveOccurred())
	return r
}

// conversation returns the score of a conversation whose first n turns expect "yes" and have the same
// answer. The last turn expects "other" and is correct.
func conversation(n int, got string) eval.Score {
	score := eval.Score{Name: eval.RouteScore}
	for turn := 1; turn <= n+1; turn++ {
		one := eval.TurnScore{Turn: turn, Expected: eval.OneOf{"yes"}, Actual: got}
		if turn > n {
			one.Expected, one.Actual = eval.OneOf{"other"}, "other"
		}
		one.Verdict = eval.PassIf(one.Expected.Has(one.Actual))
		if score.Verdict != eval.Fail {
			score.Turn, score.Expected, score.Actual, score.Verdict = turn, one.Expected, one.Actual, one.Verdict
		}
		score.Turns = append(score.Turns, one)
	}
	return score
}

// firstCorrect returns a suite with one variant that is correct in the first cases.
func firstCorrect(n, cases int) suiteToRun {
	return suiteToRun{name: "s", variants: []string{"v"}, cases: cases,
		correct: func(_ string, i int) bool { return i < n }}
}

func comparedPage(now, before *runs.Run, selection compare.Selection) string {
	GinkgoHelper()
	sum, err := now.Recompute()
	Expect(err).NotTo(HaveOccurred())
	text, _ := writtenPage(reports.Report{Summary: sum, Dir: now.Path, Run: now, BaselineRun: before,
		BaselineSelection: selection, ComparisonFirst: true})
	return text
}

// htmlView returns the element of a view.
func htmlView(text, id string) *html.Node {
	GinkgoHelper()
	for _, n := range htmlElements(text) {
		if attribute(n, "data-view") == id {
			return n
		}
	}
	Fail("no view " + id)
	return nil
}

// linksOf returns the addresses of the links in an element, by their texts.
func linksOf(n *html.Node) map[string]string {
	all := map[string]string{}
	for c := range n.Descendants() {
		if c.Type == html.ElementNode && c.Data == "a" {
			all[textOf(c)] = attribute(c, "href")
		}
	}
	return all
}

var _ = Describe("32.6: the view of an HTML page that compares two runs", func() {
	It("states the difference, what explains it and the settings, with links to the fixed and broken cases", func() {
		before, now := firstCorrect(20, 100), firstCorrect(60, 100)
		before.settings, now.settings = "0.6", "0.85"
		now.correct = func(_ string, i int) bool { return i < 60 && i >= 2 }
		text := comparedPage(runOf("now", now), runOf("before", before), compare.Selection{})
		view := htmlView(text, "compare")
		got := textOf(view)
		Expect(got).To(And(HavePrefix("before → now s variant v the same 100 cases seed 7 "),
			MatchRegexp(`now is 38\.0 points more accurate than before \(95 % interval \+\d\d\.\d to \+\d\d\.\d, p < 0\.001\): 40 cases fixed , 2 broken \.`),
			ContainSubstring("2 of 2 broken cases change from yes to no."),
			ContainSubstring("temperature 0.6 0.85"), ContainSubstring("Same dataset (57dc37f5).")))
		Expect(got).To(ContainSubstring("18 correct in both 40 fixed 2 broken 40 wrong in both"))
		Expect(got).To(MatchRegexp(`accuracy 20\.0 % 58\.0 % \+38\.0 \[\+\d\d\.\d, \+\d\d\.\d\]`))
		Expect(got).To(MatchRegexp(`even 50 20\.0 % 58\.0 % \+38\.0`))
		Expect(linksOf(view)).To(And(HaveKeyWithValue("40 cases fixed", "#cases?suite=s&variant=v&change=new_pass"),
			HaveKeyWithValue("2 broken", "#cases?suite=s&variant=v&change=new_failure"),
			HaveKeyWithValue("c020", "#case/s/c020?variant=v&change=new_pass"),
			HaveKeyWithValue("c000", "#case/s/c000?variant=v&change=new_failure"),
			HaveKeyWithValue("All 40 cases", "#cases?suite=s&variant=v&change=new_pass")))
		Expect(got).To(ContainSubstring("c020 text 20 no → yes"))
		Expect(strings.Count(got, "no → yes")).To(Equal(1+12), "12 of 40 cases, and the most frequent change")
		Expect(regexp.MustCompile(`data-view="[^"]*"`).FindString(text)).To(Equal(`data-view="compare"`),
			"the first view")
	})

	It("states whether the 95 % interval of a ratio excludes 1, because no test decides", func() {
		before, now := firstCorrect(20, 100), firstCorrect(60, 100)
		before.usd, now.usd = 0.01, 0.02
		headline := func() string {
			return textOf(htmlView(comparedPage(runOf("now", now), runOf("before", before), compare.Selection{}), "compare"))
		}
		Expect(headline()).To(ContainSubstring("The cost is 100 % higher (the 95 % interval excludes 1)."))
		now.usd = 0.01
		Expect(headline()).To(ContainSubstring("The 95 % interval of the ratio of the cost contains 1."))
	})

	It("states that no difference is significant, that decisions are identical, or that too few cases are scored",
		func() {
			same := runOf("b", firstCorrect(50, 100))
			headline := func(now suiteToRun) string {
				return textOf(htmlView(comparedPage(runOf("a", now), same, compare.Selection{}), "compare"))
			}
			Expect(headline(firstCorrect(51, 100))).
				To(MatchRegexp(
					`The accuracy of a does not differ significantly from b : \+1\.0 points \(95 % interval .* 1 case fixed , 0 broken`))
			Expect(headline(firstCorrect(50, 100))).To(
				ContainSubstring("b and a make identical decisions in all 100 cases."))
		})

	It("lists all pairs first if there are several variants, and has a view for each pair", func() {
		several := func(n int, variants ...string) suiteToRun {
			s := firstCorrect(n, 100)
			s.variants = variants
			return s
		}
		before, now := runOf("before", several(40, "v", "w", "old")), runOf("now", several(70, "v", "w", "new"))
		text := comparedPage(now, before, compare.Selection{})
		view := htmlView(text, "compare")
		Expect(textOf(view)).To(And(ContainSubstring("Only in now: new of s."),
			ContainSubstring("Only in before: old of s."),
			MatchRegexp(`v 40\.0 % 70\.0 % \+30\.0 \[.*\] 100 30 0 w 40\.0 %`)))
		Expect(linksOf(view)).To(HaveKeyWithValue("w", "#compare/s/w"))
		Expect(textOf(htmlView(text, "compare/s/w"))).To(ContainSubstring("variant w"))
		Expect(text).NotTo(ContainSubstring(`href="#compare/s/w">w</a></nav>`), "only the table links to it")
	})

	It("pairs variants of different names, and restricts the comparison to the selection", func() {
		a, b := firstCorrect(40, 100), firstCorrect(70, 100)
		a.variants, b.variants = []string{"rules", "x"}, []string{"llm", "x"}
		text := comparedPage(runOf("now", b), runOf("before", a), compare.Selection{Variants: []string{"rules=llm"}})
		view := htmlView(text, "compare")
		Expect(textOf(view)).To(ContainSubstring("variant rules → llm"))
		Expect(linksOf(view)).To(HaveKeyWithValue("30 cases fixed", "#cases?suite=s&variant=llm&change=new_pass"))
		Expect(text).NotTo(ContainSubstring("compare/s/"))
	})

	It("compares suite by suite, over the cases that both runs have; a suite that cannot be compared has a reason", func() {
		suite := func(name string, cases int) suiteToRun {
			s := firstCorrect(5, cases)
			s.name = name
			return s
		}
		before := runOf("before", suite("s", 20), suite("u", 20))
		now := runOf("now", suite("s", 20), suite("u", 30), suite("new", 20))
		Expect(textOf(htmlView(comparedPage(now, before, compare.Selection{}), "compare"))).To(And(
			ContainSubstring("u: 20 of 30 cases are compared: those that are the same in all runs."),
			ContainSubstring("new is not compared: the earlier run has no such suite.")))
	})

	It("names the prompts that differ and shows a bounded diff, folded", func() {
		prompts := func(name, text string) *runs.Run {
			r := runOf(name, firstCorrect(10, 20))
			id := eval.PromptID(text)
			Expect(journal.WritePrompts(r.Path, map[string]string{id: text})).To(Succeed())
			r.Manifest.Prompts = []journal.PromptInfo{
				{Suite: "s", Variant: "v", Setting: "prompt", File: name + ".md", ID: id}}
			return r
		}
		text := comparedPage(prompts("now", "Choose one.\n"+strings.Repeat("new\n", 100)),
			prompts("before", "Choose a label.\n"+strings.Repeat("old\n", 100)), compare.Selection{})
		got := textOf(htmlView(text, "compare"))
		Expect(got).To(And(ContainSubstring("The prompts differ ( --prompt ): before.md in before, now.md in now."),
			ContainSubstring("Changes of 1 prompt"), ContainSubstring("-Choose a label."),
			ContainSubstring("more lines")))
		Expect(strings.Count(text, "-old")).To(BeNumerically("<=", 60))
		Expect(text).To(MatchRegexp(`(?s)<details><summary>Changes of 1 prompt</summary>.*<pre>`))
	})

	It("counts the turns of a label, as the confusion matrix does, and the cases of a tag", func() {
		before, now := firstCorrect(20, 40), firstCorrect(30, 40)
		before.turns, now.turns = 2, 2
		text := comparedPage(runOf("now", now), runOf("before", before), compare.Selection{})
		got := textOf(htmlView(text, "compare"))
		Expect(got).To(And(
			ContainSubstring("label, recall turns before now"),
			MatchRegexp(`yes 80 50\.0 % 75\.0 % \+25\.0`),
			MatchRegexp(`even 20 50\.0 % 75\.0 % (~ )?\+25\.0`),
			ContainSubstring("Recall of yes is better: 50.0 % → 75.0 % of 80 turns"),
			ContainSubstring("Recall counts turns; a difference counts each case once.")))
		Expect(textOf(htmlView(text, "suite/s"))).To(ContainSubstring("of 80"), "the matrix has the same number")
	})

	It("has intervals of tags, which are not adjusted, and names the adjustment of significance", func() {
		text := comparedPage(runOf("now", firstCorrect(60, 100)), runOf("before", firstCorrect(45, 100)),
			compare.Selection{})
		got := textOf(htmlView(text, "compare"))
		Expect(got).To(And(
			ContainSubstring("Significance is adjusted for 2 tags (Holm); intervals are not."),
			MatchRegexp(`tag cases before now (\S+ )+points \[95 %\]`),
			MatchRegexp(`even 50 46\.0 % 60\.0 % \+14\.0 \[\+\d+\.\d, \+\d+\.\d\]`)))
	})

	DescribeTable("shows on which side of no difference a bound is", func(text, want string) {
		Expect(text).To(Equal(want))
	},
		Entry(nil, reports.PointsBound(0.012), "+1.2"),
		Entry(nil, reports.PointsBound(0.0004), "+0.04"),
		Entry(nil, reports.PointsBound(-0.00004), "−0.004"),
		Entry(nil, reports.PointsBound(-0.000001), "−0.000"),
		Entry(nil, reports.PointsBound(0), "0"),
		Entry(nil, reports.PointsBound(0.1), "+10.0"),
		Entry(nil, reports.RatioBound(0.94), "0.94"),
		Entry(nil, reports.RatioBound(0.998), "0.998"),
		Entry(nil, reports.RatioBound(1.0001), "1.0001"),
		Entry(nil, reports.RatioBound(1), "1.00"),
		Entry(nil, reports.RatioBound(1+1e-9), "1.00000"),
		Entry(nil, reports.RatioBound(11), "11.00"),
	)

	It("gets no additional elements from hostile texts", func() {
		plain, hostile := firstCorrect(20, 30), firstCorrect(20, 30)
		hostile.text = func(i int) string { return withMarkup(fmt.Sprint(i)) }
		count := func(s suiteToRun) int {
			before := s
			before.correct = func(_ string, i int) bool { return i < 10 || i > 25 }
			return len(htmlElements(comparedPage(runOf("now", s), runOf("before", before), compare.Selection{})))
		}
		Expect(count(hostile)).To(Equal(count(plain)))
	})
})
