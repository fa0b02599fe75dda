package dates

import (
	"regexp"
	"strings"
)

// part is a part of a month and of a year: 上旬, 月底, 年初, 夏天, early March, the first week of March. Days below 0 count
// from the end: -1 is the last one. Months above 12 are in the next year.
type part struct {
	fromDay, toDay     int // days of the month, and of the year if there are no months
	fromMonth, toMonth int // months of the year
	weekday            int // the only day of the part that is meant; 0: all days
}

// parts are the parts with a name. Parts that people do not delimit, such as 月底 and "early March", are wide.
var parts = []struct {
	names string
	part  part
}{
	{"初 头 上旬 early beginning start", part{fromDay: 1, toDay: 10, fromMonth: 1, toMonth: 3}},
	{"中 中旬 mid middle", part{fromDay: 11, toDay: 20, fromMonth: 5, toMonth: 8}},
	{"底 末 下旬 end", part{fromDay: 21, toDay: -1, fromMonth: 11, toMonth: 12}},
	{"late", part{fromDay: 21, toDay: -1, fromMonth: 10, toMonth: 12}},
	{"上半 first_half", part{fromDay: 1, toDay: 15, fromMonth: 1, toMonth: 6}},
	{"下半 second_half", part{fromDay: 16, toDay: -1, fromMonth: 7, toMonth: 12}},
	{"春天 春季 spring", part{fromMonth: 3, toMonth: 5}},
	{"夏天 夏季 summer", part{fromMonth: 6, toMonth: 8}},
	{"秋天 秋季 autumn fall", part{fromMonth: 9, toMonth: 11}},
	{"冬天 冬季 winter", part{fromMonth: 12, toMonth: 14}},
	{"上中旬", part{fromDay: 1, toDay: 20}},
	{"中下旬", part{fromDay: 11, toDay: -1}},
}

// partNamed returns the part with a name.
func partNamed(name string) (part, bool) {
	for _, p := range parts {
		for known := range strings.FieldsSeq(p.names) {
			if strings.ReplaceAll(known, "_", " ") == name {
				return p.part, true
			}
		}
	}
	return part{}, false
}

// firstDays and lastDays return the first and the last n days of a month.
func firstDays(n int) part { return part{fromDay: 1, toDay: n} }
func lastDays(n int) part  { return part{fromDay: -n, toDay: -1} }

// nthWeek returns the seven days of a month that contain the nth one of each weekday; n = -1 is the last.
func nthWeek(n int) part {
	if n < 0 {
		return lastDays(daysOfWeek)
	}
	return part{fromDay: daysOfWeek*(n-1) + 1, toDay: daysOfWeek * n}
}

const (
	daysOfWeek    = 7
	shortestMonth = 28 // days
)

// in returns the days of the part in a month or year. ok is false if the month or year has no such part.
func (p part) in(period DayRange) (DayRange, bool) {
	if p.fromMonth > 0 && period.length() >= 365 {
		y, _, _ := period.From.civil()
		return DayRange{From: month(y, p.fromMonth).From, To: month(y, p.toMonth).To}, true
	}
	days := DayRange{From: dayOf(p.fromDay, period), To: min(dayOf(p.toDay, period), period.To)}
	if p.weekday > 0 {
		days = partialDate{weekday: p.weekday}.near(days.From, 1)
	}
	return days, days.From >= period.From && days.To <= period.To && days.From <= days.To
}

// dayOf returns the nth day of a period; -1 is the last.
func dayOf(n int, period DayRange) Day {
	if n < 0 {
		return period.To + 1 + Day(n)
	}
	return period.From + Day(n) - 1
}

// partOfMonth reads a part of a month without the month: 上旬, 月底. It is of the latest month in which it has begun.
func partOfMonth(found []string, _ Day) (foundDate, bool) {
	p, ok := partNamed(found[1])
	return foundDate{partial: partialDate{part: p}}, ok
}

// partOfYear reads a part of a year without the year: 年底, 上半年.
func partOfYear(found []string, _ Day) (foundDate, bool) {
	p, ok := partNamed(found[1])
	return foundDate{partial: partialDate{part: p, ofYear: true}}, ok
}

// partInside returns the reader for a part that must follow a month or year: 3月初, 上个月的最后一天.
func partInside(read func(found []string) (part, bool)) reader {
	return func(found []string, _ Day) (foundDate, bool) {
		p, ok := read(found)
		return foundDate{partial: partialDate{part: p}, inside: true}, ok
	}
}

// namedPart reads 初 in 3月初.
func namedPart(found []string) (part, bool) { return partNamed(found[1]) }

// relativeYear returns the year that "this year" means for a part of a year. For the winter it is the year in which the
// winter began, in January and February the year before.
func (p part) relativeYear(today Day) int {
	y, m, _ := today.civil()
	if p.fromMonth == 12 && m <= 2 {
		return y - 1
	}
	return y
}

// seasonNow reads a season relative to today: last summer, 这个夏天. "Last" is the latest one that has ended.
func seasonNow(found []string, today Day) (foundDate, bool) {
	season, ok := partNamed(found[2])
	p, away := partialDate{part: season, ofYear: true}, relative(found[1])
	switch {
	case away == 0:
		days, _ := p.inPeriod(date(season.relativeYear(today), 1, 1), 0)
		return foundDate{days: days}, ok
	case away > 0:
		return foundDate{days: p.near(today+1, 1)}, ok
	}
	days := p.near(today, -1)
	if days.To >= today {
		days = p.near(days.From-1, -1)
	}
	return foundDate{days: days, past: true}, ok
}

