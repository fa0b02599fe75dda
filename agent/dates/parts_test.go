package dates_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/dates"
)

const may14 = "2026-05-14 10:00" // a Thursday

var _ = DescribeTable("31.6: a part of a month or year yields its days", expectDays, entriesOf(may14, `
	4月上旬我在忙什么 | 2026-04-01..2026-04-10
	上个月中旬我见了谁 | 2026-04-11..2026-04-20
	去年十一月下旬 | 2025-11-21..2025-11-30
	2025年10月中下旬 | 2025-10-11..2025-10-31
	2月底 | 2026-02-21..2026-02-28
	月初我说过什么 | 2026-05-01..2026-05-10
	月底我去哪了 | 2026-04-21..2026-04-30
	本月底 |
	从3月下旬到4月上旬 | 2026-03-21..2026-04-10
	10月底11月初 | 2025-10-21..2025-11-10
	上半月 | 2026-05-01..2026-05-15
	今年年初 | 2026-01-01..2026-03-31
	去年底 | 2025-11-01..2025-12-31
	去年上半年 | 2025-01-01..2025-06-30
	上个月最后一天 | 2026-04-30
	3月的头三天 | 2026-03-01..2026-03-03
	上个月前三天 | 2026-04-01..2026-04-03
	3月第二周 | 2026-03-08..2026-03-14
	3月的第二个星期三 | 2026-03-11
	early April | 2026-04-01..2026-04-10
	in mid-April | 2026-04-11..2026-04-20
	late last month | 2026-04-21..2026-04-30
	late May | 2025-05-21..2025-05-31
	towards the end of March | 2026-03-21..2026-03-31
	at the beginning of the month | 2026-05-01..2026-05-10
	early November last year | 2025-11-01..2025-11-10
	the middle of December 2025 | 2025-12-11..2025-12-20
	from late March to early April | 2026-03-21..2026-04-10
	the first week of April | 2026-04-01..2026-04-07
	the last day of last month | 2026-04-30
	the second half of March | 2026-03-16..2026-03-31
	the last Friday of last month | 2026-04-24
	the first Monday of April | 2026-04-06
	late 2025 | 2025-10-01..2025-12-31
	the last few weeks of March | 2026-03-04..2026-03-31
	去年最后一天 | 2025-12-31
	the first week of the year | 2026-01-01..2026-01-07
	2月第29天 | 2024-02-29
	最后一天
	每月底都很忙
	3月中国队的比赛 | 2026-03-01..2026-03-31
	the last day of school
	the end of the day
`))

var _ = DescribeTable("31.6: a part that no such month has is reported", func(text string) {
	r := dates.Find(text, at(may14))
	Expect(r.Invalid).To(Equal([]dates.InvalidDate{{Text: text, Reason: dates.ReasonInvalidDate}}))
	Expect(r.Ranges).To(BeEmpty())
}, Entry(nil, "2月第30天"), Entry(nil, "今年2月第29天"))

var _ = DescribeTable("31.6: a vague number of days yields an approximate range", expectDays, entriesOf(may14, `
	前几天我提过的书 | 2026-05-09..2026-05-13
	几天前我说过什么 | 2026-05-09..2026-05-12
	a few weeks ago | 2026-04-09..2026-04-30
	几个月前 | 2025-12-15..2026-03-15
	前阵子我说想换工作
	前些日子咱俩都在聊啥
	考试前几天我很紧张
	十几天前
	前几次
	some time ago
	this past weekend | 2026-05-09..2026-05-10
`))

var _ = DescribeTable("31.6: a holiday yields its day", expectDays, entriesOf(may14, `
	国庆节我去了哪里 | 2025-10-01
	去年国庆 | 2025-10-01
	2024年圣诞节 | 2024-12-25
	Christmas 2024 | 2024-12-25
	五一我去哪玩了 | 2026-05-01
	双11那天 | 2025-11-11
	圣诞节前一天 | 2025-12-24
	国庆第二天 | 2025-10-02
	从平安夜到元旦 | 2025-12-24..2026-01-01
	between Christmas and New Year | 2025-12-25..2026-01-01
	the day after Christmas | 2025-12-26
	on New Year's Eve | 2025-12-31
	Valentine's Day | 2026-02-14
	the Fourth of July | 2025-07-04
	母亲节 | 2026-05-10
	on Thanksgiving | 2025-11-27
	春节 | 2026-02-17
	去年除夕 | 2025-01-28
	中秋节晚上 | 2025-10-06
	清明 | 2026-04-05
	腊月廿三 | 2026-02-10
	农历三月初八 | 2026-04-24
	10月1日国庆节 | 2025-10-01
	圣诞快乐
	merry christmas
	我买的圣诞树
	the Christmas tree
	五一广场
	国庆假期
	Christmas week
	next Christmas
`))

