package reports

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"evalctl/agent/text"
	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/reports/document"
	"evalctl/reports/finding"
)

// noConfidence replaces the confidence report if no model of the run reports a confidence.
const noConfidence = "No confidence values: " + eval.NoModelDecisionText + "."

// confidenceDocument returns the calibration report. For each variant without a fault, it shows the
// accuracy at each confidence level and the effect of a confidence threshold.
func (r Report) confidenceDocument(to document.Target) document.Document {
	d := r.viewHead(confidencePanels(r.Summary), "")
	d.Rows = func() *document.Table { return confidenceRows(r.Summary) }
	for _, s := range r.Summary.Suites {
		d.Blocks = append(d.Blocks, confidenceSuite(s, to.Terminal)...)
	}
	return d
}

func confidenceSuite(s eval.SuiteSummary, withPlot bool) []document.Block {
	conditions := confidenceConditions(s)
	top := document.Block{Level: 2, Heading: s.Name + ": confidence",
		Lines: []document.Line{{Text: strings.TrimPrefix(dataset(s), " · ")}}}
	if !slices.ContainsFunc(conditions, func(c eval.ConditionSummary) bool { return c.Confidence != nil }) {
		top.Lines = []document.Line{{Text: noConfidence}}
		return []document.Block{top}
	}
	if withPlot {
		top.Lines = append(top.Lines, document.Line{Text: "● accuracy, ─ its 95 % interval, │ mean confidence"})
	}
	blocks := []document.Block{top}
	for _, c := range mergeEqualConfidence(conditions) {
		table := reliability(c)
		if c.Confidence != nil {
			table.Lines = append([]document.Line{calibrationLine(c, s.FailedInRun != "")}, table.Lines...)
		}
		blocks = append(blocks, table)
		if c.Confidence != nil {
			blocks = append(blocks, riskBlock(c))
		}
	}
	return blocks
}

// mergeEqualConfidence merges conditions with identical confidence results. The merged condition
// has all their names.
func mergeEqualConfidence(conditions []eval.ConditionSummary) (list []eval.ConditionSummary) {
	names := [][]string{}
	for _, c := range conditions {
		at := slices.IndexFunc(list, func(one eval.ConditionSummary) bool {
			return reflect.DeepEqual(one.Confidence, c.Confidence) &&
				!slices.ContainsFunc(confidenceFigures(), func(name string) bool {
					return !reflect.DeepEqual(one.Metrics[name], c.Metrics[name])
				})
		})
		if at < 0 {
			at, list, names = len(list), append(list, c), append(names, nil)
		}
		names[at] = append(names[at], c.Variant)
		list[at].Variant = text.JoinAnd(names[at])
	}
	return list
}

func confidenceFigures() []string {
	return []string{"confidence.ece", "confidence.brier", "confidence.auroc"}
}

// confidenceConditions returns the conditions without a fault in which a model makes the decision.
func confidenceConditions(s eval.SuiteSummary) []eval.ConditionSummary {
	return slices.DeleteFunc(finding.ConditionsWithoutFault(s), func(c eval.ConditionSummary) bool {
		_, hasECE := c.Metrics["confidence.ece"]
		return !hasECE
	})
}

// reliability returns the table of a variant's confidence bins, with its calibration scores above.
func reliability(c eval.ConditionSummary) document.Block {
	b := document.Block{Level: 3, Heading: title(c)}
	if c.Confidence == nil {
		missing := c.Metrics["confidence.ece"].Missing
		b.Lines = []document.Line{{Tone: document.Warn, Mark: "!",
			Text: "No confidence for " + plural(missing, "labeled turn") + "."}}
		return b
	}
	b.Lines = []document.Line{{Text: calibrationScores(c)}}
	if missing := c.Metrics["confidence.ece"].Missing; missing > 0 {
		b.Lines = append(b.Lines,
			document.Line{Tone: document.Warn, Mark: "!",
				Text: "No confidence for " + plural(missing, "more labeled turn") + "."})
	}
	b.Table = binTable(c.Confidence)
	return b
}

// calibrationLine states whether the model is significantly over- or under-confident on average.
// Otherwise it counts the bins whose confidence does not match their accuracy; by chance, this is
// one bin in 20. If picked is set, the cases were selected because they failed before. Then
// calibrationLine makes no such statement.
func calibrationLine(c eval.ConditionSummary, picked bool) document.Line {
	of := c.Confidence
	numbers := fmt.Sprintf("mean confidence %s, accuracy %s of %s.", formatMean(of.MeanConfidence),
		estimate(of.Accuracy, percent, " %"), thousands(of.Accuracy.N))
	how, offCount := compareConfidence(of.MeanConfidence, of.Accuracy), offBins(of.Bins)
	switch {
	case picked:
		return document.Line{Tone: document.Warn, Mark: "!", Text: "Only cases that failed before: " + numbers}
	case how == overConfident:
		return document.Line{Tone: document.Warn, Mark: "!", Text: "Over-confident: " + numbers}
	case how == underConfident:
		return document.Line{Text: "Under-confident: " + numbers}
	case finding.IsSmallSample(of.Accuracy):
		return document.Line{Text: "Too few answers to show a difference: " + numbers}
	case aboveChance(c.Metrics["confidence.ece"]):
		return document.Line{Tone: document.Warn, Mark: "!",
			Text: "In single bins, confidence and accuracy differ by more than chance; on average they do not: " + numbers}
	case offCount > 0:
		return document.Line{Tone: document.Warn, Mark: "!",
			Text: fmt.Sprintf("Off in %d of %s (by chance 1 in 20), but no significant difference on average: %s",
				offCount, plural(int64(len(of.Bins)), "bin"), numbers)}
	}
	return document.Line{Text: "No significant difference on average: " + numbers}
}

