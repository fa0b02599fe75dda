package gate

import (
	"strconv"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
)

// metricDef is the catalog entry of a metric. It determines the format of its values, the valid
// limits, and whether missing data have bounds.
type metricDef struct{ metric.Def }

// figureOf returns the catalog entry of any metric that a summary contains.
func figureOf(key string) metricDef { return metricDef{metric.FindOrCustom(key).Def} }

// figureOf returns the catalog entry of the rule's metric. For a metric that is not in the catalog,
// it derives the unit from the name.
func (r Rule) figureOf() metricDef {
	if r.declared.Key != "" {
		return metricDef{r.declared}
	}
	if n, ok := metric.Find(r.Metric); ok {
		return metricDef{n.Def}
	}
	unit := metric.UnknownUnit
	if endsInTime(r.Metric) {
		unit = metric.Time
	}
	return metricDef{metric.Def{Key: r.Metric, Unit: unit, Missing: metric.Bounded}}
}

// endsInTime reports whether the name of an unknown metric ends in a percentile, such as
// latency.p94. Such metrics are times.
func endsInTime(key string) bool {
	digits, ok := strings.CutPrefix(key[strings.LastIndexByte(key, '.')+1:], "p")
	return ok && metric.IsDigits(digits)
}

func (f metricDef) isFraction() bool { return f.Unit == metric.Share || f.Unit == metric.Score }

// isPercent reports whether the values of the metric are written as percentages.
func (f metricDef) isPercent() bool { return f.Unit == metric.Share || f.Unit == metric.PartOfWhole }

func (f metricDef) isTime() bool { return f.Unit == metric.Time }

func (f metricDef) isWhole() bool { return f.Unit == metric.Count || f.Unit == metric.Tokens }

// distinctFrom formats a value with only as many digits as distinguish it from the limit.
func (f metricDef) distinctFrom(v, limit float64) string {
	before, times, after := "", 1.0, ""
	switch {
	case f.isPercent():
		times, after = 100, " %"
	case f.Unit == metric.Points:
		times, after = 100, " points"
	case f.isTime():
		name, millis := metric.TimeUnit(v)
		times, after = 1/millis, " "+name
	case f.Unit == metric.USD:
		before = "USD "
	}
	for digits := 1; digits <= maxDigits; digits++ {
		text := strconv.FormatFloat(v*times, 'f', digits, 64)
		if text != strconv.FormatFloat(limit*times, 'f', digits, 64) {
			return before + text + after
		}
	}
	return before + decimal(v*times) + after
}

// maxDigits is the maximum number of decimal places in a formatted value.
const maxDigits = 17

// describe formats a value with its interval, so that a value never equals the limit by rounding.
func (f metricDef) describe(e eval.Estimate, limit float64) string {
	text := f.Format(*e.Value)
	if *e.Value != limit && text == f.Format(limit) {
		text = f.distinctFrom(*e.Value, limit)
	}
	if interval := f.FormatInterval(e); interval != "" {
		text += " " + interval
	}
	return text
}
