package reports

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/document"
	"evalctl/reports/finding"
)

// selectVariants returns the variants that fit in the table, in their original order. If there are
// more, it prefers the baseline variant, the two best variants, those with warnings, then the next
// best.
func selectVariants(s eval.SuiteSummary, found []finding.Sentence, room int) (shown []eval.ConditionSummary, more int) {
	conditions := finding.ConditionsWithoutFault(s)
	if len(conditions) <= room {
		return conditions, 0
	}
	var names []string
	take := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	take(finding.BaselineVariant(s))
	ranked := finding.RankedByAccuracy(s)
	for _, c := range ranked[:min(len(ranked), 2)] {
		take(c.Variant)
	}
	for _, f := range found {
		for _, p := range f.Parts {
			if f.IsWarning() && p.Role == finding.VariantName {
				take(p.Text)
			}
		}
	}
	for _, c := range slices.Concat(ranked, conditions) {
		take(c.Variant)
	}
	names = names[:min(len(names), max(room-1, minVariants))] // one row is needed for "and N more variants"
	for _, c := range conditions {
		if slices.Contains(names, c.Variant) {
			shown = append(shown, c)
		}
	}
	return shown, len(conditions) - len(shown)
}

const minVariants = 3

// sentencesAbout returns all warnings, and the findings that mention only variants in the table.
func sentencesAbout(found []finding.Sentence, conditions []eval.ConditionSummary) []finding.Sentence {
	return slices.DeleteFunc(slices.Clone(found), func(f finding.Sentence) bool {
		return !f.IsWarning() && slices.ContainsFunc(f.Parts, func(p finding.SentencePart) bool {
			return p.Role == finding.VariantName &&
				!slices.ContainsFunc(conditions, func(c eval.ConditionSummary) bool { return c.Variant == p.Text })
		})
	})
}

// variants returns the table that compares a suite's variants without a fault. The width decides
// how much of the names is shown and whether there is a plot.
func variants(s eval.SuiteSummary, conditions []eval.ConditionSummary, width int) document.Table {
	columns := []document.Column{
		nameColumn(conditions, width),
		accuracyColumn(s, conditions),
		differenceColumn(s, conditions),
		changedCasesColumn(s, conditions),
		{
			Head:  "unscored",
			Right: true,
			Rank:  11,
			Cells: each(conditions, func(c eval.ConditionSummary) document.Cell {
				return document.Cell{Text: countOrEmpty(c.Metrics["route.accuracy"].Missing), Tone: document.Warn}
			}),
		},
	}
	columns = append(columns, rankedColumns(s, conditions)...)
	if width >= plotFrom {
		plot := accuracyPlot(s, conditions)
		plot.PlotWidth = plotWidth
		columns = append(columns, plot)
	}
	return document.Table{Keys: 1, Narrow: document.ShortenNames, Columns: columns}
}

// fitVariants returns the table of variants without the columns that do not fit. If it has no column
// "unscored", the accuracies show their denominators.
func fitVariants(table document.Table, conditions []eval.ConditionSummary, width int) document.Table {
	fitted := table.Fit(width)[0]
	if fitted.Has("unscored") {
		return fitted
	}
	for i, c := range conditions {
		if e := c.Metrics["route.accuracy"]; e.Missing > 0 && !finding.IsSmallSample(e) {
			table.Columns[1].Cells[i].Tail += " of " + thousands(e.N)
		}
	}
	return table.Fit(width)[0]
}

func nameColumn(conditions []eval.ConditionSummary, width int) document.Column {
	return document.Column{Head: "variant", Cells: each(conditions, func(c eval.ConditionSummary) document.Cell {
		return document.Cell{Text: shortenMiddle(named(c.Variant), nameRoom(width))}
	})}
}

// nameRoom returns the maximum width of the names in the first column of a table.
func nameRoom(width int) int { return max(width*35/100, document.MinNameWidth) }

// accuracyColumn returns the column with the accuracy. For a suite without scored decisions, it is
// the share of answered trials.
func accuracyColumn(s eval.SuiteSummary, conditions []eval.ConditionSummary) document.Column {
	l := document.Column{Head: "accuracy", TailHead: "[95 %]", Right: true}
	if !slices.ContainsFunc(s.Conditions, hasScoredDecisions) {
		l.Head = "answered"
		l.Cells = each(conditions,
			func(c eval.ConditionSummary) document.Cell { return shareCell(complement(c.Metrics["missing.rate"])) })
		return l
	}
	l.Cells = each(conditions, func(
		c eval.ConditionSummary) document.Cell {
		return shareCell(c.Metrics["route.accuracy"])
	})
	return l
}

func hasScoredDecisions(c eval.ConditionSummary) bool {
	e := c.Metrics["route.accuracy"]
	return e.N+e.Missing > 0
}

// complement returns 1 minus a share, and its confidence interval.
func complement(e eval.Estimate) eval.Estimate {
	without := func(v *float64) *float64 {
		if v == nil {
			return nil
		}
		return new(1 - *v)
	}
	e.Value, e.Lo, e.Hi = without(e.Value), without(e.Hi), without(e.Lo)
	return e
}

