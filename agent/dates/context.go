package dates

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// talkedOf matches the Chinese text after a day in a question about the past: 聊了什么, 我说过的话, 给我发了什么.
const talkedOf = `都?(?:发生|有没有|是不是|[给跟和对]?[我咱你他她]|问[我你他她]|的(?:聊天|对话|记录|内容)|(?:聊天|对话)(?:记录|内容)|` +
	`有?[给跟和对]?[聊说讲谈提问记写见去吃买看听玩发](?:到|起|及)?[了过的些]|有?[聊说讲谈提][什啥]|` +
	`[做干][了过]?(?:什么|啥)(?:事|来着)?\??$)`

// clauseStart matches the text before a number at the start of a clause, or in a sentence about a talk. subject matches
// the text after a date that continues the clause: 11.5我在哪, 11/3聊了什么, 11/5, where was I. versionStart matches the
// text before the version of something: upgrade from 1.2 to 1.3.
var (
	versionStart = regexp.MustCompile(`\b(?:upgrad|updat|migrat|mov|switch|bump)[a-z]* from $`)
	clauseStart  = regexp.MustCompile(`(?:^|[^\pL\pN\s.:/%¥￥$#+~-] ?|[从在]|[我你咱他她]们?|咱俩|上次|记得|回忆(?:一下)?|` +
		`\b(?:from|between|on|since|(?:talk|chat|talked|chatted)(?: about)?|(?:tell|told|remind) (?:me|you)|` +
		`discuss|discussed|said|say|mention|mentioned|happened) )$`)
	subject = regexp.MustCompile(`^(?:[吧吗呢?!]*$|那[几些]?[天日]|的(?:日记|事|时候)|` + talkedOf +
		`|[ ,:-]*(?:i|we|what|where|who|whom|when|how|did|was)\b)`)
)

// dropUnsure removes numbers that are not dates. A number such as 11.5 is a date if it is joined to a date that has a
// day and a month, or if its list is all of a clause before the subject. A single number such as the 3 in "Nov 1, 3 and
// 5" is a date only if it is joined to another date.
func dropUnsure(text string, list []foundDate) (all []foundDate) {
	for from := 0; from < len(list); {
		to := from + 1
		for to < len(list) && isJoined(text[list[to-1].to:list[to].from]) {
			to++
		}
		all = append(all, sureDates(text, list[from:to])...)
		from = to
	}
	return all
}

// isJoined reports whether the text between two dates makes them a list or a range.
func isJoined(gap string) bool {
	return gap != "" && gap != " " &&
		(listSeparator.MatchString(gap) || rangeWord.MatchString(gap) || betweenAnd.MatchString(gap))
}

// sureDates returns the dates of a list without the numbers that are none.
func sureDates(text string, list []foundDate) (all []foundDate) {
	if !slices.ContainsFunc(list, func(m foundDate) bool { return m.unsure }) {
		return list
	}
	first, last := list[0], list[len(list)-1]
	before := excerptBefore(text, first.from)
	startsClause := !first.unsure || clauseStart.MatchString(before) && !versionStart.MatchString(before)
	isClause := !first.isBareDay() &&
		(startsClause && subject.MatchString(text[last.to:]) || isSlashedRange(text, list))
	for i, m := range list {
		if !m.unsure {
			all = append(all, m)
			continue
		}
		isBare := m.isBareDay()
		m.unsure = false
		previous := foundDate{}
		if len(all) > 0 {
			previous = all[len(all)-1]
		}
		next, hasNext := nextSure(list[i+1:])
		switch {
		case m.partial.day == 0 && m.partial.month > 0:
			if previous.isMonth() || hasNext && next.isMonth() {
				all = append(all, m)
			}
		case !isBare:
			if isClause || previous.hasMonthDay() || hasNext && next.hasMonthDay() {
				all = append(all, m)
			}
		case previous.partial.weekday > 0 || previous.ofWeek:
			if m.partial.day <= 7 {
				m.partial = partialDate{weekday: m.partial.day}
				all = append(all, m)
			}
		case previous.hasMonthDay():
			all = append(all, m)
		case hasNext && next.partial.month > 0 && next.partial.day > 0:
			m.partial, m.reason = ofMonth(next.partial.month, m.partial.day)
			all = append(all, m)
		case hasNext && next.partial.day > 0:
			all = append(all, m)
		case hasNext && next.ofMonth:
			y, month, _ := next.days.From.civil()
			day := m.partial.day
			m, _ = exactDate(y, month, day)
			m.from, m.to = list[i].from, list[i].to
			all = append(all, m)
		}
	}
	return all
}

// isSlashedRange reports whether two numbers with slashes are a range of days, and not of fractions: 11/3-11/6.
func isSlashedRange(text string, list []foundDate) bool {
	if len(list) != 2 {
		return false
	}
	a, b := list[0], list[1]
	return rangeWord.MatchString(text[a.to:b.from]) && strings.Contains(text[a.from:a.to], "/") &&
		strings.Contains(text[b.from:b.to], "/") && (a.partial.month > a.partial.day || b.partial.month > b.partial.day)
}

