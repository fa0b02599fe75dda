package dates

import "time"

// Day is a calendar day, counted from 1970-01-01, and independent of daylight saving time.
type Day int

const secondsOfDay = 24 * 60 * 60

// DayOf returns the calendar day of t in t's time zone.
func DayOf(t time.Time) Day {
	year, month, day := t.Date()
	return date(year, int(month), day)
}

// date returns the day of a calendar date. The 32nd of a month is in the next month.
func date(year, month, day int) Day {
	return Day(time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC).Unix() / secondsOfDay)
}

// Time returns the start of the day in UTC.
func (d Day) Time() time.Time { return time.Unix(int64(d)*secondsOfDay, 0).UTC() }

func (d Day) String() string { return d.Time().Format(time.DateOnly) }

func (d Day) civil() (year, month, day int) {
	y, m, day := d.Time().Date()
	return y, int(m), day
}

// monday returns the Monday of the week that contains d.
func (d Day) monday() Day { return d - ((d+3)%7+7)%7 } // 1970-01-01 was a Thursday

// weekday returns the day of the week; 1 is Monday.
func (d Day) weekday() int { return int(d-d.monday()) + 1 }

// exists reports whether the calendar has this day.
func exists(year, month, day int) bool {
	y, m, d := date(year, month, day).civil()
	return y == year && m == month && d == day
}

// DayRange is a range of days that includes both ends.
type DayRange struct{ From, To Day }

func (r DayRange) String() string {
	if r.From == r.To {
		return r.From.String()
	}
	return r.From.String() + ".." + r.To.String()
}

func (r DayRange) length() int { return int(r.To-r.From) + 1 }

func oneDay(d Day) DayRange { return DayRange{From: d, To: d} }

func week(d Day) DayRange { return DayRange{From: d.monday(), To: d.monday() + 6} }

func month(year, month int) DayRange {
	return DayRange{From: date(year, month, 1), To: date(year, month+1, 1) - 1}
}

func year(y int) DayRange { return DayRange{From: date(y, 1, 1), To: date(y, 12, 31)} }

// monthsBefore returns the same day n months before d, or the last day of a shorter month.
func monthsBefore(d Day, n int) Day {
	y, m, day := d.civil()
	return min(date(y, m-n, day), month(y, m-n).To)
}
