package reports_test

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/clipperhouse/displaywidth"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/reports"
)

// columnsOf returns the width of a text in terminal columns, independent of the environment.
func columnsOf(text string) int { return displaywidth.Options{}.String(text) }

// expectWithin fails if a line of the text is wider than the given width.
func expectWithin(width int, text string) {
	GinkgoHelper()
	for i, line := range strings.Split(text, "\n") {
		Expect(columnsOf(line)).To(BeNumerically("<=", width), "width %d, line %d: %s", width, i+1, line)
	}
}

// randomReport returns a report with random names of any length and script.
func randomReport(seed uint64) reports.Report {
	r := rand.New(rand.NewPCG(seed, 1))
	randomWord := func() string {
		parts := []string{"a", "模型", "router:", " ", "🙂", "é", "e\u0301", "_", "超时", "👩‍👩‍👧", "🇨🇳",
			"1️⃣", "\x1b[1m", "ﷺ", "x"}
		var b strings.Builder
		for range r.IntN(40) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		return b.String()
	}
	report := full()
	report.Title, report.Dir, report.Notes, report.Summary.Partial = randomWord(), randomWord(),
		[]string{randomWord(), randomWord()}, true
	report.ShowAll = seed%2 == 0
	s := &report.Summary.Suites[0]
	s.Name, s.Dataset, s.Models[0].Note = randomWord(), randomWord(), randomWord()
	for i := range s.Conditions {
		c := &s.Conditions[i]
		if r.IntN(2) == 0 {
			c.Variant = randomWord()
		}
		if c.Fault != eval.NoFault {
			c.Fault = randomWord()
			continue
		}
		var labels []string
		for j := range 2 + r.IntN(16) {
			labels = append(labels, fmt.Sprint(j, randomWord()))
		}
		c.ConfusedPairs = nil
		addConfusion(c, labels)
	}
	report.Summary.Gates[0].Reason = randomWord() + randomWord()
	return report
}

var _ = Describe("The width of a text report", func() {
	It("limits every line of a table", func() {
		for width := 40; width <= 200; width += 8 {
			for _, r := range []reports.Report{randomReport(uint64(width)), randomReport(uint64(width) + 1)} {
				r.Width = width
				expectWithin(width, written(reports.Table, r))
				r.ShowAll = true
				expectWithin(width, written(reports.Table, r))
			}
		}
	})

	It("is at least 40 columns", func() {
		r := full()
		r.Width = 3
		narrow := written(reports.Table, r)
		r.Width = 40
		Expect(narrow).To(Equal(written(reports.Table, r)))
	})

	It("never removes a value from the first table of a suite", func() {
		r := detailed(full())
		r.Width = 40
		text := written(reports.Table, r)
		for _, head := range []string{"accuracy", "no answer", "macro-F1", "fell back", "recovered", "p50", "p95",
			"1st text", "calls", "12 missing"} {
			Expect(text).To(ContainSubstring(head))
		}
	})
})
