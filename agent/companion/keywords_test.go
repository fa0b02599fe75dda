package companion_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/companion"
)

var _ = DescribeTable("C3: the keyword search finds the first word in a message that refers to the past",
	func(text, want string) {
		Expect(companion.Keyword(text)).To(Equal(want))
	},
	Entry("记得 in a question", "你还记得那家火锅店吗", "记得"),
	Entry(nil, "你记得我说的书名吗", "记得"),
	Entry(nil, "不记得那家店叫啥了", "记得"),
	Entry("none if 记得 means \"do not forget to\"", "记得提醒我吃药", ""),
	Entry(nil, "明天记得叫我起床", ""),
	Entry(nil, "出门记得带伞哈", ""),
	Entry("记得 in a question that looks like a request", "记得带过去的那把伞吗", "记得"),
	Entry("none if 记得 means \"do not forget to\", with other verbs", "记得穿秋裤", ""), Entry(nil, "记得晚上提醒我吃药", ""),
	Entry(nil, "记得抢票", ""),
	Entry(nil, "你记得戴口罩", ""),
	Entry(nil, "麻烦记得把空调关了", ""), Entry(nil, "记得常联系，好吗", ""), Entry(nil, "记得带伞好吗", ""), Entry(nil, "我记得冰箱里有鸡蛋", ""),
	Entry("记得 at the start of a question", "记得吗，去年的事", "记得"), Entry(nil, "那家店叫什么，还记得不", "记得"),
	Entry(nil, "你记得我妈叫啥", "记得"),
	Entry("记得 before something shared", "记得那家店", "记得"), Entry(nil, "你记得我们吵架那回", "记得"), Entry(nil, "记得上次的火锅", "记得"),
	Entry(nil, "还记得带我去的那家店吗", "记得"),
	Entry("记得 at its second occurrence if the first is a request", "记得提醒我吃药，你还记得吃哪种吗", "记得"),
	Entry("过去 if it means the past", "过去几天我们聊了啥", "过去"),
	Entry(nil, "过去的事就别提了", "过去"), Entry(nil, "两年过去了", "过去"), Entry(nil, "过去这段时间", "过去"),
	Entry(nil, "我过去一趟", ""), Entry(nil, "我过去两分钟就到", ""), Entry(nil, "让它过去的吧", ""), Entry(nil, "你过去几次了", ""),
	Entry(nil, "这坎儿总会过去的", ""),
	Entry(nil, "睡过去半天", ""), Entry(nil, "过去那边要多久", ""),
	Entry("nothing for 过去 if it means a movement", "他慢慢走过去了", ""),
	Entry(nil, "我马上过去", ""),
	Entry(nil, "把钥匙送过去几把", ""),
	Entry(nil, "你过去看看", ""),
	Entry("a word of the specified list", "查找一下那份清单", "查找"),
	Entry(nil, "之前那个方案", "之前"),
	Entry(nil, "我以前是老师", "以前"),
	Entry(nil, "我妈到了 记得帮我 想想带她吃什么", ""), Entry(nil, "remember我上回说了一半那个story吗", "remember"),
	Entry("an English word in a question", "Do you remember the name of the cafe", "remember"),
	Entry("nothing for an English request", "remember to call mum", ""),
	Entry(nil, "please remember me to take the bins out", ""),
	Entry(nil, "remember the milk", ""), Entry(nil, "i will always remember you", ""),
	Entry(nil, "can't remember a thing today lol", ""),
	Entry(nil, "remember, always be kind", ""), Entry(nil, "i don't recall ordering this", ""),
	Entry(nil, "do you remember to lock up", ""),
	Entry(nil, "remember when I fell off the bike", "remember"), Entry(nil, "remember what i told you", "remember"),
	Entry(nil, "remember that time in Rome", "remember"),
	Entry(nil, "do you recall the name", "recall"), Entry(nil, "you remember my cat?", "remember"),
	Entry("nothing for a message without keywords", "晚上吃什么好", ""),
	Entry("nothing for an empty message", "", ""),
)

var _ = DescribeTable("C3: the dates of a message show by themselves whether it refers to the past",
	func(text string, asks bool) {
		Expect(companion.IsDatedPast(text, noon)).To(Equal(asks))
	},
	Entry("a date that can only be in the past", "昨天那顿饭", true),
	Entry("not an ambiguous date, which may be in the future", "周四会下雪吗", false), Entry(nil, "订一张周六去北京的火车票", false),
	Entry(nil, "周末约会", false), Entry(nil, "10月7号", false),
	Entry("an ambiguous date together with something shared", "10月7号我们定的几点打羽毛球", true), Entry(nil, "周一我提了什么条件", true),
	Entry(nil, "what did I name the toad on August 22nd", true),
)