var _ = DescribeTable("31.6: a season of a year yields its three months", expectDays, entriesOf("2026-11-29 10:00", `
	今年夏天聊了什么 | 2026-06-01..2026-08-31
	去年夏天 | 2025-06-01..2025-08-31
	去年冬天我们聊了什么 | 2025-12-01..2026-02-28
	今年秋季我说过什么 | 2026-09-01..2026-11-30
	前年的春天 | 2024-03-01..2024-05-31
	去年夏天到秋天聊了什么 | 2025-06-01..2025-11-30
	去年秋天到春天 | 2025-09-01..2026-05-31
	2023年冬天 | 2023-12-01..2024-02-29
	今年冬天 |
	what did we talk about last summer | 2026-06-01..2026-08-31
	last fall | 2025-09-01..2025-11-30
	last winter | 2025-12-01..2026-02-28
	this spring | 2026-03-01..2026-05-31
	in the summer of 2025 | 2025-06-01..2025-08-31
	winter last year | 2025-12-01..2026-02-28
	next summer |
	this past summer | 2026-06-01..2026-08-31
	上个秋天我说了什么 | 2025-09-01..2025-11-30
	今年初夏 | 2026-01-01..2026-12-31
	每年夏天都很热
	夏天怎么防晒
	三月春天来了 | 2026-03-01..2026-03-31
	this spring mattress is soft
	the last fallback option
	Winter is coming
`))

var _ = DescribeTable("31.6: in January, the current winter began in the year before", expectDays,
	entriesOf("2026-01-15 10:00", `
	今年冬天 | 2025-12-01..2026-02-28
	this winter | 2025-12-01..2026-02-28
	去年冬天 | 2024-12-01..2025-02-28
	last winter | 2024-12-01..2025-02-28
	2025年冬天 | 2025-12-01..2026-02-28
	去年夏天 | 2025-06-01..2025-08-31
	last summer | 2025-06-01..2025-08-31
`))

var _ = DescribeTable("31.6: Easter and the holidays of the United States yield their days", expectDays,
	entriesOf(may14, `
	what did we do on Easter | 2026-04-05
	Easter Sunday 2025 | 2025-04-20
	on Easter Monday last year | 2025-04-21
	复活节那天 | 2026-04-05
	2024年复活节聊了什么 | 2024-03-31
	on Labor Day | 2025-09-01
	Memorial Day | 2025-05-26
	Memorial Day last year | 2025-05-26
	on Veterans' Day | 2025-11-11
	MLK Day | 2026-01-19
	on Martin Luther King Jr. Day | 2026-01-19
	Presidents' Day | 2026-02-16
	Columbus Day 2024 | 2024-10-14
	Boxing Day | 2025-12-26
	黑色星期五 2025 | 2025-11-28
	the Easter egg in the code
	a trip to Easter Island
	Memorial Day weekend
	the labor costs per day
	boxing lessons every day
	复活节岛在哪
`))

var _ = It("31.6: Easter is computed for all years that a text can name", func() {
	for _, day := range []string{"1818-03-22", "1961-04-02", "1981-04-19", "2000-04-23", "2019-04-21", "2038-04-25",
		"2285-03-22"} {
		expectDays("Easter "+day[:4], "2999-12-31 10:00", day)
	}
})

