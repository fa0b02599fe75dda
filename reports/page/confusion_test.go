package page_test

import (
	"fmt"
	"regexp"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/reports/page"
)

// suiteWithLabels returns a suite with this many labels. Label n has n errors.
func suiteWithLabels(labels int) eval.SuiteSummary {
	c := &eval.Confusion{ExpectedLabels: labels}
	condition := eval.ConditionSummary{Variant: "v", Confusion: c, Metrics: map[string]eval.Estimate{}}
	for i := range labels {
		name := fmt.Sprintf("label-%03d", i)
		c.Labels = append(c.Labels, name)
		row := make([]int64, labels)
		row[i], row[(i+1)%labels] = 30, int64(i)
		c.Counts = append(c.Counts, row)
		condition.Metrics["route.recall."+name], condition.Metrics["route.f1."+name] = share(30, 30+int64(i)),
			eval.Estimate{Value: new(1 - float64(i)/1000)}
	}
	return eval.SuiteSummary{Name: "s", Conditions: []eval.ConditionSummary{condition}}
}

var _ = Describe("The figure of a confusion matrix", func() {
	a, b := variant("rules", 179, 20, 50, 62), variant("llm", 203, 3, 2, 105)
	suite := eval.SuiteSummary{Name: "s", Conditions: []eval.ConditionSummary{a, variant("same", 179, 20, 50, 62), b,
		under(a, "router:timeout"), under(b, "router:timeout"),
		under(variant("llm", 179, 20, 50, 62), "router:server_error")}}

	It("has a cell for each count, with a link to its cases and a description", func() {
		Expect(links(page.Confusion(suite, nil))).To(And(
			HaveKeyWithValue("#cases?suite=s&variant=rules&expected=chat&predicted=web_search",
				"chat predicted as web_search: 20 of 199, 10 % 20 10 %"),
			HaveKeyWithValue("#cases?suite=s&variant=llm&expected=web_search&predicted=web_search",
				"web_search found as web_search: 105 of 107, 98 % 105 98 %"),
			HaveKeyWithValue("#cases?suite=s&variant=llm&expected=chat&predicted=web_search",
				"chat predicted as web_search: 3 of 206, 1.5 % 3 1.5 %")))
	})

	It("colors the diagonal by its share, and other cells by the square root of their share, so that 1 % is visible",
		func() {
			got := page.Confusion(suite, nil)
			Expect(count(got, "td", "b8")).To(Equal(2), "179 of 199, of rules and of llm under a fault")
			Expect(count(got, "td", "o3")).To(Equal(2), "20 of 199: √0.1")
			Expect(count(got, "td", "o6")).To(Equal(2), "50 of 112")
		})

	It("shows equal matrices once, and folds matrices under a fault that differ from the one without it", func() {
		got := page.Confusion(suite, nil)
		Expect(count(got, "table", "")).To(Equal(3))
		Expect(count(got, "details", "")).To(Equal(1))
		Expect(words(got)).To(And(ContainSubstring("rules and same"),
			ContainSubstring("Under faults, where it differs: 1 table"), ContainSubstring("llm + router:server_error")))
	})

	It("shows 0 as a dot without a link", func() {
		got := page.Confusion(eval.SuiteSummary{Name: "s",
			Conditions: []eval.ConditionSummary{variant("v", 10, 0, 0, 10)}}, nil)
		Expect(links(got)).To(HaveLen(2))
		Expect(words(got)).To(ContainSubstring("chat 10 10 of 10 ·"))
	})

	DescribeTable("can be scrolled if it is large, and shows only the labels with the most errors if it is very large",
		func(labels, wide, rows, columns int) {
			got := page.Confusion(suiteWithLabels(labels), nil)
			Expect(count(got, "div", "wide")).To(Equal(wide))
			Expect(count(got, "tr", "")).To(Equal(rows + 1))
			Expect(count(got, "td", "")).To(Equal(rows * columns))
		},
		Entry("12 labels: not scrolled", 12, 0, 12, 12),
		Entry("13 labels: scrolled", 13, 1, 13, 13),
		Entry("30 labels: all shown", 30, 1, 30, 30),
		Entry("31 labels: 30 rows", 31, 1, 30, 31),
		Entry("100 labels: 30 rows and 41 columns", 100, 1, 30, 41),
	)

	It("30.7: shows the same labels for all variants: those with the most errors over all of them", func() {
		suite := suiteWithLabels(100)
		other := suiteWithLabels(100).Conditions[0]
		other.Variant = "w"
		for i := range other.Confusion.Counts { // label n has 99−n errors
			row := make([]int64, 100)
			row[i], row[(i+1)%100] = 30, int64(99-i)
			other.Confusion.Counts[i] = row
		}
		suite.Conditions = append(suite.Conditions, other)
		got := regexp.MustCompile(`<th scope="row">label-\d+`).FindAllString(string(page.Confusion(suite, nil)), -1)
		Expect(got).To(HaveLen(60))
		Expect(got[:30]).To(Equal(got[30:]))
	})

	It("adds a column \"others\" for the predictions of labels that it does not show", func() {
		got := words(page.Confusion(suiteWithLabels(100), nil))
		Expect(got).To(And(ContainSubstring("The 30 of 100 labels with the most confusions."),
			ContainSubstring("others"), ContainSubstring("label-099 129"), Not(ContainSubstring("label-069 "))))
	})

	It("counts turns if cases have several, and states in links how many cases these are", func() {
		c := variant("v", 20, 1, 0, 20)
		c.Metrics["route.macro_f1"], c.Metrics["route.accuracy"] = eval.Estimate{N: 41}, eval.Estimate{N: 20}
		s := eval.SuiteSummary{Name: "s",
			Conditions: []eval.ConditionSummary{c, under(variant("v", 20, 1, 1, 20), "f")}}
		s.Conditions[1].Metrics = c.Metrics
		var list []eval.Result
		// each trial has two right labels; one trial also has chat right in its third turn and
		// wrong in its fourth
		for i := range 20 {
			r := trial("v", i, 1)
			turn := func(n int, want, got string) eval.TurnScore {
				return eval.TurnScore{Turn: n, Expected: eval.OneOf{want, "other"}, Actual: got,
					Verdict: eval.PassIf(got != "web_search" || want == got)}
			}
			r.Scores[0].Turns = []eval.TurnScore{turn(1, "chat", "other"), turn(2, "web_search", "web_search")}
			if i == 0 {
				r.Scores[0].Turns = append(r.Scores[0].Turns, turn(3, "chat", "chat"), turn(4, "chat", "web_search"))
			}
			list = append(list, r)
		}
		got := page.Confusion(s, spreadOf(s, list...))
		Expect(words(got)).To(ContainSubstring("Counts are labeled turns"))
		Expect(links(got)).To(And(HaveKeyWithValue("#cases?suite=s&variant=v&expected=chat&predicted=chat",
			"chat found as chat: 20 of 21 turns, in 19 cases, 95 % 20 95 %"),
			HaveKeyWithValue("#cases?suite=s&variant=v&expected=chat&predicted=web_search",
				HavePrefix("chat predicted as web_search: 1 of 21 turns, in 1 case,"))))
		Expect(string(got)).To(ContainSubstring(`title="turns in 19 cases"`))
		Expect(words(page.Classes(s, spreadOf(s, list...)))).
			To(ContainSubstring("95.2 % of 21 turns correct (in 19 cases), 1 not (in 1 case)"))
	})

	It("is empty if there are no confusion matrices", func() {
		Expect(page.Confusion(eval.SuiteSummary{Conditions: []eval.ConditionSummary{{Variant: "v"}}}, nil)).
			To(BeEmpty())
	})
})

