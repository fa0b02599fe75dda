package dates

import "strings"

// mergeNarrowed merges two dates if the first is the period in which the second is: 去年的今天, 两周前的周三,
// 昨天的昨天, 3月下旬. It drops parts of a period that do not follow one.
func mergeNarrowed(text string, list []foundDate, today Day) (all []foundDate) {
	for _, m := range list {
		last := len(all) - 1
		if last >= 0 && m.isPartOf(text, all[last]) {
			all[last] = all[last].inRelativeYear(m.partial.part, today).narrowToPart(m.partial.part)
			all[last].to = m.to
			continue
		}
		if m.inside && m.shift == 0 {
			continue
		}
		if m.shift != 0 { // it is no part of a month, so it counts from a day
			m.partial = partialDate{}
		}
		if last >= 0 && isOfYear(text, all[last], m) {
			if days, reason, ok := m.narrow(all[last], today); ok {
				all[last] = foundDate{
					from:     all[last].from,
					to:       m.to,
					reason:   reason,
					days:     days,
					past:     m.past,
					ofMonth:  true,
					calendar: true,
				}
				continue
			}
		}
		if last >= 0 && all[last].isMonth() && m.partial.holiday != nil &&
			strings.Trim(text[all[last].to:m.from], "的") == "" {
			if days, ok := m.partial.holiday.latestIn(all[last].partial.month, today); ok {
				all[last] = foundDate{from: all[last].from, to: m.to, days: oneDay(days), calendar: true}
				continue
			}
		}
		if last >= 0 && isNarrowed(text, all[last], m, today) {
			if days, reason, ok := all[last].narrow(m, today); ok {
				all[last] = foundDate{
					calendar: m.isCalendar(),
					from:     all[last].from,
					to:       m.to,
					reason:   reason,
					days:     days,
					past:     all[last].past || all[last].calendar && days.length() == 1,
					ofMonth:  m.partial.day > 0,
				}
				continue
			}
		}
		all = append(all, m)
	}
	return all
}

// isPartOf reports whether m is a part of the month or year before it: 3月下旬, 上个月的最后一天, 今年年初.
func (m foundDate) isPartOf(text string, before foundDate) bool {
	p := before.partial
	return m.partial.part != part{} && m.partial.month == 0 && before.reason == "" && !before.isNoDate &&
		strings.Trim(text[before.to:m.from], "的") == "" &&
		(m.partial.part.fromDay != 0 || before.days.length() >= 365) && // a season is no part of a month
		(p.month > 0 && p.day == 0 && p.part == part{} || !p.isSet() && before.days.length() > 27)
}

// inRelativeYear returns a year relative to today as the one that it means before a part of a year: 去年冬天.
func (m foundDate) inRelativeYear(p part, today Day) foundDate {
	y, _, _ := m.days.From.civil()
	todayYear, _, _ := today.civil()
	if !m.partial.isSet() && !m.calendar && m.days == year(y) {
		m.days = year(y + p.relativeYear(today) - todayYear)
	}
	return m
}

// narrowToPart returns the part of a month or year. It has a reason if the month or year has no such part.
func (m foundDate) narrowToPart(p part) foundDate {
	ok := false
	if m.partial.isSet() {
		m.partial.part = p
		p.weekday = 0 // some year has a fifth Monday in that month
		_, ok = p.in(month(leapYear, m.partial.month))
	} else {
		m.days, ok = p.in(m.days)
	}
	if !ok {
		m.partial, m.reason = partialDate{}, reasonInvalidDate
	}
	return m
}

// isOfYear reports whether a year follows a day of a month: December 24 last year.
func isOfYear(text string, a, b foundDate) bool {
	gap := text[a.to:b.from]
	return a.partial.lacksYear() && a.reason == "" && b.isYear() && (gap == " " || gap == ", " || gap == " of ")
}

// isYear reports whether the date is a calendar year up to today.
func (m foundDate) isYear() bool {
	return !m.partial.isSet() && (m.past || m.calendar) && m.days.length() >= 365
}

// isRangeInMonth reports whether the date is a range of days without a year: 9月13-15号.
func (m foundDate) isRangeInMonth() bool { return m.ofMonth && m.days.length() > 1 }

func isNarrowed(text string, a, b foundDate, today Day) bool {
	if a.isNoDate || b.isNoDate || a.reason != "" || b.reason != "" || a.partial.isSet() {
		return false
	}
	switch text[a.to:b.from] {
	case "的":
		return true
	case "", " ": // 去年今天, a week ago today
		if b.partial.holiday != nil && a.days.length() > 27 { // 2025年11月黑色星期五
			return true
		}
		if b.partial.lacksYear() || b.isRangeInMonth() { // 去年国庆, 2024年圣诞节, 去年9月13-15号
			return a.days.length() >= 365
		}
		isDayOfMonth := b.partial.day > 0 && a.days.length() > 1 // last month on the 21st
		return a.past && (isDayOfMonth ||
			b.days == oneDay(today) && (a.days.length() > 1 || strings.HasSuffix(text[:a.to], "ago")))
	}
	return false
}

// narrow returns the days of b within the period m. If m is a single day, it returns the day that
// is as far from m as b is from today. A year that lacks the day has a reason. ok is false if the two do not fit
// together.
func (m foundDate) narrow(b foundDate, today Day) (days DayRange, reason string, ok bool) {
	length := m.days.length()
	y, ofFirst, _ := m.days.From.civil()
	isYear := m.days == year(y)
	switch p := b.partial; {
	case p.weekday > 0 && p.day == 0 || p.weekend:
		days, _ = p.inPeriod(m.days.From, 0)
		return days, "", length <= daysOfWeek
	case p.lacksYear() && isYear:
		if p.lunarMonth && !m.calendar {
			todayYear, _, _ := today.civil()
			y += lunarYear(today) - todayYear // 去年 is relative to the lunar year of today
		}
		if days, ok = p.inPeriod(date(y, 1, 1), 0); !ok {
			reason = reasonInvalidDate
		}
		return days, reason, true
	case p.isSet():
		days = p.near(m.days.From, 1)
		return days, "", days.To <= m.days.To && (p.lacksYear() || length <= 31)
	case isYear && b.isRangeInMonth():
		_, ofYear, ofMonth := b.days.From.civil()
		first := date(y, ofYear, ofMonth)
		return DayRange{From: first, To: first + Day(b.days.length()) - 1}, "", exists(y, ofYear, ofMonth)
	case length > 1 && b.days.From >= m.days.From && b.days.To <= m.days.To:
		return b.days, "", true
	case b.days.length() > 1:
		return DayRange{}, "", false
	}
	first, day := m.days.From, b.days.From
	_, ofYear, ofMonth := day.civil()
	switch {
	case length == 1:
		return oneDay(first + day - today), "", true
	case m.days == week(first):
		return oneDay(first + day - day.monday()), "", true
	case m.days == month(y, ofFirst):
		return oneDay(first + Day(ofMonth) - 1), "", exists(y, ofFirst, ofMonth)
	case isYear:
		return oneDay(date(y, ofYear, ofMonth)), "", exists(y, ofYear, ofMonth)
	}
	return DayRange{}, "", false
}