var _ = DescribeTable("31.6: a day of a lunar month or a solar term yields its day", expectDays, entriesOf(may14, `
	腊月二十三聊了什么 | 2026-02-10
	正月二十我在哪 | 2026-03-08
	冬月十五 | 2026-01-03
	腊月三十聊了什么 | 2026-02-16
	腊月二十三到正月十五聊了什么 | 2026-02-10..2026-03-03
	正月二十多 |
	腊八那天 | 2026-01-26
	2025年腊八聊了什么 | 2025-01-07
	去年小年聊了什么 | 2025-01-22
	元宵聊了什么 | 2026-03-03
	龙抬头那天 | 2026-03-20
	中元节 | 2025-09-06
	七夕说了啥 | 2025-08-29
	what did we discuss on Double Ninth | 2025-10-29
	冬至聊了什么 | 2025-12-21
	去年冬至 | 2025-12-21
	今年立春我们聊过什么 | 2026-02-04
	2024年夏至 | 2024-06-21
	从冬至到立春 | 2025-12-21..2026-02-04
	白露那天 | 2025-09-07
	去年小雪节气 | 2025-11-22
	on the winter solstice last year | 2025-12-21
	冬至饺子怎么包 |
	立春这个词怎么写 |
	小雪说了什么 |
	大雪那天堵车了 |
	小年轻都喜欢什么 |
	腊八蒜怎么做 |
	我想吃元宵 |
	雨水太多怎么办 |
	谷雨镇在哪里 |
`))

var _ = DescribeTable("31.6: the name of a month yields its days, and a verb does not", expectDays, entriesOf(may14, `
	what did I do this March | 2026-03-01..2026-03-31
	in March and April | 2026-03-01..2026-04-30
	in June or July we went | 2025-06-01..2025-07-31
	show my diary of February | 2026-02-01..2026-02-28
	my notes from April | 2026-04-01..2026-04-30
	throughout December | 2025-12-01..2025-12-31
	in May of 2025 | 2025-05-01..2025-05-31
	the sixth of April | 2026-04-06
	on the 1st and 3rd of April | 2026-04-01,2026-04-03
	1、3、5号我写了什么 | 2026-05-01,2026-05-03,2026-05-05
	去年11.11那天 | 2025-11-11
	a letter from April
	may I ask what I said
	what I said may have been wrong
	did I march with them
	in March or may be later | 2026-03-01..2026-03-31
`))

var _ = It("31.6: lunar holidays are computed for all years that a text can name", func() {
	for text, want := range map[string]string{
		"Chinese New Year 1999": "1999-02-16", "Mid-Autumn Festival 2000": "2000-09-12", "Qingming 2999": "2999-04-"} {
		Expect(dates.Find(text, at("2999-12-31 10:00")).String()).To(HavePrefix(want), text)
	}
	Expect(dates.Find("Chinese New Year's Eve 1000", at(may14)).Days()).To(HaveLen(1))
})

var _ = DescribeTable("31.6: the last months of a lunar year can be in the next calendar year",
	func(text, now, want string) { expectDays(text, now, want) },
	Entry("a year before a lunar month is the lunar year", "去年腊月初八", may14, "2026-01-26"),
	Entry("also for a year in digits", "2024年腊月初八", may14, "2025-01-07"),
	Entry("last year is relative to the lunar year of today", "去年腊月初八", "2026-02-01 10:00", "2025-01-07"),
	Entry("this year is the lunar year of today", "今年腊月初八", "2026-02-01 10:00", "2026-01-26"),
	Entry("no day without a year is in the future", "腊月初八", "2026-01-25 10:00", "2025-01-07"),
	Entry("a range ends at the next such day", "从2025年12月30日到腊月初八", may14, "2025-12-30..2026-01-26"),
	Entry("also in month 11", "从2026年1月1日到冬月廿四", may14, "2026-01-01..2026-01-12"),
	Entry("a lunar day repeats the calendar day", "2026年1月26日(腊月初八)", may14, "2026-01-26"),
	Entry("other lunar months are in their calendar year", "去年八月初八", may14, "2025-09-29"),
	Entry("also for a year in digits", "2025年八月初八", may14, "2025-09-29"),
	Entry("a festival is in its calendar year", "去年除夕", may14, "2025-01-28"),
)

var _ = It("31.6: a lunar month of 29 days has no day 30", func() {
	expectDays("农历八月三十", may14, "2024-10-02") // month 8 has 29 days in 2025 and 30 in 2024
	for _, text := range []string{"去年农历八月三十", "2025年农历八月三十", "Feb 29 last year"} {
		r := dates.Find(text, at(may14))
		Expect(r.Invalid).To(Equal([]dates.InvalidDate{{Text: text, Reason: dates.ReasonInvalidDate}}))
		Expect(r.Ranges).To(BeEmpty())
	}
})

