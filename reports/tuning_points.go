package reports

import (
	"cmp"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/eval/tune"
	"evalctl/reports/document"
)

// Limits for how many thresholds the table of a text report shows. Each warning reduces the number,
// so that the report fits on a screen.
const (
	maxThresholdRows = 10
	minThresholdRows = 7
)

// markedPoint is a threshold in the table, with the reasons why it is shown, such as "best".
type markedPoint struct {
	tune.Point
	marks []string
}

// pointsToShow selects the thresholds for the table: the best and the current one, the lowest and
// the highest, the range around the best one, and round values as far as they fit.
func (one TunedVariant) pointsToShow() (list []markedPoint) {
	room := maxThresholdRows - len(one.warnings())
	room = max(room-max(len(one.NextCommands)-1, 0), minThresholdRows)
	take := func(p tune.Point, mark string) {
		i := slices.IndexFunc(list, func(m markedPoint) bool { return m.Threshold == p.Threshold })
		if i < 0 {
			if mark == "" && len(list) >= room {
				return
			}
			i = len(list)
			list = append(list, markedPoint{Point: p})
		}
		if mark != "" {
			list[i].marks = append(list[i].marks, mark)
		}
	}
	take(one.Best, "best")
	take(one.Current, "current")
	first, last := one.Points[0], one.Points[len(one.Points)-1]
	if first.FallbackTurns == 0 {
		take(first, "always model")
	}
	if last.FallbackTurns == one.ThresholdedTurns {
		take(last, "never model")
	}
	for _, r := range one.NotSignificantlyWorse {
		if r.Lo <= one.Best.RangeHi && r.Hi >= one.Best.RangeLo {
			take(one.at(r.Lo), "range start")
			take(one.at(r.Hi), "range end")
			break
		}
	}
	for _, v := range []float64{0.5, 0.7, 0.9, 0.3, 0.8, 0.6, 0.4, 0.2, 0.1} {
		take(one.at(v), "")
	}
	slices.SortStableFunc(list, func(a, b markedPoint) int { return cmp.Compare(a.Threshold, b.Threshold) })
	return list
}

// at returns the results at the threshold v.
func (one TunedVariant) at(v float64) tune.Point {
	i := slices.IndexFunc(one.Points, func(p tune.Point) bool { return v <= p.RangeHi })
	if i < 0 {
		i = len(one.Points) - 1
	}
	p := one.Points[i]
	p.Threshold = v
	return p
}

func (one TunedVariant) table(points []markedPoint) document.Table {
	columnOf := func(head string, rank int, show func(markedPoint) document.Cell) document.Column {
		return document.Column{Head: head, Right: true, Rank: rank, Cells: each(points, show)}
	}
	marks := columnOf("", 7, func(p markedPoint) document.Cell {
		return document.Cell{Text: strings.Join(p.marks, ", ")}
	})
	marks.Right = false
	goal := one.goal()
	isShown := []string{"accuracy", "OOS recall", "in-scope accuracy", "USD/1,000"} // as a column of its own
	accuracyRank := 0
	objectiveHead, isWeighted := goal.Title(), one.OOSPrior > 0 && goal.DependsOnOOSShare() && !goal.IsCost()
	if isWeighted {
		objectiveHead = "weighted " + objectiveHead
	}
	hasObjective := isWeighted || !slices.Contains(isShown, objectiveHead)
	if hasObjective {
		accuracyRank = 5 // the objective is more important
	}
	objective := columnOf(objectiveHead, 0, func(p markedPoint) document.Cell {
		if !hasObjective {
			return document.Cell{}
		}
		return document.Cell{Text: shareOrNone(p.ObjectiveValue), Tone: tuningTone(p)}
	})
	limited := columnOf(goal.LimitTitle(), 6, func(p markedPoint) document.Cell {
		if slices.Contains(isShown, goal.LimitTitle()) || goal.LimitTitle() == "" {
			return document.Cell{}
		}
		return document.Cell{Text: shareOrNone(p.LimitedValue)}
	})
	columns := []document.Column{
		columnOf("threshold", 0,
			func(p markedPoint) document.Cell { return document.Cell{Text: threshold(p.Threshold)} }),
		marks,
		columnOf("accuracy", accuracyRank, func(p markedPoint) document.Cell {
			return document.Cell{Text: metric.FormatShare(p.Accuracy), Tone: tuningTone(p)}
		}),
		objective, limited,
		class(columnOf("OOS recall", 0, func(p markedPoint) document.Cell { return classCell(p.OOSRecall) }),
			one.OOSTurns),
		class(columnOf("in-scope accuracy", 0, func(p markedPoint) document.Cell { return classCell(p.InScopeAccuracy) }),
			one.InScopeTurns),
		columnOf("fallback rate", 4,
			func(p markedPoint) document.Cell { return document.Cell{Text: metric.FormatShare(p.FallbackRate)} }),
		columnOf("USD/1,000", 3, func(p markedPoint) document.Cell {
			if !isKnown(p.CostPerTrial) {
				return document.Cell{Text: noValue}
			}
			return document.Cell{Text: usdOf(p.Point)}
		}),
		columnOf("calls", 1, func(p markedPoint) document.Cell {
			if !isKnown(p.CallsPerTrial) {
				return document.Cell{Text: noValue}
			}
			return document.Cell{Text: estimated(p.Point, formatMean(*p.CallsPerTrial))}
		}),
	}
	columns = slices.DeleteFunc(columns, func(c document.Column) bool {
		return c.Head != "" && !slices.ContainsFunc(c.Cells, func(one document.Cell) bool { return one.Text != "" })
	})
	return document.Table{Keys: 1, Narrow: document.ShortenNames, Columns: append(columns, one.plot(points))}
}

