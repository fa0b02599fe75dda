package dates_test

import (
	. "github.com/onsi/ginkgo/v2"
)

var _ = DescribeTable("31.6: a distance in days, fortnights or half months yields its days", expectDays,
	entriesOf(wednesday, `
	what did I do a couple of days ago? | 2026-11-16
	where was I a fortnight ago | 2026-11-04
	over the past fortnight | 2026-11-05..2026-11-18
	前两天我去哪了 | 2026-11-16..2026-11-17
	我妈前三天说的 | 2026-11-15..2026-11-17
	考试前两天我很紧张 |
	近半个月我跑了几次步 | 2026-11-04..2026-11-18
	半个月前我在哪 | 2026-11-03
	半年前我在哪 | 2026-05-18
	half a year ago, where was I | 2026-05-18
	大上周我见了谁 | 2026-11-02..2026-11-08
	大上周五 | 2026-11-06
	the Friday before last | 2026-11-06
	three days before yesterday | 2026-11-14
	two days before last Friday what happened to me | 2026-11-11
	the day after last Friday | 2026-11-14
	上周五的前一天我在哪 | 2026-11-12
	昨天的前两天 | 2026-11-15
	yesterday and the day before | 2026-11-16..2026-11-17
	three days before my exam |
`))

var _ = DescribeTable("31.6: a date in digits yields its day if the text around it shows that it is one", expectDays,
	entriesOf(wednesday, `
	11.5那天我去哪了 | 2026-11-05
	11/5我在哪 | 2026-11-05
	10.3号我去哪了 | 2026-10-03
	10-03那天 | 2026-10-03
	1003那天 | 2026-10-03
	25.12.24那天我在哪 | 2025-12-24
	20261105那天我干了什么 | 2026-11-05
	20251224我在哪 | 2025-12-24
	my diary of 20251224 | 2025-12-24
	on 24.12.2025, where was I? | 2025-12-24
	on the third of this month | 2026-11-03
	last month on the 21st | 2026-10-21
	December 24 last year | 2025-12-24
	Saturday, October 3 | 2026-10-03
	10月3日（周六） | 2026-10-03
`))

var _ = DescribeTable("31.6: a numeric day before a Chinese verb, and a range of numeric days, yield their days",
	expectDays, entriesOf(wednesday, `
	11/3聊了什么 | 2026-11-03
	11/3晚上做了什么 | 2026-11-03
	11/3的聊天内容 | 2026-11-03
	10.15都聊了什么 | 2026-10-15
	我11/3问你的问题 | 2026-11-03
	昨天和11/3聊了什么 | 2026-11-03,2026-11-17
	我们10.15聊过什么 | 2026-10-15
	3.5聊了什么 | 2026-03-05
	11/3到11/6聊了什么 | 2026-11-03..2026-11-06
	10.1~10.7给我发了什么 | 2026-10-01..2026-10-07
	回忆一下6/8吧 | 2026-06-08
	what did we talk about 11/3? | 2026-11-03
	what did we talk about 11/3-11/6 | 2026-11-03..2026-11-06
	anything from 10/2 to 10/9? | 2026-10-02..2026-10-09
	GPT3.5聊了什么新能力 |
	用3.5聊了什么 |
	3.5做了什么改进 |
	方案11/3版在哪 |
	2/3的人说了什么 |
	版本10.15修了什么 |
	体温38.5怎么办 |
	a ratio of 3/4-4/5 is fine |
`))

