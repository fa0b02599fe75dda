package dates

import "strings"

// The readers convert the matches of the rows to dates.

// reader converts the groups of a match. ok is false if the match is not a date.
type reader func(found []string, today Day) (mention, bool)

func day(away Day) reader {
	return func(_ []string, today Day) (mention, bool) {
		return mention{run: oneDay(today + away), past: away < 0}, true
	}
}

// noDate matches text that only looks like a date.
func noDate([]string, Day) (mention, bool) { return mention{isNoDate: true}, true }

// away parses "number, unit, ago"; sign 1 is for later.
func away(sign int) reader {
	return func(found []string, today Day) (mention, bool) {
		n := number(found[1])
		if n < 0 {
			return mention{}, false
		}
		n *= sign
		switch found[2] {
		case "个月", "month":
			return mention{run: oneDay(monthsBefore(today, -n)), past: n < 0}, true
		case "年", "year":
			y, _, _ := today.civil()
			return mention{run: year(y + n), past: n < 0}, y+n >= firstYear
		}
		return mention{run: oneDay(today + Day(n*length(found[2]))), past: n < 0}, true
	}
}

const firstYear = 1000 // years have four digits

// few days are three.
const few = 3

// last parses "the last number units", including today; without a number it is few days.
func last(found []string, today Day) (mention, bool) {
	n := few
	if found[1] != "" {
		n = number(found[1])
	}
	return mention{run: DayRange{From: today - Day(n*length(found[2])) + 1, To: today}}, n >= 1
}

// theLast parses "the past unit".
func theLast(found []string, today Day) (mention, bool) {
	return last([]string{"", "1", found[1] + found[2]}, today)
}

func length(unit string) int {
	switch unit {
	case "周", "星期", "礼拜", "week":
		return 7
	case "个月", "month":
		return 30
	case "年", "year":
		return 365
	}
	return 1
}

// relative sums the words for last and next: 上上 is -2.
func relative(words string) int {
	return strings.Count(words, "下") + strings.Count(words, "next") + strings.Count(words, "coming") -
		strings.Count(words, "上") - strings.Count(words, "last")
}

// weekOf parses a relative week, with a weekday or without.
func weekOf(found []string, today Day) (mention, bool) {
	monday, past := today.monday()+Day(7*relative(found[1])), relative(found[1]) < 0
	if len(found) < 3 {
		return mention{run: week(monday), past: past}, true
	}
	if found[2] == "末" {
		return mention{run: DayRange{From: monday + 5, To: monday + 6}, past: past}, true
	}
	day := monday + Day(weekday(found[2])-1)
	if len(found) > 3 {
		return mention{run: DayRange{From: day, To: monday + Day(weekday(found[3])-1)},
			past: past}, weekday(found[3]) == weekday(found[2])+1
	}
	return mention{run: oneDay(day), ofWeek: true, past: past}, true
}

var weekdays = map[string]int{
	"一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "日": 7, "天": 7, "1": 1, "2": 2, "3": 3, "4": 4,
	"5": 5, "6": 6, "7": 7,
	"mon": 1, "tue": 2, "wed": 3, "thu": 4, "fri": 5, "sat": 6, "sun": 7,
}

func weekday(name string) int { return weekdays[name[:min(3, len(name))]] }

// aWeekday parses a weekday or the weekend: the latest one.
func aWeekday(found []string, _ Day) (mention, bool) {
	if found[1] == "末" || found[1] == "weekend" {
		return mention{partial: partial{weekend: true}}, true
	}
	return mention{partial: partial{weekday: weekday(found[1])}}, true
}

// twoWeekdays parses two consecutive weekdays: the latest ones.
func twoWeekdays(found []string, today Day) (mention, bool) {
	to := partial{weekday: weekday(found[2])}.near(today, -1).To
	return mention{run: DayRange{From: to - 1, To: to}}, weekday(found[2]) == weekday(found[1])+1
}

// lastWeekday is the latest one before today.
func lastWeekday(found []string, today Day) (mention, bool) {
	return mention{run: partial{weekday: weekday(found[1])}.near(today-1, -1), past: true}, true
}

// monthOf parses a relative month, with a day or without.
func monthOf(found []string, today Day) (mention, bool) {
	y, m, _ := today.civil()
	away := relative(found[1])
	y, m, _ = date(y, m+away, 1).civil()
	if len(found) < 3 || found[2] == "" {
		return mention{run: month(y, m), past: away < 0}, true
	}
	of, ok := exact(y, m, number(found[2]))
	of.past = away < 0
	return of, ok
}

// yearOf parses a relative year, with a month and a day or without.
func yearOf(found []string, today Day) (mention, bool) {
	y, _, _ := today.civil()
	away := map[string]int{"大前": -3, "前": -2, "去": -1, "last": -1, "明": 1, "来": 1, "后": 2, "next": 1}[found[1]]
	if len(found) < 3 || found[2] == "" {
		return mention{run: year(y + away), past: away < 0}, true
	}
	of, ok := exact(y+away, number(found[2]), number(found[3]))
	of.past = away < 0
	return of, ok
}

