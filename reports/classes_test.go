package reports_test

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/reports"
)

// reportWithClasses returns a report with n classes (labels). The class class-000 has the highest
// F1.
func reportWithClasses(n int) reports.Report {
	var many []string
	for i := range n {
		many = append(many, fmt.Sprintf("class-%03d", i))
	}
	condition := faultFree("v", 300, many)
	return reports.Report{Summary: eval.Summary{Suites: []eval.SuiteSummary{{Name: "s",
		Conditions: []eval.ConditionSummary{condition}}}}}
}

var _ = Describe("In a report with many classes, the table of classes", func() {
	It("shows the ten with the lowest F1 and counts the others", func() {
		text := written(reports.Markdown, reportWithClasses(30))
		Expect(text).To(ContainSubstring(
			"The 10 of 30 classes with the lowest F1; -v shows the other 20 and the confusion matrix.\n"))
		shown, rest, _ := strings.Cut(text, "<summary>The other 20 classes")
		Expect(shown).To(And(ContainSubstring("\n| class-029 | 92.5 %"), ContainSubstring("\n| class-020 | 92.5 %"),
			Not(ContainSubstring("\n| class-019 | 92.5"))))
		Expect(strings.Count(rest, "\n| class-")).To(Equal(20+3), "the others, three confusions")
	})

	It("shows all classes if there are at most twelve", func() {
		Expect(written(reports.Markdown, reportWithClasses(12))).
			To(And(ContainSubstring("\n| class-000 |"), ContainSubstring("→ class-011"),
				Not(ContainSubstring("lowest F1"))))
	})

	It("sorts classes with equal F1 by name", func() {
		r := reportWithClasses(30)
		for i := range 30 {
			r.Summary.Suites[0].Conditions[0].Metrics[fmt.Sprintf("route.f1.class-%03d",
				i)] = eval.Estimate{Value: new(0.5), N: 9}
		}
		Expect(written(reports.Markdown, r)).To(MatchRegexp(`(?s)\n\| class-000.*\n\| class-001.*\n\| class-009`))
	})

	It("does not contain labels that no case expects", func() {
		r := reportWithClasses(30)
		m := r.Summary.Suites[0].Conditions[0].Confusion
		for i := 5; i < 30; i++ {
			m.Counts[i] = make([]int64, 30)
		}
		shown, _, _ := strings.Cut(written(reports.Markdown, r), "<summary>The other 25")
		Expect(shown).To(ContainSubstring("The 5 of 30 classes with the lowest F1; -v shows the other 25 "))
		Expect(shown).To(And(ContainSubstring("\n| class-004 | 92.5 %"),
			Not(ContainSubstring("\n| class-005 | 92.5 %"))))
	})

	It("shows all classes and the confusion matrix in the detailed report", func() {
		r := reportWithClasses(30)
		r.ShowAll = true
		Expect(written(reports.Table, r)).
			To(And(ContainSubstring("\nclass-029"), ContainSubstring("\nclass-000"), ContainSubstring("→ class-017")))
	})

	It("has no confusion matrix if it would be too large to read", func() {
		r := reportWithClasses(500)
		r.ShowAll, r.Width, r.Summary.Suites[0].Conditions[0].ConfusedPairs = true, 80, nil
		text := written(reports.Table, r)
		Expect(text).To(And(ContainSubstring("\nclass-499"),
			ContainSubstring("The confusion matrix of 500 classes is in the JSON report."), Not(ContainSubstring("→"))))
		Expect(strings.Count(text, "\n")).To(BeNumerically("<", 500+50))
	})

	It("folds the other classes in Markdown", func() {
		text := written(reports.Markdown, reportWithClasses(500))
		Expect(text).To(ContainSubstring(
			"\n\n<details>\n<summary>The other 490 classes</summary>\n\n| expected | precision | recall, n = support | F1 |\n"))
		_, text, _ = strings.Cut(text, "<details>")
		before, after, _ := strings.Cut(text, "<details>")
		Expect(strings.Count(before, "\n| class-")).To(Equal(10))
		folded, rest, closed := strings.Cut(after, "\n\n</details>\n\n")
		Expect(closed).To(BeTrue())
		Expect(strings.Count(folded, "\n| class-")).To(Equal(490))
		Expect(rest).To(HavePrefix("| confusion | n | cases: evalctl show DIR CASE |\n"))
	})
})

var _ = It("a report shows the accuracy of labeled slots", func() {
	r := studio()
	for _, c := range r.Summary.Suites[0].Conditions {
		delete(c.Metrics, "slots.subject")
		c.Metrics["slots.城市"], c.Metrics["slots.day"] = share(80, 120, 0), share(70, 106, 0)
	}
	Expect(written(reports.Table, detailed(r))).To(MatchRegexp(`\nvariant +day \[95 %\] +style \[95 %\] +城市 `))
})
