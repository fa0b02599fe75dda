package dates

import (
	"cmp"
	"regexp"
	"strings"
)

// Values of InvalidDate.Reason: why a date yields no days, or not all of its days.
const (
	reasonInvalidDate = "invalid_date"   // the calendar has no such day
	reversed          = "reversed_range" // the range ends before it starts
	tooLong           = "too_long"       // the text names more than 400 days, and the oldest are dropped
)

// foundDate is a date found in a normalized text.
type foundDate struct {
	from, to int    // its position in bytes
	isNoDate bool   // the text only looks like a date
	reason   string // why it yields no days; "": it does
	partial  partialDate
	days     DayRange // the days; unused if partial is set
	past     bool     // can only be in the past: 昨天, 上周三, 2024-01-15, but not 周三

	calendar        bool // names a day, month or year of the calendar
	ofWeek, ofMonth bool // a day of a week or month that the text names

	unsure bool // a number or month that is a date only if the text around it shows it: 11.5, or 3 in a list
	inside bool // a part of the month or year before it, and otherwise no date: 初 in 3月初
	// the days that the date before or after it means: the week of April 20; nil: only that day
	around func(Day) DayRange
	shift  int // moves the date before or after it by this number of days: three days before; 0: nothing
}

// partialDate is a date without its year, month or week, such as 周三, March 5, 月底 or 国庆.
type partialDate struct {
	month, day int
	weekday    int // 1 is Monday; with a day, that day must be this weekday: Friday the 13th
	weekend    bool
	part       part // a part of the month or, if ofYear is set, of the year
	ofYear     bool
	holiday    *holiday
	lunarMonth bool // a day of a lunar month, so a year before it is a lunar year
}

// ofMonth returns the partial date for a month and a day, or a reason if no year has that day.
func ofMonth(m, d int) (of partialDate, reason string) {
	if m < 1 || m > 12 || !exists(leapYear, m, d) {
		return partialDate{}, reasonInvalidDate
	}
	return partialDate{month: m, day: d}, ""
}

const leapYear = 2024

func (p partialDate) isSet() bool { return p != partialDate{} }

// lacksYear reports whether the missing period is the year.
func (p partialDate) lacksYear() bool { return p.month > 0 || p.ofYear || p.holiday != nil }

// inPeriod returns the days of p in the week, month or year that contains d, or n periods later.
// The period is the one that p lacks. ok is false if the period has no such day.
func (p partialDate) inPeriod(d Day, n int) (DayRange, bool) {
	y, m, _ := d.civil()
	switch {
	case p.weekend:
		return DayRange{From: d.monday() + Day(7*n) + 5, To: d.monday() + Day(7*n) + 6}, true
	case p.weekday > 0 && p.day == 0:
		return oneDay(d.monday() + Day(7*n+p.weekday-1)), true
	case p.holiday != nil:
		day, ok := p.holiday.day(y + n)
		return oneDay(day), ok
	case p.ofYear:
		return p.part.in(year(y + n))
	case p.part != part{} && p.month > 0:
		return p.part.in(month(y+n, p.month))
	case p.part != part{}:
		return p.part.in(month(y, m+n))
	case p.day == 0:
		return month(y+n, p.month), true
	case p.month > 0:
		return oneDay(date(y+n, p.month, p.day)), exists(y+n, p.month, p.day)
	}
	y, m, _ = date(y, m+n, 1).civil()
	day := date(y, m, p.day)
	return oneDay(day), exists(y, m, p.day) && (p.weekday == 0 || p.weekday == day.weekday())
}

// near returns the first days of p that start at or after d. With step -1 it returns the last ones
// that start at or before d.
func (p partialDate) near(d Day, step int) DayRange {
	first := 0
	if p.lunarMonth {
		first = min(-step, 0) // a day of the lunar year before can be after d
	}
	for n := first; ; n += step {
		days, ok := p.inPeriod(d, n)
		if ok && (days.From == d || days.From > d == (step > 0)) {
			return days
		}
	}
}

// isCalendar reports whether the date is named by its place in the calendar, and not relative to today.
func (m foundDate) isCalendar() bool {
	return m.calendar || m.partial.month > 0 || m.partial.day > 0 || m.partial.holiday != nil
}

func (m foundDate) resolve(today Day) DayRange {
	if m.partial.isSet() {
		return m.partial.near(today, -1)
	}
	return m.days
}

