package dates

import "time"

// Day is a day of the calendar, counted from 1970-01-01. It has no hours, so a
// day of 23 or of 25 of them is one day too.
type Day int

const secondsOfDay = 24 * 60 * 60

// DayOf is the day on which t lies, in its own zone.
func DayOf(t time.Time) Day {
	year, month, day := t.Date()
	return date(year, int(month), day)
}

// date counts over: the 32nd of a month lies in the next one.
func date(year, month, day int) Day {
	return Day(time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC).Unix() / secondsOfDay)
}

// Time is the day's midnight in UTC.
func (d Day) Time() time.Time { return time.Unix(int64(d)*secondsOfDay, 0).UTC() }

func (d Day) String() string { return d.Time().Format(time.DateOnly) }

func (d Day) civil() (year, month, day int) {
	y, m, day := d.Time().Date()
	return y, int(m), day
}

// monday begins the day's week.
func (d Day) monday() Day { return d - ((d+3)%7+7)%7 } // 1970-01-01 was a Thursday

// exists tells whether the month has the day.
func exists(year, month, day int) bool {
	y, m, d := date(year, month, day).civil()
	return y == year && m == month && d == day
}

// DayRange is days that follow each other, both ends included.
type DayRange struct{ From, To Day }

func (r DayRange) String() string {
	if r.From == r.To {
		return r.From.String()
	}
	return r.From.String() + ".." + r.To.String()
}

func (r DayRange) days() int { return int(r.To-r.From) + 1 }

func oneDay(d Day) DayRange { return DayRange{From: d, To: d} }

func week(d Day) DayRange { return DayRange{From: d.monday(), To: d.monday() + 6} }

func month(year, month int) DayRange {
	return DayRange{From: date(year, month, 1), To: date(year, month+1, 1) - 1}
}

func year(y int) DayRange { return DayRange{From: date(y, 1, 1), To: date(y, 12, 31)} }

// monthsBefore is the same day of an earlier month, or that month's last.
func monthsBefore(d Day, n int) Day {
	y, m, day := d.civil()
	return min(date(y, m-n, day), month(y, m-n).To)
}
