package dates

import (
	"slices"
	"strings"

	"github.com/6tail/lunar-go/calendar"
)

// holiday is a day with a name that returns each year.
type holiday struct {
	starts, pattern         string // as in row
	day                     func(year int) (_ Day, exists bool)
	example, counterexample string // as in row
}

var holidays = []holiday{
	{"元旦 new_year", `元旦节?|new year'?s(?: day)?`, yearly(1, 1), "元旦我在哪", "new year's eve"},
	{"new_year", `new year'?s eve`, yearly(12, 31), "on New Year's Eve", "on New Year's"},
	{"跨年夜 跨年那", `跨年(?:夜|那[天晚夜])`, yearly(12, 31), "跨年夜我在哪", "跨年演唱会"},
	{"情人节 valentine", `情人节|valentine'?s day`, yearly(2, 14), "情人节我在哪", "情人节礼物"},
	{"妇女节 国际妇女节 三八 女神节 women international_women",
		`(?:三八)?(?:国际)?(?:妇女|女神)节|三八(?:节|{that})|(?:international )?women'?s'? day`, yearly(3, 8), "三八节", "三八线"},
	{"植树节", `植树节`, yearly(3, 12), "植树节", "植树"},
	{"st", `st\.? patrick'?s day`, yearly(3, 17), "on St. Patrick's Day", "St. Patrick"},
	{"愚人节 april_fool", `愚人节|april fool'?s?'?(?: day)?`, yearly(4, 1), "愚人节", "愚人"},
	{"五一 劳动节 国际劳动节 may_day", `五一(?:国际)?(?:劳动)?节?|(?:国际)?劳动节|may day`, yearly(5, 1), "五一我在哪", "五一广场"},
	{"青年节 五四", `五四(?:青年)?节?|青年节`, yearly(5, 4), "五四青年节", "五四运动"},
	{"六一 儿童节 国际儿童节 international_children", `六一(?:国际)?(?:儿童)?节?|(?:国际)?儿童节|international children'?s'? day`,
		yearly(6, 1), "六一我在哪", "六一班"},
	{"建党节", `建党节`, yearly(7, 1), "建党节", "建党"},
	{"建军节 八一", `(?:八一)?建军节`, yearly(8, 1), "建军节", "八一路"},
	{"教师节", `教师节`, yearly(9, 10), "教师节", "教师"},
	{"国庆", `国庆节?`, yearly(10, 1), "国庆那天", "国庆路"},
	{"万圣 halloween", `万圣[节夜]|halloween`, yearly(10, 31), "万圣节", "halloween costume"},
	{"光棍节 双十一 双11 singles", `光棍节|双(?:十一|11)|singles'?s? day`, yearly(11, 11), "双11", "双十"},
	{"双十二 双12", `双(?:十二|12)`, yearly(12, 12), "双12", "双十"},
	{"平安夜 圣诞 christmas_eve", `平安夜|圣诞前?夜|christmas eve`, yearly(12, 24), "平安夜", "夜里平安"},
	{"圣诞 christmas", `圣诞节?|christmas(?: day)?`, yearly(12, 25), "圣诞节", "圣诞树"},
	{"boxing_day", `boxing day`, yearly(12, 26), "Boxing Day", "boxing"},

	{"juneteenth", `juneteenth`, yearly(6, 19), "on Juneteenth", "june"},
	{"veteran", `veteran'?s'? day`, yearly(11, 11), "on Veterans Day", "veterans"},

	{"easter_monday", `easter monday`, easter(1), "on Easter Monday", "easter"},
	{"复活节 easter", `复活节|easter(?: sunday| day)?`, easter(0), "on Easter", "easter egg"},
	{"mlk martin_luther_king", `(?:mlk|martin luther king)(?:,? jr\.?)?(?:'?s)? day`, weekdayOfMonth(1, 3, 1),
		"on MLK Day", "Martin Luther King"},
	{"president", `president'?s'? day`, weekdayOfMonth(2, 3, 1), "on Presidents' Day", "presidents"},
	{"memorial_day", `memorial day`, weekdayOfMonth(5, -1, 1), "on Memorial Day", "memorial"},
	{"labor_day", `labor day`, weekdayOfMonth(9, 1, 1), "on Labor Day", "labor"},
	{"columbus_day", `columbus day`, weekdayOfMonth(10, 2, 1), "on Columbus Day", "columbus"},
	{"母亲节 mother", `母亲节|mother'?s'? day`, weekdayOfMonth(5, 2, 7), "母亲节", "母亲"},
	{"父亲节 father", `父亲节|father'?s'? day`, weekdayOfMonth(6, 3, 7), "父亲节", "父亲"},
	{"感恩节 thanksgiving", `感恩节|thanksgiving(?: day)?`, weekdayOfMonth(11, 4, 4), "感恩节", "感恩"},
	{"黑色星期五 黑五 black_friday", `黑色星期五|黑五|black friday`, afterThanksgiving(1), "黑五我买了什么", "black friday sale"},
	{"cyber_monday", `cyber monday`, afterThanksgiving(4), "on Cyber Monday", "cyber monday deals"},

	{"除夕 大年三十 年三十 腊月三十 chinese_new_year lunar_new_year",
		`除夕夜?|大?年三十|腊月三十|(?:chinese|lunar) new year'?s eve`, lunar(1, 0), "除夕我在哪", "年三十岁"},
	{"春节 大年初一 正月初一 年初一 chinese_new_year lunar_new_year spring_festival",
		`春节|大?年初一|正月初一|(?:chinese|lunar) new year(?:'?s day)?|spring festival`, lunar(1, 1), "春节我在哪", "春节联欢晚会"},
	{"元宵节 正月十五 lantern_festival", `元宵节|正月十五|lantern festival`, lunar(1, 15), "元宵节", "元宵"},
	{"龙抬头 二月二龙抬头", `(?:二月二)?龙抬头`, lunar(2, 2), "龙抬头那天", "龙抬起头"},
	{"端午 dragon_boat", `端午节?|dragon boat festival`, lunar(5, 5), "端午我在哪", "端午粽"},
	{"七夕 qixi", `七夕节?|qixi(?: festival)?`, lunar(7, 7), "七夕我在哪", "七月"},
	{"中元 鬼节 ghost hungry", `中元(?:节|{that})|鬼节|(?:hungry )?ghost festival`, lunar(7, 15), "中元节", "中元产业"},
	{"中秋 mid", `中秋节?|mid-autumn(?: festival)?`, lunar(8, 15), "中秋我在哪", "中秋月饼"},
	{"重阳 double_ninth chongyang", `重阳节?|(?:double ninth|chongyang)(?: festival| day)?`, lunar(9, 9), "重阳节", "重阳糕"},
	{"腊八节", `腊八节`, endOfLunarYear(8), "腊八节", "腊八"},
	{"清明 qingming tomb", `清明节?|qingming(?: festival)?|tomb[- ]sweeping day`, solarTerm("清明"), "清明我在哪", "清明上河图"},
	{"spring vernal", `(?:spring|vernal) equinox`, solarTerm("春分"), "on the spring equinox", "spring"},
	{"summer_solstice", `summer solstice`, solarTerm("夏至"), "on the summer solstice", "summer"},
	{"autumn fall", `(?:autumn(?:al)?|fall) equinox`, solarTerm("秋分"), "on the autumn equinox", "autumn"},
	{"winter_solstice", `winter solstice`, solarTerm("冬至"), "on the winter solstice", "winter"},
}

