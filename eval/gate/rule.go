// Package gate judges a run's summary by rules such as
//
//	route.accuracy{suite=mine, fault=none} >= 90%
//	[tag=zh] route.macro_f1 >= 0.9 at 95%
//	latency.p95 <= 3s missing <= 1%
//	drop(route.accuracy) <= 1pp
//	ratio(cost.total_usd) <= 1.1
//	new_failures <= 0
//
// and fails closed: what is absent, empty, missing or not a number breaks the rule.
//
// A rule is FIGURE OP NUMBER. FIGURE is a metric, or one of three comparisons with a
// baseline: drop(METRIC) is what a share or macro-F1 lost, in points (1pp);
// ratio(METRIC) is the run's mean or quantile over the baseline's; new_failures counts
// the cases that were right and are wrong. A selector in braces behind the metric
// narrows the cells: its keys are suite, variant and fault, each at most once; a cell
// without a fault has the fault none. [tag=NAME] before the figure, or the key tag in
// braces, takes the cases with that tag alone.
//
// OP is one of >= > <= < == !=, of a comparison <= or <. NUMBER is a decimal (0.9), a
// percentage (90%) or, for metrics that are times (latency.p95, node.search.mean), a
// duration (3s, 500ms); a bare number for those means milliseconds, the unit in which
// they are measured. Names with spaces, commas, brackets, quotes or operators stand in
// double quotes, with Go's escapes.
//
// Behind the number, «at 95%» asks that the bound of the figure's 95 % interval keeps
// the rule, and not only the value; «missing <= 2%» takes so much of the figure for
// granted where it is missing. «common» behind a comparison leaves out, and tells, what
// only one of the runs has, or what asks or wants something else by now; where nothing is
// common the rule is undecided. «fired» behind a rule on fault.* likewise leaves out the cells
// whose fault struck nothing, or of which nobody says what should come.
//
// A rule on confidence.ece goes by the 95 % interval: it passes where all of it keeps the
// limit, fails where none of it does, and else is undecided.
//
// A drop or a ratio is tested: the rule passes where it is proven that the limit is
// kept, fails where it is proven that it is not, each at 5 %, and else is undecided.
// For a drop of a share see [stats.Paired.PDropBelow].
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

// Rule is a condition on one figure in every cell that it selects. Rules are
// comparable; make them with [Parse].
type Rule struct {
	Tag           string // "" takes all cases
	Against       Comparison
	Metric        string // such as route.accuracy; "" with NewFailures
	Suite         string // "" selects every suite,
	Variant       string // every variant,
	Fault         string // every fault; [eval.NoFault] the cells without one
	Op            Op
	Limit         float64 // a fraction for shares and drops, milliseconds for times
	UseBound      bool    // the interval's bound has to keep the limit too
	Missing       float64 // share of the figure that may be missing
	CommonCases   bool    // a comparison is of the trials that both runs have alone
	TriggeredOnly bool    // a figure of a fault matrix is of the cells whose fault struck something alone

	declared metric.Def // of a metric that the catalogue does not have; the zero one: nobody declares it
}

// Comparison is how a rule holds a run against its baseline; "": it does not.
type Comparison string

// The comparisons with a baseline.
const (
	Drop        Comparison = "drop"
	Ratio       Comparison = "ratio"
	NewFailures Comparison = "new_failures"
)

// Op compares a metric with a limit.
type Op string

// The comparisons; == and != are exact, and meant for counts.
const (
	AtLeast  Op = ">="
	Above    Op = ">"
	AtMost   Op = "<="
	Below    Op = "<"
	Equal    Op = "=="
	NotEqual Op = "!="
)

// ops has the longer ones first, for the parser.
func ops() []Op { return []Op{AtLeast, AtMost, Equal, NotEqual, Above, Below} }

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
	case NotEqual:
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
	case NotEqual:
		return math.Abs(v - limit)
	}
	return v - limit
}

// isUpper tells a limit from above.
func (o Op) isUpper() bool { return o == AtMost || o == Below }

// isLower tells a limit from below.
func (o Op) isLower() bool { return o == AtLeast || o == Above }

// String is the rule in its canonical spelling, which [Parse] reads back to an equal rule.
func (r Rule) String() string {
	if r.Op == "" {
		return r.tag() + r.figure() // see ParseMetric
	}
	text := r.tag() + r.figure() + " " + string(r.Op) + " " + r.limit()
	if r.UseBound {
		text += " at 95%"
	}
	if r.Missing > 0 {
		text += " missing <= " + shifted(r.Missing) + "%"
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
	switch r.Against {
	case "":
		return quoted(r.Metric) + r.selector()
	case NewFailures:
		return string(NewFailures) + r.selector()
	}
	return string(r.Against) + "(" + quoted(r.Metric) + r.selector() + ")"
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

func (r Rule) selects(c Condition) bool {
	return !(r.isUnderFault() && faultOf(c.Fault) == eval.NoFault) && cmp.Or(r.Suite, c.Suite) == c.Suite &&
		cmp.Or(r.Variant, c.Variant) == c.Variant &&
		cmp.Or(r.Fault, faultOf(c.Fault)) == faultOf(c.Fault)
}

func (r Rule) limit() string {
	switch {
	case r.Against == Drop, r.Against == "" && r.figureOf().Unit == metric.Points:
		return shifted(r.Limit) + "pp"
	case r.Against == "" && r.figureOf().isTime():
		if d, ok := asDuration(r.Limit); ok {
			return d.String()
		}
	}
	return decimal(r.Limit)
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// shifted writes a fraction in hundredths. It shifts the point in the text, as the
// parser does: multiplying is not exact.
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

// quoted puts quotes only where the parser needs them.
func quoted(name string) string {
	if name != "" && strings.IndexFunc(name, endsName) < 0 && strconv.Quote(name) == `"`+name+`"` {
		return name
	}
	return strconv.Quote(name)
}

// endsName tells the characters that an unquoted name cannot have.
func endsName(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune(`{}[]()<>=!,"`, c) }

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

func faultOf(fault string) string { return cmp.Or(fault, eval.NoFault) }

// struckShare is of the trials that a fault struck: what every cell of a fault matrix under
// a fault has.
const struckShare = "fault.affected"

// isUnderFault tells a rule on what only cells under a fault have.
func (r Rule) isUnderFault() bool { return strings.HasPrefix(r.Metric, "fault.") }
