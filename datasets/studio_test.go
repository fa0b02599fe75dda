package datasets_test

import (
	"encoding/base64"
	"encoding/json"
	"image/png"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/knowledge"
	"evalctl/datasets"
	"evalctl/eval"
	"evalctl/mocks/component"
	"evalctl/mocks/fault"
)

// studioTurn is a turn of the dataset studio with its expectation.
type studioTurn struct {
	eval.LabeledTurn `json:"-"`
	of               eval.Case
	Action           eval.OneOf            `json:"action"`
	Slots            map[string]eval.OneOf `json:"slots"`
	Styles           []string              `json:"styles"`
	Served           eval.OneOf            `json:"answered_by"`
	Under            map[string]eval.OneOf `json:"under_fault"`
	ImageLabels      []image               `json:"images"`
}

// image is the label of one generated image: its description, quality and acceptability.
type image struct {
	Shows   string  `json:"description"`
	Quality float64 `json:"quality"`
	Good    bool    `json:"acceptable"`
}

// studioTurns returns all labeled turns of the dataset.
func studioTurns(d *datasets.Dataset) (list []studioTurn) {
	for _, c := range all(d, datasets.Filter{}) {
		for _, s := range c.Turns {
			w := studioTurn{LabeledTurn: s, of: c}
			if s.Expected != nil {
				Expect(json.Unmarshal(s.Expected, &w)).To(Succeed())
				list = append(list, w)
			}
		}
	}
	return list
}

// studioParts contains the components for which the cases specify expectations under faults.
var studioParts = component.Components{"router": component.Router, "image": component.Image, "critic": component.Critic,
	"style_library": component.RoleStore}

func (w studioTurn) has(tag string) bool { return slices.Contains(w.of.Tags, tag) }

// kindOf maps each action to its tag.
var kindOf = map[string]string{"generate_image": "generate", "inpainting": "inpaint", "adjust_parameters": "adjust",
	"unknown": "unknown"}

// topicTags returns the tags for the topic of a case.
func topicTags() []string {
	return strings.Fields(`generate inpaint adjust unknown multi-turn session repeat idle
		style:named style:alias style:described style:missing style:nostyle
		acceptable:first acceptable:second acceptable:third acceptable:fourth acceptable:never picky lenient lettering count
		hard-negative:again hard-negative:adjust hard-negative:edit hard-negative:here hard-negative:replace hard-negative:idiom hard-negative:draw hard-negative:style-word
		near-miss:question near-miss:text near-miss:describe near-miss:video near-miss:audio chat greeting thanks praise howto copyright`)
}

// wordingTags returns the tags for the wording of a request and for the purpose of the image.
func wordingTags() []string {
	return strings.Fields(`colloquial dialect emoji negated terse typo vague voice new-subject size color style-strength
		avatar business design older-user food game kids meme music photo playful poster print product school shop social wallpaper`)
}

