package dates

import (
	"fmt"
	"slices"
	"strings"
)

// The functions of type reader convert the matches of the patterns to dates.

// reader converts the groups of a pattern match to a date. ok is false if the match is not a date.
type reader func(found []string, today Day) (foundDate, bool)

func day(away Day) reader {
	return func(_ []string, today Day) (foundDate, bool) {
		return foundDate{days: oneDay(today + away), past: away < 0}, true
	}
}

// noDate is the reader of text that only looks like a date. It prevents other patterns from
// matching there.
func noDate([]string, Day) (foundDate, bool) { return foundDate{isNoDate: true}, true }

// unitsAway returns the reader of "N units ago", or with sign 1 of "in N units". Group 1 is the
// number and group 2 the unit.
func unitsAway(sign int) reader {
	return func(found []string, today Day) (foundDate, bool) {
		n := number(found[1])
		if isHalf(found[1]) {
			n, found = halfOf(found[2])
		}
		if n < 0 {
			return foundDate{}, false
		}
		n *= sign
		switch found[2] {
		case "个月", "month":
			return foundDate{days: oneDay(monthsBefore(today, -n)), past: n < 0}, true
		case "年", "year":
			y, _, _ := today.civil()
			return foundDate{days: year(y + n), past: n < 0}, y+n >= firstYear
		}
		return foundDate{days: oneDay(today + Day(n*daysPerUnit(found[2]))), past: n < 0}, true
	}
}

const firstYear = 1000 // years have four digits

// fewDays is the number of days in "the past few days".
const fewDays = 3

// several is the largest number that 几 and "a few" mean.
const several = 5

// severalBefore reads 前几天: the five days before today.
func severalBefore(found []string, today Day) (foundDate, bool) {
	return daysBefore([]string{"", fmt.Sprint(several), found[1]}, today)
}

// severalAgo reads 几天前 and "a few days ago": from five to two units ago.
func severalAgo(found []string, today Day) (foundDate, bool) {
	n := daysPerUnit(found[1])
	return foundDate{days: DayRange{From: today - Day(several*n), To: today - Day(2*n)}, past: true}, true
}

// last reads "the last N units", which includes today. Without a number, N is few.
func last(found []string, today Day) (foundDate, bool) {
	n := fewDays
	switch {
	case isHalf(found[1]):
		n, found = halfOf(found[2])
	case found[1] != "":
		n = number(found[1])
	}
	return foundDate{days: DayRange{From: today - Day(n*daysPerUnit(found[2])) + 1, To: today}}, n >= 1
}

// isHalf reports whether an amount is one half: 半个月, half a year.
func isHalf(amount string) bool { return amount == "半" || strings.HasPrefix(amount, "half") }

// halfOf returns half a unit in smaller units, as a number and the groups of a match. The number is
// -1 for units without a half that has whole days.
func halfOf(unit string) (n int, found []string) {
	switch unit {
	case "年", "year":
		return 6, []string{"", "6", "month"}
	case "个月", "month":
		return 15, []string{"", "15", "day"}
	}
	return -1, []string{"", "", unit}
}

// daysBefore reads 前两天: the two days before today. After a date it is two days before it, and after a month it is
// its first two days.
func daysBefore(found []string, today Day) (foundDate, bool) {
	n := number(found[1])
	m := foundDate{
		shift: -n * daysPerUnit(found[2]),
		days:  DayRange{From: today - Day(n*daysPerUnit(found[2])), To: today - 1},
		past:  true,
	}
	m.partial.part = firstDays(-m.shift)
	return m, n >= 2
}

// shiftAfter reads a distance that follows a date: 昨天的前一天.
func shiftAfter(found []string, _ Day) (foundDate, bool) {
	n := number(found[2]) * daysPerUnit(found[3])
	if found[1] == "前" {
		n = -n
	}
	return foundDate{isNoDate: true, shift: n}, n != 0
}

// shiftBefore reads a distance that precedes a date: three days before yesterday.
func shiftBefore(found []string, _ Day) (foundDate, bool) {
	n := max(number(found[1]), 1) * daysPerUnit(found[2]) // "the day before" has no number
	if found[3] == "before" {
		n = -n
	}
	return foundDate{isNoDate: true, shift: n}, !isHalf(found[1])
}

// theLast reads "the past week" and similar text: the last 7 days.
func theLast(found []string, today Day) (foundDate, bool) {
	return last([]string{"", "1", found[1] + found[2]}, today)
}

func daysPerUnit(unit string) int {
	switch unit {
	case "周", "星期", "礼拜", "week":
		return 7
	case "fortnight":
		return 14
	case "个月", "month":
		return 30
	case "年", "year":
		return 365
	}
	return 1
}

