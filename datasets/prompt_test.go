package datasets_test

import (
	"regexp"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/datasets"
)

// promptKinds returns the tags of the dataset prompt for breakdowns in reports.
func promptKinds() []string { return []string{"short", "confusable", "implicit", "negated", "multi"} }

func promptFigures(b *strings.Builder, d *datasets.Dataset) { kindTable(b, d, promptKinds()...) }

var _ = Describe("The built-in dataset prompt", func() {
	It("has the labels of its suite, each of them in every language and every split", func() {
		s, err := datasets.LoadSuite("prompt")
		Expect(err).NotTo(HaveOccurred())
		d := shipped("prompt")
		var names []string
		for _, l := range s.Labels.List {
			Expect(l.Description).NotTo(BeEmpty())
			names = append(names, l.Name)
		}
		Expect(d.Labels()).To(ConsistOf(names))
		Expect(names).To(ContainElement(s.OOSLabel))
		seen := map[string]int{}
		for _, c := range all(d, datasets.Filter{}) {
			seen[lastLabel("prompt", c)+" "+languageOf(c)]++
			seen[lastLabel("prompt", c)+" "+c.Split]++
		}
		for _, name := range names {
			for _, of := range []string{"zh", "en", "mixed", "train", "dev", "test"} {
				Expect(seen[name+" "+of]).To(BeNumerically(">=", 1), name+" "+of)
			}
		}
	})

	It("has at least 30 test cases with each tag", func() {
		for _, kind := range promptKinds() {
			Expect(len(all(shipped("prompt"), datasets.Filter{Split: "test", Tags: []string{kind}}))).
				To(BeNumerically(">=", 30), kind)
		}
	})

	It("has no two texts in different splits with a similarity of two thirds", func() {
		pairs, err := shipped("prompt").NearDuplicates(2. / 3)
		Expect(err).NotTo(HaveOccurred())
		for _, p := range pairs {
			Expect(p.A.Split).To(Equal(p.B.Split), "%v", p)
		}
	})

	It("tags texts as short if, and only if, they have few characters or words", func() {
		unit := regexp.MustCompile(`\p{Han}|[\p{Latin}\p{N}'’]+`)
		word := regexp.MustCompile(`[\p{L}\p{N}'’]+`)
		for _, c := range all(shipped("prompt"), datasets.Filter{}) {
			text := c.Turns[0].Text
			short := len(unit.FindAllString(text, -1)) <= 6
			if languageOf(c) == "en" {
				short = len(word.FindAllString(text, -1)) <= 3
			}
			Expect(slices.Contains(c.Tags, "short")).To(Equal(short), "%s %s", c.ID, text)
		}
	})

	It("has texts of realistic length: half of the Chinese ones have at most ten characters", func() {
		var lengths []int
		for _, c := range all(shipped("prompt"), datasets.Filter{Tags: []string{"lang:zh"}}) {
			lengths = append(lengths, len([]rune(c.Turns[0].Text)))
		}
		slices.Sort(lengths)
		Expect(lengths[len(lengths)/2]).To(BeNumerically("<=", 10))
	})
})
