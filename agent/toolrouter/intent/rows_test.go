package intent_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/toolrouter/intent"
)

var _ = Describe("T4: The rule tables", func() {
	It("T4: have in each row an example that matches and one that does not", func() {
		Expect(intent.Rows()).NotTo(BeEmpty())
		for _, e := range intent.Rows() {
			Expect(e.Fires(e.Yes)).To(BeTrue(), "%s: %s", e.Rule, e.Yes)
			Expect(e.Fires(e.No)).To(BeFalse(), "%s: %s", e.Rule, e.No)
		}
	})

	It("T4: match the same texts with and without the preliminary search for words", func() {
		texts := []string{"来一张素描", "我想要一张肖像", "给我来一张明信片", "需要一张邀请函", "来一张涂鸦", "弄个班徽", "做一个名片", "设计一张请柬",
			"设计个徽标", "设计一张手抄报", "搞一张写真", "要一张人像", "弄一张相片", "I'm after a banner for my shop"}
		for _, e := range intent.Rows() {
			texts = append(texts, e.Yes, e.No)
		}
		for _, e := range intent.Rows() {
			for _, text := range texts {
				Expect(e.Fires(text)).To(Equal(e.Asks(text)), "%s: %s", e.Rule, text)
			}
		}
	})

	It("T4: list the rows of a rule together, in the order of the rules", func() {
		var order []intent.Rule
		for _, e := range intent.Rows() {
			if e.Rule != "" && (len(order) == 0 || order[len(order)-1] != e.Rule) {
				order = append(order, e.Rule)
			}
		}
		var want []intent.Rule
		want = append(append(append(want, known[1:13]...), known[23:]...), known[13:23]...)
		Expect(order).To(Equal(want))
	})
})
