package dates_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/dates"
)

// entriesOf returns a table entry for each line "text | expected days". now is the current time.
func entriesOf(now, lines string) []TableEntry {
	var entries []TableEntry
	for line := range strings.Lines(lines) {
		if text, want, ok := strings.Cut(strings.TrimSpace(line), " | "); ok {
			entries = append(entries, Entry(text, text, now, want))
		} else if text != "" {
			entries = append(entries, Entry(text, strings.TrimSuffix(text, " |"), now, ""))
		}
	}
	return entries
}

func expectDays(text, now, want string) {
	Expect(dates.Find(text, at(now)).String()).To(Equal(want), text)
}

const wednesday = "2026-11-18 10:00"

var _ = DescribeTable("C5: an expression for a day near today yields that day", expectDays, entriesOf(wednesday, `
	昨天发生了什么 | 2026-11-17
	昨天 | 2026-11-17
	昨晚聊的那个电影叫什么 | 2026-11-17
	昨日 | 2026-11-17
	我昨儿跟你说的事你还记得不 | 2026-11-17
	昨夜做的梦我跟你讲了吗 | 2026-11-17
	前天咱俩聊啥了 | 2026-11-16
	前晚说的 | 2026-11-16
	大前天吃的啥来着 | 2026-11-15
	大大前天呢 | 2026-11-14
	今天聊了什么 | 2026-11-18
	今早我说了啥 | 2026-11-18
	今晚 | 2026-11-18
	昨天和前天 | 2026-11-16..2026-11-17
	昨天、大前天 | 2026-11-15,2026-11-17
	在吗 昨天聊了啥 | 2026-11-17
	昨天晚上十点多 | 2026-11-17
	昨天3号线停运 | 2026-11-17
	what happened yesterday | 2026-11-17
	Yesterday's chat | 2026-11-17
	what did we do the day before yesterday? | 2026-11-16
	what did i say last night | 2026-11-17
	what did I tell you this morning | 2026-11-18
	anything from earlier today? | 2026-11-18
	yesterday聊的那个 | 2026-11-17
	Yesterday and today | 2026-11-17..2026-11-18
	ＹＥＳＴＥＲＤＡＹ | 2026-11-17
	医生前天说的 | 2026-11-16
	昨天前天我都在 | 2026-11-16..2026-11-17
	昨天，今天 | 2026-11-17..2026-11-18
`))

var _ = DescribeTable("C5: a distance before today yields its days", expectDays, entriesOf(wednesday, `
	三天前 | 2026-11-15
	两天前说的 | 2026-11-16
	3天前我说了什么 | 2026-11-15
	3 天前 | 2026-11-15
	３天前 | 2026-11-15
	十天前 | 2026-11-08
	二十五天前 | 2026-10-24
	10天之前的事 | 2026-11-08
	五日前 | 2026-11-13
	100天前 | 2026-08-10
	两周前 | 2026-11-04
	一周前聊的 | 2026-11-11
	3个星期前 | 2026-10-28
	一个礼拜前 | 2026-11-11
	两个月前 | 2026-09-18
	1个月以前 | 2026-10-18
	两年前 | 2024-01-01..2024-12-31
	三天前天气咋样 | 2026-11-15
	3 days ago | 2026-11-15
	what did I say three days ago | 2026-11-15
	a week ago | 2026-11-11
	two weeks ago | 2026-11-04
	a month ago we talked | 2026-10-18
	one day ago | 2026-11-17
	5 nights ago | 2026-11-13
	2 years ago | 2024-01-01..2024-12-31
`))

