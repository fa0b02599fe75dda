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

// FormatValue formats the value of an estimate without its interval. The estimate must have a value.
func (d Def) FormatValue(e eval.Estimate) string {
	if d.Kind == Quantile && d.Unit == Time {
		return FormatQuantile(d.Statistic, e)
	}
	return d.Format(*e.Value)
}

// FormatEstimate formats the value of an estimate with its interval. The estimate must have a value.
func (d Def) FormatEstimate(e eval.Estimate) string {
	return strings.TrimSuffix(d.FormatValue(e)+" "+d.FormatInterval(e), " ")
}

// IsMaximum reports whether a quantile is the largest of the n values, because there are so few: a p95 of
// fewer than 20, a p99 of fewer than 100. statistic is the name of the quantile.
func IsMaximum(statistic string, n int64) bool {
	percent, err := strconv.Atoi(strings.TrimPrefix(statistic, "p"))
	return err == nil && percent > 50 && n > 0 && n*int64(100-percent) < 100
}

// FormatQuantile formats a quantile of times, such as "3.45 s". It formats the largest of a few values as
// "max 3.45 s". statistic is the name of the quantile, such as "p95". The estimate must have a value.
func FormatQuantile(statistic string, e eval.Estimate) string {
	if IsMaximum(statistic, e.N) && *e.Value > 0 {
		return "max " + FormatTime(*e.Value)
	}
	return FormatTime(*e.Value)
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
