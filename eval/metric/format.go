package metric

import (
	"math"
	"strconv"
	"strings"

	"evalctl/eval"
)

// Format formats a value of the metric with its unit.
func (d Def) Format(v float64) string {
	switch d.Unit {
	case Share, PartOfWhole:
		return FormatShare(v)
	case Score:
		return FormatScore(v)
	case Time:
		return FormatTime(v)
	case USD:
		return "USD " + FormatUSD(v)
	case Count, Tokens:
		return FormatRounded(v)
	case Points:
		return FormatPoints(v) + " points"
	}
	if math.Abs(v) < 1 {
		return FormatScore(v)
	}
	return FormatMean(v)
}

// FormatBound formats an end of the interval of the value v, without the unit.
func (d Def) FormatBound(v, bound float64) string {
	switch d.Unit {
	case Share, PartOfWhole:
		return FormatPercent(bound)
	case Points:
		return FormatPoints(bound)
	case Time:
		return TimeFormatter(v)(bound)
	case USD:
		return FormatUSD(bound)
	}
	return d.Format(bound)
}

// FormatInterval formats the interval of an estimate as "[lo, hi]", or as "[≥ lo]" or "[≤ hi]" if only
// one end is known. It returns "" if there is none.
// The estimate must have a value.
func (d Def) FormatInterval(e eval.Estimate) string {
	switch {
	case IsKnown(e.Lo) && IsKnown(e.Hi):
		return "[" + d.FormatBound(*e.Value, *e.Lo) + ", " + d.FormatBound(*e.Value, *e.Hi) + "]"
	case IsKnown(e.Lo):
		return "[≥ " + d.FormatBound(*e.Value, *e.Lo) + "]"
	case IsKnown(e.Hi):
		return "[≤ " + d.FormatBound(*e.Value, *e.Hi) + "]"
	}
	return ""
}

// FormatEstimate formats the value of an estimate with its interval. The estimate must have a value.
func (d Def) FormatEstimate(e eval.Estimate) string {
	return strings.TrimSuffix(d.Format(*e.Value)+" "+d.FormatInterval(e), " ")
}

// IsCounted reports whether the metric is a share of things that are counted, such as trials. The share
// of a small sample can be shown as counts: 3 of 4.
func (d Def) IsCounted() bool { return d.Unit == Share && (d.Kind == Proportion || d.Kind == Quotient) }

// IsShown reports whether tables show an estimate of the metric. They show no cost if some trials have
// no price.
func (d Def) IsShown(e eval.Estimate) bool {
	switch {
	case !IsKnown(e.Value), d.Unit == USD && e.Missing > 0:
		return false
	case d.Visibility == positive:
		return *e.Value > 0
	case d.Visibility == aboveOne:
		return *e.Value > 1
	}
	return d.Visibility != hidden
}

// IsSecondary reports whether tables show the metric only on demand: members of families, and metrics
// that no table of a report has.
func (r ResolvedKey) IsSecondary() bool { return r.Member != "" || r.Visibility == hidden }

// RowLabel returns the label of the metric, as in the head of a table row.
func (r ResolvedKey) RowLabel(epochs int) string { return r.fill(r.Label, epochs) }

// ColumnHeading returns the heading of a table column for the metric in a suite with the given
// number of epochs.
func (r ResolvedKey) ColumnHeading(epochs int) string { return r.fill(r.Heading, epochs) }

func (r ResolvedKey) fill(text string, epochs int) string {
	text = strings.ReplaceAll(text, "{epochs}", strconv.Itoa(epochs))
	return strings.ReplaceAll(text, "{"+r.Placeholder()+"}", r.Member)
}
