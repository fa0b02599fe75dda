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
	noEvent = "我你您他她它们咱俩谁妈爸哥姐弟妹友在是从就那了说得和跟也都还"
	noToday = "如当现古而迄"                   // 如今
	tally   = "每个一两三四五六七八九十几整0123456789" // 每周三, 一周三次
)

// Characters around 初, 中, 底 or 末 with which it is no part of a month or year: 每月底, 年中国.
const (
	everyPeriod = numerals + "每几多整全当岁"
	partWord    = `[中恋级次步学始衷国午心间秋文央医奖毒餐饭锋华英外期式考路山场超甲介药号型等小东西特部层线盘片薪牌稿气下色日班端一二三四五六七八九十]`
)

// noWeekAfter matches text after which 周, 月 or 年 does not mean a period: 周围, 周年.
const noWeekAfter = `[围边杰岁密旋折瑜迅]|年[^会底]|期[^中末待货]`

// anotherWord matches words in which the character of a weekday means something else: 上周一直, 上周日本,
// 上周天气, 上周三次.
const anotherWord = `[^周星礼]*{w}(?:一(?:[直起些个共样场次下句顿路阵整般边]|周(?:[^一二三四五六日天末]|$))|日(?:常|程|本|语|报|志|记[^得录])|天[气空]|[一二三四五六日天1-7][次个天遍回趟场顿集家名万千百十])`

