package intent_test

import (
	"strings"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/toolrouter/intent"
)

var _ = DescribeTable("T4: a text is recognized as a request for an image, a web search or the time, or as none",
	func(detect detector, text string, want bool) {
		_, got := detect(text)
		Expect(got).To(Equal(want), text)
	},
	Entry("image.1 matches a measure word after 画", detector(intent.DetectImageGen), "画一张", true),
	Entry("image.1 matches a measure word after 绘", detector(intent.DetectImageGen), "绘三幅", true),
	Entry("image.3 matches 生成 with a word for an image", detector(intent.DetectImageGen), "生成一张照片", true),
	Entry("image.5 matches 生成 with an object", detector(intent.DetectImageGen), "生成美少女", true),
	Entry("image.5 does not match 生成 with a text as the object", detector(intent.DetectImageGen), "生成代码", false),
	Entry("image.6 matches 可以生成 with an object", detector(intent.DetectImageGen), "可以生成超绝美少女吗", true),
	Entry("image.6 does not match 能生成 without an object", detector(intent.DetectImageGen), "你能生成吗", false),
	Entry("image.7 matches 画 with an object", detector(intent.DetectImageGen), "画夕阳风景", true),
	Entry("image.7 does not match 画 with a chart as the object", detector(intent.DetectImageGen), "画饼图", false),
	Entry("search.3 matches a question about what happened today", detector(intent.DetectWebSearch), "今天发生了什么", true),
	Entry("time.clock matches a question about the time of day", detector(intent.DetectTime), "现在几点", true),
	Entry("time.date matches a question about the date", detector(intent.DetectTime), "今天几号", true),
	Entry("time.weekday matches a question about the weekday", detector(intent.DetectTime), "星期几", true),
	Entry("time.stamp matches a question about the timestamp", detector(intent.DetectTime), "时间戳", true),
)

var _ = DescribeTable("T2, T3: Decide checks the available routes in the order image, time, search",
	func(text string, open, route intent.RouteSet, rule string) {
		got, why := intent.Decide(text, open)
		Expect(got).To(Equal(route))
		Expect(why).To(Equal(intent.Rule(rule)))
	},
	Entry("an image comes before time and search", "画一张猫，现在几点了，搜一下新闻", all, intent.RouteImageGen, "image.1"),
	Entry("the time comes before a search", "现在几点了，搜一下新闻", all, intent.RouteTimeQuery, "time.clock"),
	Entry("a search comes last", "搜一下新闻", all, intent.RouteWebSearch, "search.1"),
	Entry("a text without a request is chat", "讲个笑话", all, intent.RouteSet(0), ""),
	Entry("without image generation, the time is chosen", "画一张猫，现在几点了", all&^intent.RouteImageGen,
		intent.RouteTimeQuery, "time.clock"),
	Entry("without the clock, the search is chosen", "现在几点了，搜一下新闻", intent.RouteWebSearch, intent.RouteWebSearch,
		"search.1"),
	Entry("without any route, every text is chat", "画一张猫", intent.RouteSet(0), intent.RouteSet(0), ""),
	Entry("a text that a negative rule excludes from image generation can request a search", "上次画的地方，搜一下在哪", all,
		intent.RouteWebSearch, "search.1"),
	Entry("for chat, the negative rule that excluded image generation is returned", "上次画的猫呢", all, intent.RouteSet(0),
		"image.neg2"),
	Entry("no negative rule is returned if image generation is not available", "上次画的猫呢", intent.RouteWebSearch,
		intent.RouteSet(0), ""),
)