var _ = DescribeTable("C5: an expression for a week, or a day of it, yields its days", expectDays,
	entriesOf(wednesday, `
	本周 | 2026-11-16..2026-11-22
	这周聊过什么 | 2026-11-16..2026-11-22
	这个星期 | 2026-11-16..2026-11-22
	这一周 | 2026-11-16..2026-11-22
	上周我们讨论了什么 | 2026-11-09..2026-11-15
	上星期 | 2026-11-09..2026-11-15
	上个礼拜的事 | 2026-11-09..2026-11-15
	上個禮拜 | 2026-11-09..2026-11-15
	上週三 | 2026-11-11
	上上周 | 2026-11-02..2026-11-08
	上上个星期 | 2026-11-02..2026-11-08
	上周三 | 2026-11-11
	上周3 | 2026-11-11
	上个周五晚上 | 2026-11-13
	上星期天 | 2026-11-15
	上周日 | 2026-11-15
	诶我上上周三跟你说的那个餐厅叫啥来着 | 2026-11-04
	这周一 | 2026-11-16
	本周三 | 2026-11-18
	这周五 |
	周三 | 2026-11-18
	周四咱们聊的啥 | 2026-11-12
	星期天 | 2026-11-15
	礼拜一说的 | 2026-11-16
	周末干嘛了 | 2026-11-14..2026-11-15
	上周末 | 2026-11-14..2026-11-15
	上周一直在下雨 | 2026-11-09..2026-11-15
	上周一起去的那家店 | 2026-11-09..2026-11-15
	上周三次都没说 | 2026-11-09..2026-11-15
	上周天气 | 2026-11-09..2026-11-15
	上周日本的事 | 2026-11-09..2026-11-15
	上周日记得吗 | 2026-11-15
	等一下周三那天 | 2026-11-18
	周六周日干嘛了 | 2026-11-14..2026-11-15
	上周一、周三 | 2026-11-09,2026-11-11
	上周一和周三还有昨天 | 2026-11-09,2026-11-11,2026-11-17
	昨天和周一 | 2026-11-16..2026-11-17
	last last week | 2026-11-02..2026-11-08
	本周周一 | 2026-11-16
	上周的周五 | 2026-11-13
	上个星期的星期三 | 2026-11-11
	上周末天气不错那次 | 2026-11-14..2026-11-15
	last week | 2026-11-09..2026-11-15
	what did we discuss last week? | 2026-11-09..2026-11-15
	this week | 2026-11-16..2026-11-22
	the week before last | 2026-11-02..2026-11-08
	last Monday | 2026-11-16
	last Wednesday | 2026-11-11
	last fri | 2026-11-13
	on Monday | 2026-11-16
	what I said Friday night | 2026-11-13
	Monday of last week | 2026-11-09
	last week on tuesday | 2026-11-10
	this Monday | 2026-11-16
	this Friday |
	last weekend | 2026-11-14..2026-11-15
	over the weekend | 2026-11-14..2026-11-15
`))

var _ = DescribeTable("C5: an expression for a month or a year yields its days", expectDays, entriesOf(wednesday, `
	上个月 | 2026-10-01..2026-10-31
	上月聊了啥 | 2026-10-01..2026-10-31
	这个月 | 2026-11-01..2026-11-30
	本月 | 2026-11-01..2026-11-30
	上上个月 | 2026-09-01..2026-09-30
	上个月15号 | 2026-10-15
	上个月的三号 | 2026-10-03
	这个月3号 | 2026-11-03
	去年 | 2025-01-01..2025-12-31
	今年 | 2026-01-01..2026-12-31
	前年 | 2024-01-01..2024-12-31
	去年三月 | 2025-03-01..2025-03-31
	去年3月5号 | 2025-03-05
	去年三月份的5号 | 2025-03-05
	我们上次见面去年三月 | 2025-03-01..2025-03-31
	今年纪念日 | 2026-01-01..2026-12-31
	今年的事 | 2026-01-01..2026-12-31
	今年十月 | 2026-10-01..2026-10-31
	今年12月 |
	2024年3月 | 2024-03-01..2024-03-31
	2024年发生了什么 | 2024-01-01..2024-12-31
	10月份聊了些啥 | 2026-10-01..2026-10-31
	十二月 | 2025-12-01..2025-12-31
	last month | 2026-10-01..2026-10-31
	this month | 2026-11-01..2026-11-30
	last year | 2025-01-01..2025-12-31
	the month before last | 2026-09-01..2026-09-30
	in early October | 2026-10-01..2026-10-10
	in March | 2026-03-01..2026-03-31
	last March | 2026-03-01..2026-03-31
	last November | 2025-11-01..2025-11-30
	March 2024 | 2024-03-01..2024-03-31
	in 2024 | 2024-01-01..2024-12-31
`))

