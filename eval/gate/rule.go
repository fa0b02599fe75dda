// Package gate checks the metrics of a run against rules, which decide the exit code. Examples of
// rules:
//
//	route.accuracy{suite=mine, fault=none} >= 90%
//	[tag=zh] route.macro_f1 >= 0.9 at 95%
//	latency.p95 <= 3s missing <= 1%
//	drop(route.accuracy) <= 1pp
//	ratio(cost.total_usd) <= 1.1
//	new_failures <= 0
//
// Gates fail closed: absent, empty, missing or non-numeric data fail a rule.
//
// A rule is FIGURE OP NUMBER. FIGURE is a metric, or one of three comparisons with a baseline run.
// drop(METRIC) is the loss of a share or macro-F1 in points (1pp). ratio(METRIC) is the run's mean
// or quantile divided by that of the baseline run. new_failures counts the cases that were correct
// in the baseline run and are wrong now. A selector in braces after the metric restricts the
// conditions. Its keys are suite, variant and fault, each at most once. A condition without a fault
// has the fault none. [tag=NAME] before the figure, or the key tag in braces, selects the cases
// with that tag.
//
// OP is one of >= > <= < == !=; for a comparison <= or <. NUMBER is a decimal (0.9), a percentage
// (90%) or, for times (latency.p95, node.search.mean), a duration (3s, 500ms). A plain number for a
// time is in milliseconds. Names with spaces, commas, brackets, quotes or operators are written in
// double quotes, with Go's escapes.
//
// Options follow the number:
//
// - "at 95%": the end of the 95 % interval must also satisfy the rule.
// - "missing <= 2%": up to this share of the data may be missing.
// - "common_cases": a comparison leaves out and lists changed cases and trials of only one run.
// - "triggered": a rule on fault.* leaves out and lists conditions without a triggered fault.
//
// With "common_cases", the rule is undecided if no common cases remain. "triggered" also leaves out
// conditions whose fault has no expected outcome.
//
// A rule on confidence.ece uses the 95 % interval. It passes if the whole interval is within the
// limit, fails if none of it is, and is undecided otherwise.
//
// A drop or a ratio is tested at 5 % in each direction. The rule passes if the value is proven to
// be within the limit, fails if it is proven to be beyond it, and is undecided otherwise. For the
// drop of a share see [stats.PairedAccuracy.DropBelowPValue].
package gate

import (
	"cmp"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"

	"evalctl/eval"
	"evalctl/eval/metric"
)

// Rule is a gate rule: a limit for one metric, which applies in every condition that the rule
// selects. Rules can be compared with ==; create them with [Parse].
type Rule struct {
	Tag              string     // only cases with this tag; "": all cases
	Comparison       Comparison // comparison with the baseline run; "": none
	Metric           string     // name of the metric, such as route.accuracy; "" for NewFailures
	Suite            string     // only this suite; "": every suite
	Variant          string     // only this variant; "": every variant
	Fault            string     // only this fault; "": every fault; [eval.NoFault]: conditions without a fault
	Op               Op         // operator between the metric and the limit
	Limit            float64    // a fraction for shares and drops, milliseconds for times
	UseIntervalBound bool       // the end of the 95 % interval must also be within the limit
	MaxMissing       float64    // share of the data that may be missing
	CommonCases      bool       // compare only the trials that both runs have
	TriggeredOnly    bool       // only conditions whose fault was triggered

	declared metric.Def // metric of a custom scorer; zero: a metric of the catalog
}

// Comparison states how a rule compares a run with the baseline run; "": the rule needs no
// baseline.
type Comparison string

// The comparisons with a baseline run: the loss in percentage points, the quotient, and the number
// of cases that became wrong.
const (
	Drop        Comparison = "drop"
	Ratio       Comparison = "ratio"
	NewFailures Comparison = "new_failures"
)

// Op is the operator that compares a metric with the limit of a rule.
type Op string

// The operators of rules. == and != compare exactly and are intended for counts.
const (
	AtLeast  Op = ">="
	Above    Op = ">"
	AtMost   Op = "<="
	Below    Op = "<"
	Equal    Op = "=="
	NotEqual Op = "!="
)

// ops lists all operators, longer ones first, so that the parser does not read >= as >.
func ops() []Op { return []Op{AtLeast, AtMost, Equal, NotEqual, Above, Below} }

// isSatisfied reports whether the value satisfies the operator and the limit. It returns false for
// values that are not finite, and for unknown operators.
func (o Op) isSatisfied(v, limit float64) bool {
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
	case NotEqual:
		return v != limit
	}
	return false
}