var _ = Describe("The figure of classes", func() {
	suite := eval.SuiteSummary{Name: "s",
		Conditions: []eval.ConditionSummary{variant("rules", 179, 34, 50, 64), variant("same", 179, 34, 50, 64),
			variant("llm", 203, 10, 11, 105)}}

	It("shows the recall of each class, with links to right and wrong cases", func() {
		got := page.Classes(suite, nil)
		Expect(words(got)).To(ContainSubstring(
			"rules and same 84.0 % of 213 correct, 34 not · precision 78.2 % · F1 0.900"))
		Expect(links(got)).To(And(HaveKeyWithValue("#cases?suite=s&variant=rules&result=wrong&expected=chat", "34 not"),
			HaveKeyWithValue("#cases?suite=s&variant=rules&result=correct&expected=chat", "84.0 % of 213")))
	})

	It("draws the right predictions, each other predicted label, and the interval", func() {
		got := page.Classes(suite, nil)
		Expect(count(got, "rect", "found")).To(Equal(4))
		Expect(count(got, "rect", "taken")).To(Equal(4))
		Expect(count(got, "line", "span")).To(Equal(4))
		Expect(string(got)).To(ContainSubstring(
			`<rect class="found" x="0%" y="5" width="84.04%" height="14"/><rect class="taken" x="84.04%" y="5" width="15.96%"`))
	})

	It("shows counts instead of percentages for small samples", func() {
		Expect(words(page.Classes(eval.SuiteSummary{Name: "s",
			Conditions: []eval.ConditionSummary{variant("v", 6, 2, 0, 30)}},
			nil))).To(ContainSubstring("6 of 8 correct, 2 not"))
	})

	It("shows only the classes with the lowest F1 if there are many", func() {
		got := page.Classes(suiteWithLabels(100), nil)
		Expect(count(got, "div", "class")).To(Equal(30))
		Expect(count(got, "details", "")).To(Equal(1))
		Expect(words(got)).To(And(ContainSubstring("The 30 of 100 classes with the lowest F1 are shown."),
			ContainSubstring("18 more classes"), ContainSubstring("label-099"), Not(ContainSubstring("label-069"))))
	})
})
