package gate

import (
	"math"
	"strconv"
	"strings"

	"evalctl/eval"
	"evalctl/eval/number"
)

// kind is what sort of figure a metric is: how it is written, what its limit may be,
// and whether what is missing has bounds.
type kind int

const (
	plain    kind = iota // a mean, or what nobody knows
	share                // of trials, each for or against it: what is missing can only be the one or the other
	fraction             // precision: who counts depends on the answers, so what is missing has no bounds
	score                // F1 and what is said of confidences, likewise
	duration
	money
	count
	points // a difference of two shares
)

// kindOf knows a metric by its name.
func kindOf(metric string) kind {
	parts := strings.Split(metric, ".")
	family, second, last := parts[0], "", parts[len(parts)-1]
	if len(parts) > 1 {
		second = parts[1]
	}
	switch family {
	case "route":
		return kindOfRoute(second)
	case "router", "fallback", "missing", "unjudged", "events", "genui", "slots", "served", "form", "path", "cached":
		return share
	case "retrieval", "facts", "compression":
		return kindOfMeasure(metric)
	case "cache":
		return kindOfCache(second)
	case "supervisor":
		if second == "correction_rate" || second == "asked_again_rate" || second == "exhausted_rate" {
			return share
		}
		return plain
	case "oos":
		if second == "precision" {
			return fraction
		}
		return share
	case "confidence":
		return score
	case "critic":
		return kindOfCritic(second, last)
	case "apology":
		if second == "rate" {
			return share
		}
		return count
	case "fault":
		return kindOfFault(second)
	case "calls":
		if second == "refused" || second == "retried" {
			return count
		}
	case "errors", "tokens":
		return count
	case "cost":
		return money
	case "latency", "ttft", "episode", "node", "step", "queue", "backoff":
		if last == "mean" || last == "max" && parts[0] != "node" {
			return duration
		}
	}
	if _, ok := percentile(last); ok {
		return duration
	}
	if len(parts) == 2 && "."+last == besides {
		return share
	}
	return plain
}

func kindOfFault(name string) kind {
	switch name {
	case "struck", "correct", "recovered", "misrouted", "untold":
		return share
	case "added_p95":
		return duration
	}
	return plain
}

func kindOfRoute(name string) kind {
	switch name {
	case "accuracy", "primary", "recall", "consistency", "pass_k":
		return share
	case "precision":
		return fraction
	case "macro_f1", "f1":
		return score
	}
	return plain
}

// kindOfMeasure is of what is found, stated or kept.
func kindOfMeasure(metric string) kind {
	switch {
	case eval.Score{Name: metric}.IsMeasure():
		return score // a mean of shares: what is missing may be anything between none and all
	case metric == "facts.grader_kappa", metric == "compression.ratio":
		return plain
	case metric == "facts.grader.cost":
		return money
	case strings.HasPrefix(metric, "facts.grader."):
		return count
	}
	return share
}

func kindOfCache(name string) kind {
	switch name {
	case "hit_rate":
		return share
	case "errors":
		return count
	}
	return plain
}

func kindOfCritic(name, last string) kind {
	switch name {
	case "second":
		if last == "cost" {
			return money
		}
		return count
	case "pass_rate", "exhausted_rate", "oscillation_rate", "false_accept", "false_reject", "first_attempt_good", "delivered_good":
		return share
	case "good_gain":
		return points
	}
	return plain
}

// besides ends the name of a share that is about a further label.
const besides = ".accuracy"

// percentile reads p95 as 0.95.
func percentile(name string) (q float64, ok bool) {
	digits, ok := strings.CutPrefix(name, "p")
	if !ok || !number.IsDigits(digits) {
		return 0, false
	}
	q, err := strconv.ParseFloat("0."+digits, 64)
	return q, err == nil
}

// isFraction tells what lies between 0 and 1.
func (k kind) isFraction() bool { return k == share || k == fraction || k == score }

// form writes a value with its unit, as tables have it.
func (k kind) form(v float64) string {
	switch k {
	case share, fraction:
		return number.Share(v)
	case score:
		return number.Score(v)
	case duration:
		return number.Time(v)
	case money:
		return "USD " + number.Dollars(v)
	case count:
		return number.Whole(v)
	case points:
		return number.Points(v) + " points"
	}
	if math.Abs(v) < 1 {
		return number.Score(v)
	}
	return number.Mean(v)
}

// apart writes a value with as few digits as tell it from the limit.
func (k kind) apart(v, limit float64) string {
	before, times, after := "", 1.0, ""
	switch k {
	case share, fraction:
		times, after = 100, " %"
	case points:
		times, after = 100, " points"
	case duration:
		name, millis := number.TimeUnit(v)
		times, after = 1/millis, " "+name
	case money:
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
func (k kind) within(v, bound float64) string {
	switch {
	case k == share || k == fraction:
		return number.Percent(bound)
	case k == points:
		return number.Points(bound)
	case k == duration:
		return number.TimeIn(v)(bound)
	case k == money:
		return number.Dollars(bound)
	}
	return k.form(bound)
}

// describe writes a value with its interval. Where rounding would put the value on the
// limit, it is rounded less.
func (k kind) describe(e eval.Estimate, limit float64) string {
	text := k.form(*e.Value)
	if *e.Value != limit && text == k.form(limit) {
		text = k.apart(*e.Value, limit)
	}
	if interval := k.interval(e); interval != "" {
		text += " " + interval
	}
	return text
}

func (k kind) interval(e eval.Estimate) string {
	switch {
	case e.Lo != nil && e.Hi != nil:
		return "[" + k.within(*e.Value, *e.Lo) + ", " + k.within(*e.Value, *e.Hi) + "]"
	case e.Lo != nil:
		return "[" + k.within(*e.Value, *e.Lo) + " or more]"
	}
	return ""
}

// Shown is a metric's value and its interval, if it has one, as the words of rules have
// them; of an estimate with a value.
func Shown(metric string, e eval.Estimate) (value, interval string) {
	k := kindOf(metric)
	return k.form(*e.Value), k.interval(e)
}

// Unit is a metric's unit as UCUM writes it.
func Unit(metric string) string {
	switch kindOf(metric) {
	case duration:
		return "ms"
	case money:
		return "{USD}"
	}
	return "1"
}
