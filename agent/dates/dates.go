// Package dates finds the days that a message names in Chinese or English, relative to a given time
// and its time zone. It is made for questions about the past: a date after today (明天, next week) is
// recognized but yields no days to search.
//
// Weeks are from Monday to Sunday. A week, month or year means all its days. A date without a year
// means the latest such day up to today; "Friday the 13th" is the latest 13th that is a Friday.
// 最近N天 and "last N days" include today; 这几天 and "the past few days" are three days.
//
// A number such as 3.5 or 11/3 is a day in a question about the past (3.5聊了什么), but not after the name of a product
// (GPT 3.5聊了什么) and not in other text.
//
// Some expressions yield approximate ranges. 初, 中 and 底 of a month are its first ten days, the next ten and the rest,
// like 上旬, 中旬 and 下旬; so are early, mid and late. 前几天 is five days, and 几天前 is two to five days ago.
//
// A season means the three months of meteorology: spring begins in March, summer in June, autumn in September and
// winter in December. The winter of a year begins in that year, so in November 2026, 去年冬天 and "last winter" end in
// February 2026. In January and February, 今年冬天 is the current winter. "Last summer" is the latest summer that has
// ended. A season without a year or such a word is not recognized.
//
// "Earlier this week" and 本月早些时候 end today; "later this week" starts tomorrow. "The week of April 20" is the week
// that contains the day.
//
// A holiday means its day. Black Friday is the day after Thanksgiving; a weekday in another name (Good Friday, Man
// Friday) means no day. Days of the Chinese lunar calendar are computed. A year before a day of a lunar month is the
// lunar year, so 2025年腊月初八 is in January 2026; a festival (2025年除夕, 2025年腊八, 2025年小年) is in its calendar year.
// 小年 is day 23 of month 12. The lunar months with a name (正月, 冬月, 腊月) need no 农历; other months are of the
// calendar, so 八月十五 is August 15. Solar terms are days in China; 大雪, 小雪 and 雨水 mean the weather unless 节气
// follows. Easter is the Western one. Labor Day, Memorial Day and the like are those of the United States, and 劳动节 is
// May 1. The days around a holiday (国庆假期, Christmas week), vague dates (最近, 前阵子, 那天, the other day) and titles in 《》
// are not recognized.
package dates

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// maxDays limits the days of a Result. Older days are dropped.
const maxDays = 400

// InvalidDate is a date in a text that yields no days, or not all of its days, with the reason.
type InvalidDate struct{ Text, Reason string }

// TextSpan is the position of a date in a text: the bytes from From up to, but not including, To.
type TextSpan struct{ From, To int }

// Result contains the days that a text names.
type Result struct {
	Ranges   []DayRange    // days up to today, ascending, without overlaps
	Upcoming []DayRange    // dates after today, in the order of the text
	Spans    []TextSpan    // positions of all dates in the text, including those that yield no days
	Invalid  []InvalidDate // dates that yield no days, or not all
	// the text names a day before today with an expression that can only mean the past: 昨天, but not
	// 周三
	HasPastExpression bool
	// the text names a day, month or year of the calendar (11月5日, 2008), which can be in the
	// diary or in history
	HasCalendarDate bool
}

// Find returns the days that the text names. now determines today and the time zone.
func Find(text string, now time.Time) Result {
	p, today := normalizeText(text), DayOf(now)
	var r Result
	all := mergeNarrowed(p.text, dropUnsure(p.text, scan(p.text, today)), today)
	all = mergeRanges(p.text, mergeShifted(p.text, all, today), today)
	for _, m := range all[:min(maxDates, len(all))] {
		span := TextSpan{From: p.at[m.from], To: p.at[m.to]}
		r.Spans = append(r.Spans, span)
		r.add(m, text[span.From:span.To], today)
	}
	return r
}

func (r *Result) add(m foundDate, text string, today Day) {
	switch days := m.resolve(today); {
	case m.reason != "":
		r.Invalid = append(r.Invalid, InvalidDate{Text: text, Reason: m.reason})
	case m.isNoDate:
	case days.From > today:
		r.Upcoming = append(r.Upcoming, days)
	default:
		r.HasPastExpression = r.HasPastExpression || m.past && days.To < today
		r.HasCalendarDate = r.HasCalendarDate || m.isCalendar()
		if days.length() > maxDays {
			days.To = min(days.To, today)
		}
		ranges, cut := dropOldest(mergeOverlaps(append(slices.Clone(r.Ranges), days)))
		if cut {
			r.Invalid = append(r.Invalid, InvalidDate{Text: text, Reason: tooLong})
		}
		r.Ranges = ranges
	}
}

