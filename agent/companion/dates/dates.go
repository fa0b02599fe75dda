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

// Refusal is a date of the text that gives no days, or not all of them, and why.
type Refusal struct{ Text, Reason string }

// Span is the bytes [From, To) of a text.
type Span struct{ From, To int }

// Reading is what a text says of days.
type Reading struct {
	Runs    []Run  // ascending, with days between them that are not named
	Coming  []Run  // those that lie wholly after today, as they are named
	Spans   []Span // all dates in the text, those that give no days too
	Refused []Refusal
	Past    bool // a date that says so itself (昨天, not 周三) lies before today
}

// Read finds the days that the text names.
func Read(text string, now time.Time) Reading {
	p, today := plainly(text), Of(now)
	var r Reading
	all := joined(p.text, narrowed(p.text, scan(p.text, today), today), today)
	for _, m := range all[:min(mentions, len(all))] {
		span := Span{From: p.at[m.from], To: p.at[m.to]}
		r.Spans = append(r.Spans, span)
		r.add(m, text[span.From:span.To], today)
	}
	return r
}

func (r *Reading) add(m mention, text string, today Day) {
	switch run := m.settled(today); {
	case m.refused != "":
		r.Refused = append(r.Refused, Refusal{Text: text, Reason: m.refused})
	case m.none:
	case run.From > today:
		r.Coming = append(r.Coming, run)
	default:
		r.Past = r.Past || m.past && run.To < today
		if run.days() > mostDays {
			run.To = min(run.To, today)
		}
		runs, cut := newest(union(append(slices.Clone(r.Runs), run)))
		if cut {
			r.Refused = append(r.Refused, Refusal{Text: text, Reason: TooLong})
		}
		r.Runs = runs
	}
}

// union sorts runs and makes one of those that touch.
func union(runs []Run) (apart []Run) {
	slices.SortFunc(runs, func(a, b Run) int { return int(a.From - b.From) })
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
func newest(runs []Run) (_ []Run, cut bool) {
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

func count(runs []Run) (days int) {
	for _, run := range runs {
		days += run.days()
	}
	return days
}

// Days are all days of the reading, ascending.
func (r Reading) Days() []Day {
	days := make([]Day, 0, count(r.Runs))
	for _, run := range r.Runs {
		for d := run.From; d <= run.To; d++ {
			days = append(days, d)
		}
	}
	return days
}

// String is the canonical form: 2026-11-09..2026-11-15,2026-11-19; "" for no days.
func (r Reading) String() string {
	runs := make([]string, len(r.Runs))
	for i, run := range r.Runs {
		runs[i] = run.String()
	}
	return strings.Join(runs, ",")
}

// Before tells whether a day before d is read.
func (r Reading) Before(d Day) bool { return len(r.Runs) > 0 && r.Runs[0].From < d }

// Without is the text that was read, with a space in the place of each date.
func (r Reading) Without(text string) string {
	var b strings.Builder
	from := 0
	for _, s := range r.Spans {
		b.WriteString(text[from:s.From] + " ")
		from = s.To
	}
	return b.String() + text[from:]
}

// ErrUnreadable is for a value that is not wholly dates.
var ErrUnreadable = errors.New("no date")

// Parse reads a value that is said to be nothing but dates: the canonical form,
// a keyword such as day_before_yesterday or last_7_days, 2024-1-15, 上周三, or
// several parted by commas. The empty value and null hold no days.
func Parse(value string, now time.Time) (Reading, error) {
	text := strings.TrimSpace(strings.ReplaceAll(value, "_", " "))
	if text == "" || text == "null" || text == "none" {
		return Reading{}, nil
	}
	r := Read(text, now)
	if rest := strings.Trim(r.Without(text), " ,，、"); len(r.Spans) == 0 || strings.Trim(rest, " ,，、从") != "" {
		return Reading{}, fmt.Errorf("%q: %w", brief(value), ErrUnreadable)
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
func (r Reading) named() []Run { return union(slices.Concat(r.Runs, r.Coming)) }

// Range is the days from the first day of one value to the last one of another,
// each as Parse reads it. A range without an end goes to today.
func Range(from, to string, now time.Time) (Reading, error) {
	if strings.TrimSpace(to) == "" {
		to = Of(now).String()
	}
	first, err := Parse(from, now)
	if err != nil {
		return Reading{}, err
	}
	last, err := Parse(to, now)
	if err != nil {
		return Reading{}, err
	}
	if refused := slices.Concat(first.Refused, last.Refused); len(refused) > 0 {
		return Reading{Refused: refused}, nil
	}
	ends := [2][]Run{first.named(), last.named()} // a week that is under way ends in the days to come
	if len(ends[0]) == 0 || len(ends[1]) == 0 {
		return Reading{}, fmt.Errorf("%q..%q: %w", brief(from), brief(to), ErrUnreadable)
	}
	m := mention{run: Run{From: ends[0][0].From, To: ends[1][len(ends[1])-1].To}}
	if m.run.To < m.run.From {
		m.refused = Reversed
	}
	var r Reading
	r.add(m, brief(from)+".."+brief(to), Of(now))
	return r, nil
}
