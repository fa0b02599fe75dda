package gate

import (
	"math"
	"strconv"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/eval/number"
)

// figure is a metric's entry in the catalogue: it says how a value is written, what its
// limit may be, and whether what is missing has bounds.
type figure struct{ metric.Def }

// figureOf is that of any metric of a summary.
func figureOf(key string) figure { return figure{metric.Of(key).Def} }

// figure is what the rule is about. Of a metric that nobody declares the limit may be
// anything that its name does not rule out.
func (r Rule) figureOf() figure {
	if r.declared.Key != "" {
		return figure{r.declared}
	}
	if n, ok := metric.Find(r.Metric); ok {
		return figure{n.Def}
	}
	unit := metric.Unknown
	if endsInTime(r.Metric) {
		unit = metric.Time
	}
	return figure{metric.Def{Key: r.Metric, Unit: unit, Missing: metric.Bounded}}
}

// endsInTime reports whether an unknown metric is meant as a time, such as latency.p94.
func endsInTime(key string) bool {
	digits, ok := strings.CutPrefix(key[strings.LastIndexByte(key, '.')+1:], "p")
	return ok && number.IsDigits(digits)
}

// isFraction reports whether a value lies between 0 and 1.
func (f figure) isFraction() bool { return f.Unit == metric.Share || f.Unit == metric.Score }

// isPercent reports whether a value is written as a percentage.
func (f figure) isPercent() bool { return f.Unit == metric.Share && f.Kind != metric.Mean }

func (f figure) isTime() bool { return f.Unit == metric.Time }

func (f figure) isWhole() bool { return f.Unit == metric.Count || f.Unit == metric.Tokens }

// form writes a value with its unit, as tables have it.
func (f figure) form(v float64) string {
	switch {
	case f.isPercent():
		return number.Share(v)
	case f.isFraction():
		return number.Score(v)
	case f.isTime():
		return number.Time(v)
	case f.Unit == metric.USD:
		return "USD " + number.USD(v)
	case f.isWhole():
		return number.Round(v)
	case f.Unit == metric.Points:
		return number.Points(v) + " points"
	}
	if math.Abs(v) < 1 {
		return number.Score(v)
	}
	return number.Mean(v)
}

// apart writes a value with as few digits as tell it from the limit.
func (f figure) apart(v, limit float64) string {
	before, times, after := "", 1.0, ""
	switch {
	case f.isPercent():
		times, after = 100, " %"
	case f.Unit == metric.Points:
		times, after = 100, " points"
	case f.isTime():
		name, millis := number.TimeUnit(v)
		times, after = 1/millis, " "+name
	case f.Unit == metric.USD:
		before = "USD "
	}
	for digits := 1; digits <= mostDigits; digits++ {
		text := strconv.FormatFloat(v*times, 'f', digits, 64)
		if text != strconv.FormatFloat(limit*times, 'f', digits, 64) {
			return before + text + after
		}
	}
	return before + decimal(v*times) + after
}

// mostDigits are more than a value has that is not 0.
const mostDigits = 17

// within writes a bound beside a value, in the value's unit.
func (f figure) within(v, bound float64) string {
	switch {
	case f.isPercent():
		return number.Percent(bound)
	case f.Unit == metric.Points:
		return number.Points(bound)
	case f.isTime():
		return number.TimeIn(v)(bound)
	case f.Unit == metric.USD:
		return number.USD(bound)
	}
	return f.form(bound)
}

// describe writes a value with its interval. Where rounding would put the value on the
// limit, it is rounded less.
func (f figure) describe(e eval.Estimate, limit float64) string {
	text := f.form(*e.Value)
	if *e.Value != limit && text == f.form(limit) {
		text = f.apart(*e.Value, limit)
	}
	if interval := f.interval(e); interval != "" {
		text += " " + interval
	}
	return text
}

func (f figure) interval(e eval.Estimate) string {
	switch {
	case e.Lo != nil && e.Hi != nil:
		return "[" + f.within(*e.Value, *e.Lo) + ", " + f.within(*e.Value, *e.Hi) + "]"
	case e.Lo != nil:
		return "[" + f.within(*e.Value, *e.Lo) + " or more]"
	}
	return ""
}

// FormatWithInterval is a metric's value and its interval, if it has one, as the words of rules have
// them; of an estimate with a value.
func FormatWithInterval(key string, e eval.Estimate) (value, interval string) {
	f := figureOf(key)
	return f.form(*e.Value), f.interval(e)
}

// Unit is a metric's unit as UCUM writes it.
func Unit(key string) string {
	switch metric.Of(key).Unit {
	case metric.Time:
		return "ms"
	case metric.USD:
		return "{USD}"
	}
	return "1"
}

// FormatValue writes a value of the metric with its unit, as the words of gates have it.
func FormatValue(key string, v float64) string { return figureOf(key).form(v) }

// FormatEstimate writes it with its interval; there must be a value.
func FormatEstimate(key string, e eval.Estimate) string { return figureOf(key).describe(e, *e.Value) }

// IsTime is true for a metric in milliseconds.
func IsTime(key string) bool { return figureOf(key).isTime() }

// IsShare is true for a metric that is written as a percentage: its differences are in points.
func IsShare(key string) bool { return figureOf(key).isPercent() }