var _ = DescribeTable("C2: the words of a query are the words of the message that describe its topic",
	func(text string, want ...string) {
		Expect(companion.WordsOf(text)).To(HaveExactElements(want))
	},
	Entry(nil, "那家火锅店叫什么来着", "火锅店"),
	Entry(nil, "上次说的搬家的事情后来怎么样了", "搬家"),
	Entry(nil, "what was the name of the cafe near the harbour", "cafe", "near", "harbour"),
	Entry("a single character if there are no other words", "猫呢", "猫"),
	Entry("words of both languages", "那个marathon的配速是多少", "marathon", "配速"),
)

var _ = Describe("A plain question about earlier days", func() {
	for _, p := range companion.PlainRules() {
		It("C7: is recognized by the rule "+p[0], func() {
			Expect(companion.PlainRule(p[1], noon)).To(Equal(p[0]))
			Expect(companion.PlainRule(p[2], noon)).To(BeEmpty(), p[2])
		})
	}

	DescribeTable("31.5: is recognized on a day of the calendar only if it is about the user, because it may be history",
		func(text, want string) { Expect(companion.PlainRule(text, noon)).To(Equal(want)) },
		Entry(nil, "what happened on 9/11?", ""),
		Entry(nil, "what happened on July 20, 1969", ""),
		Entry(nil, "what happened in 1989?", ""),
		Entry(nil, "2008年5月12日发生了什么", ""),
		Entry(nil, "去年9月11日发生了什么", ""),
		Entry(nil, "11月5日发生了什么", ""),
		Entry(nil, "11月5日我们发生了什么", "happened"),
		Entry(nil, "what happened with us on November 5", "happened.date"),
		Entry(nil, "11月5日我们聊了什么", "date.what"),
		Entry(nil, "上周五发生了什么", "happened"),
		Entry(nil, "上个月发生了什么", "happened"),
		Entry(nil, "what happened two days ago?", "happened.date"),
	)

	DescribeTable("C7: is recognized only if it has a past date and a verb of recall", func(text string, plain bool) {
		Expect(companion.PlainRule(text, noon) != "").To(Equal(plain))
	},
		Entry(nil, "昨天发生了什么", true),
		Entry(nil, "昨天聊了啥", true),
		Entry(nil, "我们上周都聊了些什么呀", true),
		Entry(nil, "在吗 昨天我跟你说了啥", true),
		Entry(nil, "大前天咱们说什么来着", true),
		Entry(nil, "what did we talk about last Monday?", true),
		Entry(nil, "what happened yesterday", true),
		Entry(nil, "昨天，我们聊了什么？", true),
		Entry(nil, "昨天 我们 聊了 什么", true),
		Entry(nil, "你知道昨天我们聊了什么吗", true),
		Entry(nil, "诶，昨天发生了什么事呀？", true),
		Entry(nil, "so what happened yesterday?", true),
		Entry(nil, "yesterday what did we talk about", true),
		Entry("not in the start of a story", "你知道昨天发生了什么吗！我被老板骂了", false),
		Entry(nil, "你知道昨天发生了啥吗", false),
		Entry(nil, "你猜昨天发生了什么", false),
		Entry(nil, "我忘了昨天发生了什么", false),
		Entry(nil, "昨天到底发生了什么 股市跌成这样", false),
		Entry(nil, "guess what happened yesterday!", false),
		Entry(nil, "you won't believe what happened last night", false),
		Entry(nil, "what happened yesterday! i got fired", false),
		Entry("not in a reproach", "what have i told you about calling me on sunday", false),
		Entry(nil, "昨天我说什么来着 对就是要早睡", false),
		Entry("not in a question about other people", "告诉我本周发生了什么", false),
		Entry(nil, "what did i say to my boss yesterday, ugh, i should have kept quiet", false),
		Entry("not in a remark about a past day", "昨天好累啊", false),
		Entry("not in a question about somebody else's words", "老板昨天说了什么你知道吗", false),
		Entry("not in a question about today", "今天聊了什么", false),
		Entry("not in a question about a future day", "明天聊什么", false),
		Entry("not in a question without a date", "我们聊了什么", false),
		Entry("not in a question with an impossible date", "2024-02-30我们聊了什么", false),
		Entry("not in a question about the news", "昨天发生了什么大新闻", false),
	)
})