var chinese = []row{
	{on: "大大前天", ask: `大大前天`, read: day(-4), yes: "大大前天的事", no: "大前年"},
	{on: "大前", ask: `大前[天日晚]`, read: day(-3), yes: "大前天聊了啥", no: "强大前景"},
	{on: "前天 前日 前晚 前夜 前儿", ask: `前(?:天|日|晚|夜|儿个?)`, before: noBack + "大", after: `天[^气]`, read: day(-2),
		yes: "前天说的", no: "以前天天跑步"},
	{on: "昨", ask: `昨(?:天|日|晚|夜|儿个?|早|个)`, read: day(-1), yes: "昨晚聊的", no: "昨是今非"},
	{on: "今天 今日 今晚 今早 今晨 今夜 今儿", ask: `今(?:天|日|晚|早|晨|夜|儿个?)`, before: noToday, read: day(0), yes: "今早说的", no: "如今天冷了"},
	{on: "明天 明日 明早 明晚 明儿", ask: `明(?:天|日|早|晚|儿个?)`, before: "声文说聪透", read: day(1), yes: "明天见", no: "说明天数"},
	{on: "大后天", ask: `大后天`, read: day(3), yes: "大后天去", no: "后天去"},
	{on: "后天", ask: `后天`, before: "以之午今然最背前", read: day(2), yes: "后天去", no: "以后天天来"},

	{on: "马上 快 快到 就要 又要 又到 要到", ask: `(?:马上|快到?|就要|又要|又到|要到)(?:就?是)?{w}{wd}(?:了|啦)?`, read: noDate,
		yes: "马上周末了", no: "马上上周"},
	{on: "大 上 这 本 下", ask: `{rel}[一1]?个?{w}(?:的?{w})?{wd}{wd}`, before: noWeek + "一地", after: `[` + many + `]`,
		read: weekOf, yes: "上周三四聊的", no: "上周三四十个人"},
	{on: "周 星期 礼拜", ask: `{w}{wd}{wd}`, before: tally, after: `[` + many + `]`, read: twoWeekdays,
		yes: "周三四那次", no: "周三四点"},
	{on: "大 上 这 本 下", ask: `{rel}[一1]?个?{w}(?:的?{w})?{wd}`, before: noWeek + "一地", not: anotherWord, read: weekOf,
		yes: "我上上周三说的", no: "上周三次"},
	{on: "大 上 这 本 下", ask: `{rel}[一1]?个?{w}`, before: noWeek + "一地", after: noWeekAfter, read: weekOf,
		yes: "上个礼拜", no: "晚上周杰伦"},
	{on: "周 星期 礼拜", ask: `{w}{wd}`, before: tally, not: anotherWord, read: aWeekday, yes: "周三那次", no: "一周三次"},
	{on: "大 上 这 本 下", ask: `{rel}一?个?月份?(?:的?{n}{号})?`, before: noWeek, after: `[亮球饼光薪]`, read: monthOf,
		yes: "上个月15号", no: "网上月饼"},
	{on: "大前年 前年 去年 今年 明年 后年 来年", ask: `(大前|[前去今明后来])年`, before: noToday + "以目之过出回进退", next: lunarNext,
		read: yearOf, yes: "去年三月初八", no: "去年三月初"},
	{on: "大前年 前年 去年 今年 明年 后年 来年", ask: `(大前|[前去今明后来])年(?:的?{n}月(?:份?的?{n}{号}?|份)?)?`, before: noToday + "以目之过出回进退",
		after: `轻[^松微]|会(?:不|有)`, read: yearOf, yes: "去年三月", no: "过去年轻的时候"},

	{on: "上 中 下", ask: `(上旬|中旬|下旬|上中旬|中下旬)`, read: partOfMonth, yes: "上旬我写了什么", no: "七旬老人"},
	{on: "月", ask: `月([初头中底末])`, before: everyPeriod, after: partWord, read: partOfMonth, yes: "月底我说的", no: "月中国"},
	{on: "上 下", ask: `([上下]半)个?月`, read: partOfMonth, yes: "上半月写了什么", no: "半个月"},
	{on: "年", ask: `年([初中底末])`, before: everyPeriod, after: partWord, read: partOfYear, yes: "年底我说的", no: "十年中"},
	{on: "上 下", ask: `([上下]半)年`, read: partOfYear, yes: "上半年写了什么", no: "半年"},
	{on: "初 头 中 底 末", ask: `([初头中底末])`, after: partWord, behind: endsInPeriod, read: partInside(namedPart),
		yes: "3月初", no: "3月中国"},
	{on: "的第 的最后 第 最后", ask: `的?(?:第{n}|最后一?)个?{w}([一二三四五六日天])?`, after: `末`, behind: endsInPeriod,
		read: partInside(nthOf), yes: "3月第一个周五", no: "第一个周五"},
	{on: "的第 第", ask: `的?第{n}天`, read: nthDay, yes: "国庆第二天", no: "第二次"},
	{on: "的头 的最后 头 最后", ask: `的?(头|最后){n}?个?(天|{w})`, after: `末`, behind: endsInPeriod, read: partInside(someDays),
		yes: "3月的最后一天", no: "最后一天"},

	{on: "这一天", ask: `这一天`, read: noDate, yes: "这一天很特别", no: "这一周"},
	{on: "最近 近 过去 这", ask: `(?:最近|近|过去|这)的?这?(?:{amount}个?(天|日|{w}|个月|年)|几天)`, before: "附靠接将亲走跑飞冲绕穿远", after: `[后前间]`,
		read: last, yes: "最近三十天", no: "附近7天酒店"},
	{on: "前几 前些", ask: `前(?:几个?|些)(天|日|{w}|个月)`, after: `子`, before: noBack, behind: isNoEvent, read: severalBefore,
		yes: "前几天我说的", no: "考试前几天"},
	{on: "几 好几", ask: `好?几个?(天|日|{w}|个月)(?:之|以)?前`, before: "十百千万两三四五六七这那每", after: `[端面途往进提景沿方卫后]`,
		read: severalAgo, yes: "几天前我说的", no: "十几天前"},
	{on: "前", ask: `前{n}个?(天|日|{w}|个月|年)`, behind: isNoEvent, read: daysBefore,
		yes: "我前两天说的", no: "考试前两天"},
	{on: "的前 的后 前 后", ask: `的?([前后]){n}(天|周)`, read: shiftAfter, yes: "昨天的前一天", no: "昨天的前天"},
	{on: "# 半", ask: `{amount}个?(天|日|{w}|个月|年)(?:之|以)?前`, before: "年月", after: `[端面途往进提景沿方卫]|后(?:[^来]|$)`, read: unitsAway(-1),
		yes: "三天前", no: "三天前后"},
	{on: "# 半", ask: `{amount}个?(天|日|{w}|个月|年)(?:之|以)?后`, before: "年月", read: unitsAway(1), yes: "三天后", no: "三天"},
}

// isNoEvent reports whether 前两天 after the text counts from now, and not from an event (考试前两天).
func isNoEvent(before string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	return !unicode.IsLetter(last) || strings.ContainsRune(noEvent, last)
}
