// Package gate judges a run's summary by rules such as
//
//	route.accuracy{suite=mine, fault=none} >= 90%
//	latency.p95 <= 3s
//
// and fails closed: what is absent, empty or not a number breaks the rule.
//
// A rule is METRIC, an optional selector in braces, OP and NUMBER. The selector's keys
// are suite, variant and fault, each at most once; a cell without a fault has the fault
// none. OP is one of >= > <= < == !=. NUMBER is a decimal (0.9), a percentage (90%) or,
// for metrics that are times (latency.p95, node.search.mean), a duration (3s, 500ms); a
// bare number for those means milliseconds, the unit in which they are measured. Names
// with spaces, commas, braces, quotes or operators stand in double quotes, with Go's escapes.
package gate

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"

	"evalctl/eval"
)

// Rule is a condition on one metric in every cell that it selects. Rules are
// comparable; make them with [Parse].
type Rule struct {
	Metric  string // such as route.accuracy
	Suite   string // "" selects every suite,
	Variant string // every variant,
	Fault   string // every fault; [eval.NoFault] the cells without one
	Op      Op
	Limit   float64 // a fraction for rates, milliseconds for times
}

// Op compares a metric with a limit.
type Op string

// The comparisons; == and != are exact, and meant for counts.
const (
	AtLeast Op = ">="
	Above   Op = ">"
	AtMost  Op = "<="
	Below   Op = "<"
	Equal   Op = "=="
	Differs Op = "!="
)

// ops has the longer ones first, for the parser.
func ops() []Op { return []Op{AtLeast, AtMost, Equal, Differs, Above, Below} }

// holds is false for what is not a finite number, and for an operator not in the list.
func (o Op) holds(v, limit float64) bool {
	if !finite(v) || !finite(limit) {
		return false
	}
	switch o {
	case AtLeast:
		return v >= limit
	case Above:
		return v > limit
	case AtMost:
		return v <= limit
	case Below:
		return v < limit
	case Equal:
		return v == limit
	case Differs:
		return v != limit
	}
	return false
}

// margin is how far v is on the right side of the limit; the least is the worst.
func (o Op) margin(v, limit float64) float64 {
	switch o {
	case AtMost, Below:
		return limit - v
	case Equal:
		return -math.Abs(v - limit)
	case Differs:
		return math.Abs(v - limit)
	}
	return v - limit
}

// String is the rule in its canonical spelling, which [Parse] reads back to an equal rule.
func (r Rule) String() string {
	return quoted(r.Metric) + r.selector() + " " + string(r.Op) + " " + r.limit()
}

func (r Rule) selector() string {
	var parts []string
	for _, s := range r.selections() {
		if s.value != "" {
			parts = append(parts, s.key+"="+quoted(s.value))
		}
	}
	if parts == nil {
		return ""
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// selection is one key of a rule with the value that a cell must have; "" is any.
type selection struct{ key, value string }

func (r Rule) selections() []selection {
	return []selection{{"suite", r.Suite}, {"variant", r.Variant}, {"fault", r.Fault}}
}

func (r Rule) limit() string {
	if d, ok := asDuration(r.Limit); ok && isTime(r.Metric) {
		return d.String()
	}
	return strconv.FormatFloat(r.Limit, 'f', -1, 64)
}

// asDuration is exact, or not ok.
func asDuration(millis float64) (d time.Duration, ok bool) {
	ns := math.Round(millis * float64(time.Millisecond))
	if !(ns >= 0 && ns < 1<<53) {
		return 0, false
	}
	d = time.Duration(ns)
	return d, inMillis(d) == millis
}

func inMillis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// isTime tells whether the metric is measured in milliseconds: a percentile (a label
// of the route may look like one), or the mean of what has percentiles.
func isTime(metric string) bool {
	parts := strings.Split(metric, ".")
	family, last := parts[0], parts[len(parts)-1]
	switch family {
	case "route":
		return false
	case "latency", "ttft", "node":
		if last == "mean" {
			return true
		}
	}
	percent, isPercentile := strings.CutPrefix(last, "p")
	return isPercentile && isDigits(percent)
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// quoted puts quotes only where the parser needs them.
func quoted(name string) string {
	if name != "" && strings.IndexFunc(name, endsName) < 0 && strconv.Quote(name) == `"`+name+`"` {
		return name
	}
	return strconv.Quote(name)
}

// endsName tells the characters that an unquoted name cannot have.
func endsName(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune(`{}<>=!,"`, c) }

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// unit of a metric's values, for people.
func unit(metric string) string {
	if isTime(metric) {
		return " ms"
	}
	return ""
}

// where names a cell.
func where(suite string, c eval.CellSummary) string {
	return fmt.Sprintf("suite %s, variant %s, fault %s", suite, c.Name, faultOf(c.Fault))
}

func faultOf(fault string) string {
	if fault == "" {
		return eval.NoFault
	}
	return fault
}
