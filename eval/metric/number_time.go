package metric

import (
	"math"
	"time"
)

// timeUnit is a unit in which durations are formatted, such as ms.
type timeUnit struct {
	name string
	ms   float64 // length of the unit in milliseconds
}

var (
	seconds      = timeUnit{name: "s", ms: 1e3}
	milliseconds = timeUnit{name: "ms", ms: 1}
	microseconds = timeUnit{name: "µs", ms: 1e-3}
)

// unitOf returns the unit in which a duration is formatted. ms is in milliseconds; it is first
// rounded to three digits, so that 99.96 ms becomes 0.100 s.
func unitOf(ms float64) timeUnit {
	switch a := math.Abs(RoundThreeDigits(ms)); {
	case a == 0 || a >= 100:
		return seconds
	case a >= 0.1:
		return milliseconds
	default:
		return microseconds
	}
}

// write formats a duration in this unit, without its name: with three significant digits, or as an
// integer from 1,000 units.
func (u timeUnit) write(ms float64) string {
	v := RoundThreeDigits(ms / u.ms)
	switch a := math.Abs(v); {
	case a == 0:
		return "0"
	case a >= 1000:
		return FormatRounded(ms / u.ms)
	default:
		return fixedDecimals(v, 2-int(math.Floor(math.Log10(a))))
	}
}

// FormatTime formats a duration in milliseconds with three significant digits and a unit: seconds from
// 0.1 s, milliseconds from 0.1 ms, else microseconds. Examples: 1,204 s, 8.43 s, 0.960 s, 42.0 ms,
// 85.0 µs, 0 s.
func FormatTime(ms float64) string {
	u := unitOf(ms)
	return u.write(ms) + " " + u.name
}

// TimeFormatter returns a function that formats milliseconds in the unit that [FormatTime] chooses for
// the value of, without the name of the unit. Use it for the bounds of an interval around that value.
func TimeFormatter(of float64) func(ms float64) string { return unitOf(of).write }

// TimeUnit returns the unit that [FormatTime] uses for a duration in milliseconds: its name and its
// length in milliseconds.
func TimeUnit(ms float64) (name string, millis float64) {
	u := unitOf(ms)
	return u.name, u.ms
}

// FormatDuration formats d like [FormatTime].
func FormatDuration(d time.Duration) string {
	return FormatTime(float64(d) / float64(time.Millisecond))
}

// FormatElapsed formats the elapsed or expected time of a command. Below 100 s it is like [FormatDuration];
// longer times are in hours, minutes and seconds, such as 2m5s.
func FormatElapsed(d time.Duration) string {
	if d < 100*time.Second {
		return FormatDuration(d)
	}
	return d.Round(time.Second).String()
}

// RoundThreeDigits rounds v to three significant digits, halves away from zero. NaN and infinities
// become 0.
func RoundThreeDigits(v float64) float64 {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	step := math.Floor(math.Log10(math.Abs(v))) - 2
	if step < 0 {
		factor := math.Pow(10, -step)
		return math.Round(v*factor) / factor
	}
	factor := math.Pow(10, step)
	return math.Round(v/factor) * factor
}
