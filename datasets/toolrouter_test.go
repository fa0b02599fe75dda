package datasets_test

import (
	"slices"
	"strings"
	"unicode"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/toolrouter/intent"
	"evalctl/datasets"
	"evalctl/eval"
)

// groups returns the names of the rule groups of agent/toolrouter/intent. All groups for time
// questions count as one.
func groups() []string {
	return strings.Fields(`image.neg1 image.neg2 image.neg3 image.1 image.2 image.3 image.4 image.5 image.6 image.7 image.8
		search.1 search.2 search.3 search.4 search.5 search.6 search.7 search.8 search.9 search.10 time`)
}

// kinds returns the tags for the wording or the requirements of a case.
func kinds() []string {
	return strings.Fields(`attachment colloquial dialect disabled-feature emoji fault implicit long mixed multi-intent multi-turn needs-history negated
		polite quoted reference short terse typo vision voice`)
}

var _ = Describe("The built-in dataset toolrouter", Ordered, func() {
	var d *datasets.Dataset
	var cases []eval.Case
	BeforeAll(func() {
		d = shipped("toolrouter")
		cases = all(d, datasets.Filter{})
	})

	It("X11: has at least 800 cases, most of them Chinese, in all splits and with all labels", func() {
		Expect(d.Cases).To(BeNumerically(">=", 800))
		Expect(float64(d.Languages["zh"]) / float64(d.Cases)).To(BeNumerically("~", 0.65, 0.10))
		Expect(d.Languages).To(HaveLen(3))
		Expect(d.Splits).To(And(HaveLen(3), HaveKey("train"), HaveKey("dev"), HaveKey("test")))
		Expect(d.LabelCounts).To(HaveLen(4))
	})

	It("T4: has, for every rule group, at least ten texts that match and ten that almost match", func() {
		for _, g := range groups() {
			Expect(d.Tags["rule:"+g]).To(BeNumerically(">=", 10), "rule:"+g)
			Expect(d.Tags["near-miss:"+g]).To(BeNumerically(">=", 10), "near-miss:"+g)
		}
	})

	It("T4: has few chat cases that the rules would route to image generation", func() {
		chats, images := 0, []string{}
		for _, c := range cases {
			last := c.Turns[len(c.Turns)-1]
			if !strings.Contains(string(last.Expected), `"route":"chat"`) ||
				slices.Contains(c.Tags, "disabled-feature") {
				continue
			}
			chats++
			if _, ok := intent.DetectImageGen(last.Text); ok {
				images = append(images, c.ID)
			}
		}
		Expect(chats).To(BeNumerically(">", 400))
		Expect(float64(len(images))/float64(chats)).To(BeNumerically("<=", 0.033), "%v", images)
	})

	It("T10: has at least ten cases with each tag", func() {
		for _, k := range kinds() {
			Expect(d.Tags[k]).To(BeNumerically(">=", 10), k)
		}
	})

	It("T5, T7: specifies which component answers under faults, in at least thirty cases", func() {
		n := 0
		for _, c := range cases {
			under := strings.Contains(string(c.Turns[len(c.Turns)-1].Expected), `"under_fault":{`)
			Expect(slices.Contains(c.Tags, "fault")).To(Equal(under), c.ID)
			if under {
				n++
			}
		}
		Expect(n).To(BeNumerically(">=", 30))
	})

	It("has no two texts in different splits with a similarity of two thirds", func() {
		pairs, err := d.NearDuplicates(2. / 3)
		Expect(err).NotTo(HaveOccurred())
		for _, p := range pairs {
			Expect(p.A.Split).To(Equal(p.B.Split), "%v", p)
		}
	})

	It("has IDs with its own prefix and only known tags, with the language first", func() {
		for _, c := range cases {
			Expect(c.ID).To(HavePrefix("tr-"))
			Expect(c.Tags[0]).To(BeElementOf("zh", "en", "mixed"), c.ID)
			for _, t := range c.Tags[1:] {
				group := strings.TrimPrefix(strings.TrimPrefix(t, "rule:"), "near-miss:")
				Expect(slices.Contains(kinds(), t) || group != t && slices.Contains(groups(), group)).
					To(BeTrue(), "%s: %s", c.ID, t)
			}
		}
	})

	It("has correct language tags", func() { namesItsLanguage(cases) })

	It("tags texts of more than 120 characters as long, and marks cases with several turns or a history", func() {
		for _, c := range cases {
			if slices.Contains(c.Tags, "long") {
				Expect(len([]rune(userText(c)))).To(BeNumerically(">", 120), c.ID)
			}
			Expect(slices.Contains(c.Tags, "multi-turn")).
				To(Equal(len(c.Turns) > 1 || len(c.Turns[0].History) > 0), c.ID)
			Expect(slices.Contains(c.Tags, "disabled-feature")).To(Equal(len(c.Turns[0].Options) > 0), c.ID)
			Expect(slices.Contains(c.Tags, "vision")).To(Equal(hasImages(c)), c.ID)
		}
	})
})

// namesItsLanguage fails if the language tag of a case does not match the script of its text. A
// blank text or an emoji matches any language. A term such as CAD does not count as a second
// language.
func namesItsLanguage(cases []eval.Case) {
	for _, c := range cases {
		han, words := script(c)
		switch c.Tags[0] {
		case "en":
			Expect(han).To(BeZero(), c.ID)
		case "mixed":
			Expect(han).NotTo(BeZero(), c.ID)
			Expect(words).NotTo(BeZero(), c.ID)
		default:
			Expect(words).To(BeNumerically("<=", han), c.ID)
		}
	}
}

func userText(c eval.Case) string {
	var b strings.Builder
	for _, s := range c.Turns {
		b.WriteString(s.Text)
	}
	return b.String()
}

func hasImages(c eval.Case) bool {
	return slices.ContainsFunc(c.Turns, func(s eval.LabeledTurn) bool { return len(s.Images) > 0 })
}

// script returns the number of Chinese characters and of words in Latin letters.
func script(c eval.Case) (han, words int) {
	text := userText(c)
	for _, r := range text {
		if unicode.Is(unicode.Han, r) {
			han++
		}
	}
	latin := func(r rune) bool { return !unicode.Is(unicode.Latin, r) }
	return han, len(strings.FieldsFunc(text, latin))
}