// margin returns the distance of v from the limit, positive if v satisfies the rule. The condition
// with the lowest margin is the worst.
func (o Op) margin(v, limit float64) float64 {
	switch o {
	case AtMost, Below:
		return limit - v
	case Equal:
		return -math.Abs(v - limit)
	case NotEqual:
		return math.Abs(v - limit)
	}
	return v - limit
}

func (o Op) isUpper() bool { return o == AtMost || o == Below }

func (o Op) isLower() bool { return o == AtLeast || o == Above }

// String returns the rule in canonical form. [Parse] of this text returns an equal rule.
func (r Rule) String() string {
	if r.Op == "" {
		return r.tag() + r.figure() // a metric without a limit, from ParseMetricSelector
	}
	text := r.tag() + r.figure() + " " + string(r.Op) + " " + r.limit()
	if r.UseIntervalBound {
		text += " at 95%"
	}
	if r.MaxMissing > 0 {
		text += " missing <= " + shifted(r.MaxMissing) + "%"
	}
	if r.CommonCases {
		text += " common_cases"
	}
	if r.TriggeredOnly {
		text += " triggered"
	}
	return text
}

func (r Rule) tag() string {
	if r.Tag == "" {
		return ""
	}
	return "[tag=" + quoted(r.Tag) + "] "
}

func (r Rule) figure() string {
	switch r.Comparison {
	case "":
		return quoted(r.Metric) + r.selector()
	case NewFailures:
		return string(NewFailures) + r.selector()
	}
	return string(r.Comparison) + "(" + quoted(r.Metric) + r.selector() + ")"
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

// selection is one key of a selector with the required value; "": any value.
type selection struct{ key, value string }

func (r Rule) selections() []selection {
	return []selection{{"suite", r.Suite}, {"variant", r.Variant}, {"fault", r.Fault}}
}

func (r Rule) selects(c Condition) bool {
	return !(r.isUnderFault() && faultOf(c.Fault) == eval.NoFault) && cmp.Or(r.Suite, c.Suite) == c.Suite &&
		cmp.Or(r.Variant, c.Variant) == c.Variant &&
		cmp.Or(r.Fault, faultOf(c.Fault)) == faultOf(c.Fault)
}

func (r Rule) limit() string {
	switch {
	case r.Comparison == Drop, r.Comparison == "" && r.figureOf().Unit == metric.Points:
		return shifted(r.Limit) + "pp"
	case r.Comparison == "" && r.figureOf().isTime():
		if d, ok := asDuration(r.Limit); ok {
			return d.String()
		}
	}
	return decimal(r.Limit)
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// shifted returns a fraction in hundredths, as text. It moves the decimal point in the text,
// because multiplication is not exact.
func shifted(v float64) string {
	sign, text := "", decimal(v)
	if strings.HasPrefix(text, "-") {
		sign, text = "-", text[1:]
	}
	whole, rest, _ := strings.Cut(text, ".")
	rest += "00"
	whole = strings.TrimLeft(whole+rest[:2], "0")
	if rest = strings.TrimRight(rest[2:], "0"); rest != "" {
		rest = "." + rest
	}
	return sign + cmp.Or(whole, "0") + rest
}

// asDuration converts milliseconds to a duration. ok is false if the conversion is not exact.
func asDuration(millis float64) (d time.Duration, ok bool) {
	ns := math.Round(millis * float64(time.Millisecond))
	if !(ns >= 0 && ns < 1<<53) {
		return 0, false
	}
	d = time.Duration(ns)
	return d, inMillis(d) == millis
}

func inMillis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// quoted adds quotes to a name if the parser requires them.
func quoted(name string) string {
	if name != "" && strings.IndexFunc(name, endsName) < 0 && strconv.Quote(name) == `"`+name+`"` {
		return name
	}
	return strconv.Quote(name)
}

// endsName reports whether the character ends a name without quotes.
func endsName(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune(`{}[]()<>=!,"`, c) }

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

func faultOf(fault string) string { return cmp.Or(fault, eval.NoFault) }

// affectedShare is the metric with the share of affected trials. Every condition with a fault in a
// fault matrix has it.
const affectedShare = "fault.affected"

// isUnderFault reports whether the metric of the rule exists only in conditions with a fault.
func (r Rule) isUnderFault() bool { return strings.HasPrefix(r.Metric, "fault.") }
