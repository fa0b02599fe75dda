package main

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/cmd/evalctl/exit"
	"evalctl/eval/journal"
)

// columnByRow returns a column of a table in a report, by the first cell of its rows. Heads and
// numbers are right-aligned.
func columnByRow(screen, head string) map[string]string {
	GinkgoHelper()
	lines := strings.Split(screen, "\n")
	top := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, head) })
	Expect(top).To(BeNumerically(">=", 0), screen)
	before, _, _ := strings.Cut(lines[top], head)
	end := utf8.RuneCountInString(before + head) // every character is one column wide
	rows := map[string]string{}
	for _, line := range lines[top+1:] {
		row := []rune(line)
		if len(row) < end {
			break
		}
		name, _, _ := strings.Cut(line, " ")
		upTo := string(row[:end])
		rows[name] = upTo[strings.LastIndex(upTo, "  ")+2:]
	}
	return rows
}

// ranking returns the ids that each trial of a variant retrieved, best first.
func ranking(traces []journal.Trace, variant string) (all []string) {
	GinkgoHelper()
	for _, t := range traces {
		if t.Variant != variant || t.Fault != "none" {
			continue
		}
		for i, turn := range t.Outcome.Turns {
			for _, hit := range turn.Reply.Retrieved {
				all = append(all, fmt.Sprint(t.Case, "/", i+1, " ", hit.ID))
			}
		}
	}
	Expect(all).NotTo(BeEmpty())
	return all
}

var _ = Describe("Retrieval by words, by vectors and by both", func() {
	It("is compared in one table of hits, where both together rank differently from either alone", func() {
		GinkgoT().Setenv("COLUMNS", "130")
		dir := newRunDir()
		got := evalctl("run", "scholar", "--tags", "qa", "--sample", "16", "--out", dir, "-q")
		Expect(got.code).To(Equal(exit.Passed), got.stderr)
		rows := columnByRow(got.stdout, "recall@5")
		for _, v := range summaryOf(dir).Suites[0].Conditions {
			if v.Fault == "none" {
				found := v.Metrics["retrieval.recall_at_5"]
				Expect(found.N).To(BeNumerically(">", 3), v.Variant)
				shown := strings.Replace(fmt.Sprintf("%.1f %%", 100**found.Value), "100.0", "100", 1)
				Expect(rows).To(HaveKeyWithValue(v.Variant, shown))
			}
		}
		Expect(rows).To(And(HaveKey("hybrid"), HaveKey("keyword"), HaveKey("vector")))
		Expect(rows["vector"]).NotTo(Equal(rows["keyword"]))
		traces := tracesIn(dir)
		hybrid := ranking(traces, "hybrid")
		Expect(hybrid).NotTo(Or(Equal(ranking(traces, "keyword")), Equal(ranking(traces, "vector"))))
	})
})
