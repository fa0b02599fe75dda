package datasets_test

import (
	"fmt"
	"os"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/datasets"
	"evalctl/eval"
)

// figuresBegin and figuresEnd mark the generated counts in a dataset card.
const (
	figuresBegin = "<!-- figures: written by go test ./datasets -update -->\n"
	figuresEnd   = "<!-- end of figures -->\n"
)

var _ = DescribeTable("a dataset card contains the current counts of its dataset",
	func(name string, further func(*strings.Builder, *datasets.Dataset)) {
		card, err := datasets.DatasetCard(name)
		Expect(err).NotTo(HaveOccurred())
		Expect(card).To(And(MatchRegexp(`Version: \d+\.\d+\.\d+ `), ContainSubstring("Apache-2.0")))
		before, rest, ok := strings.Cut(card, figuresBegin)
		Expect(ok).To(BeTrue())
		got, after, ok := strings.Cut(rest, figuresEnd)
		Expect(ok).To(BeTrue())
		var want strings.Builder
		figures(&want, shipped(name))
		further(&want, shipped(name))
		if *update {
			Expect(os.WriteFile(name+"/README.md", []byte(before+figuresBegin+want.String()+figuresEnd+after), 0o644)).
				To(Succeed())
			return
		}
		Expect(got).To(Equal(want.String()), "run go test ./datasets -update, and raise the version")
	},
	Entry(nil, "toolrouter", toolrouterFigures),
	Entry(nil, "studio", studioFigures),
	Entry(nil, "prompt", promptFigures),
	Entry(nil, "companion", companionFigures),
	Entry(nil, "newsroom", newsroomFigures),
	Entry("28.3: the card of the dataset scholar", "scholar", scholarFigures),
)

var _ = It("every built-in dataset has a card, and every card has a dataset", func() {
	for _, name := range datasets.BuiltInNames() {
		_, err := datasets.DatasetCard(name)
		Expect(err).NotTo(HaveOccurred())
	}
	_, err := datasets.DatasetCard("none")
	Expect(err).To(HaveOccurred())
})

// figures writes the counts that are common to all dataset cards.
func figures(b *strings.Builder, d *datasets.Dataset) {
	about, err := d.Describe(0)
	Expect(err).NotTo(HaveOccurred())
	english := map[string]string{"zh": "Chinese", "en": "English", "ja": "Japanese", "mixed": "mixed"}
	var shares, languages []string
	for _, l := range about.Languages {
		shares = append(shares, fmt.Sprintf("%s %d (%.1f %%)", english[l.Name], l.N, 100*float64(l.N)/float64(d.Cases)))
		languages = append(languages, l.Name)
	}
	fmt.Fprintf(b, "- Content hash: `%s`\n- Cases: %d, of which %s\n\n", d.Hash, d.Cases, strings.Join(shares, ", "))
	byLabel(b, d, append(languages, "all"))
}

// byLabel writes a table of cases by label, language and split, without empty rows.
func byLabel(b *strings.Builder, d *datasets.Dataset, languages []string) {
	type condition struct{ label, language, split string }
	counts := map[condition]int{}
	for _, c := range all(d, datasets.Filter{}) {
		for _, label := range []string{lastLabel(d.Name, c), "all"} {
			for _, l := range []string{languageOf(c), "all"} {
				counts[condition{label: label, language: l, split: c.Split}]++
				counts[condition{label: label, language: l}]++
			}
		}
	}
	b.WriteString("| label | language | train | dev | test | all |\n|---|---|--:|--:|--:|--:|\n")
	for _, label := range append(labelsOf(d), "all") {
		for _, l := range languages {
			if n := counts[condition{label: label, language: l}]; n > 0 {
				fmt.Fprintf(b, "| %s | %s | %d | %d | %d | %d |\n", label, l,
					counts[condition{label: label, language: l, split: "train"}],
					counts[condition{label: label, language: l, split: "dev"}],
					counts[condition{label: label, language: l, split: "test"}], n)
			}
		}
	}
}

// lastLabel returns the primary label of the last labeled turn of a case.
func lastLabel(set string, c eval.Case) (label string) {
	for _, s := range c.Turns {
		l, err := s.Labels(schemaOf(set).LabelField)
		Expect(err).NotTo(HaveOccurred())
		if l != nil {
			label = l.Primary()
		}
	}
	return label
}

// tagTable writes a table with the number of cases for each of the tags.
func tagTable(b *strings.Builder, title string, d *datasets.Dataset, tags ...string) {
	fmt.Fprintf(b, "\n| %s | cases |\n|---|--:|\n", title)
	for _, t := range tags {
		fmt.Fprintf(b, "| %s | %d |\n", t, d.Tags[t])
	}
}

func toolrouterFigures(b *strings.Builder, d *datasets.Dataset) {
	b.WriteString("\n| rule group | matches `rule:` | near misses `near-miss:` |\n|---|--:|--:|\n")
	for _, g := range groups() {
		fmt.Fprintf(b, "| %s | %d | %d |\n", g, d.Tags["rule:"+g], d.Tags["near-miss:"+g])
	}
	kindTable(b, d, kinds()...)
}

// labelsOf returns the fixed labels of the dataset's system, or else the labels of the dataset.
func labelsOf(d *datasets.Dataset) []string {
	if own := schemaOf(d.Name).Labels; own != nil {
		return slices.Clone(own)
	}
	return d.Labels()
}

func languageOf(c eval.Case) string {
	for _, t := range c.Tags {
		if l, ok := strings.CutPrefix(t, "lang:"); ok {
			return l
		}
	}
	return c.Tags[0]
}
