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

var _ = DescribeTable("31.6: text with numbers, seasons or names of holidays yields no days if it means none",
	expectNoDays, entriesOf(wednesday, `
	方案11/3版在哪
	GPT3.5聊了什么新能力
	版本10.15修了什么
	升级到3.5之后变慢了
	价格是10.5元
	完成了3/4的任务
	汇率7.1到7.2之间
	3/4到4/5的比例是多少
	比例是2/3左右
	go 1.25和1.26有什么区别
	a ratio of 3/4-4/5 is fine
	upgrade from 1.2 to 1.3
	体温38.5怎么办
	24/7客服说了什么
	macOS 10.15聊了什么
	评分9.5的电影有哪些
	2/3的人说了什么
	第3/5页说了什么
	cut it into 1/2-3/4 inch pieces
	Python 3.11说了什么变化
	小年轻都喜欢什么
	小雪这个名字好听吗
	大雪封山了怎么办
	立春这个词怎么写
	正月里来是新春
	腊月的风很冷
	腊八蒜怎么做
	元宵怎么煮才不破
	汤圆和元宵的区别
	清明上河图是谁画的
	谷雨镇在哪里
	雨水太多怎么办
	白露是一种茶吗
	小满足就好
	大寒流来了
	冬至饺子怎么包
	七夕花语是什么
	小暑假作业多不多
	冬月饭店好吃吗
	处暑的暑字怎么写
	Easter egg in the code
	an Easter island trip
	labor costs per day
	the memorial was built in stone
	veterans are welcome
	boxing lessons every day
	the president's daily schedule
	MLK was a pastor
	new year resolution ideas
	eve of destruction lyrics
	eastern food
	the easter bunny recipe
	memorial daybreak song
	labor daycare costs
	how do boxing days differ for athletes
	presidents of the US
	veterans daylight vigil
	a boxing match
	labour party news
	Eve said hello
	夏天怎么防晒
	summer dress ideas
	spring boot tutorial
	fall in love songs
	春天的歌词
	冬天吃什么好
	the spring is broken
	Winter is coming
	秋天适合去哪里玩
	how to fall asleep
	每年夏天都很热
	a summer internship resume
	spring onions recipe
	夏天衣服推荐
	this spring mattress is soft
	last fallback option
	春季养生
	冬季长跑注意事项
	winter tires
	summary of last report
	the 13th floor
	the 5th element
	13th Amendment
	the 21st century
	her 10th birthday gift
	the 1st prize
	our 2nd attempt
	13号线怎么走
	5号电池
	10号球员
	the 100th time
	size 31 shoes
	TGIF restaurants 13
	the 3rd chapter
	9号楼在哪
	20th century fox
	the 4th wall
	每周五13点开会
	黑色的衬衫
	black coffee 2025 blend
	christmas tree farm
	那周的安排
	那个星期五餐厅
	感恩的心歌词
	thanks giving credit
	2025 model year
	halloweentown
	black fridays
	每周三例会
	mother's recipe
	father of 2025 children
	白色情人节歌词
	the week after
	那周瑜呢
	黑色幽默
	那周四川之行
	Thanks 2025
`))

var _ = DescribeTable("31.6: a number after a month that counts something yields no day of it",
	func(text, now, _ string) {
		for _, days := range dates.Find(text, at(now)).Ranges {
			Expect(days.From).NotTo(Equal(days.To), text)
		}
	}, entriesOf(wednesday, `
	十一月二十多人报名
	十月二十三个人参加了
	十一月二十块钱的套餐
	十个月二十天
	三月三十公里跑量
	八月五百单
	一月二十次
	九月三成
	六月一直在下雨
	七月一起去旅行吧
	五月一般热不热
	十月一过就冷
	二月二十几度吧
	十一月二手车价格
	四月三明治打折
	十二月十分忙
	三月两千块
	八月十几单
	五月五折优惠
	十月三万公里
`))