func yearly(month, day int) func(int) (Day, bool) {
	return func(year int) (Day, bool) { return date(year, month, day), true }
}

// weekdayOfMonth returns the nth weekday of a month; 1 is Monday.
func weekdayOfMonth(inMonth, n, weekday int) func(int) (Day, bool) {
	p := nthWeek(n)
	p.weekday = weekday
	return func(year int) (Day, bool) {
		days, ok := p.in(month(year, inMonth))
		return days.From, ok
	}
}

// easter returns the day that is n days after the Western Easter Sunday, by the algorithm of Meeus, Jones and Butcher.
func easter(n Day) func(int) (Day, bool) {
	return func(year int) (Day, bool) {
		century, rest := year/100, year%100
		moon := (19*(year%19) + century - century/4 - (century-(century+8)/25+1)/3 + 15) % 30
		toSunday := (32 + 2*(century%4) + 2*(rest/4) - moon - rest%4) % 7
		late := (year%19 + 11*moon + 22*toSunday) / 451
		at := moon + toSunday - 7*late + 114
		return date(year, at/31, at%31+1) + n, true
	}
}

// afterThanksgiving returns the day that is n days after Thanksgiving, the fourth Thursday of November.
func afterThanksgiving(n Day) func(int) (Day, bool) {
	thanksgiving := weekdayOfMonth(11, 4, 4)
	return func(year int) (Day, bool) {
		day, ok := thanksgiving(year)
		return day + n, ok
	}
}