// seasonOf reads a season of a year: the summer of 2025, winter last year.
func seasonOf(found []string, today Day) (foundDate, bool) {
	season, ok := partNamed(found[1])
	of := foundDate{}
	if found[2] != "" {
		of, _ = inYear(found[1:], today)
	} else {
		of, _ = yearOf([]string{"", found[3]}, today)
	}
	return of.inRelativeYear(season, today).narrowToPart(season), ok
}

// seasons reads 夏天 in 去年夏天, and 夏天到秋天.
func seasons(found []string) (part, bool) {
	p, ok := partNamed(found[1])
	if found[2] != "" {
		last, _ := partNamed(found[2])
		p.toMonth = last.toMonth
		if last.fromMonth <= p.fromMonth {
			p.toMonth += 12
		}
	}
	return p, ok
}

// someDays reads the first or last days or weeks: 头三天, 最后一周.
func someDays(found []string) (part, bool) {
	n := 1
	if found[2] != "" {
		n = number(found[2])
	}
	n *= daysPerUnit(found[3])
	if found[1] == "头" {
		return firstDays(n), n >= 1 && n <= shortestMonth
	}
	return lastDays(n), n >= 1 && n <= shortestMonth
}

// nthOf reads the nth week or weekday: 第二周, 第三个周五, 最后一个周五.
func nthOf(found []string) (part, bool) {
	n, isLast := number(found[1]), found[1] == ""
	p := nthWeek(n)
	if isLast {
		p = lastDays(daysOfWeek)
	}
	p.weekday = weekday(found[2])
	return p, isLast || n >= 1 && n <= 5
}

// nthDay reads 第二天: the second day of the month before it. After a day it is the day after that one.
func nthDay(found []string, _ Day) (foundDate, bool) {
	n := number(found[1])
	return foundDate{partial: partialDate{part: part{fromDay: n, toDay: n}},
			inside: true, isNoDate: true, shift: n - 1},
		n >= 1 && n <= 31
}

// endsInPeriod reports whether a text ends with a month or year, which 初 or 底 may follow.
func endsInPeriod(before string) bool {
	before = strings.TrimSuffix(before, "份")
	return strings.HasSuffix(before, "月") || strings.HasSuffix(before, "年")
}

// endsInYear reports whether a text ends with a year, which 夏天 may follow.
func endsInYear(before string) bool { return strings.HasSuffix(before, "年") }

// firstOrLast matches the first or last days or weeks of a period.
var firstOrLast = regexp.MustCompile(`^(first|last) (?:(\w+) )?(day|week)s?$`)

// partOf reads an English name of a part: early, first half, last week, first three days.
func partOf(name string) (part, bool) {
	found := firstOrLast.FindStringSubmatch(name)
	if found == nil {
		return partNamed(name)
	}
	n := 1
	switch found[2] {
	case "":
	case "few":
		n = several
	default:
		n = number(found[2])
	}
	n = min(n*daysPerUnit(found[3]), shortestMonth)
	if found[1] == "first" {
		return firstDays(n), n >= 1
	}
	return lastDays(n), n >= 1
}

// partOfNamedMonth reads a part of a month, with a year or without: early March, the end of March 2025.
func partOfNamedMonth(found []string, _ Day) (foundDate, bool) {
	p, ok := partOf(found[1] + found[2])
	m := foundDate{partial: partialDate{month: monthNumber(found[3])}}
	if found[4] != "" {
		m, _ = exactDate(number(found[4]), monthNumber(found[3]), -1)
	}
	return m.narrowToPart(p), ok
}

// partOfPeriod reads a part of a month or year relative to the current one: early last month, the end of the year.
func partOfPeriod(found []string, today Day) (foundDate, bool) {
	p, ok := partOf(found[1] + found[2])
	switch found[3] + found[4] {
	case "month":
		return foundDate{partial: partialDate{part: p}}, ok
	case "year":
		return foundDate{partial: partialDate{part: p, ofYear: true}}, ok
	}
	read := monthOf
	if found[4] == "year" {
		read = yearOf
	}
	m, _ := read([]string{"", strings.TrimSpace(found[3])}, today)
	m = m.narrowToPart(p)
	return m, ok && m.reason == ""
}

// partOfNumberedYear reads a part of a calendar year: late 2025.
func partOfNumberedYear(found []string, today Day) (foundDate, bool) {
	p, ok := partOf(found[1] + found[2])
	m, _ := inYear([]string{"", found[3]}, today)
	m = m.narrowToPart(p)
	return m, ok && m.reason == ""
}

// nthWeekdayOf reads a weekday of a month: the first Monday of April, the last Friday of last month.
func nthWeekdayOf(found []string, today Day) (foundDate, bool) {
	p := nthWeek(ordinal(found[1]))
	p.weekday = weekday(found[2])
	if found[5] != "" {
		m, _ := monthOf([]string{"", found[5]}, today)
		return m.narrowToPart(p), true
	}
	m := foundDate{partial: partialDate{month: monthNumber(found[3])}}
	if found[4] != "" {
		m, _ = exactDate(number(found[4]), monthNumber(found[3]), -1)
	}
	return m.narrowToPart(p), true
}
