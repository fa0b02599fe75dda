package dates_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/dates"
)

var _ = DescribeTable("C5: a date within another one, such as a day of last month, yields its days", expectDays,
	entriesOf(wednesday, `
	去年的今天我们在干嘛 | 2025-11-18
	去年今天 | 2025-11-18
	a year ago today | 2025-11-18
	a week ago today | 2026-11-11
	上个月的今天 | 2026-10-18
	上上个月的昨天 | 2026-09-17
	上周的今天 | 2026-11-11
	两周前的周三 | 2026-11-04
	两周前的周末 | 2026-11-07..2026-11-08
	三个月前的今天 | 2026-08-18
	昨天的昨天 | 2026-11-16
	前天的前天 | 2026-11-14
	去年的3月5号 | 2025-03-05
	今年的上个月 | 2026-10-01..2026-10-31
	从去年的今天到昨天 | 2025-11-18..2026-11-17
	昨天今天 | 2026-11-17..2026-11-18
	昨天和上周的 | 2026-11-09..2026-11-15,2026-11-17
	周一周二聊了啥 | 2026-11-16..2026-11-17
	上周一周二聊了啥 | 2026-11-09..2026-11-10
	上周三周四 | 2026-11-11..2026-11-12
	上周三四聊了啥 | 2026-11-11..2026-11-12
	上周六日干嘛了 | 2026-11-14..2026-11-15
	周二三聊的 | 2026-11-17..2026-11-18
	周三四聊的 | 2026-11-11..2026-11-12
	上周一周都在下雨 | 2026-11-09..2026-11-15
	周三四点开会 | 2026-11-18
`))

var _ = DescribeTable("C3: Result.Past is true only for a date that is certainly before today",
	func(text string, past bool) {
		Expect(dates.Find(text, at(wednesday)).HasPastExpression).To(Equal(past), text)
	},
	Entry(nil, "昨天好累", true), Entry(nil, "前天", true), Entry(nil, "上周", true), Entry(nil, "上上周末", true),
	Entry(nil, "三天前", true),
	Entry(nil, "上周三四", true), Entry(nil, "上个月15号", true), Entry(nil, "去年三月", true), Entry(nil, "2024-01-15", true),
	Entry(nil, "2024年1月15日", true),
	Entry(nil, "last Monday", true), Entry(nil, "last night", true), Entry(nil, "two weeks ago", true),
	Entry(nil, "Jan 15 2024", true),
	Entry(nil, "the week before last", true), Entry(nil, "last March", true), Entry(nil, "周一到昨天", true),
	Entry(nil, "两周前的周三", true),
	Entry("not for a weekday without a week", "周一会下雪吗", false), Entry(nil, "周末约会", false), Entry(nil, "周一周二", false),
	Entry(nil, "Monday", false),
	Entry("not for a day without a year", "11月15日", false), Entry(nil, "10月", false), Entry(nil, "3号", false),
	Entry(nil, "Nov 5", false),
	Entry("not for the current week", "这周天气怎么样", false), Entry(nil, "这周一", false), Entry(nil, "这个月1号", false),
	Entry(nil, "this Monday", false),
	Entry("not for a range that includes today", "最近7天", false), Entry(nil, "上周到今天", false), Entry(nil, "今年", false),
	Entry(nil, "今天", false),
	Entry("not for a year alone, or a month with a numeric year", "2024年奥运会", false), Entry(nil, "2024年3月", false),
	Entry(nil, "明天", false),
	Entry(nil, "2027-01-15", false),
)
