package dates_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/dates"
)

func expectNoDays(text, now, _ string) {
	r := dates.Find(text, at(now))
	Expect(r.String()).To(BeEmpty(), text)
	Expect(r.Invalid).To(BeEmpty(), text)
}

var _ = DescribeTable("C5: a date after today yields no days", expectNoDays, entriesOf(wednesday, `
	明天
	后天去哪
	大后天
	下周三
	下周
	下个月15号
	明年3月
	三天后
	两周以后
	in 3 days
	tomorrow
	the day after tomorrow
	next week
	next Monday
	next March
	马上周末了
	又要周一了
	2030-01-01
	这周日
`))

var _ = DescribeTable("C5: words that resemble dates yield no days", expectNoDays, entriesOf(wednesday, `
	我以前天天跑步
	目前天气不错
	如今天下太平
	马上周围都是人
	晚上周杰伦开演唱会
	日本周边好买吗
	一周三次
	每周三都去
	每个周末
	一个星期五天
	坐3号线去
	住5号楼
	中山路15号
	12号选手
	5号电池
	一号店
	一号公馆
	廿五号
	零五年三月
	两个星期五次
	版本1.2.3
	2024.1.15.3
	192.168.1.15
	一共99.5元
	比分3-5
	3/5的人
	1/2杯糖
	24/7
	1/16 inch
	10:30出发
	11点15分
	12月亮
	电话138-0013-8000
	订单20240115
	尺码3-5
	you may go
	we march on
	wait a second
	the 5th floor
	I sat in the sun
	on the sunny side
	every Monday
	I hate Mondays
	an hour ago
	last time
	at last weeks of waiting
	for the 2nd time
	最近怎么样
	五月天的歌
	三个月
	7天
	两天一夜
	2024年版
	过去年轻的时候
	附近7天酒店
	昨是今非
	《昨天今天明天》好看吗
	一月15个人
	上月球
	在网上周转
	这一天
`))

var _ = DescribeTable("C5: meaningless text yields no days", expectNoDays, entriesOf(wednesday, `
	asdfgh
	？？？
	。。。
	号号号
	月月月日日
	到到到
	0月0日0时
	0/0/0
	99/99/99
	//--..
	天天前后
	从前天天早起
	零号
	前前前
	上上上
	下下下
	周周周
	星期八
	周九
	周零
	三四天前
	100月
	-1天前
	32号
	0号
	the the day
	ago ago
	last last
	on the
	between and
	🙂🙂🙂
	\x00\xff
	上
`))
