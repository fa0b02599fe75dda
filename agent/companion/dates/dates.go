// Package dates reads the days that a message names, in Chinese or English, as
// seen from a given now and its zone. It is for questions about the past: what
// lies wholly after today (明天, next week) is recognised and gives no day.
//
// Weeks go from Monday to Sunday; a week, month or year that is named is meant
// as a whole. Without a year the latest such day not after today is meant. 最近N天
// and «last N days» hold today; 这几天 and «the past few days» are three days.
// Not read, for they name no day: 最近, 前几天, 那天, the other day; feasts (国庆,
// Christmas); and what stands in 《》, for it is a title.
package dates

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// mostDays is how many a reading holds at most.
const mostDays = 400

// InvalidDate is a date of the text that gives no days, or not all of them, and why.
type InvalidDate struct{ Text, Reason string }

// TextSpan is the bytes [From, To) of a text.
type TextSpan struct{ From, To int }

// Result is what a text says of days.
type Result struct {
	Ranges   []DayRange // ascending, with days between them that are not named
	Upcoming []DayRange // those that lie wholly after today, as they are named
	Spans    []TextSpan // all dates in the text, those that give no days too
	Invalid  []InvalidDate
	Past     bool // a date that says so itself (昨天, not 周三) lies before today
}

// Find finds the days that the text names.
func Find(text string, now time.Time) Result {
	p, today := plainly(text), DayOf(now)
	var r Result
	all := joined(p.text, narrowed(p.text, scan(p.text, today), today), today)
	for _, m := range all[:min(mentions, len(all))] {
		span := TextSpan{From: p.at[m.from], To: p.at[m.to]}
		r.Spans = append(r.Spans, span)
		r.add(m, text[span.From:span.To], today)
	}
	return r
}

func (r *Result) add(m mention, text string, today Day) {
	switch run := m.settled(today); {
	case m.refused != "":
		r.Invalid = append(r.Invalid, InvalidDate{Text: text, Reason: m.refused})
	case m.none:
	case run.From > today:
		r.Upcoming = append(r.Upcoming, run)
	default:
		r.Past = r.Past || m.past && run.To < today
		if run.days() > mostDays {
			run.To = min(run.To, today)
		}
		runs, cut := newest(union(append(slices.Clone(r.Ranges), run)))
		if cut {
			r.Invalid = append(r.Invalid, InvalidDate{Text: text, Reason: TooLong})
		}
		r.Ranges = runs
	}
}

// union sorts runs and makes one of those that touch.
func union(runs []DayRange) (apart []DayRange) {
	slices.SortFunc(runs, func(a, b DayRange) int { return int(a.From - b.From) })
	for _, run := range runs {
		if last := len(apart) - 1; last >= 0 && run.From <= apart[last].To+1 {
			apart[last].To = max(apart[last].To, run.To)
			continue
		}
		apart = append(apart, run)
	}
	return apart
}

// newest cuts off the oldest of too many days.
func newest(runs []DayRange) (_ []DayRange, cut bool) {
	over := count(runs) - mostDays
	for i := range runs {
		if days := runs[i].days(); over < days {
			runs[i].From += Day(max(over, 0))
			return runs[i:], over > 0 || i > 0
		}
		over -= runs[i].days()
	}
	return runs, false
}

func count(runs []DayRange) (days int) {
	for _, run := range runs {
		days += run.days()
	}
	return days
}

// Days are all days of the reading, ascending.
func (r Result) Days() []Day {
	days := make([]Day, 0, count(r.Ranges))
	for _, run := range r.Ranges {
		for d := run.From; d <= run.To; d++ {
			days = append(days, d)
		}
	}
	return days
}

// String is the canonical form: 2026-11-09..2026-11-15,2026-11-19; "" for no days.
func (r Result) String() string {
	runs := make([]string, len(r.Ranges))
	for i, run := range r.Ranges {
		runs[i] = run.String()
	}
	return strings.Join(runs, ",")
}

// Before tells whether a day before d is read.
func (r Result) Before(d Day) bool { return len(r.Ranges) > 0 && r.Ranges[0].From < d }

// TextWithoutDates is the text that was read, with a space in the place of each date.
func (r Result) TextWithoutDates(text string) string {
	var b strings.Builder
	from := 0
	for _, s := range r.Spans {
		b.WriteString(text[from:s.From] + " ")
		from = s.To
	}
	return b.String() + text[from:]
}

// ErrNotADate is for a value that is not wholly dates.
var ErrNotADate = errors.New("no date")

// Parse reads a value that is said to be nothing but dates: the canonical form,
// a keyword such as day_before_yesterday or last_7_days, 2024-1-15, 上周三, or
// several parted by commas. The empty value and null hold no days.
func Parse(value string, now time.Time) (Result, error) {
	text := strings.TrimSpace(strings.ReplaceAll(value, "_", " "))
	if text == "" || text == "null" || text == "none" {
		return Result{}, nil
	}
	r := Find(text, now)
	if rest := strings.Trim(r.TextWithoutDates(text), " ,，、"); len(r.Spans) == 0 || strings.Trim(rest, " ,，、从") != "" {
		return Result{}, fmt.Errorf("%q: %w", brief(value), ErrNotADate)
	}
	return r, nil
}

func brief(value string) string {
	if len(value) > 60 {
		return strings.ToValidUTF8(value[:60], "") + "…"
	}
	return value
}

// named are all runs, those to come too.
func (r Result) named() []DayRange { return union(slices.Concat(r.Ranges, r.Upcoming)) }

// Range is the days from the first day of one value to the last one of another,
// each as Parse reads it. A range without an end goes to today.
func Range(from, to string, now time.Time) (Result, error) {
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
	if refused := slices.Concat(first.Invalid, last.Invalid); len(refused) > 0 {
		return Result{Invalid: refused}, nil
	}
	ends := [2][]DayRange{first.named(), last.named()} // a week that is under way ends in the days to come
	if len(ends[0]) == 0 || len(ends[1]) == 0 {
		return Result{}, fmt.Errorf("%q..%q: %w", brief(from), brief(to), ErrNotADate)
	}
	m := mention{run: DayRange{From: ends[0][0].From, To: ends[1][len(ends[1])-1].To}}
	if m.run.To < m.run.From {
		m.refused = Reversed
	}
	var r Result
	r.add(m, brief(from)+".."+brief(to), DayOf(now))
	return r, nil
}
