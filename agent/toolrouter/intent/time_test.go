package intent_test

import (
	. "github.com/onsi/ginkgo/v2"

	"evalctl/agent/toolrouter/intent"
)

var _ = Describe("T4: the rule time.clock", func() {
	DescribeTable("matches a question about the time of day", fires(intent.DetectTime, "time.clock"), texts(
		"现在几点", "几点了", "请问现在几点钟了呀", "现在的时间", "当前时间是多少", "你知道现在几点吗", "告诉我现在的时间", "現在幾點", "报时",
		"我要迟到了，几点了", "what time is it", "What's the time?", "tell me the current time please",
		"Do you know what time it is", "现在 几点 了",
		"今天几点了", "现在几点几分几秒", "这会儿几点啦",
	))
	DescribeTable("does not match texts that only look similar",
		misses(intent.DetectTime, "time.clock"), texts(
			"纽约现在几点", "现在伦敦几点了", "会议几点开始", "几点开门", "时间过得真快", "现在有时间吗", "明天几点", "time complexity",
			"what time is it in Paris",
			"what time does the shop open", "in Tokyo, what time is it", "the time is now", "时间管理", "几点",
			"现在出发几点到", "今天几点", "几点睡觉比较好",
			"long time no see", "都几点了还不睡", "几点了还在打游戏",
		))
})

var _ = Describe("T4: the rule time.date", func() {
	DescribeTable("matches a question about the date", fires(intent.DetectTime, "time.date"), texts(
		"今天几号", "今天是几月几日", "今天几月几号啊", "几号了", "今天的日期", "当前日期", "现在是几月", "今年是哪一年", "今天幾號", "今天幾號星期幾", "请告诉我今天是几号",
		"what's the date today", "just tell me todays date off your own clock",
		"今天什么日子啊 what's the date today 怎么大家都在发红包", "What is today's date", "current date", "what year is it", "明天是几号",
		"今天是六月几号", "what was yesterday's date",
	))
	DescribeTable("does not match texts that only look similar",
		misses(intent.DetectTime, "time.date"), texts(
			"what's the date today 用中文怎么说", "翻译一下 what's the date today", "春节是几号", "今年端午节是几月几号",
			"几号楼", "考试几号", "今天是什么节日",
			"date fruit benefits", "I have a date today", "截止日期", "今天是儿子生日",
			"when is easter", "今天农历几号", "the date of the battle", "今天的日期是2031年5月6日",
		))
})

var _ = Describe("T4: the rule time.weekday", func() {
	DescribeTable("matches a question about the weekday", fires(intent.DetectTime, "time.weekday"), texts(
		"今天星期几", "星期几", "今天周几", "今天礼拜几呀", "今天是星期一吗", "请问今天是周几", "明天星期几", "現在是星期幾", "今天禮拜幾",
		"what day is it", "what day of the week is it today", "what day is today", "今天是不是礼拜三", "今天是工作日还是周末",
		"is it Tuesday today", "is today Sunday",
	))
	DescribeTable("does not match texts that only look similar",
		misses(intent.DetectTime, "time.weekday"), texts(
			"国庆节是星期几", "每周几开会", "一周几次", "下周几放假", "今天星期一", "星期一上班", "周几有课", "what day is Christmas", "a nice day",
			"开学那天是礼拜几", "day of the dead", "今天几号", "今天星期三了", "I hate Mondays", "今天周末愉快",
		))
})

var _ = Describe("T4: the rule time.stamp", func() {
	DescribeTable("matches a question about the Unix timestamp", fires(intent.DetectTime, "time.stamp"), texts(
		"时间戳", "当前时间戳", "现在的时间戳是多少", "给我一个时间戳", "获取当前时间戳", "請告訴我時間戳", "当前时间戳是什么", "Unix时间戳",
		"current timestamp", "what is the unix timestamp right now", "give me the timestamp", "当前 Unix 时间戳",
		"要一个毫秒级的时间戳", "epoch time now in seconds",
	))
	DescribeTable("does not match texts that only look similar",
		misses(intent.DetectTime, "time.stamp"), texts(
			"时间戳怎么转换", "什么是时间戳", "时间戳是什么意思", "怎么获取当前时间戳", "时间戳转日期", "Java时间戳精度", "what is a timestamp",
			"convert timestamp to date",
			"时间戳字段为空", "timestamps", "数据库时间戳类型", "如何比较时间戳", "store the current timestamp in a column", "php 当前时间戳",
		))
})

