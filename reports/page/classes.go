package page

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/finding"
)

// Limits for how many classes (expected labels) a page shows in total, and without a click. If
// there are more, it shows those with the lowest F1.
const (
	maxClasses         = 30
	maxUnfoldedClasses = 12
)

// class is an expected label, with a plot row for each variant.
type class struct {
	Label string
	Rows  template.HTML
	worst float64 // lowest F1 that any variant has for the label
}

// Classes renders the results of each class (expected label): the recall, and the shares of the
// labels that were predicted instead. Variants with identical decisions share a row.
func Classes(s eval.SuiteSummary, of *SuiteDistribution) template.HTML {
	variants := groups(slices.DeleteFunc(faultFree(s),
		func(c eval.ConditionSummary) bool { return c.Confusion == nil || len(c.Confusion.Counts) == 0 }),
		sameConfusion)
	if len(variants) == 0 {
		return ""
	}
	labels := sortedClasses(variants)
	data := struct {
		Classes, Folded []class
		Left            string
	}{}
	if n := len(labels); n > maxClasses {
		data.Left = fmt.Sprintf("The %d of %d classes with the lowest F1 are shown.", maxClasses, n)
		labels = labels[:maxClasses]
	}
	for i, one := range labels {
		one.Rows = classRows(s, of, one.Label, variants)
		if i < maxUnfoldedClasses {
			data.Classes = append(data.Classes, one)
		} else {
			data.Folded = append(data.Folded, one)
		}
	}
	return fragment("classes", data)
}

// sortedClasses returns the labels that at least one case expects. If there are many, it sorts them
// by F1, lowest first.
func sortedClasses(variants []group) (list []class) {
	for _, label := range variants[0].Confusion.Labels[:expected(variants[0].Confusion)] {
		one, isExpected := class{Label: label, worst: 2}, false
		for _, v := range variants {
			isExpected = isExpected || v.Metrics["route.recall."+label].N > 0
			if f1 := v.Metrics["route.f1."+label].Value; metric.IsKnown(f1) {
				one.worst = min(one.worst, *f1)
			}
		}
		if isExpected {
			list = append(list, one)
		}
	}
	if len(list) > maxUnfoldedClasses {
		slices.SortStableFunc(list, func(a, b class) int { return cmp.Compare(a.worst, b.worst) })
	}
	return list
}

func classRows(s eval.SuiteSummary, seen *SuiteDistribution, label string, variants []group) template.HTML {
	rows := Rows{Class: "classes", Panels: []Panel{{Axis: Axis{Hi: 1}}}}
	for _, v := range variants {
		at := slices.Index(v.Confusion.Labels, label)
		if at < 0 || at >= len(v.Confusion.Counts) {
			continue
		}
		of := casesOf(s, v.ConditionSummary)
		of.Expected = label
		rows.Rows = append(rows.Rows, Row{Name: v.Title(), Link: of.String(), Cells: []PlotCell{{
			Marks: classMarks(v.Confusion.Counts[at], at, v.Metrics["route.recall."+label]),
			Value: classText(v, label, of, foundTrials(s, seen, v.ConditionSummary, label))}}})
	}
	return rows.HTML()
}

// Vertical position of a bar, and of the line below it that shows the interval, in pixels.
const (
	barFrom     = 5
	barHeight   = 14
	intervalTop = 24
)

// classMarks draws a bar of the correct predictions, followed by the other predictions, most
// frequent first.
func classMarks(counts []int64, at int, recall eval.Estimate) (marks []Mark) {
	all, from := float64(max(sum(counts), 1)), 0.0
	others := slices.Concat(counts[:at], counts[at+1:])
	slices.SortFunc(others, func(a, b int64) int { return cmp.Compare(b, a) })
	for i, n := range slices.Insert(others, 0, counts[at]) {
		if n == 0 {
			continue
		}
		as := "taken"
		if i == 0 {
			as = "found"
		}
		to := from + 100*float64(n)/all
		marks = append(marks, Mark{
			Shape:  rectShape,
			From:   from,
			To:     to,
			Y:      barFrom,
			Height: barHeight,
			Class:  as,
		})
		from = to
	}
	if metric.IsKnown(recall.Lo) && metric.IsKnown(recall.Hi) {
		marks = append(marks, Mark{
			Shape: lineShape,
			From:  100 * *recall.Lo,
			To:    100 * *recall.Hi,
			Y:     intervalTop,
			Class: "span",
		})
	}
	return marks
}

func classText(v group, label string, of CasesLink, trials func(right bool, n int64) string) template.HTML {
	recall := v.Metrics["route.recall."+label]
	found := finding.FormatShare(recall)
	if metric.IsKnown(recall.Value) && !finding.IsSmallSample(recall) {
		found += " of " + metric.FormatInteger(recall.N)
	}
	if countsTurns(v.ConditionSummary) {
		found += " turns"
	}
	right := finding.Numerator(recall)
	of.Result = Correct
	words := []textPart{{Text: found, Link: of.String()}, {Text: " correct" + trials(true, right)}}
	if n := recall.N - right; n > 0 {
		of.Result = Wrong
		words = append(words, textPart{Text: ", "}, textPart{Text: metric.FormatInteger(n) + " not", Link: of.String()},
			textPart{Text: trials(false, n)})
	}
	words = append(words, textPart{Text: " · precision\u00a0" +
		finding.FormatShare(v.Metrics["route.precision."+label]),
		Mute: true})
	if f1 := v.Metrics["route.f1."+label].Value; metric.IsKnown(f1) {
		words = append(words, textPart{Text: " · F1\u00a0" + metric.FormatScore(*f1), Mute: true})
	}
	return renderText(words...)
}

// foundTrials returns a function that formats how many cases (or trials) contain the n turns in
// which the label was right or wrong. The text is "" if each case has one turn.
func foundTrials(s eval.SuiteSummary, of *SuiteDistribution, c eval.ConditionSummary,
	label string) func(right bool, n int64) string {
	return func(right bool, n int64) string {
		if of == nil || !countsTurns(c) || n == 0 {
			return ""
		}
		return " (in " + metric.Plural(of.TrialsWithLabel(c, label, right, n), TrialNoun(s)) + ")"
	}
}