func shareCell(e eval.Estimate) document.Cell {
	f := document.Cell{Text: finding.FormatShare(e), Tone: document.Strong}
	if isKnown(e.Value) && isKnown(e.Lo) && isKnown(e.Hi) {
		f.Tail = "[" + metric.FormatPercent(*e.Lo) + ", " + metric.FormatPercent(*e.Hi) + "]"
	}
	return f
}

func differenceColumn(s eval.SuiteSummary, conditions []eval.ConditionSummary) document.Column {
	if len(conditions) < 2 || !slices.ContainsFunc(s.Conditions, hasScoredDecisions) {
		return document.Column{Rank: 1, Cells: make([]document.Cell, len(conditions))}
	}
	return document.Column{
		Head:     "vs " + shorten(named(finding.BaselineVariant(s)), maxReferenceName),
		TailHead: "[95 %]",
		Cells:    each(conditions, func(c eval.ConditionSummary) document.Cell { return differenceFromBaseline(s, c) }),
	}
}

// differenceFromBaseline formats how a variant differs from the suite's baseline variant.
func differenceFromBaseline(s eval.SuiteSummary, c eval.ConditionSummary) document.Cell {
	first := finding.BaselineVariant(s)
	d, ok := finding.Difference(s, c.Variant, first)
	switch {
	case c.Variant == first:
		return document.Cell{Text: "first"}
	case !ok:
		return document.Cell{Text: noValue}
	}
	return differenceCell(d)
}

const maxReferenceName = 20

// differenceCell formats a difference of accuracy in points, with "~" if it is not significant.
func differenceCell(d eval.Difference) document.Cell {
	c := document.Cell{Text: noValue, Tone: stateTone(d.State)}
	if d.State != eval.InsufficientData && isKnown(d.Accuracy.Value) {
		c.Text = metric.FormatPoints(*d.Accuracy.Value)
		c.Tail = strings.TrimSpace(span(d.Accuracy.Lo, d.Accuracy.Hi, pointsBound))
	}
	switch d.State {
	case eval.Identical:
		return document.Cell{Text: "= identical"}
	case eval.NotSignificant:
		c.Text = "~ " + c.Text
	}
	return c
}

// Heads of the column that counts the cases in which a variant differs from the baseline variant.
const (
	fixedBroken   = "fixed/broken"
	moreLessRight = "more/less right"
)

func changedCasesColumn(s eval.SuiteSummary, conditions []eval.ConditionSummary) document.Column {
	first := finding.BaselineVariant(s)
	head := fixedBroken
	if s.Epochs > 1 {
		head = moreLessRight // with several epochs, a case can be right in more or in fewer of them
	}
	return document.Column{
		Head:  head,
		Right: true,
		Rank:  9,
		Cells: each(conditions, func(c eval.ConditionSummary) document.Cell {
			d, ok := finding.Difference(s, c.Variant, first)
			if !ok || c.Variant == first || d.State == eval.Identical || d.State == eval.InsufficientData {
				return document.Cell{}
			}
			return document.Cell{Text: "+" + thousands(d.Fixed) + "/−" + thousands(d.Broken)}
		}),
	}
}

// inAllEpochs formats the share of cases that are right in all epochs. Cases with an unscored epoch
// are counted separately.
func inAllEpochs(e eval.Estimate) string {
	switch {
	case !isKnown(e.Value):
		return strings.TrimPrefix(withMissing(e, "", "incomplete"), ", ")
	case e.Missing > 0 && !finding.IsSmallSample(e):
		return withMissing(e, finding.FormatShare(e)+" of "+thousands(e.N), "incomplete")
	}
	return withMissing(e, finding.FormatShare(e), "incomplete")
}

// each returns a cell for each row.
func each[T any](rows []T, show func(T) document.Cell) []document.Cell {
	list := make([]document.Cell, len(rows))
	for i, row := range rows {
		list[i] = show(row)
	}
	return list
}

// plotFrom is the minimum width of a report, in columns, that shows the accuracies as a plot.
const plotFrom = 120

func stateTone(s eval.ComparisonState) document.Tone {
	switch s {
	case eval.Better:
		return document.Good
	case eval.Worse:
		return document.Bad
	}
	return document.Plain
}

// neutralDigits is the maximum number of additional decimals of a bound that is nearly neutral.
const neutralDigits = 2

// pointsBound formats the bound of a difference in points. If it is rounded to 0, it has up to
// neutralDigits more decimals, so that the side is visible.
func pointsBound(v float64) string {
	text := metric.FormatPoints(v)
	for digits := 2; digits <= 1+neutralDigits && strings.Trim(text, "+−0.") == "" && v != 0; digits++ {
		text = text[:strings.IndexAny(text, "0")] + strconv.FormatFloat(100*math.Abs(v), 'f', digits, 64)
	}
	return text
}
