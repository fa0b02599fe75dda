package intent

// class is a set of meanings a word can have for the rules.
type class uint64

// What stands around the verb of a request.
const (
	opener    class = 1 << iota // may come before the verb: 请, 我想, please
	lead                        // hands the verb over: 帮我, 给我, 请, 来
	with                        // may come before 画 besides: 用, 把, 会
	can                         // 可以, 能
	refuse                      // 不要, 别, don't: the verb after it is no request
	howTo                       // 怎么, 学, how: asks about the doing
	person                      // 我, 他: directly before a verb it tells, not asks
	tail                        // 吗, 吧, 一下: adds nothing to a description
	number                      // 一, 几, 12
	measure                     // 张, 只, 个
	sheet                       // 幅, 张: what comes after is, or was, a picture
	of                          // 的
	recall                      // 记得
	earlier                     // 上次
	unable                      // 不能
	strokes                     // 画 or 绘 before a measure word
	hua                         // 画 after a lead
	draws                       // 画 or 绘 before an object
	drawn                       // 画 or 绘 in whatever form
	generate                    // 生成 as a verb
	generates                   // 生成 in whatever form
	crafts                      // 制作, 创作
	picture                     // 图, 画, 照片
	chart                       // 饼图, 流程图
	text                        // what generating makes without a picture: texts, data, film, processing
	enDraw                      // draw, paint
	enMake                      // generate, create, make
	enStop                      // ends the object of an English verb: of, with, which, code
	enVague                     // cannot be drawn: conclusion, attention
	enArticle                   // a, some, my
	enMe                        // me, us: draw me a sheep

	// What the search rules look for besides.
	sure     // 搜一下, 几点了, latest: asks by itself, without a word of request
	seek     // 搜索, as the verb of a request
	lookup   // 搜, 查 after the net
	net      // 联网, 上网
	day      // 今天, 明天, 昨天
	today    // 今天
	weather  // 天气
	news     // 新闻
	happened // 发生了什么
	latest   // 最新, 最近
	live     // 实时
	info     // 信息, 数据
	works    // 同步, 开启, wifi: engineering or a device, no news
	hot      // 热点, 头条, 热搜
	price    // 价格, 汇率
	event    // 事件, 发布会
	calendar // 年 and 月 in a date
	enSeek   // search, google
	enTopic  // news, weather, latest: things to ask for
	enAsk    // what, show, give: asks for them

	// What the time rules look for besides.
	now     // 现在
	clock   // 几点, 时间: asked of now
	date    // 几号: asked of a day
	weekday // 星期几
	dayName // 星期一
	stamp   // 时间戳
	zone    // 时区
	glue    // 是, 的, 到底: within a question
	intro   // 告诉我, 那个, 因为: what a question may follow, or be followed by
	ask     // 吗, 是不是: makes a question of a statement
	small   // other words that a question for the time may consist of
	what    // 什么, 哪些, 谁: asks; of 时间戳 a definition, unless of now
	place   // in, if, 如果: the clause says where
)

// plain is no meaning at all: such a word keeps 画家 from being read as 画.
const plain class = 0
