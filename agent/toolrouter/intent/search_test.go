package intent_test

import (
	. "github.com/onsi/ginkgo/v2"

	"evalctl/agent/toolrouter/intent"
)

var _ = Describe("T4: the rule search.1 (搜索 or 搜一下 as a request)", func() {
	DescribeTable("matches a request for a web search", fires(intent.DetectWebSearch, "search.1"), texts(
		"搜索附近的书店", "帮我搜索菜谱", "搜一下周末活动", "你可以搜索航班吗", "请搜一搜这首歌", "我想搜索二手车", "搜尋台南小吃", "在网上搜索旅馆",
		"这个牌子你搜下", "用百度搜索成语", "帮我搜一下怎么画一张猫", "搜索一下，谢谢",
	))
	DescribeTable("does not match texts that only look similar", misses(intent.DetectWebSearch, "search.1"), texts(
		"二分搜索怎么写", "搜索算法的复杂度", "搜索引擎原理", "如何实现搜索", "搜索框不见了", "深度优先搜索用栈吗", "他搜过了", "搜索结果太多",
		"搜索二叉树怎么删除节点", "全文搜索和索引", "不要搜索", "搜身合法吗", "不用搜一下", "小程序叫“搜搜看”好不好", "搜集标本",
	))
})

var _ = Describe("T4: the rule search.2 (今天, 明天 or 昨天 and 新闻 or 天气)", func() {
	DescribeTable("matches a request for a web search", fires(intent.DetectWebSearch, "search.2"), texts(
		"今天天气如何", "明天北京的天气", "昨天的新闻", "今日新闻摘要", "明天会下雨吗", "后天气温多少", "昨晚有什么新闻", "今天天氣好嗎",
		"明日天气预报", "今晚会下雪吗",
	))
	DescribeTable("does not match texts that only look similar", misses(intent.DetectWebSearch, "search.2"), texts(
		"天气真好", "新闻系好考吗", "天气今天怎么样", "今天，新闻系开学", "今天心情不好", "明天开会", "昨天吃了什么", "目前没有新闻", "下雨天真烦",
		"今天下雨了我没带伞", "今天天气真好", "昨天天气太热", "明天去新闻学院面试", "今天这鬼天气", "作文题目是“明天的天气”",
	))
})

var _ = Describe("T4: the rule search.3 (今天发生了什么)", func() {
	DescribeTable("matches a request for a web search", fires(intent.DetectWebSearch, "search.3"), texts(
		"今天发生了什么", "今天世界上发生了什么", "今日发生了哪些事", "今天有什么大事", "告诉我今天发生什么了", "今天發生了什麼", "今天股市发生了什么",
		"今天出了什么大事", "今天国内发生了啥", "今晚发生了什么",
	))
	DescribeTable("does not match texts that only look similar", misses(intent.DetectWebSearch, "search.3"), texts(
		"发生了什么", "昨天发生了什么", "今天什么都没做", "程序发生了什么错误", "今天发生争吵", "小时候发生了什么", "今天，发生了什么", "明天会发生什么",
		"发生了什么让你今天难过", "今天有什么计划", "他今天不知道发生了什么", "“今天发生了什么”怎么译",
	))
})

var _ = Describe("T4: the rule search.4 (最新 or 最近 and 新闻 or 资讯)", func() {
	DescribeTable("matches a request for a web search", fires(intent.DetectWebSearch, "search.4"), texts(
		"最新新闻", "最近有什么新闻", "最新的科技资讯", "最近的体育新闻", "告诉我最新消息", "最新資訊", "最近国际要闻", "近期财经新闻", "最新动态有吗",
		"最近的时事", "最近房产税有什么消息", "最近行业动态", "近期谈判的进展", "最新进展", "最近关于罢工的报道", "最近有什么动向",
	))
	DescribeTable("does not match texts that only look similar", misses(intent.DetectWebSearch, "search.4"), texts(
		"最近好吗", "最新款手机", "新闻最近很少", "最近我朋友不回消息", "最近，新闻系搬家了", "最近的地铁站", "最新版代码", "新闻怎么写", "最近在忙什么",
		"资讯平台有哪些", "最近她的消息越来越少", "最近在学动态规划", "最近不想看新闻", "最近新闻专业难考吗", "最近公共祖先怎么求", "给“最新资讯”栏目起个名",
	))
})

var _ = Describe("T4: the rule search.5 (实时 and 信息 or 数据)", func() {
	DescribeTable("matches a request for a web search", fires(intent.DetectWebSearch, "search.5"), texts(
		"实时数据", "查看实时信息", "实时路况", "实时股价", "给我黄金的实时行情", "实时的航班信息", "实时比分", "即時資訊", "实时汇率", "实时天气数据",
	))
	DescribeTable("does not match texts that only look similar", misses(intent.DetectWebSearch, "search.5"), texts(
		"实时数据库", "实时操作系统", "数据实时性", "实时数据处理框架", "实时同步数据", "实时数据流怎么设计", "实时渲染", "实时，数据", "即时通讯", "实时翻译", "实时数据大屏怎么布局",
		"传感器往网关传实时数据", "论文叫“实时信息的价值”",
	))
})

