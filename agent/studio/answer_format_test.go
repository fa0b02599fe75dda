package studio_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/studio"
	"evalctl/agent/system"
)

var _ = Describe("S2: a simulated planner", func() {
	v1 := studio.System().AnswerFormat(system.Values{"profile": "v1"})

	DescribeTable("v1: returns English style names that cases accept",
		func(want string, accepted ...string) { Expect(v1.Slot("style", accepted)).To(Equal(want)) },
		Entry(nil, "Shanghai calendar poster", "月份牌", "calendar"), Entry(nil, "Van Gogh", "梵高", "van gogh"),
		Entry(nil, "gongbi", "工笔"), Entry("the same name", "watercolor", "watercolor"),
		Entry("a name that the library does not have", "lacquer", "漆画", "lacquer"),
		Entry("a variant spelling", "cyberpunk", "塞博朋克", "cyberpunk"),
		Entry("no translation", "漆画", "漆画"), Entry("none", "", ""),
	)

	It("v1: returns English subjects if a case contains one", func() {
		Expect(v1.Slot("subject", []string{"奶牛猫", "猫", "cat"})).To(Equal("cat"))
		Expect(v1.Slot("subject", []string{"奶牛猫"})).To(Equal("奶牛猫"))
	})

	It("v1: writes a prompt that contains both, otherwise the text", func() {
		Expect(v1.ExtraFields("画一只水墨的猫", map[string]string{"subject": "cat", "style": "ink wash"})).
			To(HaveKeyWithValue("prompt", "cat, ink wash"))
		Expect(v1.ExtraFields("亮一点", map[string]string{"subject": "", "style": ""})).
			To(HaveKeyWithValue("prompt", "亮一点"))
	})

	DescribeTable("names every style that an unlabeled text mentions",
		func(text, style string) {
			guess, err := studio.System().HeuristicDecider(system.Options{})
			Expect(err).NotTo(HaveOccurred())
			Expect(guess(text).Slots).To(HaveKeyWithValue("style", style))
		},
		Entry(nil, "画一张水墨和工笔的荷花", "水墨、工笔"), Entry(nil, "a watercolor fox + ukiyo-e waves", "watercolor、ukiyo-e"),
		Entry("the longest of overlapping names", "an ink wash comic", "ink wash comic"), Entry("none", "画一只猫", ""),
		Entry("not parts of words", "a mosaics fan in clayton", ""),
	)
})