// dateOf parses a year (two digits: this century), a month, and a day or "".
func dateOf(found []string, _ Day) (mention, bool) {
	y := number(found[1])
	if y < 100 && y >= 0 {
		y += 2000
	}
	if y < firstYear {
		return mention{}, false
	}
	return exact(y, number(found[2]), number(found[3]))
}

func exact(y, m, d int) (mention, bool) {
	switch {
	case m < 1 || m > 12, d >= 0 && !exists(y, m, d):
		return mention{reason: reasonInvalidDate}, true
	case d < 0:
		return mention{run: month(y, m)}, true
	}
	return mention{run: oneDay(date(y, m, d)), ofMonth: true, past: true}, true
}

// monthDay parses a month, and a day or "", in the latest year that has it.
func monthDay(found []string, _ Day) (mention, bool) {
	m, d := monthNumber(found[1]), number(found[2])
	if d < 0 {
		return mention{partial: partial{month: m}}, m >= 1 && m <= 12
	}
	of, reason := ofMonth(m, d)
	return mention{partial: of, reason: reason}, m > 0 && d > 0
}

// aDay parses a day of the latest month that has it.
func aDay(found []string, _ Day) (mention, bool) {
	d := number(found[1])
	return mention{partial: partial{day: d}}, d >= 1 && d <= 31
}

// monthNumber parses 3, 三, mar., March.
func monthNumber(name string) int {
	if n, ok := months[name[:min(3, len(name))]]; ok {
		return n
	}
	return number(name)
}

var months = map[string]int{"jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9,
	"oct": 10, "nov": 11, "dec": 12}

// slashed parses 1/15 if it is not a fraction: after a word that indicates a date, or with a day
// that is rare in fractions.
func slashed(found []string, _ Day) (mention, bool) {
	m, d := number(found[1]), number(found[2])
	return mention{partial: partial{month: m, day: d}}, m >= 1 && m <= 12 && d >= 1 && exists(leapYear, m, d)
}

// slashedYear parses 11/16/2026, or 16/11/2026 if the former is invalid.
func slashedYear(found []string, _ Day) (mention, bool) {
	m, d := number(found[1]), number(found[2])
	if m > 12 {
		m, d = d, m
	}
	return exact(number(found[3]), m, d)
}

// inYear parses a year.
func inYear(found []string, _ Day) (mention, bool) {
	return mention{run: year(number(found[1]))}, true
}

// dayMonth, dayMonthYear and monthDayYear have their groups in another order.
func dayMonth(found []string, today Day) (mention, bool) {
	return monthDay([]string{"", found[2], found[1]}, today)
}

func dayMonthYear(found []string, _ Day) (mention, bool) {
	return exact(number(found[3]), monthNumber(found[2]), number(found[1]))
}

func monthDayYear(found []string, _ Day) (mention, bool) {
	return exact(number(found[3]), monthNumber(found[1]), number(found[2]))
}

// dayRange parses a month or "", and two days.
func dayRange(found []string, today Day) (mention, bool) {
	read := func(day string) (mention, bool) {
		if found[1] == "" {
			return aDay([]string{"", day}, today)
		}
		return monthDay([]string{"", found[1], day}, today)
	}
	a, okA := read(found[2])
	b, okB := read(found[3])
	if !okA || !okB {
		return mention{}, false
	}
	return a.until(b, today), true
}

// nthRange parses two days, and their month or "".
func nthRange(found []string, today Day) (mention, bool) {
	return dayRange([]string{"", found[3], found[1], found[2]}, today)
}

func weekdayOfWeek(found []string, today Day) (mention, bool) {
	return weekOf([]string{"", found[2], found[1]}, today)
}

func weekendOf(found []string, today Day) (mention, bool) {
	return weekOf([]string{"", found[1], "末"}, today)
}

// beforeLast parses "the unit before last".
func beforeLast(found []string, today Day) (mention, bool) {
	y, _, _ := today.civil()
	switch found[1] {
	case "week":
		return weekOf([]string{"", "上上"}, today)
	case "weekend":
		return weekOf([]string{"", "上上", "末"}, today)
	case "month":
		return monthOf([]string{"", "上上"}, today)
	}
	return mention{run: year(y - 2), past: true}, true
}

// monthOfYear parses last or next and a month.
func monthOfYear(found []string, today Day) (mention, bool) {
	y, m, _ := today.civil()
	p := partial{month: monthNumber(found[2])}
	if relative(found[1]) < 0 {
		return mention{run: p.near(date(y, m, 1)-1, -1), past: true}, true
	}
	return mention{run: p.near(today+1, 1)}, true
}

func monthAlone(found []string, _ Day) (mention, bool) {
	return mention{partial: partial{month: monthNumber(found[1])}}, true
}

func monthYear(found []string, _ Day) (mention, bool) {
	return exact(number(found[2]), monthNumber(found[1]), -1)
}