// class adds the number of turns of a class to the head of its column.
func class(l document.Column, turns int64) document.Column {
	l.TailHead = "n=" + thousands(turns)
	return l
}

// objectiveTitle returns the name of the measure that the threshold was selected by.
func (one TunedVariant) objectiveTitle() string {
	if goal := one.goal(); one.OOSPrior == 0 || !goal.DependsOnOOSShare() {
		return goal.Title()
	}
	return one.goal().Title() + " at " + metric.FormatShare(one.OOSPrior) + " OOS"
}

// classCell returns the share of one class with its interval; empty without that class.
func classCell(e *eval.Estimate) document.Cell {
	if e == nil || !isKnown(e.Value) {
		return document.Cell{}
	}
	return document.Cell{Text: metric.FormatShare(*e.Value), Tail: strings.TrimSpace(span(e.Lo, e.Hi, percent))}
}

func shareOrNone(v *float64) string {
	if !isKnown(v) {
		return noValue
	}
	return metric.FormatShare(*v)
}

func tuningTone(p markedPoint) document.Tone {
	if slices.Contains(p.marks, "best") {
		return document.Strong
	}
	return document.Plain
}

// usdOf formats the cost of 1,000 trials in US dollars.
func usdOf(p tune.Point) string { return estimated(p, metric.FormatUSD(1000**p.CostPerTrial)) }

// estimated marks a number with "~" if it is partly estimated.
func estimated(p tune.Point, text string) string {
	if p.EstimatedShare > 0 {
		return "~ " + text
	}
	return text
}

// plot returns a table column that draws the objective at each threshold as a bar, with a mark at the
// best and at the current threshold. A cost is not drawn; the bar is then the accuracy.
func (one TunedVariant) plot(points []markedPoint) document.Column {
	height := func(p markedPoint) float64 {
		if one.goal().IsCost() || !isKnown(p.ObjectiveValue) {
			return p.Accuracy
		}
		return *p.ObjectiveValue
	}
	var heights valueRange
	for _, p := range points {
		heights.add(new(height(p)))
	}
	l := document.Column{Axis: heights.axis(document.ShareAxis), PlotWidth: plotWidth, Rank: 2}
	l.Cells = each(points, func(p markedPoint) document.Cell {
		marks := []document.Mark{{Shape: document.Bar, From: l.Axis.Lo, To: height(p)}}
		switch {
		case slices.Contains(p.marks, "best"):
			marks = append(marks, document.Mark{Shape: document.Dot, From: height(p)})
		case slices.Contains(p.marks, "current"):
			marks = append(marks, document.Mark{Shape: document.Ring, From: height(p)})
		}
		return document.Cell{Marks: marks}
	})
	return l
}

// rows returns one row for each threshold. A partial run has a PARTIAL row at the top and at the bottom.
func (t TuningReport) rows() *document.Table {
	g := document.ValueTable("suite", "variant", "fault", t.Setting, "range_above", "range_up_to", "accuracy",
		"correct", "trials",
		"fallback_rate", "rejected", "turns", "cost", "calls", "estimated_share", "objective", "limited",
		"oos_recall", "oos_recall_lo", "oos_recall_hi", "oos_turns",
		"in_scope_accuracy", "in_scope_accuracy_lo", "in_scope_accuracy_hi", "in_scope_turns")
	for _, one := range t.Variants {
		for _, p := range one.Points {
			row := []any{one.Suite, one.Variant, one.Fault, p.Threshold, p.RangeLo, p.RangeHi, p.Accuracy, p.Correct,
				one.Trials, p.FallbackRate, p.FallbackTurns, one.Turns, p.CostPerTrial, p.CallsPerTrial,
				p.EstimatedShare, p.ObjectiveValue, p.LimitedValue}
			for _, e := range []*eval.Estimate{p.OOSRecall, p.InScopeAccuracy} {
				if e == nil {
					row = append(row, nil, nil, nil, nil)
					continue
				}
				row = append(row, e.Value, e.Lo, e.Hi, e.N)
			}
			g.AddValues(row...)
		}
	}
	if t.Partial {
		g.MarkPartial("PARTIAL")
	}
	return g
}