var _ = DescribeTable("31.6: the earlier part of this week, month or year ends today, and the later part is after it",
	expectDays, entriesOf(may14, `
	what did I say earlier this week | 2026-05-11..2026-05-14
	earlier in the month | 2026-05-01..2026-05-14
	earlier this year | 2026-01-01..2026-05-14
	earlier this week on Tuesday | 2026-05-12
	on Monday earlier this week | 2026-05-11
	later this week
	later in the year
	这周早些时候我说了什么 | 2026-05-11..2026-05-14
	這個星期早些時候 | 2026-05-11..2026-05-14
	本月早些时候 | 2026-05-01..2026-05-14
	这个月稍早的时候 | 2026-05-01..2026-05-14
	今年更早些时候 | 2026-01-01..2026-05-14
	本周晚些时候
	今年稍后
	今天早些时候 | 2026-05-14
	from Monday to later this week | 2026-05-11..2026-05-17
`))

var _ = It("31.6: on the last day of a week, nothing is later that week", func() {
	r := dates.Find("later this week", at("2026-05-17 10:00"))
	Expect(r.Ranges).To(BeEmpty())
	Expect(r.Upcoming).To(BeEmpty())
	Expect(dates.Find("later this week", at(may14)).Upcoming).To(HaveExactElements(
		HaveField("String()", "2026-05-15..2026-05-17")))
})

var _ = DescribeTable("31.6: the week of a day yields the whole week", expectDays, entriesOf(may14, `
	what did I do the week of April 20? | 2026-04-20..2026-04-26
	in the week of April 22, 2025 | 2025-04-21..2025-04-27
	week of the 22nd of April | 2026-04-20..2026-04-26
	the week of the 22nd | 2026-04-20..2026-04-26
	the week of 2026-04-22 | 2026-04-20..2026-04-26
	the week starting April 22 | 2026-04-22..2026-04-28
	the week ending April 22 | 2026-04-16..2026-04-22
	the week of Christmas | 2025-12-22..2025-12-28
	the week of April 20 to 26 | 2026-04-20..2026-04-26
	the first week of April | 2026-04-01..2026-04-07
	4月22日那周我在干嘛 | 2026-04-20..2026-04-26
	22号那个星期 | 2026-04-20..2026-04-26
	2026年4月22日所在的那一周 | 2026-04-20..2026-04-26
	4月22日当周 | 2026-04-20..2026-04-26
	the whole week of chickenpox
	the week of the 45th
	那周我很忙
`))

var _ = DescribeTable("31.6: a weekday of the week of a day yields its day", expectDays, entriesOf(may14, `
	4月20日那周三聊了什么 | 2026-04-22
	4月22日那个星期一 | 2026-04-20
	22号那周的周五 | 2026-04-24
	4月22日那周末 | 2026-04-25..2026-04-26
	Wednesday of the week of April 20 | 2026-04-22
	the Friday of the week of the 20th of April | 2026-04-24
	4月20号那周日本队赢了 | 2026-04-20
	那周四川之行
	那周三我很忙
`))

var _ = DescribeTable("31.6: a holiday in a month yields its day in that month", expectDays, entriesOf(may14, `
	2025年11月的黑色星期五 | 2025-11-28
	2024年11月黑五聊了什么 | 2024-11-29
	11月的黑色星期五 | 2025-11-28
	去年10月国庆 | 2025-10-01
	10月的中秋节 | 2025-10-06
	9月的中秋节 | 2024-09-17
	Black Friday 2025 | 2025-11-28
	3月国庆 | 2025-10-01,2026-03-01..2026-03-31
`))

var _ = DescribeTable("31.6: a weekday in a name means no day, but Black Friday is the day after Thanksgiving",
	expectDays, entriesOf(may14, `
	who is Man Friday
	Robinson Crusoe and his Man Friday
	she is my girl Friday
	I met a man Friday | 2026-05-08
	we watched Freaky Friday
	was Good Friday rainy
	I had a good Friday | 2026-05-08
	It was bad. Friday was good | 2026-05-08
	in my Sunday best
	what did I buy on Black Friday | 2025-11-28
	Black Friday 2024 | 2024-11-29
	from Black Friday to Cyber Monday | 2025-11-28..2025-12-01
	the Black Friday sale was bad
	next Black Friday
	黑色星期五我买了啥 | 2025-11-28
	去年黑五 | 2025-11-28
	黑色星期五促销
`))