var _ = DescribeTable("C5: a date with a day and a month yields that day", expectDays, entriesOf(wednesday, `
	1月15日 | 2026-01-15
	1月15号我们聊了什么 | 2026-01-15
	11月18号 | 2026-11-18
	11月19号 | 2025-11-19
	12月5号说的事 | 2025-12-05
	一月十五号 | 2026-01-15
	十一月五号 | 2026-11-05
	11 月 5 号 | 2026-11-05
	11月5那天 | 2026-11-05
	15号 | 2026-11-15
	15號 | 2026-11-15
	15号家里来人 | 2026-11-15
	20号晚上说的 | 2026-10-20
	31号 | 2026-10-31
	十五号聊的那个 | 2026-11-15
	二十号 | 2026-10-20
	15日那次 | 2026-11-15
	2024年1月15日 | 2024-01-15
	24年1月15号 | 2024-01-15
	二零二四年一月十五日 | 2024-01-15
	二〇二四年一月十五日 | 2024-01-15
	2024-01-15那天 | 2024-01-15
	2024-1-15 | 2024-01-15
	2024/1/15 | 2024-01-15
	2024.1.15 | 2024-01-15
	2月29号 | 2024-02-29
	1/15那天 | 2026-01-15
	11/16 | 2026-11-16
	11/2那天 | 2026-11-02
	on 11/2 | 2026-11-02
	March 5 | 2026-03-05
	March 5th, 2025 | 2025-03-05
	Nov. 5 | 2026-11-05
	5 March | 2026-03-05
	the 5th of March | 2026-03-05
	15 jan 2024 | 2024-01-15
	Jan 15 2024 | 2024-01-15
	may 5 | 2026-05-05
	on the 15th | 2026-11-15
	on the 30th | 2026-10-30
	2024-01-15 and 2024-01-17 | 2024-01-15,2024-01-17
	10月1号、3号、5号 | 2026-10-01,2026-10-03,2026-10-05
	上个月3号和5号 | 2026-10-03,2026-10-05
	on the 16th of October | 2026-10-16
	2026-11-16T22:30:00+08:00 | 2026-11-16
	11/16/2026 | 2026-11-16
	16/11/2026 | 2026-11-16
	11月3号和11月5号 | 2026-11-03,2026-11-05
`))

var _ = DescribeTable("C5: \"the last N days\" and the like yield the days up to today", expectDays,
	entriesOf(wednesday, `
	最近7天 | 2026-11-12..2026-11-18
	近7天 | 2026-11-12..2026-11-18
	过去7天 | 2026-11-12..2026-11-18
	最近一周 | 2026-11-12..2026-11-18
	最近三十天 | 2026-10-20..2026-11-18
	最近30天聊了什么 | 2026-10-20..2026-11-18
	最近两周 | 2026-11-05..2026-11-18
	最近一个月 | 2026-10-20..2026-11-18
	这几天 | 2026-11-16..2026-11-18
	最近这几天 | 2026-11-16..2026-11-18
	这两天 | 2026-11-17..2026-11-18
	in the last 7 days | 2026-11-12..2026-11-18
	the past 30 days | 2026-10-20..2026-11-18
	past week | 2026-11-12..2026-11-18
	in the last week | 2026-11-12..2026-11-18
	last two weeks | 2026-11-05..2026-11-18
	the last couple of days | 2026-11-17..2026-11-18
	the past few days | 2026-11-16..2026-11-18
`))

