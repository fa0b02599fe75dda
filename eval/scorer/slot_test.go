package scorer_test

import (
	"context"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/eval"
	"evalctl/eval/scorer"
)

var sorry = &agent.ErrorReply{Code: "PLANNER_FAILED"}

var _ = Describe("Slot", func() {
	score := func(c eval.Case, replies ...agent.Reply) eval.Score {
		GinkgoHelper()
		s, err := scorer.Slot{Name: "subject"}.Score(context.Background(), c, outcomeOf(replies...))
		Expect(err).NotTo(HaveOccurred())
		return s
	}
	naming := func(subject string) agent.Reply { return agent.Reply{Slots: map[string]string{"subject": subject}} }

	DescribeTable("passes if the value contains an accepted word, ignoring case, width and spaces",
		func(want, got string, verdict eval.Verdict) {
			s := score(expecting(`{"slots":{"subject":`+want+`}}`), naming(got))
			Expect(s.Name).To(Equal("slots.subject"))
			Expect(s.Verdict).To(Equal(verdict))
			Expect(s.Value == 1).To(Equal(verdict == eval.Pass))
			Expect(s.Actual).To(Equal(got))
			Expect(s.Turn).To(Equal(1))
			Expect(s.IsAttribute).To(BeTrue(), "it does not decide whether the trial is correct")
		},
		Entry("the accepted word", `"猫"`, "猫", eval.Pass),
		Entry("the accepted word within more text", `"猫"`, "一只打伞的猫", eval.Pass),
		Entry("another of several accepted words", `["cat","猫"]`, "a Cat", eval.Pass),
		Entry("a word in full width with several spaces", `"oil painting"`, "an ＯＩＬ  Painting", eval.Pass),
		Entry("a Chinese word with spaces", `"赛博朋克"`, "赛博 朋克风", eval.Pass),
		Entry("a plural with s", `"cat"`, "two cats", eval.Pass),
		Entry("a plural with es", `"fox"`, "foxes in snow", eval.Pass),
		Entry("an English word next to Chinese", `"cyberpunk"`, "cyberpunk风", eval.Pass),
		Entry("a word that only contains the accepted one: fail", `"ink"`, "pink", eval.Fail),
		Entry("a word that contains the accepted one, then the accepted one", `"ink"`, "pink ink", eval.Pass),
		Entry("a word that starts with the accepted one: fail", `"car"`, "carpet", eval.Fail),
		Entry("a word that ends with the accepted one: fail", `"man"`, "woman", eval.Fail),
		Entry("none of several accepted words: fail", `["cat","猫"]`, "狗", eval.Fail),
		Entry("only a part of the accepted word: fail", `"金毛犬"`, "金毛", eval.Fail),
		Entry("an empty value: fail", `"猫"`, "", eval.Fail),
		Entry("an empty value, which is accepted", `""`, " ", eval.Pass),
		Entry("a value, but only an empty one is accepted: fail", `""`, "猫", eval.Fail),
		Entry("a value, and an empty one is accepted too", `["","猫"]`, "猫", eval.Pass),
	)

	DescribeTable("matches a single Chinese character only as a word of its own, not within another word",
		func(want string, right, wrong []string) {
			for _, got := range right {
				Expect(score(expecting(`{"slots":{"subject":`+want+`}}`), naming(got)).Verdict).
					To(Equal(eval.Pass), got)
			}
			for _, got := range wrong {
				Expect(score(expecting(`{"slots":{"subject":`+want+`}}`), naming(got)).Verdict).
					To(Equal(eval.Fail), got)
			}
		},
		Entry(nil, `"猫"`,
			strings.Fields("猫 一只猫 小猫 橘猫 白色小猫 橘色的猫 一只橘色的猫 两只小黑猫 3只猫 那只猫 几只黑白猫 猫咪 小猫咪 猫猫 猫猫们 打瞌睡的猫 "+
				"猫和狗 狗与猫 猫、狗 狗，一只猫 猫在窗台上 在椅子上睡觉的猫 cyberpunk猫 ２只猫 “猫”"),
			strings.Fields("熊猫 大熊猫 熊猫和竹子 机甲熊猫 猫头鹰 猫爬架 猫粮 小猫头鹰 猫的爪子 一只猫的爪子 龙猫 狗")),
		Entry(nil, `["猫","奶牛猫"]`, strings.Fields("奶牛猫 穿旗袍的奶牛猫"), strings.Fields("布偶猫熊 熊猫")),
		Entry(nil, `"狗"`, strings.Fields("小狗 黄狗 流浪的狗 一只大黑狗 狗狗 狗子"), strings.Fields("热狗 海狗 狗熊 狗粮 狗尾草 天狗")),
		Entry(nil, `"鱼"`, strings.Fields("鱼 金鱼 一条鱼 鱼儿 一条大鱼 两条红色的鱼 一群小鱼"), strings.Fields("鳄鱼 鲸鱼 章鱼 木鱼 鱼缸 鱼竿 鱼香肉丝")),
		Entry(nil, `"龙"`, strings.Fields("龙 一条龙 金龙 会喷彩虹的龙 小青龙"), strings.Fields("龙虾 恐龙 龙卷风 水龙头 龙舟 火龙果 小龙虾 变色龙")),
		Entry(nil, `"人"`, strings.Fields("人 老人 三个人 女人 一群人 人们 穿雨衣的人"), strings.Fields("机器人 雪人 稻草人 人参 人行道")),
		Entry(nil, `"牛"`, strings.Fields("老牛 公牛 一头牛"), strings.Fields("蜗牛 犀牛 牛奶 牛仔 牛油果")),
		Entry(nil, `"马"`, strings.Fields("白马 一匹马 小马 马儿 奔跑的马"), strings.Fields("河马 斑马 海马 马路 马甲 马克杯 木马")),
		Entry(nil, `"虎"`, strings.Fields("老虎 一只老虎 虎 小虎"), strings.Fields("壁虎 虎牙 虎皮鹦鹉")),
		Entry(nil, `"兔"`, strings.Fields("兔子 小兔子 红色小兔 兔兔"), strings.Fields("龟兔赛跑")),
		Entry(nil, `"鞋"`, strings.Fields("鞋子 红鞋 一双鞋"), strings.Fields("鞋柜 鞋油")),
		Entry(nil, `"面"`, strings.Fields("一碗面 面"), strings.Fields("面具 桌面 面包 面馆 海面")),
		Entry(nil, `"女"`, strings.Fields("女 女的 一个女的 女子"), strings.Fields("女巫帽 仙女棒")),
		Entry(nil, `"山"`, strings.Fields("山 高山 青山 一座山 远处的山"), strings.Fields("山羊 火山 山楂")),
		Entry(nil, `"云"`, strings.Fields("云 白云 一朵云 粉色的云"), strings.Fields("云吞 云梯")),
		Entry("an English word is matched as a whole word", `"cat"`,
			[]string{"cat", "a cat", "cats", "two cats", "Cat, sleeping", "一只cat"},
			[]string{"caterpillar", "catfish", "bobcat", "cathedral", "concatenation"}),
		Entry("a Chinese word of two characters is matched within longer words", `"熊猫"`, strings.Fields("大熊猫 机甲熊猫"),
			strings.Fields("猫 熊")),
		Entry("a word in kana is also matched within longer words", `"ネコ"`, strings.Fields("黒ネコ"),
			strings.Fields("猫")),
	)

	It("fails a decision without slots", func() {
		Expect(score(expecting(`{"slots":{"subject":"猫"}}`), agent.Reply{Predicted: "generate_image"}).Verdict).
			To(Equal(eval.Fail))
	})

	It("passes if the decision is right, even if the rest of the turn failed", func() {
		r := naming("猫")
		r.ErrorReply = &agent.ErrorReply{Code: "EXECUTOR_FAILED"}
		Expect(score(expecting(`{"slots":{"subject":"猫"}}`), r).Verdict).To(Equal(eval.Pass))
	})

	It("scores a decision without slots even if the rest of the turn failed", func() {
		r := agent.Reply{Predicted: "chat", DecidedBy: "llm",
			ErrorReply: &agent.ErrorReply{Code: "CHAT_FAILED", Cause: "timeout"}}
		Expect(score(expecting(`{"slots":{"subject":"猫"}}`), r).Verdict).To(Equal(eval.Fail))
		Expect(score(expecting(`{"slots":{"subject":""}}`), r).Verdict).To(Equal(eval.Pass))
		r.DecidedBy = ""
		Expect(score(expecting(`{"slots":{"subject":""}}`), r).Verdict).To(Equal(eval.Unscored), "nobody decided")
	})

	DescribeTable("returns a score without a name if the case does not expect the slot",
		func(want string) { Expect(score(expecting(want), naming("猫"))).To(Equal(eval.Score{})) },
		Entry("a case without an expect object", ""),
		Entry("a case with another expectation", `{"action":"generate_image"}`),
		Entry("a case that expects another slot", `{"slots":{"style":"水墨"}}`),
	)

	It("returns an error with the position of an invalid expectation, and is unscored", func() {
		s, err := scorer.Slot{Name: "subject"}.Score(context.Background(), expecting(`{"slots":{"subject":3}}`),
			outcomeOf(naming("猫")))
		Expect(err).To(MatchError(HavePrefix("cases.jsonl:7: expect.slots: ")))
		Expect(s).To(Equal(eval.Score{Name: "slots.subject", Turn: 1, IsAttribute: true}))
	})
})

