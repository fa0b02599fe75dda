package intent_test

import (
	"strings"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/toolrouter/intent"
)

var _ = DescribeTable("T4: basic examples",
	func(detect detector, text string, want bool) {
		_, got := detect(text)
		Expect(got).To(Equal(want), text)
	},
	Entry("image.1", detector(intent.DetectImageGen), "画一张", true),
	Entry("image.1, 绘", detector(intent.DetectImageGen), "绘三幅", true),
	Entry("image.3", detector(intent.DetectImageGen), "生成一张照片", true),
	Entry("image.5", detector(intent.DetectImageGen), "生成美少女", true),
	Entry("image.5, a text", detector(intent.DetectImageGen), "生成代码", false),
	Entry("image.6", detector(intent.DetectImageGen), "可以生成超绝美少女吗", true),
	Entry("image.6, no object", detector(intent.DetectImageGen), "你能生成吗", false),
	Entry("image.7", detector(intent.DetectImageGen), "画夕阳风景", true),
	Entry("image.7, a chart", detector(intent.DetectImageGen), "画饼图", false),
	Entry("search.3", detector(intent.DetectWebSearch), "今天发生了什么", true),
	Entry("time.clock", detector(intent.DetectTime), "现在几点", true),
	Entry("time.date", detector(intent.DetectTime), "今天几号", true),
	Entry("time.weekday", detector(intent.DetectTime), "星期几", true),
	Entry("time.stamp", detector(intent.DetectTime), "时间戳", true),
)

var _ = DescribeTable("T2, T3: Decide checks the open routes in the order image, time, search",
	func(text string, open, route intent.RouteSet, rule string) {
		got, why := intent.Decide(text, open)
		Expect(got).To(Equal(route))
		Expect(why).To(Equal(intent.Rule(rule)))
	},
	Entry("a picture first", "画一张猫，现在几点了，搜一下新闻", all, intent.BitImageGen, "image.1"),
	Entry("then the time", "现在几点了，搜一下新闻", all, intent.BitTimeQuery, "time.clock"),
	Entry("then a search", "搜一下新闻", all, intent.BitWebSearch, "search.1"),
	Entry("otherwise chat", "讲个笑话", all, intent.RouteSet(0), ""),
	Entry("images closed", "画一张猫，现在几点了", all&^intent.BitImageGen, intent.BitTimeQuery, "time.clock"),
	Entry("time closed", "现在几点了，搜一下新闻", intent.BitWebSearch, intent.BitWebSearch, "search.1"),
	Entry("all closed", "画一张猫", intent.RouteSet(0), intent.RouteSet(0), ""),
	Entry("a blocked picture becomes a search", "上次画的地方，搜一下在哪", all, intent.BitWebSearch, "search.1"),
	Entry("chat reports the rule that blocked the picture", "上次画的猫呢", all, intent.RouteSet(0), "image.neg2"),
	Entry("no such rule if images are closed", "上次画的猫呢", intent.BitWebSearch, intent.RouteSet(0), ""),
)

var _ = Describe("T4: clauses", func() {
	DescribeTable("keep A+B together", fires(intent.DetectImageGen, "image.3"), texts(
		"生成猫、狗的图片", "生成：海边图片", "生成v2.5版的图片", "生成 1,000 乘 1,000 的图片", "生成example.com的图片", "生成🌊图片",
	))
	DescribeTable("separate A from B", misses(intent.DetectImageGen, "image.3"), texts(
		"生成。图片", "生成！图片", "生成？图片", "生成!图片", "生成?图片", "生成，图片", "生成,图片", "生成；图片", "生成;图片", "生成\n图片", "生成…图片",
		"生成. 图片", "生成．图片",
	))
	DescribeTable("ignore quotations", nothing(intent.DetectImageGen), texts(
		"“画一张猫”用英语怎么说", "「画一张猫」是什么意思", "『画一张猫』这句", "《画一张猫》谁写的", `"画一张猫" 怎么译`,
	))
	DescribeTable("include a quotation that is the whole text or has no end", fires(intent.DetectImageGen, "image.1"),
		texts(
			"“画一张猫”", `"画一张猫"`, "画一张“猫”", "“画一张猫", `画一张"猫`, `27"的屏幕，画一张24"的猫`,
		))
	It("T4: return the first rule by number, not by position", func() {
		rule, _ := intent.DetectImageGen("生成一张照片，再画一只猫")
		Expect(rule).To(Equal(intent.Rule("image.1")))
	})
	It("T4: negate only the verb after a refusal", func() {
		rule, ok := intent.DetectImageGen("不要背景 画一只猫")
		Expect(ok).To(BeTrue())
		Expect(rule).To(Equal(intent.Rule("image.1")))
	})
	It("T4: cut a clause with too many words without losing a character", func() {
		for n := range 100 {
			_, ok := intent.DetectImageGen(strings.Repeat("谢谢", n) + "。画一只猫")
			Expect(ok).To(BeTrue(), "after %d words", n)
		}
		_, ok := intent.DetectWebSearch(strings.Repeat("谢谢", 96) + "搜一下")
		Expect(ok).To(BeTrue())
	})
})

var _ = Describe("T4: cost", func() {
	It("T4: has few allocations", Label("figures"), func() {
		for _, m := range messages {
			Expect(testing.AllocsPerRun(20, func() { intent.Decide(m, all) })).To(BeNumerically("<", 60), m)
		}
	})
	It("T4: is linear in the message and constant beyond the part that is read", func() {
		for _, unit := range []string{"画", "给我", "你画", "what is ", "生成图", " ", "2024年3", "a", "draw ", "再帮我画。",
			"what  -- ", "\xff", "搜", "画^", "unix ",
			"“", "\"a", "告诉我几点了", "2024年3月，", "上网几点", "in a,", "“\"「", "“\"", "《\"「“『", "生成代码", "please time "} {
			Eventually(growth).WithArguments(unit, 1<<14, 1<<16).WithTimeout(20*time.Second).
				WithPolling(time.Millisecond).Should(BeNumerically("<", 2.5*4), unit)
			Eventually(growth).WithArguments(unit, 1<<16, 1<<20).WithTimeout(20*time.Second).
				WithPolling(time.Millisecond).Should(BeNumerically("<", 4), unit)
		}
	})
	It("T4: reads both ends of a very long message", func() {
		filler := strings.Repeat("今天我想说说别的。", 1<<14)
		for _, text := range []string{"画一只猫。" + filler, filler + "画一只猫"} {
			_, ok := intent.DetectImageGen(text)
			Expect(ok).To(BeTrue())
		}
	})
	It("T4: reads invalid UTF-8 without a panic", func() {
		for _, text := range []string{"\xff", "画\xe7\x94", "\xc0\xaf画一张", "\xed\xa0\x80", "", "\x00"} {
			Expect(func() { intent.Decide(text, all) }).NotTo(Panic())
		}
	})
})

// growth returns the ratio of costs for two message sizes; for linear cost it is the ratio of the
// sizes. A busy machine can distort one measurement, so the test retries until one is good. A
// quadratic cost never passes.
func growth(unit string, short, long int) float64 {
	return float64(cost(unit, long)) / float64(cost(unit, short))
}

func cost(unit string, size int) time.Duration {
	text := strings.Repeat(unit, size/len(unit))
	start := time.Now()
	intent.Decide(text, all)
	return time.Since(start)
}