var _ = DescribeTable("31.6: a day of a month in Chinese numerals may lack 号 if the text after it shows that it is one",
	expectDays, entriesOf(wednesday, `
	十一月十二聊了什么 | 2026-11-12
	十月二十三我们说了啥 | 2026-10-23
	十月三十一晚上 | 2026-10-31
	六月一那天 | 2026-06-01
	十一月五到十一月十聊了什么 | 2026-11-05..2026-11-10
	十月二十到二十五聊了什么 | 2026-10-20..2026-10-25
	十月二十和二十三聊了什么 | 2026-10-20,2026-10-23
	去年十月二十三聊了什么 | 2025-10-23
	二〇二五年十月二十三我去了哪 | 2025-10-23
	今年9月13-15号 | 2026-09-13..2026-09-15
	八月十五我在哪 | 2026-08-15
	十一月二十多人报名 | 2026-11-01..2026-11-30
	十月二十三个人参加了 | 2026-10-01..2026-10-31
	三月三十公里跑量 | 2026-03-01..2026-03-31
	八月二到三家公司 | 2026-08-01..2026-08-31
	今年五月一直在下雨 | 2026-05-01..2026-05-31
	七月一起去旅行吧 | 2026-07-01..2026-07-31
	十月三万公里 | 2026-10-01..2026-10-31
`))

var _ = DescribeTable("31.6: a weekday and a day of the month yield the latest day that is both", expectDays,
	entriesOf(wednesday, `
	what did we talk about on Friday the 13th? | 2026-11-13
	on Friday the thirteenth | 2026-11-13
	Tuesday, the 20th | 2026-10-20
	on Wednesday 4th | 2026-11-04
	Monday the 31st | 2026-08-31
	Friday the 13th of March | 2026-03-13
	Monday the 2nd to Friday the 6th | 2026-11-02..2026-11-06
	周五13号聊了什么 | 2026-11-13
	周三15号聊了什么 | 2026-07-15
	15号(周三) | 2026-07-15
	周五的13号 | 2026-11-13
	周一、3号 | 2026-11-03,2026-11-16
	周三3号线停运 | 2026-11-18
	on Friday the 13th floor was dark | 2026-11-13
	on Friday the first thing I said | 2026-11-13
`))

var _ = DescribeTable("31.6: a list of dates yields all of its days", expectDays, entriesOf(wednesday, `
	10月1日、3日、5日我去了哪里 | 2026-10-01,2026-10-03,2026-10-05
	10月1、3、5日我去了哪里 | 2026-10-01,2026-10-03,2026-10-05
	10月1号，3号，还有5号 | 2026-10-01,2026-10-03,2026-10-05
	10月1日至3日、5日 | 2026-10-01..2026-10-03,2026-10-05
	Nov 1, 3 and 5: where did I go? | 2026-11-01,2026-11-03,2026-11-05
	Oct 1st, 3rd and 5th | 2026-10-01,2026-10-03,2026-10-05
	the 1st, 3rd and 5th of October | 2026-10-01,2026-10-03,2026-10-05
	the 1st, 3rd and 5th of last month | 2026-10-01,2026-10-03,2026-10-05
	上周一、三、五我做了什么 | 2026-11-09,2026-11-11,2026-11-13
	11.1、11.3和11.5我去了哪 | 2026-11-01,2026-11-03,2026-11-05
	10.1-10.7我去哪了 | 2026-10-01..2026-10-07
	10/1到10/7我去哪了 | 2026-10-01..2026-10-07
	20261001到20261007我去了哪 | 2026-10-01..2026-10-07
	from September to October | 2026-09-01..2026-10-31
	on Nov 1, 3 friends came | 2026-11-01
`))

var _ = DescribeTable("31.6: versions, amounts and identifiers yield no days", expectNoDays, entriesOf(wednesday, `
	升级到11.5版本之后手机好卡
	升级到11.5那天
	iOS 11.5那天又崩了
	version 2026.10.3 of the app is slow
	Home Assistant 2026.10.3
	v2026.11.5怎么装
	2026.11.5版本怎么装
	Python 3.11 or 3.12
	咖啡11.5块
	11.5元的咖啡
	订单号20261105到了吗
	order number 20261105 has not arrived
	my phone is 13820261105
	房间号1003
	chapters 1, 3 and 5
	a 5/10 rating is all I give
	一月龄的小猫
`))
