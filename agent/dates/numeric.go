package dates

import (
	"slices"
	"strings"
)

// Text around a number which shows that it is not a day: numbered things (3号线, 5号楼, 12号选手, 5号电池),
// house numbers, and quantities.
const (
	noNumber = `[线楼院店铺码机床房桌选球车位文令厅柜台馆井仓坑病字汽柴衬染混墨鞋针站口岸舱技嘉种队员宾候仪患衣]|电池|公[路馆园司寓]|工[程厂]|人[物员]|门[店牌诊]|作品|歌手|高[速铁]`
	noHouse  = "栋楼路街弄巷幢座排区县厂院室牌球尾"
	counted  = `个次天元块人年岁折月周点分%`
)

// listNext matches text after a number that may be a day in a list: Nov 1, 3 and 5.
const listNext = ` ?$|[^\pL\pN\s%°$~-]|,? (?:and|or|&) (?:the )?[0-9]|[和与及或我咱你聊说讲谈提]|还有|以及| (?:i|we|did|was|what|where|last)\b`

// hanMonths are the months in Chinese numerals, as start words.
const hanMonths = "一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月"

// Text after a number or name without 号 or 节 which shows that it is a day: 十一月二十聊了什么, 腊八那天. dayContext also
// contains the end of a clause.
const (
	dayWords = `[那当][天日晚次时]|这[天日]|的?(?:早|凌晨|[上中下]午|晚|夜)|的(?:时候|日记|事)|` +
		`开始|起|以来|[到至][^了家处底零一二两三四五六七八九十]|[到至和与跟](?:{n}月|现在|今天|昨天|{n}(?:$|` + talkedOf + `))|` + talkedOf
	dayContext = `$|[^\pL\pN%°$.:/]|[吗呢吧]|` + dayWords
)