var _ = Describe("T4: the rule time.zone", func() {
	DescribeTable("matches a question about the time zone", fires(intent.DetectTime, "time.zone"), texts(
		"时区", "现在是什么时区", "我在哪个时区", "当前时区", "这里的时区是多少", "現在的時區", "告诉我时区", "time zone", "what time zone am I in",
		"my timezone", "what's my time-zone", "手机走的是哪个时区", "which time zone are we in right now",
	))
	DescribeTable("does not match texts that only look similar",
		misses(intent.DetectTime, "time.zone"), texts(
			"纽约是什么时区", "时区转换", "什么是时区", "时区怎么设置", "what timezone is Lima in", "time zone map", "两地时区差", "时区是什么意思",
			"change my timezone to India", "数据库时区", "巴黎的时区",
		))
})

var _ = Describe("T4: A complete question about the time", func() {
	DescribeTable("is recognized if introductory words come before it", fires(intent.DetectTime, "time.date"), texts(
		"请假单要落款你告诉我今天是几号", "那个今天几号", "麻烦你帮我看一下今天几月几号", "忙糊涂了今天几号", "另外今天的日期", "话说现在是几月份",
		"excuse me what's the date today", "I'd like to know today's date", "谁知道今天几号", "先不聊这个，今天几号",
	))
	DescribeTable("is recognized if another sentence follows", fires(intent.DetectTime, "time.clock"), texts(
		"现在几点了水还没烧开", "现在几点我表停了", "几点了 车快开了", "这会儿几点钟了呀面试要开始了", "what time is it my phone died",
		"what time is it right now the cat broke the clock", "what's the time mate", "现在的时间报给我",
		"当前时间告诉我一下", "现在几点因为我要吃药",
	))
	DescribeTable("is not recognized if a subject or a place comes before it", nothing(intent.DetectTime), texts(
		"孟买现在几点了", "演出今天几号", "我姐那边现在几点啦", "快递柜的当前时间", "Oslo what time is it", "if I were in Rome, what time is it",
		"如果在东京，现在几点", "考场里现在几点了", "农历今天几号", "节目单上今天星期几",
	))
	DescribeTable("is not recognized if the words after it change its meaning", nothing(intent.DetectTime), texts(
		"今天几号线停运", "现在几点出发合适", "今天星期几限行", "当前时间复杂度是多少", "当前时间戳转成日期", "今天的日期用英文怎么写", "what time is it going to snow",
		"what time is it in the capital of Chile", "today's date of birth field", "what is the current time complexity",
	))
	DescribeTable("is not recognized within a refusal, a how-to question, a report or a quotation",
		nothing(intent.DetectTime), texts(
			"不要告诉我现在几点", "别管现在几点", "教我用法语说现在几点", "怎么看现在几点", "他问我今天几号我没理", "我知道今天几号", "don't tell me what time it is",
			"how do I ask what time it is", "用“现在几点”造句", `translate "what time is it" into Greek`,
		))
	DescribeTable("is recognized although another sentence names a place", fires(intent.DetectTime, "time.clock"),
		texts(
			"I'm at the airport and it is loud. What time is it?", "在我出门之前提醒我带伞，现在几点了",
			"If it rains again I will scream! what's the time?",
			"如果再下雨我就不出门了真的受够这种鬼日子，几点了", "What time is it? In ten minutes I must leave",
			"in the kitchen with both hands full of dough, what time is it",
			"现在几点了，在等一个电话", "如果太晚就算了。先说说现在几点", "at last. so, what time is it", "在家闷了一天，现在几点",
		))
})