// relative adds up the words for "last" (-1) and "next" (+1): 上上 and 大上 are -2.
func relative(words string) int {
	words = strings.Replace(words, "大", "上", 1)
	return strings.Count(words, "下") + strings.Count(words, "next") + strings.Count(words, "coming") -
		strings.Count(words, "上") - strings.Count(words, "last") - strings.Count(words, "past")
}

// weekOf reads a week relative to the current one, with a weekday or without: 上周, 上周三, next Monday.
func weekOf(found []string, today Day) (foundDate, bool) {
	monday, past := today.monday()+Day(7*relative(found[1])), relative(found[1]) < 0
	if len(found) < 3 {
		return foundDate{days: week(monday), past: past}, true
	}
	if found[2] == "末" {
		return foundDate{days: DayRange{From: monday + 5, To: monday + 6}, past: past}, true
	}
	day := monday + Day(weekday(found[2])-1)
	if len(found) > 3 {
		return foundDate{days: DayRange{From: day, To: monday + Day(weekday(found[3])-1)},
			past: past}, weekday(found[3]) == weekday(found[2])+1
	}
	return foundDate{days: oneDay(day), ofWeek: true, past: past}, true
}

var weekdays = map[string]int{
	"一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "日": 7, "天": 7, "1": 1, "2": 2, "3": 3, "4": 4,
	"5": 5, "6": 6, "7": 7,
	"mon": 1, "tue": 2, "wed": 3, "thu": 4, "fri": 5, "sat": 6, "sun": 7,
}

func weekday(name string) int { return weekdays[name[:min(3, len(name))]] }

// aWeekday reads a weekday or the weekend: the latest one up to today.
func aWeekday(found []string, _ Day) (foundDate, bool) {
	if found[1] == "末" || found[1] == "weekend" {
		return foundDate{partial: partialDate{weekend: true}}, true
	}
	return foundDate{partial: partialDate{weekday: weekday(found[1])}}, true
}

// weekdayAndDay reads "Friday the 13th": the latest Friday up to today that is a 13th.
func weekdayAndDay(found []string, _ Day) (foundDate, bool) {
	d := max(number(found[3]), ordinal(found[4]))
	return foundDate{partial: partialDate{weekday: weekday(found[1] + found[2]), day: d}}, d >= 1 && d <= 31
}

// twoWeekdays reads two consecutive weekdays, such as 周三四: the latest ones up to today.
func twoWeekdays(found []string, today Day) (foundDate, bool) {
	to := partialDate{weekday: weekday(found[2])}.near(today, -1).To
	return foundDate{days: DayRange{From: to - 1, To: to}}, weekday(found[2]) == weekday(found[1])+1
}

// lastWeekday reads "last Monday": the latest one before today.
func lastWeekday(found []string, today Day) (foundDate, bool) {
	return foundDate{days: partialDate{weekday: weekday(found[1])}.near(today-1, -1), past: true}, true
}

// weekdayBeforeLast reads "the Monday before last".
func weekdayBeforeLast(found []string, today Day) (foundDate, bool) {
	return foundDate{days: partialDate{weekday: weekday(found[1])}.near(today-8, -1), past: true}, true
}

// monthOf reads a month relative to the current one, with a day or without: 上个月, 上个月15号.
func monthOf(found []string, today Day) (foundDate, bool) {
	y, m, _ := today.civil()
	away := relative(found[1])
	y, m, _ = date(y, m+away, 1).civil()
	if len(found) < 3 || found[2] == "" {
		return foundDate{days: month(y, m), past: away < 0}, true
	}
	of, ok := exactDate(y, m, number(found[2]))
	of.past, of.calendar = away < 0, false
	return of, ok
}

// yearOf reads a year relative to the current one, with a day or without: 去年, 去年三月五号.
func yearOf(found []string, today Day) (foundDate, bool) {
	y, _, _ := today.civil()
	away := map[string]int{"大前": -3, "前": -2, "去": -1, "last": -1, "明": 1, "来": 1, "后": 2, "next": 1}[found[1]]
	if len(found) < 3 {
		return foundDate{days: year(y + away), past: away < 0}, true
	}
	of, ok := exactDate(y+away, number(found[2]), number(found[3]))
	of.past = away < 0
	return of, ok
}

// dateOf reads a year, a month and a day.
func dateOf(found []string, _ Day) (foundDate, bool) {
	y, ok := fullYear(found[1])
	if !ok {
		return foundDate{}, false
	}
	return exactDate(y, number(found[2]), number(found[3]))
}

// fullYear parses a year. A year of two digits is in this century.
func fullYear(text string) (y int, ok bool) {
	y = number(text)
	if y < 100 && y >= 0 {
		y += 2000
	}
	return y, y >= firstYear
}