var _ = DescribeTable("C5: a range yields the days from its start to its end", expectDays, entriesOf(wednesday, `
	从11月1号到11月5号 | 2026-11-01..2026-11-05
	11月1号到5号 | 2026-11-01..2026-11-05
	11月1到5号 | 2026-11-01..2026-11-05
	11月1日-5日 | 2026-11-01..2026-11-05
	11月1日至11月5日 | 2026-11-01..2026-11-05
	11月1日——11月5日 | 2026-11-01..2026-11-05
	10月28号到11月3号 | 2026-10-28..2026-11-03
	12月25号到1月3号 | 2025-12-25..2026-01-03
	3号到7号 | 2026-11-03..2026-11-07
	3到7号聊的 | 2026-11-03..2026-11-07
	3号-7号 | 2026-11-03..2026-11-07
	28号到3号 | 2026-10-28..2026-11-03
	3号到昨天 | 2026-11-03..2026-11-17
	3号到20号 | 2026-10-03..2026-10-20
	周一到周三 | 2026-11-16..2026-11-18
	周三到周五 | 2026-11-11..2026-11-13
	上周一到周三 | 2026-11-09..2026-11-11
	上周五到这周一 | 2026-11-13..2026-11-16
	从前天到今天 | 2026-11-16..2026-11-18
	10月1号到今天 书店 | 2026-10-01..2026-11-18
	昨天到明天 | 2026-11-17..2026-11-19
	周一到现在 | 2026-11-16..2026-11-18
	15号以来 | 2026-11-15..2026-11-18
	9月到10月 | 2026-09-01..2026-10-31
	2024年1月15日到1月20日 | 2024-01-15..2024-01-20
	2024年1月15日到20日 | 2024-01-15..2024-01-20
	2024-01-15到2024-01-20 | 2024-01-15..2024-01-20
	2024-01-15..2024-01-20 | 2024-01-15..2024-01-20
	3号和7号之间 | 2026-11-03..2026-11-07
	from Monday to Wednesday | 2026-11-16..2026-11-18
	monday - wednesday | 2026-11-16..2026-11-18
	between the 3rd and the 7th | 2026-11-03..2026-11-07
	between Monday and yesterday | 2026-11-16..2026-11-17
	from November 1 to November 5 | 2026-11-01..2026-11-05
	between 3 and 7 November | 2026-11-03..2026-11-07
	3-7 November | 2026-11-03..2026-11-07
	Nov 1-5 | 2026-11-01..2026-11-05
	since Monday | 2026-11-16..2026-11-18
	since the 15th | 2026-11-15..2026-11-18
	from 2024-01-15 to 2024-01-20 | 2024-01-15..2024-01-20
`))

var _ = DescribeTable("C5: dates are correct at the ends of months and years, on leap days and in the first minute of a day",
	func(text, now, want string) { Expect(dates.Find(text, at(now)).String()).To(Equal(want)) },
	Entry(nil, "昨天", "2026-01-01 00:01", "2025-12-31"),
	Entry(nil, "昨晚", "2026-03-01 00:01", "2026-02-28"),
	Entry(nil, "今晚", "2026-03-01 23:59", "2026-03-01"),
	Entry(nil, "前天", "2024-03-01 12:00", "2024-02-28"),
	Entry(nil, "昨天", "2024-03-01 12:00", "2024-02-29"),
	Entry(nil, "上个月", "2024-03-31 12:00", "2024-02-01..2024-02-29"),
	Entry(nil, "上个月", "2026-01-15 12:00", "2025-12-01..2025-12-31"),
	Entry(nil, "上上个月", "2026-01-31 12:00", "2025-11-01..2025-11-30"),
	Entry(nil, "一个月前", "2026-03-31 12:00", "2026-02-28"),
	Entry(nil, "一个月前", "2024-03-31 12:00", "2024-02-29"),
	Entry(nil, "30号", "2026-03-15 12:00", "2026-01-30"),
	Entry(nil, "31号", "2026-01-01 12:00", "2025-12-31"),
	Entry(nil, "2月29号", "2024-02-28 12:00", "2020-02-29"),
	Entry(nil, "2月29号", "2024-02-29 00:00", "2024-02-29"),
	Entry(nil, "上周", "2026-01-01 12:00", "2025-12-22..2025-12-28"),
	Entry(nil, "这周", "2026-01-01 12:00", "2025-12-29..2026-01-04"),
	Entry(nil, "上周日", "2026-01-05 00:00", "2026-01-04"),
	Entry(nil, "last week", "2027-01-03 23:59", "2026-12-21..2026-12-27"),
	Entry(nil, "上周", "2026-11-22 23:00", "2026-11-09..2026-11-15"),
	Entry(nil, "周日", "2026-11-22 23:00", "2026-11-22"),
	Entry(nil, "周末", "2026-11-21 09:00", "2026-11-21..2026-11-22"),
	Entry(nil, "上周末", "2026-11-22 09:00", "2026-11-14..2026-11-15"),
	Entry(nil, "去年2月29号", "2025-06-01 12:00", "2024-02-29"),
	Entry(nil, "last Sunday", "2026-11-22 09:00", "2026-11-15"),
	Entry(nil, "最近7天", "2026-01-03 09:00", "2025-12-28..2026-01-03"),
	Entry(nil, "12月31号", "2026-12-31 00:00", "2026-12-31"),
)