var _ = Describe("T4: A rule", func() {
	DescribeTable("matches if all parts of its pattern are in the same clause", fires(intent.DetectImageGen, "image.3"),
		texts(
			"生成猫、狗的图片", "生成：海边图片", "生成v2.5版的图片", "生成 1,000 乘 1,000 的图片", "生成example.com的图片", "生成🌊图片",
		))
	DescribeTable("does not match if the parts of its pattern are in different clauses",
		misses(intent.DetectImageGen, "image.3"), texts(
			"生成。图片", "生成！图片", "生成？图片", "生成!图片", "生成?图片", "生成，图片", "生成,图片", "生成；图片", "生成;图片", "生成\n图片", "生成…图片",
			"生成. 图片", "生成．图片",
		))
	DescribeTable("does not match within a quotation", nothing(intent.DetectImageGen), texts(
		"“画一张猫”用英语怎么说", "「画一张猫」是什么意思", "『画一张猫』这句", "《画一张猫》谁写的", `"画一张猫" 怎么译`,
	))
	DescribeTable("matches within a quotation that is the whole text or is not closed",
		fires(intent.DetectImageGen, "image.1"),
		texts(
			"“画一张猫”", `"画一张猫"`, "画一张“猫”", "“画一张猫", `画一张"猫`, `27"的屏幕，画一张24"的猫`,
		))
	It("T4: has precedence by its position in the table, not by the position of its match in the text", func() {
		rule, _ := intent.DetectImageGen("生成一张照片，再画一只猫")
		Expect(rule).To(Equal(intent.Rule("image.1")))
	})
	It("T4: does not match the verb after a refusal such as 不要, but matches later verbs", func() {
		rule, ok := intent.DetectImageGen("不要背景 画一只猫")
		Expect(ok).To(BeTrue())
		Expect(rule).To(Equal(intent.Rule("image.1")))
	})
	It("T4: matches across the point where a very long clause is split, and no character is lost", func() {
		for n := range 100 {
			_, ok := intent.DetectImageGen(strings.Repeat("谢谢", n) + "。画一只猫")
			Expect(ok).To(BeTrue(), "after %d words", n)
		}
		_, ok := intent.DetectWebSearch(strings.Repeat("谢谢", 96) + "搜一下")
		Expect(ok).To(BeTrue())
	})
})

var _ = Describe("T4: A decision", func() {
	It("T4: needs only a few memory allocations", Label("figures"), func() {
		for _, m := range messages {
			Expect(testing.AllocsPerRun(20, func() { intent.Decide(m, all) })).To(BeNumerically("<", 60), m)
		}
	})
	It("T4: takes linear time in the length of the message, and constant time if the message is longer than the part that is read", func() {
		for _, unit := range []string{"画", "给我", "你画", "what is ", "生成图", " ", "2024年3", "a", "draw ", "再帮我画。",
			"what  -- ", "\xff", "搜", "画^", "unix ",
			"“", "\"a", "告诉我几点了", "2024年3月，", "上网几点", "in a,", "“\"「", "“\"", "《\"「“『", "生成代码", "please time "} {
			Eventually(growth).WithArguments(unit, 1<<14, 1<<16).WithTimeout(20*time.Second).
				WithPolling(time.Millisecond).Should(BeNumerically("<", 2.5*4), unit)
			Eventually(growth).WithArguments(unit, 1<<16, 1<<20).WithTimeout(20*time.Second).
				WithPolling(time.Millisecond).Should(BeNumerically("<", 4), unit)
		}
	})
	It("T4: considers the beginning and the end of a very long message", func() {
		filler := strings.Repeat("今天我想说说别的。", 1<<14)
		for _, text := range []string{"画一只猫。" + filler, filler + "画一只猫"} {
			_, ok := intent.DetectImageGen(text)
			Expect(ok).To(BeTrue())
		}
	})
	It("T4: does not panic for invalid UTF-8", func() {
		for _, text := range []string{"\xff", "画\xe7\x94", "\xc0\xaf画一张", "\xed\xa0\x80", "", "\x00"} {
			Expect(func() { intent.Decide(text, all) }).NotTo(Panic())
		}
	})
})

// growth returns how much the cost grows between messages of two sizes. For linear cost, it is the
// ratio of the sizes. A busy machine can distort a measurement, so the test repeats it until one is
// good; quadratic cost never is.
func growth(unit string, short, long int) float64 {
	return float64(cost(unit, long)) / float64(cost(unit, short))
}

func cost(unit string, size int) time.Duration {
	text := strings.Repeat(unit, size/len(unit))
	start := time.Now()
	intent.Decide(text, all)
	return time.Since(start)
}
