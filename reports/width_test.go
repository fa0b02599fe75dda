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

// columnsOf measures as a terminal would, whatever the environment says.
func columnsOf(text string) int { return displaywidth.Options{}.String(text) }

// expectWithin finds the line that is too long.
func expectWithin(width int, text string) {
	GinkgoHelper()
	for i, line := range strings.Split(text, "\n") {
		Expect(columnsOf(line)).To(BeNumerically("<=", width), "width %d, line %d: %s", width, i+1, line)
	}
}

// noise is a report whose names are of any length and any script.
func noise(seed uint64) reports.Report {
	r := rand.New(rand.NewPCG(seed, 1))
	word := func() string {
		parts := []string{"a", "模型", "router:", " ", "🙂", "é", "e\u0301", "_", "超时", "👩‍👩‍👧", "🇨🇳", "1️⃣", "\x1b[1m", "ﷺ", "x"}
		var b strings.Builder
		for range r.IntN(40) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		return b.String()
	}
	report := full()
	report.Title, report.Dir, report.Notes, report.Summary.Partial = word(), word(), []string{word(), word()}, true
	report.Detail = seed%2 == 0
	s := &report.Summary.Suites[0]
	s.Name, s.Dataset, s.Models[0].Note = word(), word(), word()
	for i := range s.Conditions {
		c := &s.Conditions[i]
		if r.IntN(2) == 0 {
			c.Name = word()
		}
		if c.Fault != eval.NoFault {
			c.Fault = word()
			continue
		}
		var labels []string
		for j := range 2 + r.IntN(16) {
			labels = append(labels, fmt.Sprint(j, word()))
		}
		c.ConfusedPairs = nil
		confused(c, labels)
	}
	report.Summary.Gates[0].Reason = word() + word()
	return report
}

var _ = Describe("the width of a screen", func() {
	It("is kept by every line of a table", func() {
		for width := 40; width <= 200; width += 8 {
			list := []reports.Report{noise(uint64(width)), noise(uint64(width) + 1)}
			if width%40 == 0 {
				list = append(list, full(), troubled(), studio())
			}
			for _, r := range list {
				r.Width = width
				expectWithin(width, written(reports.Table, r))
				r.Detail = true
				expectWithin(width, written(reports.Table, r))
			}
		}
	})

	It("is kept by every line of a timeline", func() {
		for width := 40; width <= 200; width += 4 {
			expectWithin(width, drawn(trial(), width))
			expectWithin(width, drawn(repainted(), width))
		}
	})

	It("is taken to be 40 columns at least", func() {
		r := full()
		r.Width = 3
		narrow := written(reports.Table, r)
		r.Width = 40
		Expect(narrow).To(Equal(written(reports.Table, r)))
	})

	It("never costs a figure in the overview", func() {
		r := detailed(full())
		r.Width = 40
		text := written(reports.Table, r)
		for _, head := range []string{"accuracy", "unscored", "macro-F1", "fell back", "recovered", "p50", "p95", "first text", "calls", "worst–best"} {
			Expect(text).To(ContainSubstring(head))
		}
	})
})