var _ = Describe("T4: the rule search.6 (热点, 头条 or 热搜)", func() {
	DescribeTable("matches a request for a web search", fires(intent.DetectWebSearch, "search.6"), texts(
		"社会热点", "今日头条", "微博热搜", "热搜第一是谁", "看看头条", "有什么热点", "國際熱點", "財經頭條", "热榜", "娱乐热点有哪些",
	))
	DescribeTable("does not match texts that only look similar", misses(intent.DetectWebSearch, "search.6"), texts(
		"手机热点怎么开", "个人热点连不上", "热点密码是多少", "WiFi热点", "打开热点", "手機熱點", "热点代码优化", "头条号注册", "无线热点共享", "移动热点耗电吗",
		"开着热点费电吗", "《头条》是谁的歌",
	))
})

var _ = Describe("T4: the rule search.7 (联网搜 or 上网查)", func() {
	DescribeTable("matches a request for a web search", fires(intent.DetectWebSearch, "search.7"), texts(
		"联网查资料", "上网查火车票", "上网帮我查一下", "你去网上查查", "全网检索这篇论文", "联网查询油价", "請上網查", "聯網查", "帮我联网查找说明书",
		"百度一下这个人", "上网帮我把店家的电话查出来", "网上的说法替我查一下", "你能不能上网把来历查清楚", "去网上找找这首诗",
	))
	DescribeTable("does not match texts that only look similar", misses(intent.DetectWebSearch, "search.7"), texts(
		"上网课", "联网失败", "检查网络", "上网查了没有", "网上购物", "他上网时间很长", "调查网上舆论", "查一下单词", "联网，查错", "网上查重多少钱", "不用上网查", "别联网搜索",
		"他上网查了查", "网上买的鞋想退",
	))
})

var _ = Describe("T4: the rule search.8 (现在的 and 价格, 天气 or 汇率)", func() {
	DescribeTable("matches a request for a web search", fires(intent.DetectWebSearch, "search.8"), texts(
		"现在的黄金价格", "现在的天气", "现在的汇率", "目前的油价", "现在美元汇率", "当前股价", "现在的房价高吗", "現在的匯率", "现在比特币多少钱",
		"如今猪肉价格", "排骨现在的价格多少一斤",
	))
	DescribeTable("does not match texts that only look similar", misses(intent.DetectWebSearch, "search.8"), texts(
		"现在的年轻人", "价格表怎么做", "汇率是什么意思", "现在，价格", "天气现在变了", "现在几点", "目前很好", "价格为什么现在涨", "现在的工作", "当前目录", "现在的价格是 20 元",
		"不是问现在的汇率", "现在的天气这么闷",
	))
})

var _ = Describe("T4: the rule search.9 (YYYY年MM月 and an event)", func() {
	DescribeTable("matches a request for a web search", fires(intent.DetectWebSearch, "search.9"), texts(
		"2024年3月的事件", "2023年11月发生了什么", "２０２２年６月的比赛", "二〇二一年七月奥运会", "2020 年 2 月疫情", "2025年01月发布会", "2019年9月8日的新闻",
		"1998年7月世界杯决赛", "2024年3月有哪些大事", "2024年12月的發布會", "2031年5月谁夺冠", "2031年5月，国内发布了哪些新规", "2031年5月南京有什么展会",
		"2031年5月出台的政策",
		"2031年5月的马拉松",
	))
	DescribeTable("does not match texts that only look similar", misses(intent.DetectWebSearch, "search.9"), texts(
		"2024年3月", "我2024年3月入职", "2024年的事件", "3月的事件", "事件在2024年3月", "24年3月的事件", "2024年3月，我毕业", "2024年123月的事件",
		"三年三月的比赛", "2024年月报", "2031年5月我去看了比赛", "2031年5月，我公司发布新品", "2031年5月。比赛规则是什么", "2031年5月8日比赛那天是星期几",
		"2031年5月的会议纪要", "我2031年5月入职，公布过政策",
	))
})

var _ = Describe("T4: the rule search.10 (English)", func() {
	DescribeTable("matches a request for a web search", fires(intent.DetectWebSearch, "search.10"), texts(
		"search for hotels", "please search flights", "look up this song", "google the capital of Peru",
		"what's the latest on the strike",
		"Latest football scores", "tell me the news", "what is the weather in Oslo", "Weather tomorrow",
		"can you look it up",
		"ＳＥＡＲＣＨ cats", "帮我search一下酒店", "any news about the merger",
	))
	DescribeTable("does not match texts that only look similar", nothing(intent.DetectWebSearch), texts(
		"binary search in Go", "search engine design", "research methods", "subscribe to the newsletter",
		"I love this weather",
		"feeling under the weather", "reply by Friday at the latest", "good news, I passed", "google maps is slow",
		"how do I search a list",
		"use breadth first search", "weatherproof paint", "she googled it", "job search tips", "I never look up",
		"ok google", `what does "search for hotels" mean`,
	))
})