// lunar returns a day of the Chinese lunar calendar. Day 0 is the last day of the month before. Months 11 and 12 can be
// in the next solar year. A month of 29 days has no day 30.
func lunar(month, day int) func(int) (Day, bool) {
	return func(year int) (Day, bool) {
		m := calendar.NewLunarMonthFromYm(year, month)
		if m == nil { // two months of antiquity were left out of the calendar
			return 0, false
		}
		first := solar(calendar.NewSolarFromJulianDay(m.GetFirstJulianDay()))
		return first + Day(day) - 1, day <= m.GetDayCount()
	}
}

// lunarYear returns the year of the Chinese lunar calendar that contains d.
func lunarYear(d Day) int {
	y, _, _ := d.civil()
	if newYear, _ := lunar(1, 1)(y); d < newYear {
		return y - 1
	}
	return y
}

// endOfLunarYear returns a day of month 12 of the Chinese lunar calendar, in the calendar year in which that lunar year
// ends: 2025年小年 is in January 2025.
func endOfLunarYear(day int) func(int) (Day, bool) {
	of := lunar(12, day)
	return func(year int) (Day, bool) { return of(year - 1) }
}

// solarTerm returns the day of a solar term, in China's time zone.
func solarTerm(name string) func(int) (Day, bool) {
	if name == "冬至" {
		name = "DONG_ZHI" // the list begins with the one of the year before
	}
	at := slices.Index(calendar.JIE_QI_IN_USE, name)
	return func(year int) (Day, bool) {
		return solar(calendar.NewSolarFromJulianDay(calendar.NewLunarYear(year).GetJieQiJulianDays()[at])), true
	}
}

// namesInContext returns the patterns of names that mean a day only if the text after them shows it, because they are
// also food, weather, names or other words: 元宵, 小年 and the solar terms except 清明.
func namesInContext() (rows []row) {
	add := func(name, next, counterexample string, day func(int) (Day, bool)) {
		h := &holiday{starts: name, pattern: name, day: day, example: name + "那天", counterexample: counterexample}
		if next == termOnly {
			h.example = name + "节气"
		}
		rows = append(rows, h.row(next))
	}
	add("元宵", dayWords, "元宵怎么煮", lunar(1, 15))
	add("腊八", dayWords, "腊八蒜", endOfLunarYear(8))
	add("小年", dayContext, "小年轻", endOfLunarYear(23))
	for _, term := range calendar.JIE_QI {
		next := termOnly + "|" + dayContext
		switch term {
		case "清明":
			continue
		case "雨水", "小雪", "大雪":
			next = termOnly
		case "谷雨", "小满", "小暑", "大暑", "白露", "寒露", "小寒", "大寒":
			next = termOnly + "|{that}|[那当][日时]"
		}
		add(term, next, term+"镇", solarTerm(term))
	}
	return rows
}

// termOnly matches text after a solar term that is otherwise the weather: 大雪节气.
const termOnly = "节气"

// lunarDay reads a day of the lunar calendar: 三月初八, 腊月廿三, 农历八月十五, 大年初三.
func lunarDay(found []string, _ Day) (foundDate, bool) {
	m, ok := map[string]int{"": 1, "正": 1, "冬": 11, "腊": 12}[found[1]]
	if !ok {
		m = number(found[1])
	}
	d := number(strings.Replace(strings.TrimPrefix(found[2], "初"), "廿", "二十", 1))
	p := partialDate{holiday: &holiday{day: lunar(m, d)}, lunarMonth: true}
	return foundDate{partial: p}, m >= 1 && m <= 12 && d >= 1 && d <= 30
}

func solar(s *calendar.Solar) Day { return date(s.GetYear(), s.GetMonth(), s.GetDay()) }

// Text after the name of a holiday which shows that the day is not meant.
const (
	thingsOfHolidays = "礼物 礼盒 贺卡 卡片 晚会 联欢 演唱会 老人 树 歌 帽 袜 装饰 套餐 促销 特价 红包 主题 月饼 粽 糕 灯会 上河 阅兵 运动 " +
		"岛 彩蛋 兔 花语"
	daysOfHolidays  = "假 长假 小长假 放假 期间 黄金周 前后 前夕 前几天 那几天 这几天 那些天 那阵 那周 当周 左右" // their number varies
	namesOfHolidays = "路 街 村 站 线 厂 班 广场 大街 大道 大桥 色 岁 居"
	englishHolidays = `'s?\b| (?:eve|tree|gifts?|presents?|cards?|party|costumes?|songs?|carols?|movies?|markets?|lights?|` +
		`shopping|sales?|eggs?|bunny|bunnies|island|lily|lilies|basket|weekend|` +
		`deals?|discounts?|bargains?|ads?|resolutions?|decorations?|cookies|sweaters?|` +
		`break|holidays?|vacation|season|week|time|` +
		`greetings?|wish|wishes|parade)\b`
)