// mergeOverlaps sorts ranges and merges those that overlap or adjoin.
func mergeOverlaps(ranges []DayRange) (apart []DayRange) {
	slices.SortFunc(ranges, func(a, b DayRange) int { return int(a.From - b.From) })
	for _, days := range ranges {
		if last := len(apart) - 1; last >= 0 && days.From <= apart[last].To+1 {
			apart[last].To = max(apart[last].To, days.To)
			continue
		}
		apart = append(apart, days)
	}
	return apart
}

// dropOldest removes the oldest days if there are more than maxDays. cut reports whether it removed
// any.
func dropOldest(ranges []DayRange) (_ []DayRange, cut bool) {
	over := count(ranges) - maxDays
	for i := range ranges {
		if length := ranges[i].length(); over < length {
			ranges[i].From += Day(max(over, 0))
			return ranges[i:], over > 0 || i > 0
		}
		over -= ranges[i].length()
	}
	return ranges, false
}

func count(ranges []DayRange) (days int) {
	for _, r := range ranges {
		days += r.length()
	}
	return days
}

// Days returns all days up to today that the text names, ascending.
func (r Result) Days() []Day {
	all := make([]Day, 0, count(r.Ranges))
	for _, days := range r.Ranges {
		for d := days.From; d <= days.To; d++ {
			all = append(all, d)
		}
	}
	return all
}

// String formats the days as ranges and single days: 2026-11-09..2026-11-15,2026-11-19. It is empty
// if there are no days. Parse reads this form.
func (r Result) String() string {
	texts := make([]string, len(r.Ranges))
	for i, days := range r.Ranges {
		texts[i] = days.String()
	}
	return strings.Join(texts, ",")
}

// HasDayBefore reports whether the result contains a day before d.
func (r Result) HasDayBefore(d Day) bool { return len(r.Ranges) > 0 && r.Ranges[0].From < d }

// TextWithoutDates replaces the dates by spaces in the text from which the result was found.
func (r Result) TextWithoutDates(text string) string {
	var b strings.Builder
	from := 0
	for _, s := range r.Spans {
		b.WriteString(text[from:s.From] + " ")
		from = s.To
	}
	return b.String() + text[from:]
}

// ErrNotADate is returned by Parse and ParseRange for a value that contains something other than dates.
var ErrNotADate = errors.New("no date")

// Parse parses a value that consists of dates only, such as a field of a model's answer. It accepts
// the form of String, keywords such as day_before_yesterday or last_7_days, 2024-1-15, 上周三, and
// several of these separated by commas. An empty value, null and none have no days.
func Parse(value string, now time.Time) (Result, error) {
	text := strings.TrimSpace(strings.ReplaceAll(value, "_", " "))
	if text == "" || text == "null" || text == "none" {
		return Result{}, nil
	}
	r := Find(text, now)
	if len(r.Spans) == 0 || strings.Trim(r.TextWithoutDates(text), " ,，、从") != "" {
		return Result{}, fmt.Errorf("%q: %w", excerpt(value), ErrNotADate)
	}
	return r, nil
}

func excerpt(value string) string {
	if len(value) > 60 {
		return strings.ToValidUTF8(value[:60], "") + "…"
	}
	return value
}

// allRanges returns the days up to today and after it as one sorted list.
func (r Result) allRanges() []DayRange { return mergeOverlaps(slices.Concat(r.Ranges, r.Upcoming)) }

// ParseRange returns the days from the first day of one value to the last day of another. Parse must
// accept both values. If to is empty, the range ends today.
func ParseRange(from, to string, now time.Time) (Result, error) {
	if strings.TrimSpace(to) == "" {
		to = DayOf(now).String()
	}
	first, err := Parse(from, now)
	if err != nil {
		return Result{}, err
	}
	last, err := Parse(to, now)
	if err != nil {
		return Result{}, err
	}
	if invalid := slices.Concat(first.Invalid, last.Invalid); len(invalid) > 0 {
		return Result{Invalid: invalid}, nil
	}
	// includes days after today, because the current week ends after today
	ends := [2][]DayRange{first.allRanges(), last.allRanges()}
	if len(ends[0]) == 0 || len(ends[1]) == 0 {
		return Result{}, fmt.Errorf("%q..%q: %w", excerpt(from), excerpt(to), ErrNotADate)
	}
	m := foundDate{days: DayRange{From: ends[0][0].From, To: ends[1][len(ends[1])-1].To}}
	if m.days.To < m.days.From {
		m.reason = reversed
	}
	var r Result
	r.add(m, excerpt(from)+".."+excerpt(to), DayOf(now))
	return r, nil
}