var (
	listSeparator = regexp.MustCompile(`^ ?[、,]? ?(?:[和与跟及或&]|还有|以及|and\b|or\b)? ?(?:the |on )?$`)
	toNow         = regexp.MustCompile(`^ ?(?:开始|起)?(?:(?:一?直?到|至)(?:现在|目前|如?今)|以来|(?:to|until|till|up to) now\b)`)
	rangeWord     = regexp.MustCompile(`^ ?(?:开始|起)?(?:一?直?到|至|-+|~|\.\.|to|until|till|thru|through) ?(?:the )?$`)
	betweenAnd    = regexp.MustCompile(`^ ?(?:和|与|跟|and) ?(?:the )?$`)
)

// mergeRanges merges two dates with a word such as "to" between them into one range. It also
// completes dates in lists and ranges up to now.
func mergeRanges(text string, list []foundDate, today Day) (all []foundDate) {
	for i := 0; i < len(list); i++ {
		m := list[i]
		if n := len(all) - 1; n >= 0 && listSeparator.MatchString(text[all[n].to:m.from]) {
			m = m.after(all[n])
		}
		after := text[m.to:]
		switch ending := toNow.FindString(after); {
		case m.isNoDate:
		case ending != "" && (i+1 == len(list) ||
			list[i+1].from >= m.to+len(ending)): // otherwise the next date overlaps the ending: 到今天
			m = m.until(foundDate{days: oneDay(today), to: m.to + len(ending)}, today)
		case i+1 < len(list) && !list[i+1].isNoDate && isRange(text, m, list[i+1]):
			m = m.until(list[i+1], today)
			i++
		case strings.HasSuffix(text[:m.from], "since ") || strings.HasPrefix(text[m.from:], "since "):
			m = m.until(foundDate{days: oneDay(today), to: m.to}, today)
		}
		all = append(all, m)
	}
	return all
}

// after completes a date in a list with the month or week of the date before it: 上周一、周三, 10月1号和3号.
func (m foundDate) after(before foundDate) foundDate {
	bare := m.partial.day > 0 && m.partial.month == 0
	switch {
	case bare && before.partial.month > 0 && before.partial.day > 0:
		m.partial, m.reason = ofMonth(before.partial.month, m.partial.day)
	case bare && before.ofMonth, m.partial.weekday > 0 && before.ofWeek:
		days := m.partial.near(before.days.From, 1)
		return foundDate{
			from:    m.from,
			to:      m.to,
			days:    days,
			ofWeek:  before.ofWeek,
			ofMonth: before.ofMonth,
		}
	}
	return m
}

func isRange(text string, a, b foundDate) bool {
	gap := text[a.to:b.from]
	return rangeWord.MatchString(gap) || betweenAnd.MatchString(gap) &&
		(strings.HasSuffix(text[:a.from], "between ") || strings.HasPrefix(text[b.to:], "之间"))
}

// halfYear is a length in days. A longer range without a year is not assumed to cross the new year,
// so it counts as reversed.
const halfYear = 183

// until returns the range from m to b. If one of them lacks a month or year, it is taken from the
// other.
func (m foundDate) until(b foundDate, today Day) foundDate {
	a, partial := m, m.partial.isSet() || b.partial.isSet()
	if b.partial.day > 0 && b.partial.month == 0 && a.partial.month > 0 {
		b.partial, b.reason = ofMonth(a.partial.month, b.partial.day)
	}
	if a.reason != "" || b.reason != "" {
		return foundDate{from: a.from, to: b.to, reason: cmp.Or(a.reason, b.reason)}
	}
	switch {
	case !a.partial.isSet() && b.partial.isSet():
		b.days = b.partial.near(a.days.From, 1)
	case b.partial.isSet():
		b.days = b.partial.near(today, -1)
		fallthrough
	case a.partial.isSet():
		a.days = a.partial.near(b.days.From, -1)
	}
	joint := foundDate{
		from:     a.from,
		to:       b.to,
		past:     a.past || b.past,
		calendar: m.isCalendar() || b.isCalendar(),
		days:     DayRange{From: a.days.From, To: b.days.To},
		ofMonth:  m.partial.month > 0 && m.partial.day > 0 || m.ofMonth,
	}
	crosses := a.days.From.Time().Year() < b.days.From.Time().Year() && joint.days.length() > halfYear
	if joint.days.To < joint.days.From || partial && crosses {
		joint.reason = reversed
	}
	return joint
}