// excerptBefore returns the last characters before a position, which are enough for clauseStart.
func excerptBefore(text string, at int) string {
	from := max(0, at-24)
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	if from > 0 {
		return "x" + text[from:at] // not the start of the text
	}
	return text[:at]
}

// nextSure returns the first date of a list that is certain.
func nextSure(list []foundDate) (foundDate, bool) {
	for i := range list { // by index, because texts can have thousands of numbers
		if !list[i].unsure {
			return list[i], true
		}
	}
	return foundDate{}, false
}

// isBareDay reports whether the date is a number without a month.
func (m foundDate) isBareDay() bool { return m.unsure && m.partial.day > 0 && m.partial.month == 0 }

// isMonth reports whether the date is a month or a part of one.
func (m foundDate) isMonth() bool { return m.partial.month > 0 && m.partial.day == 0 }

// hasMonthDay reports whether the date is a day of a month, so that days in the same list are, too.
func (m foundDate) hasMonthDay() bool { return m.partial.day > 0 || m.ofMonth }

// mergeShifted merges a distance or a week with the date that it counts from: three days before yesterday,
// 昨天的前一天, the week of April 20. It drops other distances and weeks. A weekday that repeats a date (Saturday,
// October 3) is dropped, too.
func mergeShifted(text string, list []foundDate, today Day) (all []foundDate) {
	for i := 0; i < len(list); i++ {
		m := list[i]
		last := len(all) - 1
		switch {
		case m.isRelative() && i+1 < len(list) && text[m.to:list[i+1].from] == " " && list[i+1].isDay(today):
			i++
			all = append(all, m.countFrom(list[i], today))
		case m.isRelative() && last >= 0 && m.from == all[last].to && all[last].isDay(today):
			all[last] = m.countFrom(all[last], today)
		case m.shift != 0 && last >= 0 && isJoined(text[all[last].to:m.from]) && m.isNoDate && all[last].isDay(today):
			counted := m.countFrom(all[last], today)
			counted.from = m.from
			all = append(all, counted)
		case m.isRelative() && m.isNoDate:
		case last >= 0 && isWeekdayOfDay(text, all[last], m):
			all[last].partial.weekday = max(all[last].partial.weekday, m.partial.weekday)
			all[last].partial.day = max(all[last].partial.day, m.partial.day)
			all[last].to = m.to
		case last >= 0 && repeats(text, all[last], m, today):
			all[last].to = m.to
			if all[last].partial.weekday > 0 {
				m.from = all[last].from
				all[last] = m
			}
		default:
			all = append(all, m)
		}
	}
	return all
}

// isRelative reports whether the date counts from the date before or after it.
func (m foundDate) isRelative() bool { return m.shift != 0 || m.around != nil }

// isDay reports whether the date is a single day.
func (m foundDate) isDay(today Day) bool {
	return !m.isNoDate && m.reason == "" && (m.partial.holiday != nil || m.resolve(today).length() == 1)
}

// countFrom returns the day at the distance m from a day, or the week m around it, with the position of both.
func (m foundDate) countFrom(of foundDate, today Day) foundDate {
	day := of.resolve(today).From
	counted := foundDate{
		from:     min(m.from, of.from),
		to:       max(m.to, of.to),
		days:     oneDay(day + Day(m.shift)),
		past:     of.past && m.shift <= 0,
		calendar: of.isCalendar(),
	}
	if m.around != nil {
		counted.days = m.around(day)
	}
	return counted
}

var (
	weekdayGap = regexp.MustCompile(`^(?:[ (的]|那个)?$`)
	repeatGap  = regexp.MustCompile(`^ ?[,(]? ?(?:the )?$`)
)

// isWeekdayOfDay reports whether one of two dates is a weekday and the other a day without a month: 周五13号.
func isWeekdayOfDay(text string, a, b foundDate) bool {
	if a.partial.weekday == 0 {
		a, b = b, a
	}
	return a.partial == partialDate{weekday: a.partial.weekday} && a.partial.weekday > 0 &&
		b.partial == partialDate{day: b.partial.day} && b.partial.day > 0 &&
		weekdayGap.MatchString(text[min(a.to, b.to):max(a.from, b.from)])
}

// repeats reports whether one of two dates is the weekday or holiday of the other: Saturday, October 3; 10月3日(周六);
// 10月1日国庆节.
func repeats(text string, a, b foundDate, today Day) bool {
	if a.isNoDate || b.isNoDate || !repeatGap.MatchString(text[a.to:b.from]) {
		return false
	}
	if b.partial.holiday != nil && a.isDay(today) {
		return b.partial.near(a.resolve(today).From, 1) == a.resolve(today)
	}
	if b.partial.weekday > 0 {
		a, b = b, a
	}
	return a.partial.weekday > 0 && b.hasMonthDay() && b.isDay(today) &&
		b.resolve(today) == (partialDate{weekday: a.partial.weekday}).near(b.resolve(today).From, 1)
}