var _ = Describe("The built-in dataset studio", Ordered, func() {
	var d *datasets.Dataset
	var cases []eval.Case
	var list []studioTurn
	BeforeAll(func() {
		d = shipped("studio")
		cases, list = all(d, datasets.Filter{}), studioTurns(d)
	})

	It("X11: has at least 350 cases, most of them Chinese, in all splits and with all labels", func() {
		Expect(d.Cases).To(BeNumerically(">=", 350))
		Expect(float64(d.Languages["zh"]) / float64(d.Cases)).To(BeNumerically("~", 0.65, 0.10))
		Expect(d.Splits).To(And(HaveLen(3), HaveKey("train"), HaveKey("dev"), HaveKey("test")))
		Expect(d.LabelCounts).To(HaveLen(4))
	})

	It("has 40 % of the cases with each tag in train, 20 % in dev and 40 % in test", func() {
		for _, kind := range []string{"", "zh", "en", "generate", "inpaint", "adjust", "unknown", "multi-turn", "edge:",
			"fault:", "acceptable:"} {
			splits, n := map[string]float64{}, 0.0
			for _, c := range cases {
				if slices.ContainsFunc(c.Tags, func(t string) bool {
					return t == kind || kind == "" || kind[len(kind)-1] == ':' && strings.HasPrefix(t, kind)
				}) {
					splits[c.Split]++
					n++
				}
			}
			for split, share := range map[string]float64{"train": 0.4, "dev": 0.2, "test": 0.4} {
				Expect(splits[split]/n).To(BeNumerically("~", share, 0.05), "%s of %s", split, kind)
			}
		}
	})

	It("has no near-duplicates in different splits", func() {
		pairs, err := d.NearDuplicates(datasets.NearDuplicateThreshold)
		Expect(err).NotTo(HaveOccurred())
		for _, p := range pairs {
			Expect(p.A.Split).To(Equal(p.B.Split), "%v", p)
		}
	})

	It("S8: has several cases for each tag of an edge case, and each case is of the kind that its tag names", func() {
		for tag, least := range map[string]int64{"edge:empty": 3, "edge:emoji": 3, "edge:no-mask": 3,
			"edge:bad-mask":  3,
			"edge:over-long": 3, "edge:long-history": 2, "edge:concurrent": 3} {
			Expect(d.Tags[tag]).To(BeNumerically(">=", least), tag)
		}
		visible := regexp.MustCompile(`[\p{L}\p{N}]`)
		for _, w := range list {
			for _, t := range w.of.Tags {
				switch t {
				case "edge:empty":
					Expect(strings.Trim(w.Text, " \t\r\n\u3000\u200b")).To(BeEmpty(), w.of.ID)
				case "edge:emoji", "edge:punctuation":
					Expect(visible.MatchString(w.Text)).To(BeFalse(), w.of.ID)
				case "edge:no-mask":
					Expect(w.Mask).To(BeEmpty(), w.of.ID)
					Expect(w.Action.Has("inpainting")).To(BeTrue(), w.of.ID)
				case "edge:over-long":
					Expect(len([]rune(w.Text))).To(BeNumerically(">", 2000), w.of.ID)
				case "edge:long":
					Expect(len([]rune(w.Text))).To(And(BeNumerically(">", 1500), BeNumerically("<=", 2000)), w.of.ID)
				case "edge:long-history":
					Expect(len(w.History)).To(BeNumerically(">", 50), w.of.ID)
				}
			}
		}
	})

	It("S8, S10: has turns that are sent without waiting for an answer, and turns that are sent after the session has expired", func() {
		for _, c := range cases {
			last, first := c.Turns[len(c.Turns)-1], c.Turns[0]
			pause := time.Duration(last.Delay)
			Expect(slices.Contains(c.Tags, "edge:concurrent")).To(Equal(pause > 0 && pause < time.Second), c.ID)
			Expect(slices.Contains(c.Tags, "idle")).To(Equal(pause > 30*time.Minute), c.ID)
			Expect(slices.Contains(c.Tags, "session")).To(Equal(first.Session != ""), c.ID)
			Expect(last.Session).To(Equal(first.Session), c.ID)
		}
	})

	It("S4: has masks that are images of at least 8×8 pixels, unless they are tagged as bad", func() {
		for _, w := range list {
			if w.Mask != "" {
				Expect(isMask(w.Mask)).To(Equal(!w.has("edge:bad-mask")), w.of.ID)
			}
		}
	})

	It("S2: labels every turn with a mask as inpainting", func() {
		for _, w := range list {
			Expect(w.Mask == "" || w.Action.Has("inpainting")).To(BeTrue(), w.of.ID)
		}
	})

	It("S3: expects only styles of the style library", func() {
		styles, err := knowledge.ShippedStyles()
		Expect(err).NotTo(HaveOccurred())
		known := map[string]bool{}
		for _, s := range styles {
			known[s.ID] = true
		}
		for _, w := range list {
			for _, id := range w.Styles {
				Expect(known).To(HaveKey(id), w.of.ID)
			}
		}
	})

	It("S2: accepts slots in Chinese and in English, and expects empty slots for impossible requests", func() {
		for _, w := range list {
			for name, words := range w.Slots {
				text := strings.Join(words, "")
				Expect(text == "" || strings.ContainsFunc(text, isHan) && strings.ContainsFunc(text, isLatin)).
					To(BeTrue(), "%s: %s", w.of.ID, name)
			}
			if w.Action.Primary() == "unknown" {
				Expect(len(w.Slots)+len(w.Styles)+len(w.ImageLabels)).To(BeZero(), w.of.ID)
			}
			Expect(w.Served.Primary() == "failed" && len(w.ImageLabels) > 0).To(BeFalse(), w.of.ID)
		}
	})

	It("S5: labels up to four images per turn; about half of the first images are acceptable, and some quality scores are misleading", func() {
		var t attemptCounts
		for _, w := range list {
			if len(w.ImageLabels) > 0 {
				Expect(len(w.ImageLabels)).To(BeNumerically("<=", 4), w.of.ID)
				t = t.with(w)
			}
		}
		Expect(t.entries).To(BeNumerically(">=", 500))
		Expect(float64(t.firstGood) / float64(t.turns)).To(BeNumerically("~", 0.45, 0.05))
		Expect(float64(t.lenient+t.picky) / float64(t.entries)).To(BeNumerically("~", 0.075, 0.045))
		Expect(t.lenient).NotTo(BeZero())
		Expect(t.picky).NotTo(BeZero())
	})

	It("S5: tags cases with the number of the first acceptable image", func() {
		for _, w := range list {
			nth := slices.IndexFunc(w.of.Tags, func(t string) bool { return strings.HasPrefix(t, "acceptable:") })
			if nth >= 0 {
				good := slices.IndexFunc(w.ImageLabels, func(p image) bool { return p.Good })
				Expect(w.of.Tags[nth]).To(
					Equal("acceptable:"+[]string{"never", "first", "second", "third", "fourth"}[good+1]), w.of.ID)
			}
		}
	})

	It("S9: specifies which component answers under faults of four components, in at least forty ordinary cases",
		func() {
			specs, n := map[string]int{}, 0
			for _, w := range list {
				components := map[string]bool{}
				for spec := range w.Under {
					faults, err := fault.Parse(spec, studioParts)
					Expect(err).NotTo(HaveOccurred(), w.of.ID)
					components["fault:"+faults[0].Component] = true
					specs[spec]++
				}
				for _, c := range []string{"fault:router", "fault:image", "fault:critic", "fault:style_library"} {
					Expect(w.has(c)).To(Equal(components[c]), "%s: %s", w.of.ID, c)
				}
				if len(w.Under) > 0 {
					n++
				}
			}
			Expect(n).To(BeNumerically(">=", 40))
			for spec, times := range specs {
				Expect(times).To(BeNumerically(">=", 5), spec)
			}
		})

	It("has IDs with its own prefix and only known tags, with the language first and then the action", func() {
		for _, c := range cases {
			Expect(c.ID).To(HavePrefix("st-"))
			Expect(c.Tags[0]).To(BeElementOf("zh", "en", "mixed", "lang:ja"), c.ID)
			for _, t := range c.Tags[1:] {
				Expect(slices.Contains(topicTags(), t) || slices.Contains(wordingTags(), t) ||
					strings.HasPrefix(t, "edge:") || strings.HasPrefix(t, "fault:")).To(BeTrue(), "%s: %s", c.ID, t)
			}
			Expect(slices.Contains(c.Tags, "multi-turn")).
				To(Equal(len(c.Turns) > 1 || len(c.Turns[0].History) > 0), c.ID)
		}
		for action, kind := range kindOf {
			named := map[string]bool{}
			for _, w := range list {
				named[w.of.ID] = named[w.of.ID] || w.Action.Primary() == action
			}
			for _, c := range cases {
				Expect(slices.Contains(c.Tags, kind)).To(Equal(named[c.ID]), "%s: %s", c.ID, kind)
			}
		}
	})

	It("has correct language tags", func() { namesItsLanguage(cases) })
})

// isMask reports whether a text is a data URL with a PNG image of at least 8×8 pixels.
func isMask(url string) bool {
	data, ok := strings.CutPrefix(url, "data:image/png;base64,")
	image, err := png.Decode(base64.NewDecoder(base64.StdEncoding, strings.NewReader(data)))
	return ok && err == nil && image.Bounds().Dx() >= 8 && image.Bounds().Dy() >= 8
}

func isHan(r rune) bool   { return unicode.Is(unicode.Han, r) }
func isLatin(r rune) bool { return unicode.Is(unicode.Latin, r) }
