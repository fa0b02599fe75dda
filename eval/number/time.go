package number

import (
	"math"
	"time"
)

// timeUnit is a unit in which durations are written.
type timeUnit struct {
	name string
	ms   float64 // milliseconds in one unit
}

var (
	seconds      = timeUnit{name: "s", ms: 1e3}
	milliseconds = timeUnit{name: "ms", ms: 1}
	microseconds = timeUnit{name: "µs", ms: 1e-3}
)

// unitOf is the unit of a duration in milliseconds, judged by its three digits: 99.96 ms
// is 0.100 s.
func unitOf(ms float64) timeUnit {
	switch a := math.Abs(ThreeDigits(ms)); {
	case a == 0 || a >= 100:
		return seconds
	case a >= 0.1:
		return milliseconds
	default:
		return microseconds
	}
}

// write has three significant digits, and from 1,000 units on all digits of the whole
// number.
func (u timeUnit) write(ms float64) string {
	v := ThreeDigits(ms / u.ms)
	switch a := math.Abs(v); {
	case a == 0:
		return "0"
	case a >= 1000:
		return Round(ms / u.ms)
	default:
		return fixed(v, 2-int(math.Floor(math.Log10(a))))
	}
}

// Time writes milliseconds with three significant digits and a unit: s, below 0.1 s ms,
// below 0.1 ms µs. Examples: 1,204 s, 8.43 s, 0.960 s, 42.0 ms, 85.0 µs, 0 s.
func Time(ms float64) string {
	u := unitOf(ms)
	return u.write(ms) + " " + u.name
}

// TimeIn writes milliseconds as [Time] does, but in the unit of another time and without
// that unit. The bounds of an interval are written so beside their value.
func TimeIn(of float64) func(ms float64) string { return unitOf(of).write }

// TimeUnit is the unit in which [Time] writes a time, and how many milliseconds it has.
func TimeUnit(ms float64) (name string, millis float64) {
	u := unitOf(ms)
	return u.name, u.ms
}

// Duration writes d as [Time] does.
func Duration(d time.Duration) string { return Time(float64(d) / float64(time.Millisecond)) }

// Elapsed writes how long a command ran or will run: as [Duration] does below 100 s, then
// in hours, minutes and seconds, such as 2m5s.
func Elapsed(d time.Duration) string {
	if d < 100*time.Second {
		return Duration(d)
	}
	return d.Round(time.Second).String()
}

// ThreeDigits rounds to three significant digits, halves away from zero. NaN and infinities
// become 0.
func ThreeDigits(v float64) float64 {
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
