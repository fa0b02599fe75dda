package datasets_test

import (
	"fmt"
	"os"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/datasets"
	"evalctl/eval"
)

// The figures of the card stand between these lines.
const (
	figuresBegin = "<!-- figures: written by go test ./datasets -update -->\n"
	figuresEnd   = "<!-- end of figures -->\n"
)

var _ = Describe("the card of toolrouter", func() {
	It("says what the set holds", func() {
		card, err := datasets.Card("toolrouter")
		Expect(err).NotTo(HaveOccurred())
		before, rest, ok := strings.Cut(card, figuresBegin)
		Expect(ok).To(BeTrue())
		got, after, ok := strings.Cut(rest, figuresEnd)
		Expect(ok).To(BeTrue())
		want := figures(open("toolrouter"))
		if *update {
			Expect(os.WriteFile("toolrouter/README.md", []byte(before+figuresBegin+want+figuresEnd+after), 0o644)).To(Succeed())
			return
		}
		Expect(got).To(Equal(want), "run go test ./datasets -update, and raise the version")
	})

	It("is there for every shipped set, and for no other", func() {
		for _, name := range datasets.Shipped() {
			card, err := datasets.Card(name)
			Expect(err).NotTo(HaveOccurred())
			Expect(card).To(ContainSubstring("Version: 1.0.0"))
			Expect(card).To(ContainSubstring("Apache-2.0"))
		}
		_, err := datasets.Card("none")
		Expect(err).To(HaveOccurred())
	})
})

// figures renders the counted part of a card.
func figures(d *datasets.Dataset) string {
	var b strings.Builder
	fmt.Fprintf(&b, "- Content hash: `%s`\n- Cases: %d, of which Chinese %s, English %s, mixed %s\n\n", d.Hash, d.Cases,
		share(d, "zh"), share(d, "en"), share(d, "mixed"))
	byLabel(&b, d)
	b.WriteString("\n| rule group | hits `rule:` | near misses `near:` |\n|---|--:|--:|\n")
	for _, g := range groups() {
		fmt.Fprintf(&b, "| %s | %d | %d |\n", g, d.Tags["rule:"+g], d.Tags["near:"+g])
	}
	b.WriteString("\n| kind | cases |\n|---|--:|\n")
	for _, k := range kinds() {
		fmt.Fprintf(&b, "| %s | %d |\n", k, d.Tags[k])
	}
	return b.String()
}

func share(d *datasets.Dataset, language string) string {
	n := d.Languages[language]
	return fmt.Sprintf("%d (%.1f %%)", n, 100*float64(n)/float64(d.Cases))
}

// byLabel is the table of label and language by split.
func byLabel(b *strings.Builder, d *datasets.Dataset) {
	type cell struct{ label, language, split string }
	counts := map[cell]int{}
	for c, err := range d.Stream(datasets.Filter{}) {
		Expect(err).NotTo(HaveOccurred())
		for _, label := range []string{lastLabel(c), ""} {
			for _, split := range []string{c.Split, ""} {
				counts[cell{label, c.Tags[0], split}]++
			}
			counts[cell{label, "all", c.Split}]++
			counts[cell{label, "all", ""}]++
		}
	}
	b.WriteString("| label | language | train | dev | test | all |\n|---|---|--:|--:|--:|--:|\n")
	for _, label := range append(datasets.ToolRouter(nil).Labels, "") {
		for _, l := range []string{"zh", "en", "mixed", "all"} {
			name := label
			if label == "" {
				name = "all"
			}
			fmt.Fprintf(b, "| %s | %s | %d | %d | %d | %d |\n", name, l, counts[cell{label, l, "train"}],
				counts[cell{label, l, "dev"}], counts[cell{label, l, "test"}], counts[cell{label, l, ""}])
		}
	}
}

// lastLabel is the primary label of the last turn that has one.
func lastLabel(c eval.Case) (label string) {
	for _, s := range c.Turns {
		l, err := s.Labels("route")
		Expect(err).NotTo(HaveOccurred())
		if l != nil {
			label = l.Primary()
		}
	}
	return label
}