func exactDate(y, m, d int) (foundDate, bool) {
	switch {
	case m < 1 || m > 12, d >= 0 && !exists(y, m, d):
		return foundDate{reason: reasonInvalidDate}, true
	case d < 0:
		return foundDate{days: month(y, m), calendar: true}, true
	}
	return foundDate{days: oneDay(date(y, m, d)), ofMonth: true, past: true, calendar: true}, true
}

// monthDay reads a month with a day or without: the latest one up to today.
func monthDay(found []string, _ Day) (foundDate, bool) {
	m, d := monthNumber(found[1]), number(found[2])
	if d < 0 {
		return foundDate{partial: partialDate{month: m}}, m >= 1 && m <= 12
	}
	of, reason := ofMonth(m, d)
	return foundDate{partial: of, reason: reason}, m > 0 && d > 0
}

// aDay reads a day without a month: the latest one up to today.
func aDay(found []string, _ Day) (foundDate, bool) {
	d := number(found[1])
	return foundDate{partial: partialDate{day: d}}, d >= 1 && d <= 31
}

// monthNumber returns the number of a month: 3 for 3, 三, mar. and March.
func monthNumber(name string) int {
	if n, ok := months[name[:min(3, len(name))]]; ok {
		return n
	}
	return number(name)
}

var months = map[string]int{"jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9,
	"oct": 10, "nov": 11, "dec": 12}

// slashed reads 1/15 as month and day. Its patterns exclude fractions: they require a word that
// indicates a date, or a day that is rare in fractions.
func slashed(found []string, _ Day) (foundDate, bool) {
	found = slices.DeleteFunc(found[1:], func(group string) bool { return group == "" })
	m, d := number(found[0]), number(found[1])
	return foundDate{partial: partialDate{month: m, day: d}}, m >= 1 && m <= 12 && d >= 1 && exists(leapYear, m, d)
}

// slashedYear reads 11/16/2026. It reads 16/11/2026 as day and month, because there is no month 16.
func slashedYear(found []string, _ Day) (foundDate, bool) {
	m, d := number(found[1]), number(found[2])
	if m > 12 {
		m, d = d, m
	}
	return exactDate(number(found[3]), m, d)
}

// onlyInContext returns a reader for numbers that are dates only if the text around them shows it.
func onlyInContext(read reader) reader {
	return func(found []string, today Day) (foundDate, bool) {
		m, ok := read(found, today)
		m.unsure = true
		return m, ok && m.reason == ""
	}
}

// listedDay reads a number that is a day only in a list: Nov 1, 3 and 5; 上周一、三.
func listedDay(found []string, today Day) (foundDate, bool) {
	if found[1] == "日" {
		found[1] = "7"
	}
	return onlyInContext(aDay)(found, today)
}

// nthOfMonth reads "the 3rd of last month".
func nthOfMonth(found []string, today Day) (foundDate, bool) {
	d := number(found[1])
	if found[2] != "" {
		d = ordinal(found[2])
	}
	m, ok := monthOf([]string{"", found[3], fmt.Sprint(d)}, today)
	m.ofMonth = true
	return m, ok
}

// inYear reads a calendar year.
func inYear(found []string, _ Day) (foundDate, bool) {
	y, ok := fullYear(found[1])
	return foundDate{days: year(y), calendar: true}, ok
}

// ordinalOfMonth reads "the sixth of April", with a year or without.
func ordinalOfMonth(found []string, today Day) (foundDate, bool) {
	return monthOrdinal([]string{"", found[2], found[1], found[3]}, today)
}

// monthOrdinal reads "April the sixth" and "April the 6th", with a year or without.
func monthOrdinal(found []string, today Day) (foundDate, bool) {
	day := found[2]
	if n := ordinal(day); n > 0 {
		day = fmt.Sprint(n)
	}
	if found[3] != "" {
		return monthDayYear([]string{"", found[1], day, found[3]}, today)
	}
	return monthDay([]string{"", found[1], day}, today)
}

// dayMonth, dayMonthYear and monthDayYear read dates whose groups are in another order.
func dayMonth(found []string, today Day) (foundDate, bool) {
	return monthDay([]string{"", found[2], found[1]}, today)
}

func dayMonthYear(found []string, _ Day) (foundDate, bool) {
	return exactDate(number(found[3]), monthNumber(found[2]), number(found[1]))
}

func monthDayYear(found []string, _ Day) (foundDate, bool) {
	return exactDate(number(found[3]), monthNumber(found[1]), number(found[2]))
}

