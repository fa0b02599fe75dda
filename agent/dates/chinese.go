package dates

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Characters that show, before or after a pattern, that it is not a date: 晚上, 马上, 日本周边.
const (
	noWeek = "马晚早网路身手世线楼床车船以日基资书课"
	noBack = "以目之提眼当面午饭钟年月周期课睡跟门房楼餐赛战" // 以前, 目前, 分钟前
	many   = "点个次天月年号日时人场家名位十百千万"      // 周三四点, 上周三四十个
	// characters after which 前两天 is two days before now; after other words it is before an event: 考试前两天
	beforeNow = "我你您他她它们咱俩谁妈爸哥姐弟妹友在是从就那了说得和跟也都还"
	noToday   = "如当现古而迄"                   // 如今
	tally     = "每个一两三四五六七八九十几整0123456789" // 每周三, 一周三次
)

// Characters around 初, 中, 底 or 末 with which it is no part of a month or year: 每月底, 年中国.
const (
	everyPeriod = numerals + "每几多整全当岁"
	partWord    = `[春夏冬雪中恋级次步学始衷国午心间秋文央医奖毒餐饭锋华英外期式考路山场超甲介药号型等小东西特部层线盘片薪牌稿气下色日班端一二三四五六七八九十]`
)

// noWeekAfter matches text after which 周, 月 or 年 does not mean a period: 周围, 周年.
const noWeekAfter = `[围边杰岁密旋折瑜迅]|年[^会底]|期[^中末待货]`

// anotherWord matches words in which the character of a weekday means something else: 上周一直, 上周日本,
// 上周天气, 上周三次.
const anotherWord = `[^周星礼]*{w}(?:一(?:[直起些个共样场次下句顿路阵整般边]|周(?:[^一二三四五六日天末]|$))|日(?:常|程|本|语|报|志|记[^得录])|天[气空]|[一二三四五六日天1-7][次个天遍回趟场顿集家名万千百十])`