var _ = DescribeTable("C5: dates are days in the time zone of now, even if daylight saving time begins or ends",
	func(zone, now, text, want string) { Expect(dates.Find(text, in(zone, now)).String()).To(Equal(want)) },
	Entry("on the day after one with 23 hours", "America/New_York", "2026-03-09 00:10", "yesterday", "2026-03-08"),
	Entry("on the day after one with 25 hours", "America/New_York", "2026-11-02 00:10", "yesterday", "2026-11-01"),
	Entry("late on the day after one with 25 hours", "America/New_York", "2026-11-02 23:50",
		"two days ago", "2026-10-31"),
	Entry("for a week with a day of 23 hours", "Europe/Berlin", "2026-03-30 00:30", "last week",
		"2026-03-23..2026-03-29"),
	Entry("for thirty days across the change", "Europe/Berlin", "2026-04-10 00:30", "最近30天", "2026-03-12..2026-04-10"),
	Entry("after a day that has no midnight", "America/Santiago", "2026-09-07 01:00", "yesterday", "2026-09-06"),
	Entry("in a zone ahead of UTC", "Pacific/Auckland", "2026-11-18 00:05", "今天", "2026-11-18"),
)

var _ = DescribeTable("C5: a date that yields no days, or not all, is reported with a reason",
	func(text, refused, reason, want string) {
		r := dates.Find(text, at(wednesday))
		Expect(r.Invalid).To(Equal([]dates.InvalidDate{{Text: refused, Reason: reason}}), text)
		Expect(r.String()).To(Equal(want), text)
	},
	Entry(nil, "2024-02-30", "2024-02-30", dates.ReasonInvalidDate, ""),
	Entry(nil, "2024-02-30那天我说了啥", "2024-02-30", dates.ReasonInvalidDate, ""),
	Entry(nil, "２０２４-０２-３０", "２０２４-０２-３０", dates.ReasonInvalidDate, ""),
	Entry(nil, "2月30日", "2月30日", dates.ReasonInvalidDate, ""),
	Entry(nil, "13月1日", "13月1日", dates.ReasonInvalidDate, ""),
	Entry(nil, "2023年2月29日", "2023年2月29日", dates.ReasonInvalidDate, ""),
	Entry(nil, "去年2月29号", "去年2月29号", dates.ReasonInvalidDate, ""),
	Entry(nil, "上上个月31号", "上上个月31号", dates.ReasonInvalidDate, ""),
	Entry(nil, "Feb 30", "Feb 30", dates.ReasonInvalidDate, ""),
	Entry(nil, "Feb 29 2023", "Feb 29 2023", dates.ReasonInvalidDate, ""),
	Entry(nil, "2024-13-01", "2024-13-01", dates.ReasonInvalidDate, ""),
	Entry(nil, "昨天和2月30日", "2月30日", dates.ReasonInvalidDate, "2026-11-17"),
	Entry(nil, "2月1号到30号", "2月1号到30号", dates.ReasonInvalidDate, ""),
	Entry(nil, "2月30日到3月5日", "2月30日到3月5日", dates.ReasonInvalidDate, ""),
	Entry(nil, "从昨天到前天", "昨天到前天", dates.Reversed, ""),
	Entry(nil, "2024-01-15到2024-01-10", "2024-01-15到2024-01-10", dates.Reversed, ""),
	Entry(nil, "11月5号到11月1号", "11月5号到11月1号", dates.Reversed, ""),
	Entry(nil, "11月5号到1号", "11月5号到1号", dates.Reversed, ""),
	Entry(nil, "2024年1月到2026年1月", "2024年1月到2026年1月", dates.TooLong, "2024-12-28..2026-01-31"),
	Entry(nil, "去年和前年", "前年", dates.TooLong, "2024-11-27..2025-12-31"),
	Entry(nil, "过去两年", "过去两年", dates.TooLong, "2025-10-15..2026-11-18"),
	Entry(nil, "去年到今年", "去年到今年", dates.TooLong, "2025-10-15..2026-11-18"),
)
