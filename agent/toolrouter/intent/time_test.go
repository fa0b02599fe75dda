package intent_test

import (
	. "github.com/onsi/ginkgo/v2"

	"evalctl/agent/toolrouter/intent"
)

var _ = Describe("T4: time.clock", func() {
	DescribeTable("fires", fires(intent.Time, "time.clock"), texts(
		"现在几点", "几点了", "请问现在几点钟了呀", "现在的时间", "当前时间是多少", "你知道现在几点吗", "告诉我现在的时间", "現在幾點", "报时",
		"我要迟到了，几点了", "what time is it", "What's the time?", "tell me the current time please", "Do you know what time it is", "现在 几点 了",
	))
	DescribeTable("does not fire", misses(intent.Time, "time.clock"), texts(
		"纽约现在几点", "现在伦敦几点了", "会议几点开始", "几点开门", "时间过得真快", "现在有时间吗", "明天几点", "time complexity", "what time is it in Paris",
		"what time does the shop open", "in Tokyo, what time is it", "the time is now", "时间管理", "几点", "现在出发几点到",
	))
})

var _ = Describe("T4: time.date", func() {
	DescribeTable("fires", fires(intent.Time, "time.date"), texts(
		"今天几号", "今天是几月几日", "今天几月几号啊", "几号了", "今天的日期", "当前日期", "现在是几月", "今年是哪一年", "今天幾號", "今天幾號星期幾", "请告诉我今天是几号",
		"what's the date today", "What is today's date", "current date", "what year is it", "明天是几号",
	))
	DescribeTable("does not fire", misses(intent.Time, "time.date"), texts(
		"春节是几号", "今年端午节是几月几号", "几号楼", "考试几号", "今天是什么节日", "date fruit benefits", "I have a date today", "截止日期", "今天是儿子生日",
		"when is easter", "今天农历几号", "the date of the battle",
	))
})

var _ = Describe("T4: time.weekday", func() {
	DescribeTable("fires", fires(intent.Time, "time.weekday"), texts(
		"今天星期几", "星期几", "今天周几", "今天礼拜几呀", "今天是星期一吗", "请问今天是周几", "明天星期几", "現在是星期幾", "今天禮拜幾",
		"what day is it", "what day of the week is it today", "what day is today",
	))
	DescribeTable("does not fire", misses(intent.Time, "time.weekday"), texts(
		"国庆节是星期几", "每周几开会", "一周几次", "下周几放假", "今天星期一", "星期一上班", "周几有课", "what day is Christmas", "a nice day",
		"开学那天是礼拜几", "day of the dead", "今天几号",
	))
})

var _ = Describe("T4: time.stamp", func() {
	DescribeTable("fires", fires(intent.Time, "time.stamp"), texts(
		"时间戳", "当前时间戳", "现在的时间戳是多少", "给我一个时间戳", "获取当前时间戳", "請告訴我時間戳", "当前时间戳是什么", "Unix时间戳",
		"current timestamp", "what is the unix timestamp right now", "give me the timestamp",
	))
	DescribeTable("does not fire", misses(intent.Time, "time.stamp"), texts(
		"时间戳怎么转换", "什么是时间戳", "时间戳是什么意思", "怎么获取当前时间戳", "时间戳转日期", "Java时间戳精度", "what is a timestamp", "convert timestamp to date",
		"时间戳字段为空", "timestamps", "数据库时间戳类型", "如何比较时间戳",
	))
})

var _ = Describe("T4: time.zone", func() {
	DescribeTable("fires", fires(intent.Time, "time.zone"), texts(
		"时区", "现在是什么时区", "我在哪个时区", "当前时区", "这里的时区是多少", "現在的時區", "告诉我时区", "time zone", "what time zone am I in",
		"my timezone", "what's my time-zone",
	))
	DescribeTable("does not fire", misses(intent.Time, "time.zone"), texts(
		"纽约是什么时区", "时区转换", "什么是时区", "时区怎么设置", "what timezone is Lima in", "time zone map", "两地时区差", "时区是什么意思",
		"change my timezone to India", "数据库时区", "巴黎的时区",
	))
})
