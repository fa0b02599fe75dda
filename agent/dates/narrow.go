package dates

import "strings"

// mergeNarrowed merges two dates if the first is the period in which the second is: 去年的今天, 两周前的周三,
// 昨天的昨天.
func mergeNarrowed(text string, list []foundDate, today Day) (all []foundDate) {
	for _, m := range list {
		last := len(all) - 1
		if last >= 0 && isOfYear(text, all[last], m) {
			if run, ok := m.narrow(all[last], today); ok {
				all[last] = foundDate{from: all[last].from, to: m.to, run: run, past: m.past, ofMonth: true, calendar: true}
				continue
			}
		}
		if last >= 0 && isNarrowed(text, all[last], m, today) {
			if run, ok := all[last].narrow(m, today); ok {
				all[last] = foundDate{
					calendar: m.isCalendar(),
					from:     all[last].from,
					to:       m.to,
					run:      run,
					past:     all[last].past,
				}
				continue
			}
		}
		all = append(all, m)
	}
	return all
}

// isOfYear reports whether a year follows a day of a month: December 24 last year.
func isOfYear(text string, a, b foundDate) bool {
	gap := text[a.to:b.from]
	return a.partial.month > 0 && a.reason == "" && b.past && b.run.days() >= 365 && !b.partial.isSet() &&
		(gap == " " || gap == ", " || gap == " of ")
}

func isNarrowed(text string, a, b foundDate, today Day) bool {
	if a.isNoDate || b.isNoDate || a.reason != "" || b.reason != "" || a.partial.isSet() {
		return false
	}
	switch text[a.to:b.from] {
	case "的":
		return true
	case "", " ": // 去年今天, a week ago today
		isDayOfMonth := b.partial.day > 0 && b.partial.month == 0 && a.run.days() > 1 // last month on the 21st
		return a.past && (isDayOfMonth ||
			b.run == oneDay(today) && (a.run.days() > 1 || strings.HasSuffix(text[:a.to], "ago")))
	}
	return false
}

// narrow returns the days of b within the period m. If m is a single day, it returns the day that
// is as far from m as b is from today. ok is false if the two do not fit together.
func (m foundDate) narrow(b foundDate, today Day) (DayRange, bool) {
	days := m.run.days()
	switch p := b.partial; {
	case p.weekday > 0 || p.weekend:
		run, _ := p.inPeriod(m.run.From, 0)
		return run, days <= 7
	case p.isSet():
		run := p.near(m.run.From, 1)
		return run, run.To <= m.run.To && (p.month > 0 || days <= 31)
	case days > 1 && b.run.From >= m.run.From && b.run.To <= m.run.To:
		return b.run, true
	case b.run.days() > 1:
		return DayRange{}, false
	}
	first, day := m.run.From, b.run.From
	year, ofFirst, _ := first.civil()
	_, ofYear, ofMonth := day.civil()
	switch m.run {
	case oneDay(first):
		return oneDay(first + day - today), true
	case week(first):
		return oneDay(first + day - day.monday()), true
	case month(year, ofFirst):
		return oneDay(first + Day(ofMonth) - 1), exists(year, ofFirst, ofMonth)
	case DayRange{From: date(year, 1, 1), To: date(year, 12, 31)}:
		return oneDay(date(year, ofYear, ofMonth)), exists(year, ofYear, ofMonth)
	}
	return DayRange{}, false
}