// numeric lists the forms of dates in digits and in Chinese numerals.
var numeric = []row{
	{starts: "1 2",
		pattern: `([12][0-9]{3})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})(?:{号}|t[0-9]{2}:[0-9:.]+(?:z|[-+][0-9:]+)?)?`,
		after:   `-[0-9]{3}|版`, not: `[0-9]{4}\.`, read: dateOf, example: "2024-1-15那天", counterexample: "2024.1.15.3"},
	{starts: "1 2", pattern: `([12][0-9]{3})\.([0-9]{1,2})\.([0-9]{1,2}){号}?`, after: `版`, mayFollow: mayBeDate,
		read: dateOf, example: "2024.1.15那天", counterexample: "2024.1.15.3"},
	{starts: "1 2", pattern: `((?:19|20)[0-9]{2})(0[1-9]|1[0-2])([0-2][0-9]|3[01])(?:{号}|{that}|的日记)`, read: dateOf,
		example: "20241115那天", counterexample: "20241115元"},
	{starts: "1 2", pattern: `([12][0-9])[-/.]([0-9]{1,2})[-/.]([0-9]{1,2}){that}`, mayFollow: mayBeDate,
		read: dateOf, example: "24.11.5那天", counterexample: "24.11.5"},
	{starts: "on since for of from",
		pattern: `(?:on|since|for|of|from) ((?:19|20)[0-9]{2})(0[1-9]|1[0-2])([0-2][0-9]|3[01])`,
		after:   amount + `|元|块`, read: dateOf, example: "my diary of 20241115", counterexample: "order 20241115"},
	{starts: "1 2", pattern: `((?:19|20)[0-9]{2})(0[1-9]|1[0-2])([0-2][0-9]|3[01])`, read: onlyInContext(dateOf),
		example: "20241115我在哪", counterexample: "20241345"},
	{starts: "0 1 2 3 4 5 6 7 8 9", pattern: `([0-9]{1,2})[/.]([0-9]{1,2})[/.]([12][0-9]{3})`, read: slashedYear,
		example: "11/16/2026", counterexample: "11/16/26"},
	{starts: "#", pattern: `([12][0-9]{3}|[0-9]{2}|[一二][零一二三四五六七八九]{3})年的?{n}月份?的?{n}{号}`, read: dateOf,
		example: "24年3月5号", counterexample: "3年3月5号"},
	{starts: "#", pattern: `([12][0-9]{3}|[0-9]{2}|[一二][零一二三四五六七八九]{3})年`, next: `的?{n}月`, read: inYear,
		example: "24年3月", counterexample: "3年3月"},
	{starts: "1 2", pattern: `((?:19|20)[0-9]{2})年`, after: `[级版款代产度前后生]|[之以][前后来]`, read: inYear, example: "2024年聊过",
		counterexample: "2024年版"},
	{starts: "#", pattern: `(?:{n}月)?{n}{号}?{to}{n}{号}`, before: noHouse, after: noNumber, read: dayRange,
		example: "11月1到5号", counterexample: "3-5号楼"},
	{starts: "#", pattern: `{n}月{n}{号}`, read: monthDay, example: "一月十五号", counterexample: "一个月15号"},
	{starts: "#", pattern: `{n}月([0-9]{1,2})`, after: `[` + counted + `]`, read: monthDay, example: "1月15那天",
		counterexample: "1月15个人"},
	{starts: hanMonths, pattern: `{n}月{n}{to}{n}`, next: dayContext, read: dayRange, example: "十一月二十到二十五聊了什么",
		counterexample: "十一月二到三家"},
	{starts: hanMonths, pattern: `{n}月([一二三四五六七八九十]{1,3})`, next: dayContext, not: `{n}月一[起去聊说讲谈提问看写做买吃]`,
		read: monthDay, example: "十一月二十聊了什么", counterexample: "十一月二十多人"},
	{starts: "#", pattern: `{n}月份?()`, before: "每个第", after: `[天亮光饼球薪子嫂经怀半红龄0-9]`, read: monthDay, example: "三月份的事",
		counterexample: "五月天"},
	{starts: "#", pattern: `{n}号`, before: noHouse, after: noNumber, read: aDay, example: "十五号聊的",
		counterexample: "3号线"},
	{starts: "1 2 3 4 5 6 7 8 9", pattern: `([1-3]?[0-9])日`, after: `[元期游内均报常游记语本程志]`, read: aDay, example: "15日那次",
		counterexample: "5日游"},
	{starts: "1 2 3 4 5 6 7 8 9 0", pattern: `([0-9]{1,2})/(1[3-9]|2[0-9]|3[01])`,
		after: `[/]| ?(?:[` + counted + `杯勺寸]|inch|cup)`, read: slashed, example: "1/15那天", counterexample: "1/2杯"},
	{starts: "1 2 3 4 5 6 7 8 9 0", pattern: `([0-9]{1,2})[-/.]([0-9]{1,2}){that}|([0-9]{1,2})[/.]([0-9]{1,2}){号}`,
		after: noNumber, mayFollow: mayBeDate, read: slashed, example: "11.5那天", counterexample: "24/7那天"},
	{starts: "0 1", pattern: `(0[1-9]|1[0-2])([0-2][0-9]|3[01]){that}`, mayFollow: mayBeDate, read: slashed,
		example: "1105那天", counterexample: "1105室"},
	{starts: "on since", pattern: `(?:on|since) ([0-9]{1,2})/([0-9]{1,2})`, after: `/`, read: slashed,
		example: "on 11/2", counterexample: "on 24/7"},
	{starts: "1 2 3 4 5 6 7 8 9 0", pattern: `([0-9]{1,2})[/.]([0-9]{1,2})`, after: `[` + counted + `杯勺寸]`,
		read: onlyInContext(slashed), example: "11.5我在哪", counterexample: "24.5我在哪"},
	{starts: "一 二 三 四 五 六 七 八 九 十 日 1 2 3 4 5 6 7 8 9", pattern: `([一二三四五六七八九十]{1,3}|日|[0-9]{1,2})`, next: listNext,
		read: listedDay, example: "上周一、三", counterexample: "三个"},
}

// mayBeDate reports whether a number after the text can be a date. It is a version of software after a word for one
// (版本11.5, 升级到11.5) and after the name of a product in Latin letters (iOS 11.5, release 2026.10.3).
func mayBeDate(before string) bool {
	for _, word := range []string{"版", "版本", "版本号", "升级", "更新", "升级到", "更新到", "升到", "升级到了"} {
		if strings.HasSuffix(before, word) {
			return false
		}
	}
	before = strings.TrimSuffix(before, " ")
	name := before[strings.LastIndexFunc(before, func(r rune) bool { return r < 'a' || r > 'z' })+1:]
	return name == "" || slices.Contains(beforeDates, name)
}

// beforeDates are the words after which a number with dots is a date and no version.
var beforeDates = strings.Fields("on since from until till to and or between by before after of for at i was do did dated")