// aboveChance reports whether the calibration error (ECE) is significantly above 0.
func aboveChance(ece eval.Estimate) bool { return isKnown(ece.Lo) && *ece.Lo > 0 }

// offBins counts the bins whose mean confidence is outside the interval of their accuracy.
func offBins(bins []eval.ConfidenceBin) (n int) {
	for _, b := range bins {
		if compareConfidence(b.MeanConfidence, b.Accuracy) != calibrated {
			n++
		}
	}
	return n
}

// calibration is the relation between the confidence that a model reports and its accuracy.
type calibration int

const (
	calibrated calibration = iota // no significant difference between confidence and accuracy
	overConfident
	underConfident
)

func compareConfidence(confidence float64, accuracy eval.Estimate) calibration {
	switch {
	case isKnown(accuracy.Hi) && confidence > *accuracy.Hi:
		return overConfident
	case isKnown(accuracy.Lo) && confidence < *accuracy.Lo:
		return underConfident
	}
	return calibrated
}

// calibrationScores formats ECE, Brier score and AUROC. After the ECE follow the value that a
// perfectly calibrated model would reach by chance, and the interval, which does not contain it.
func calibrationScores(c eval.ConditionSummary) string {
	ece := c.Metrics["confidence.ece"]
	text := fmt.Sprintf("ECE %s (expected by chance: %s)", scoreText(eval.Estimate{Value: ece.Value}),
		formatScore(c.Confidence.ECEIfCalibrated))
	if isKnown(ece.Lo) && isKnown(ece.Hi) {
		text += fmt.Sprintf("; without chance [%s, %s]", formatScore(*ece.Lo), formatScore(*ece.Hi))
	}
	return fmt.Sprintf("%s. Brier score %s. AUROC %s.", text, scoreText(c.Metrics["confidence.brier"]),
		scoreText(c.Metrics["confidence.auroc"]))
}

// binTable returns the table of the confidence bins. A narrow terminal drops their bounds, then the
// plot of the accuracy and the mean confidence.
func binTable(of *eval.ConfidenceSummary) document.Table {
	var values valueRange
	for _, b := range of.Bins {
		values.add(&b.MeanConfidence)
		values.addEstimate(b.Accuracy)
	}
	g := document.Table{Keys: 1, Columns: []document.Column{
		{Head: "confidence", Rank: 1},
		{Axis: values.axis(document.ShareAxis), PlotWidth: maxPlotWidth, Rank: 2},
		{Head: "mean"},
		{Head: "accuracy [95 %]"},
		{Head: "n", Right: true},
		{Head: "gap, points"},
	}}
	for _, b := range of.Bins {
		tone := document.Plain
		if compareConfidence(b.MeanConfidence, b.Accuracy) != calibrated {
			tone = document.Bad
		}
		marks := document.IntervalMarks(b.Accuracy.Value, b.Accuracy.Lo, b.Accuracy.Hi, tone, true)
		g.AddRow([]document.Cell{
			{Text: metric.FormatThreshold(b.Lo) + "–" + metric.FormatThreshold(b.Hi)},
			{Marks: slices.Insert(marks, 0, document.Mark{Shape: document.Stroke, From: b.MeanConfidence})},
			{Text: formatMean(b.MeanConfidence)},
			{Text: estimate(b.Accuracy, percent, " %")},
			{Text: thousands(b.Accuracy.N)},
			gapCell(b),
		})
	}
	return g
}

// gapCell formats the difference between the mean confidence and the accuracy of a bin, in
// percentage points.
func gapCell(b eval.ConfidenceBin) document.Cell {
	if !isKnown(b.Accuracy.Value) {
		return document.Cell{Text: noValue}
	}
	text := metric.FormatPoints(b.MeanConfidence - *b.Accuracy.Value)
	switch compareConfidence(b.MeanConfidence, b.Accuracy) {
	case overConfident:
		return document.Cell{Text: text + " over", Tone: document.Warn}
	case underConfident:
		return document.Cell{Text: text + " under"}
	}
	return document.Cell{Text: "~ " + text}
}

// coverages returns the shares of accepted answers for which the threshold table has a row.
func coverages() []float64 { return []float64{1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.25} }

