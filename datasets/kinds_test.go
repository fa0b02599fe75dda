package datasets_test

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/datasets"
	"evalctl/eval"
)

// kindTable writes a table with the number of cases with each of the tags, by split.
func kindTable(b *strings.Builder, d *datasets.Dataset, tags ...string) {
	b.WriteString("\n| tag | train | dev | test | all |\n|---|--:|--:|--:|--:|\n")
	for _, t := range tags {
		n := func(split string) int { return len(all(d, datasets.Filter{Split: split, Tags: []string{t}})) }
		fmt.Fprintf(b, "| %s | %d | %d | %d | %d |\n", t, n("train"), n("dev"), n("test"), n(""))
	}
}

var _ = Describe("The tags of the built-in dataset toolrouter", Ordered, func() {
	var d *datasets.Dataset
	var tests []eval.Case
	BeforeAll(func() {
		d = shipped("toolrouter")
		tests = all(d, datasets.Filter{Split: "test"})
	})

	DescribeTable("mark enough test cases for a breakdown in reports",
		func(kind string, least int) {
			Expect(len(all(d, datasets.Filter{Split: "test", Tags: []string{kind}}))).To(BeNumerically(">=", least))
		},
		Entry(nil, "multi-intent", 30), Entry(nil, "multi-turn", 30), Entry(nil, "negated", 30),
		Entry(nil, "quoted", 30),
		Entry(nil, "implicit", 30), Entry(nil, "mixed", 30), Entry(nil, "needs-history", 30), Entry(nil, "short", 60),
	)

	It("do not determine the label: in each language, the share of each label is within 5 points of the total", func() {
		shares := func(cases []eval.Case) map[string]float64 {
			of := map[string]float64{}
			for _, c := range cases {
				of[lastLabel("toolrouter", c)] += 100 / float64(len(cases))
			}
			return of
		}
		among := shares(tests)
		Expect(among).To(HaveLen(4))
		for _, language := range []string{"zh", "en", "mixed"} {
			own := shares(all(d, datasets.Filter{Split: "test", Tags: []string{language}}))
			for label, share := range among {
				Expect(own[label]).To(BeNumerically("~", share, 5), "%s in %s", label, language)
			}
		}
	})

	It("include short for single Chinese messages of at most ten characters without punctuation, and for no others",
		func() {
			for _, c := range all(d, datasets.Filter{}) {
				Expect(slices.Contains(c.Tags, "short")).To(Equal(isShort(c)), "%s %s", c.ID, userText(c))
			}
		})

	It("include needs-history only for cases with earlier turns, whose last message usually occurs in another case with another label",
		func() {
			wishes, needing := map[string][]string{}, all(d, datasets.Filter{Tags: []string{"needs-history"}})
			for _, c := range needing {
				Expect(c.Tags).To(ContainElement("multi-turn"), c.ID)
				words := c.Turns[len(c.Turns)-1].Text
				wishes[words] = append(wishes[words], lastLabel("toolrouter", c))
			}
			ambiguous := 0
			for _, labels := range wishes {
				if len(slices.Compact(slices.Sorted(slices.Values(labels)))) > 1 {
					ambiguous += len(labels)
				}
			}
			Expect(ambiguous).To(BeNumerically(">=", 0.75*float64(len(needing))))
		})
})

// isShort reports whether a case is short as the dataset card defines it.
func isShort(c eval.Case) bool {
	if c.Tags[0] != "zh" || len(c.Turns) > 1 {
		return false
	}
	only := c.Turns[0]
	plain := !strings.ContainsFunc(only.Text,
		func(r rune) bool { return !unicode.In(r, unicode.Letter, unicode.Number, unicode.Space) })
	alone := len(only.History)+len(only.Images)+len(only.Documents) == 0
	n := len([]rune(only.Text))
	return plain && alone && 0 < n && n <= 10
}