var chinese = []row{
	{starts: "大大前天", pattern: `大大前天`, read: day(-4), example: "大大前天的事", counterexample: "大前年"},
	{starts: "大前", pattern: `大前[天日晚]`, read: day(-3), example: "大前天聊了啥", counterexample: "强大前景"},
	{starts: "前天 前日 前晚 前夜 前儿", pattern: `前(?:天|日|晚|夜|儿个?)`, before: noBack + "大", after: `天[^气]`, read: day(-2),
		example: "前天说的", counterexample: "以前天天跑步"},
	{starts: "昨", pattern: `昨(?:天|日|晚|夜|儿个?|早|个)`, read: day(-1), example: "昨晚聊的", counterexample: "昨是今非"},
	{starts: "今天 今日 今晚 今早 今晨 今夜 今儿", pattern: `今(?:天|日|晚|早|晨|夜|儿个?)`, before: noToday, read: day(0), example: "今早说的",
		counterexample: "如今天冷了"},
	{starts: "明天 明日 明早 明晚 明儿", pattern: `明(?:天|日|早|晚|儿个?)`, before: "声文说聪透", read: day(1), example: "明天见",
		counterexample: "说明天数"},
	{starts: "大后天", pattern: `大后天`, read: day(3), example: "大后天去", counterexample: "后天去"},
	{starts: "后天", pattern: `后天`, before: "以之午今然最背前", read: day(2), example: "后天去", counterexample: "以后天天来"},

	{starts: "马上 快 快到 就要 又要 又到 要到", pattern: `(?:马上|快到?|就要|又要|又到|要到)(?:就?是)?{w}{wd}(?:了|啦)?`, read: noDate,
		example: "马上周末了", counterexample: "马上上周"},
	{starts: "这周 这一周 这星期 这个星期 这礼拜 这个礼拜 这月 这个月 本周 本星期 本月 本年 今年",
		pattern: `[这本今]一?个?([周月年]|星期|礼拜)的?(?:(早些时候|早前|[稍更]早些?(?:的?时候)?)|晚些时候|[稍更]晚些?(?:的?时候)?|稍后)`,
		before:  noWeek + noToday + "一地", after: `[一点起睡]`, read: sideOfTodayChinese, example: "这周早些时候",
		counterexample: "这周早睡"},
	{starts: "大 上 这 本 下", pattern: `{rel}[一1]?个?{w}(?:的?{w})?{wd}{wd}`, before: noWeek + "一地", after: `[` + many + `]`,
		read: weekOf, example: "上周三四聊的", counterexample: "上周三四十个人"},
	{starts: "周 星期 礼拜", pattern: `{w}{wd}{wd}`, before: tally, after: `[` + many + `]`, read: twoWeekdays,
		example: "周三四那次", counterexample: "周三四点"},
	{starts: "大 上 这 本 下", pattern: `{rel}[一1]?个?{w}(?:的?{w})?{wd}`, before: noWeek + "一地", not: anotherWord,
		read: weekOf, example: "我上上周三说的", counterexample: "上周三次"},
	{starts: "大 上 这 本 下", pattern: `{rel}[一1]?个?{w}`, before: noWeek + "一地", after: noWeekAfter, read: weekOf,
		example: "上个礼拜", counterexample: "晚上周杰伦"},
	{starts: "周 星期 礼拜", pattern: `{w}{wd}`, before: tally + "色", not: anotherWord, read: aWeekday, example: "周三那次",
		counterexample: "一周三次"},
	{starts: "大 上 这 本 下", pattern: `{rel}一?个?月份?(?:的?{n}{号})?`, before: noWeek, after: `[亮球饼光薪]`, read: monthOf,
		example: "上个月15号", counterexample: "网上月饼"},
	{starts: "大前年 前年 去年 今年 明年 后年 来年", pattern: `(大前|[前去今明后来])年的?{n}月份?的?{n}{号}`,
		before: noToday + "以目之过出回进退", read: yearOf, example: "去年三月五号", counterexample: "去年三月"},
	{starts: "大前年 前年 去年 今年 明年 后年 来年", pattern: `(大前|[前去今明后来])年`,
		before: noToday + "以目之过出回进退", after: `轻[^松微]|会(?:不|有)`, read: yearOf, example: "去年三月",
		counterexample: "过去年轻的时候"},

	{starts: "上 中 下", pattern: `(上旬|中旬|下旬|上中旬|中下旬)`, read: partOfMonth, example: "上旬我写了什么", counterexample: "七旬老人"},
	{starts: "月", pattern: `月([初头中底末])`, before: everyPeriod, after: partWord, read: partOfMonth, example: "月底我说的",
		counterexample: "月中国"},
	{starts: "上 下", pattern: `([上下]半)个?月`, read: partOfMonth, example: "上半月写了什么", counterexample: "半个月"},
	{starts: "年", pattern: `年([初中底末])`, before: everyPeriod, after: partWord, read: partOfYear, example: "年底我说的",
		counterexample: "十年中"},
	{starts: "上 下", pattern: `([上下]半)年`, read: partOfYear, example: "上半年写了什么", counterexample: "半年"},
	{starts: "初 头 中 底 末", pattern: `([初头中底末])`, after: partWord, mayFollow: endsInPeriod, read: partInside(namedPart),
		example: "3月初", counterexample: "3月中国"},
	{starts: "春 夏 秋 冬 的春 的夏 的秋 的冬", pattern: `的?([春夏秋冬][天季])(?:[到至]([春夏秋冬][天季]))?`,
		mayFollow: endsInYear, read: partInside(seasons), example: "去年夏天", counterexample: "夏天"},
	{starts: "上个 上一个 这个 今春 今夏 今秋 今冬 下个", pattern: `(上一?个|这个|今|下个)([春夏秋冬][天季])`, read: seasonNow,
		example: "上个夏天", counterexample: "夏天"},
	{starts: "的第 的最后 第 最后", pattern: `的?(?:第{n}|最后一?)个?{w}([一二三四五六日天])?`, after: `末`, mayFollow: endsInPeriod,
		read: partInside(nthOf), example: "3月第一个周五", counterexample: "第一个周五"},
	{starts: "的第 第", pattern: `的?第{n}天`, read: nthDay, example: "国庆第二天", counterexample: "第二次"},
	{starts: "的头 的最后 头 最后", pattern: `的?(头|最后){n}?个?(天|{w})`, after: `末`, mayFollow: endsInPeriod,
		read: partInside(someDays), example: "3月的最后一天", counterexample: "最后一天"},

	{starts: "那周 那一周 那个周 那个星期 那星期 那个礼拜 那礼拜 当周 所在的 的那 的当周",
		pattern: `的?(?:[那当]一?个?{w}|所在的?(?:那一?)?个?{w})(?:的?{w})?([一二三四五六日天末])`,
		not:     anotherWord, after: `[` + many + `]`, read: weekdayAround, example: "4月20日那周三",
		counterexample: "那周日本队"},
	{starts: "那周 那一周 那个星期 那星期 那个礼拜 那礼拜 当周 所在的 的那一周 的那周 的那个星期 的当周",
		pattern: `的?(?:[那当]一?个?{w}|所在的?(?:那一?)?个?{w})`, after: `[一二三四五六日天末围边]`, read: weekAroundChinese,
		example: "4月20日那周", counterexample: "那周末"},
	{starts: "这一天", pattern: `这一天`, read: noDate, example: "这一天很特别", counterexample: "这一周"},
	{starts: "最近 近 过去 这", pattern: `(?:最近|近|过去|这)的?这?(?:{amount}个?(天|日|{w}|个月|年)|几天)`, before: "附靠接将亲走跑飞冲绕穿远",
		after: `[后前间]`, read: last, example: "最近三十天", counterexample: "附近7天酒店"},
	{starts: "前几 前些", pattern: `前(?:几个?|些)(天|日|{w}|个月)`, after: `子`, before: noBack, mayFollow: countsFromNow,
		read: severalBefore, example: "前几天我说的", counterexample: "考试前几天"},
	{starts: "几 好几", pattern: `好?几个?(天|日|{w}|个月)(?:之|以)?前`, before: "十百千万两三四五六七这那每", after: `[端面途往进提景沿方卫后]`,
		read: severalAgo, example: "几天前我说的", counterexample: "十几天前"},
	{starts: "前", pattern: `前{n}个?(天|日|{w}|个月|年)`, mayFollow: countsFromNow, read: daysBefore, example: "我前两天说的",
		counterexample: "考试前两天"},
	{starts: "的前 的后 前 后", pattern: `的?([前后]){n}(天|周)`, read: shiftAfter, example: "昨天的前一天", counterexample: "昨天的前天"},
	{starts: "# 半", pattern: `{amount}个?(天|日|{w}|个月|年)(?:之|以)?前`, before: "年月", after: `[端面途往进提景沿方卫]|后(?:[^来]|$)`,
		read: unitsAway(-1), example: "三天前", counterexample: "三天前后"},
	{starts: "# 半", pattern: `{amount}个?(天|日|{w}|个月|年)(?:之|以)?后`, before: "年月", read: unitsAway(1), example: "三天后",
		counterexample: "三天"},
}

// countsFromNow reports whether 前两天 after the text counts from now, and not from an event (考试前两天).
func countsFromNow(before string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	return !unicode.IsLetter(last) || strings.ContainsRune(beforeNow, last)
}