// noHolidayAfter matches the text after a name that does not mean the day.
var noHolidayAfter = strings.ReplaceAll(thingsOfHolidays+" "+daysOfHolidays+" "+namesOfHolidays+" 快乐", " ", "|") +
	"|[零一二三四五六七八九十百千万点年月号]|" + englishHolidays

// noHolidayBefore are characters before a name that does not mean the day, such as surnames (李国庆).
const noHolidayBefore = "李王张刘陈杨赵黄周吴徐孙马白色第"

// isNamedDay reports whether the name of a holiday after the text means the day: not in a greeting or in the future.
func isNamedDay(before string) bool {
	for _, word := range strings.Fields("merry happy next upcoming 下个 下一个 祝 祝你 祝你们 祝大家") {
		if strings.HasSuffix(strings.TrimSuffix(before, " "), word) {
			return false
		}
	}
	return true
}

// holidayRows returns the patterns of the holidays.
func holidayRows() (rows []row) {
	for i := range holidays {
		rows = append(rows, holidays[i].row(""))
	}
	rows = append(rows, namesInContext()...)
	rows = append(rows,
		row{starts: "农历 阴历", pattern: `[农阴]历([正冬腊]|[一二三四五六七八九十]{1,2})月((?:初|廿)?[一二三四五六七八九十]{1,3})[日号]?`, read: lunarDay,
			example: "农历八月十五", counterexample: "农历八月"},
		row{starts: "农历 阴历", pattern: `[农阴]历[正冬腊一二三四五六七八九十]{1,2}月`, read: noDate, example: "农历八月",
			counterexample: "农历"},
		row{starts: "正月 冬月 腊月 " + hanMonths, pattern: `([正冬腊]|[一二三四五六七八九十]{1,2})月((?:初|廿)[一二三四五六七八九十])`,
			read: lunarDay, example: "三月初八", counterexample: "三月初"},
		row{starts: "正月 冬月 腊月", pattern: `([正冬腊])月([一二三四五六七八九十]{1,3})[日号]?`, next: dayContext, read: lunarDay,
			example: "腊月二十三", counterexample: "腊月二十多"},
		row{starts: "大年", pattern: `大年()(初[一二三四五六七八九十])`, read: lunarDay, example: "大年初三", counterexample: "大年三十"})
	return append(rows, row{starts: "new_year", pattern: `new year()`, mayFollow: endsInRangeWord,
		after: noHolidayAfter, read: rows[0].read, example: "between Christmas and New Year",
		counterexample: "in the new year"})
}

// row returns the pattern of the holiday. next is as in row.
func (h *holiday) row(next string) row {
	return row{
		starts:         h.starts,
		pattern:        "(?:" + h.pattern + `)(?:(?:,? (?:of )?)?([12][0-9]{3}))?`,
		before:         noHolidayBefore,
		after:          noHolidayAfter,
		next:           next,
		mayFollow:      isNamedDay,
		read:           h.read,
		example:        h.example,
		counterexample: h.counterexample,
	}
}

// latestIn returns the latest day up to today on which the holiday is in a month: 11月的黑色星期五.
func (h *holiday) latestIn(month int, today Day) (Day, bool) {
	const years = 8 // in which a lunar festival is in each month that it can be in
	y, _, _ := today.civil()
	for last := y - years; y > last; y-- {
		day, ok := h.day(y)
		if _, m, _ := day.civil(); ok && m == month && day <= today {
			return day, true
		}
	}
	return 0, false
}

// read reads the name of a holiday, with a year or without.
func (h *holiday) read(found []string, _ Day) (foundDate, bool) {
	if found[1] == "" {
		return foundDate{partial: partialDate{holiday: h}}, true
	}
	day, ok := h.day(number(found[1]))
	return foundDate{days: oneDay(day), past: true, calendar: true}, ok
}

// endsInRangeWord reports whether a text ends with a word that makes the next date the end of a range.
func endsInRangeWord(before string) bool {
	for _, word := range strings.Fields("and to until till through") {
		if strings.HasSuffix(before, " "+word+" ") {
			return true
		}
	}
	return false
}