var _ = Describe("A scorer of turns with an expectation", func() {
	const cat = `{"slots":{"subject":"猫"}}`
	naming := func(subject string) agent.Reply { return agent.Reply{Slots: map[string]string{"subject": subject}} }

	DescribeTable("returns the score of the first turn that does not pass, or else of the last",
		func(verdict eval.Verdict, turn int, labels []string, replies ...agent.Reply) {
			s, err := scorer.Slot{Name: "subject"}.Score(context.Background(), expecting(labels...),
				outcomeOf(replies...))
			Expect(err).NotTo(HaveOccurred())
			Expect(s.Name).To(Equal("slots.subject"))
			Expect(s.Verdict).To(Equal(verdict))
			Expect(s.Turn).To(Equal(turn))
		},
		Entry("all turns pass", eval.Pass, 3, []string{cat, "", cat}, naming("猫"), naming("狗"), naming("猫")),
		Entry("the first turn fails", eval.Fail, 1, []string{cat, cat}, naming("狗"), naming("猫")),
		Entry("the last turn fails", eval.Fail, 2, []string{cat, cat}, naming("猫"), naming("狗")),
		Entry("a turn without a decision: unscored, not failed", eval.Unscored, 1, []string{cat, cat},
			agent.Reply{ErrorReply: sorry}, naming("猫")),
		Entry("a failed turn before one without a decision: failed", eval.Fail, 1, []string{cat, cat}, naming("狗"),
			agent.Reply{ErrorReply: sorry}),
		Entry("a turn that did not run: unscored, not failed", eval.Unscored, 2, []string{cat, cat}, naming("猫")),
		Entry("no turn ran: unscored", eval.Unscored, 1, []string{cat}),
		Entry("a turn without an expectation has no decision: ignored", eval.Pass, 2, []string{"", cat},
			agent.Reply{ErrorReply: sorry},
			naming("猫")),
	)
})
