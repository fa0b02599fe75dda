package page

import (
	"fmt"
	"html/template"
	"reflect"
	"slices"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/finding"
)

// calibration contains the calibration plot and the texts of a group of variants with equal
// results.
type calibration struct {
	Title, Words   string
	Rows           template.HTML
	ThresholdTable template.HTML
}

// Confidence renders a calibration plot for each variant: the accuracy of its model decisions in
// ten bins by confidence. It omits variants with too few decisions.
func Confidence(s eval.SuiteSummary) template.HTML {
	var list []calibration
	conditions := slices.DeleteFunc(faultFree(s), func(c eval.ConditionSummary) bool {
		return c.Confidence == nil || finding.IsSmallSample(c.Confidence.Accuracy)
	})
	axis := confidenceAxis(conditions)
	for _, g := range groups(conditions, sameConfidence) {
		of := g.Confidence
		list = append(list, calibration{
			Title:          g.Title(),
			Words:          calibrationText(g.ConditionSummary),
			Rows:           reliability(g, axis),
			ThresholdTable: thresholdTable(of.RiskCoverage),
		})
	}
	if len(list) == 0 {
		return ""
	}
	return fragment("confidence", list)
}

func sameConfidence(a, b eval.ConditionSummary) bool {
	return reflect.DeepEqual(a.Confidence, b.Confidence) &&
		reflect.DeepEqual(a.Metrics["confidence.ece"], b.Metrics["confidence.ece"])
}

func calibrationText(c eval.ConditionSummary) string {
	of := c.Confidence
	text := fmt.Sprintf("%s decisions of the model: mean confidence %s, accuracy %s%s.",
		metric.FormatInteger(of.Accuracy.N), metric.FormatMean(of.MeanConfidence),
		metric.FormatShare(*of.Accuracy.Value), interval(of.Accuracy.Lo, of.Accuracy.Hi, metric.FormatPercent))
	if ece := c.Metrics["confidence.ece"]; metric.IsKnown(ece.Value) {
		text += fmt.Sprintf(" Calibration error (ECE) %s, by chance alone %s.", metric.FormatScore(*ece.Value),
			metric.FormatScore(of.ECEIfCalibrated))
	}
	if auroc := c.Metrics["confidence.auroc"]; metric.IsKnown(auroc.Value) {
		text += fmt.Sprintf(" AUROC %s: how often a right answer has a higher confidence than a wrong one.",
			metric.FormatShare(*auroc.Value))
	}
	if lost := c.Metrics["confidence.ece"].Missing; lost > 0 {
		text += fmt.Sprintf(" No confidence for %s.", metric.Plural(lost, "more labeled turn"))
	}
	return text
}

// confidenceAxis returns one axis for all variants, so that their plots can be compared.
func confidenceAxis(conditions []eval.ConditionSummary) Axis {
	least := 1.0
	for _, c := range conditions {
		for _, b := range c.Confidence.Bins {
			least = min(least, b.MeanConfidence)
			if metric.IsKnown(b.Accuracy.Lo) {
				least = min(least, *b.Accuracy.Lo)
			}
		}
	}
	return narrowAxis(ShareAxis(least, 1), wholeShare)
}

// reliability renders a row for each confidence bin: a vertical line at the mean confidence, and a
// dot with an interval for the accuracy. The dot is orange if the line is outside the interval.
func reliability(g group, axis Axis) template.HTML {
	rows := Rows{Class: "reliability", Panels: []Panel{{Head: "│ mean confidence, ● accuracy, [95 %]", Axis: axis}}}
	for _, b := range g.Confidence.Bins {
		rows.Rows = append(rows.Rows, Row{Name: binName(b), Cells: []PlotCell{binCell(b, rows.Panels[0].Axis)}})
	}
	return rows.HTML()
}

func binName(b eval.ConfidenceBin) string {
	if lo, hi := metric.FormatThreshold(b.Lo), metric.FormatThreshold(b.Hi); lo != hi {
		return lo + "–" + hi
	}
	return metric.FormatThreshold(b.Lo)
}

func binCell(b eval.ConfidenceBin, axis Axis) PlotCell {
	c := PlotCell{}
	class, off := "better", textPart{}
	if metric.IsKnown(b.Accuracy.Lo) && b.MeanConfidence < *b.Accuracy.Lo || metric.IsKnown(b.Accuracy.Hi) &&
		b.MeanConfidence > *b.Accuracy.Hi {
		class = "worse"
	}
	if metric.IsKnown(b.Accuracy.Lo) && metric.IsKnown(b.Accuracy.Hi) {
		c.Marks = append(c.Marks, Mark{
			Shape: lineShape,
			From:  axis.Position(*b.Accuracy.Lo),
			To:    axis.Position(*b.Accuracy.Hi),
			Y:     middle,
			Class: "interval " + class,
		})
	}
	if metric.IsKnown(b.Accuracy.Value) {
		c.Marks = append(c.Marks, Mark{
			Shape: dotShape,
			From:  axis.Position(*b.Accuracy.Value),
			Y:     middle,
			Class: class,
		})
		if gap := b.MeanConfidence - *b.Accuracy.Value; class == "worse" && gap > 0 {
			off = textPart{Text: ", over", Wrong: true}
		} else if class == "worse" {
			off = textPart{Text: ", under", Wrong: true}
		}
	}
	c.Marks = append(c.Marks, Mark{
		Shape:  ruleShape,
		From:   axis.Position(b.MeanConfidence),
		Y:      3,
		Height: rowHeight - 6,
		Class:  "says",
	})
	right := textPart{Text: finding.FormatShare(b.Accuracy), Strong: true}
	of := textPart{Text: " of " + metric.FormatInteger(b.Accuracy.N), Mute: true}
	if finding.IsSmallSample(b.Accuracy) {
		of = textPart{} // the share already contains the count
	}
	c.Value = renderText(textPart{Text: "mean " + metric.FormatMean(b.MeanConfidence) + ", accuracy "}, right, of, off)
	return c
}

// thresholdTable renders a table of confidence thresholds, with the share of answers that each
// accepts and their error rate.
func thresholdTable(curve []eval.RiskPoint) template.HTML {
	t := table{AriaLabel: "Effect of a threshold", Heads: []string{"threshold", "coverage", "errors", "n"}}
	last := -1
	for _, share := range []float64{1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.25} {
		i := max(0, slices.IndexFunc(curve, func(p eval.RiskPoint) bool { return p.Coverage >= share-1e-9 }))
		if i == last || i >= len(curve) {
			continue
		}
		last = i
		p := curve[i]
		t.Rows = append(t.Rows, tableRow{Name: metric.FormatThreshold(p.Threshold),
			Cells: []template.HTML{renderText(textPart{Text: metric.FormatShare(p.Coverage)}),
				renderText(shareText(p.Risk)...), renderText(textPart{Text: metric.FormatInteger(p.Risk.N)})}})
	}
	if len(t.Rows) < 2 {
		return ""
	}
	return t.HTML()
}