// riskBlock shows how a confidence threshold changes the error rate: a sentence and a table.
func riskBlock(c eval.ConditionSummary) document.Block {
	curve := c.Confidence.RiskCoverage
	b := document.Block{Lines: []document.Line{{Text: thresholdSentence(curve)}}}
	if len(curve) < 2 {
		return b
	}
	b.Lines = append(b.Lines,
		document.Line{Text: fmt.Sprintf(
			"Area under the risk-coverage curve (AURC): %s; without information in the confidence: %s.",
			formatScore(c.Confidence.AURC),
			estimate(eval.Estimate{Value: curve[len(curve)-1].Risk.Value}, formatScore, ""))})
	plot := document.Column{PlotWidth: maxPlotWidth, Rank: 1}
	b.Table = document.Table{Keys: 1, Columns: []document.Column{{Head: "coverage", Right: true},
		{Head: "threshold", Right: true}, plot, {Head: "errors [95 %]"}, {Head: "n", Right: true}}}
	var errors valueRange
	last := -1
	for _, share := range coverages() {
		i := coveringPoint(curve, share)
		if i == last {
			continue
		}
		last = i
		p := curve[i]
		errors.addEstimate(p.Risk)
		b.Table.AddRow([]document.Cell{
			{Text: percent(p.Coverage) + " %"},
			{Text: metric.FormatThreshold(p.Threshold)},
			{Marks: document.IntervalMarks(p.Risk.Value, p.Risk.Lo, p.Risk.Hi, document.Plain, true)},
			{Text: estimate(p.Risk, percent, " %")},
			{Text: thousands(p.Risk.N)},
		})
	}
	b.Table.Columns[2].Axis = errors.axis(document.ShareAxis)
	return b
}

// coveringPoint returns the index of the first point of the curve that accepts at least the given
// share of answers.
func coveringPoint(curve []eval.RiskPoint, share float64) int {
	return max(0, slices.IndexFunc(curve, func(p eval.RiskPoint) bool { return p.Coverage >= share-1e-9 }))
}

// defaultCoverage is the minimum share of answers that the example threshold in the report accepts.
const defaultCoverage = 0.8

func thresholdSentence(curve []eval.RiskPoint) string {
	if len(curve) < 2 {
		return "All answers have the same confidence, so no threshold separates them."
	}
	all := curve[len(curve)-1]
	p := curve[coveringPoint(curve, defaultCoverage)]
	if p.Threshold == all.Threshold {
		p = curve[len(curve)-2]
	}
	return fmt.Sprintf("A threshold of %s keeps %s %% of the answers, with an error rate of %s; without a threshold: %s.",
		metric.FormatThreshold(p.Threshold), percent(p.Coverage), strings.TrimSpace(estimate(p.Risk, percent, " %")),
		estimate(all.Risk, percent, " %"))
}

// maxPlotWidth is the maximum width of the plot in a table of few columns, in columns of a terminal.
const maxPlotWidth = 48

// confidencePanels returns the data of the JSON confidence report. For each variant it contains
// ECE, Brier score and AUROC, followed by the rows that the CSV format also has.
func confidencePanels(s eval.Summary) (list []document.Block) {
	for _, suite := range s.Suites {
		for _, c := range confidenceConditions(suite) {
			g := document.ValueTable("series", "from", "to", "mean_confidence", "value")
			for _, name := range confidenceFigures() {
				g.AddValues(strings.TrimPrefix(name, "confidence."), nil, nil, nil, c.Metrics[name])
			}
			eachConfidenceValue(c, func(series string, from, to float64, mean any, value eval.Estimate) {
				g.AddValues(series, from, to, mean, value)
			})
			list = append(list, document.Block{Suite: suite.Name, Variant: c.Variant, Table: *g})
		}
	}
	return list
}

// eachConfidenceValue calls add for each confidence bin and each threshold of a variant. Series
// "reliability" is the accuracy between two confidences; series "risk_coverage" is the error rate at or
// above a confidence, and has no mean.
func eachConfidenceValue(c eval.ConditionSummary,
	add func(series string, from, to float64, mean any, value eval.Estimate)) {
	if c.Confidence == nil {
		return
	}
	for _, b := range c.Confidence.Bins {
		add("reliability", b.Lo, b.Hi, b.MeanConfidence, b.Accuracy)
	}
	for _, p := range c.Confidence.RiskCoverage {
		add("risk_coverage", p.Threshold, 1, nil, p.Risk)
	}
}

// confidenceRows returns the rows of the CSV format. Column n is the number of answers in a row, total
// the number of all answers. A partial run has a PARTIAL row at the top and at the bottom.
func confidenceRows(s eval.Summary) *document.Table {
	g := document.ValueTable("suite", "variant", "fault", "series", "from", "to", "mean_confidence", "value", "lo",
		"hi", "n", "total")
	for _, suite := range s.Suites {
		for _, c := range confidenceConditions(suite) {
			eachConfidenceValue(c, func(series string, from, to float64, mean any, e eval.Estimate) {
				g.AddValues(suite.Name, c.Variant, fault(c), series, from, to, mean, e.Value, e.Lo, e.Hi, e.N,
					c.Confidence.Accuracy.N)
			})
		}
	}
	if s.Partial {
		g.MarkPartial("", "", "", "PARTIAL")
	}
	return g
}
