package studio_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/studio"
	"evalctl/agent/system"
)

var _ = Describe("S2: The answer of a simulated planner", func() {
	v1 := studio.System().AnswerFormat(system.SettingValues{"profile": "v1"})

	DescribeTable("v1: contains an English style name that the case accepts",
		func(want string, accepted ...string) { Expect(v1.SlotValue("style", accepted)).To(Equal(want)) },
		Entry(nil, "Shanghai calendar poster", "月份牌", "calendar"), Entry(nil, "Van Gogh", "梵高", "van gogh"),
		Entry(nil, "gongbi", "工笔"), Entry("an accepted English name is used unchanged", "watercolor", "watercolor"),
		Entry("a style that the library does not contain: the case provides its English name",
			"lacquer", "漆画", "lacquer"),
		Entry("a Chinese name in another spelling than in the library: the case provides its English name", "cyberpunk",
			"塞博朋克", "cyberpunk"),
		Entry("a style without an English name keeps its Chinese name", "漆画", "漆画"),
		Entry("a case without a style results in no style", "", ""),
	)

	It("v1: contains an English subject if the case has one", func() {
		Expect(v1.SlotValue("subject", []string{"奶牛猫", "猫", "cat"})).To(Equal("cat"))
		Expect(v1.SlotValue("subject", []string{"奶牛猫"})).To(Equal("奶牛猫"))
	})

	It("v1: contains an image prompt with subject and style, or the user's text if both are absent", func() {
		Expect(v1.ExtraFields("画一只水墨的猫", map[string]string{"subject": "cat", "style": "ink wash"})).
			To(HaveKeyWithValue("prompt", "cat, ink wash"))
		Expect(v1.ExtraFields("亮一点", map[string]string{"subject": "", "style": ""})).
			To(HaveKeyWithValue("prompt", "亮一点"))
	})

	DescribeTable("contains every style that the text mentions if no case labels the text",
		func(text, style string) {
			guess, err := studio.System().NewRuleDecider(system.Options{})
			Expect(err).NotTo(HaveOccurred())
			Expect(guess(text).Slots).To(HaveKeyWithValue("style", style))
		},
		Entry(nil, "画一张水墨和工笔的荷花", "水墨、工笔"), Entry(nil, "a watercolor fox + ukiyo-e waves", "watercolor、ukiyo-e"),
		Entry("of overlapping style names, the longest counts", "an ink wash comic", "ink wash comic"),
		Entry("a text that mentions no style results in no style", "画一只猫", ""),
		Entry("a style name within another word does not count", "a mosaicist in clayton", ""),
	)
})