// dayRange reads a range of two days, with a month or without: 11月1到5号.
func dayRange(found []string, today Day) (foundDate, bool) {
	read := func(day string) (foundDate, bool) {
		if found[1] == "" {
			return aDay([]string{"", day}, today)
		}
		return monthDay([]string{"", found[1], day}, today)
	}
	a, okA := read(found[2])
	b, okB := read(found[3])
	if !okA || !okB {
		return foundDate{}, false
	}
	return a.until(b, today), true
}

// nthRange reads a range of two days, optionally followed by their month: 3-7 November.
func nthRange(found []string, today Day) (foundDate, bool) {
	return dayRange([]string{"", found[3], found[1], found[2]}, today)
}

func weekdayOfWeek(found []string, today Day) (foundDate, bool) {
	return weekOf([]string{"", found[2], found[1]}, today)
}

func weekendOf(found []string, today Day) (foundDate, bool) {
	return weekOf([]string{"", found[1], "末"}, today)
}

// sideOfToday reads the part of the current period up to today, or after it: earlier this week, later this month.
func sideOfToday(found []string, today Day) (foundDate, bool) {
	y, m, _ := today.civil()
	period := week(today)
	switch found[2] {
	case "month", "月":
		period = month(y, m)
	case "year", "年":
		period = year(y)
	}
	if found[1] == "later" {
		return foundDate{days: DayRange{From: today + 1, To: period.To}, isNoDate: today == period.To}, true
	}
	return foundDate{days: DayRange{From: period.From, To: today}}, true
}

// sideOfTodayChinese reads 这周早些时候 and 本月晚些时候.
func sideOfTodayChinese(found []string, today Day) (foundDate, bool) {
	side := "later"
	if found[2] != "" {
		side = "earlier"
	}
	return sideOfToday([]string{"", side, found[1]}, today)
}

// weekAround reads "the week of" and "the week ending", which a day follows.
func weekAround(found []string, _ Day) (foundDate, bool) {
	m := foundDate{isNoDate: true, around: week}
	switch found[1] {
	case "starting", "beginning", "commencing":
		m.around = func(d Day) DayRange { return DayRange{From: d, To: d + daysOfWeek - 1} }
	case "ending":
		m.around = func(d Day) DayRange { return DayRange{From: d - daysOfWeek + 1, To: d} }
	}
	return m, true
}

// weekAroundChinese reads 那周 after a day.
func weekAroundChinese(_ []string, _ Day) (foundDate, bool) {
	return foundDate{isNoDate: true, around: week}, true
}

// weekdayAround reads 那周三 after a day, and "Wednesday of the week of" before it: the Wednesday of its week.
func weekdayAround(found []string, _ Day) (foundDate, bool) {
	p := partialDate{weekday: weekday(found[1]), weekend: found[1] == "末"}
	return foundDate{isNoDate: true, around: func(d Day) DayRange {
		days, _ := p.inPeriod(d, 0)
		return days
	}}, true
}

// weekOfNth reads "the week of the 20th".
func weekOfNth(found []string, today Day) (foundDate, bool) {
	m, ok := aDay(found, today)
	if !ok {
		return foundDate{}, false
	}
	return foundDate{days: week(m.resolve(today).From), calendar: true}, true
}

// beforeLast reads "the week before last" and the same for other units.
func beforeLast(found []string, today Day) (foundDate, bool) {
	y, _, _ := today.civil()
	switch found[1] {
	case "week":
		return weekOf([]string{"", "上上"}, today)
	case "weekend":
		return weekOf([]string{"", "上上", "末"}, today)
	case "month":
		return monthOf([]string{"", "上上"}, today)
	}
	return foundDate{days: year(y - 2), past: true}, true
}

// monthOfYear reads "last March", "this March" and "next March".
func monthOfYear(found []string, today Day) (foundDate, bool) {
	y, m, _ := today.civil()
	p := partialDate{month: monthNumber(found[2])}
	switch {
	case relative(found[1]) < 0:
		return foundDate{days: p.near(date(y, m, 1)-1, -1), past: true}, true
	case relative(found[1]) == 0:
		return foundDate{partial: p}, true
	}
	return foundDate{days: p.near(today+1, 1)}, true
}

func monthAlone(found []string, _ Day) (foundDate, bool) {
	return foundDate{partial: partialDate{month: monthNumber(found[1])}}, true
}

// monthRange reads "from March to May": the latest such months up to today.
func monthRange(found []string, today Day) (foundDate, bool) {
	from, to := partialDate{month: monthNumber(found[1])}, partialDate{month: monthNumber(found[2])}
	return foundDate{partial: from}.until(foundDate{partial: to}, today), true
}

func monthYear(found []string, _ Day) (foundDate, bool) {
	return exactDate(number(found[2]), monthNumber(found[1]), -1)
}
