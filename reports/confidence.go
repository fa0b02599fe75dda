package reports

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/number"
	"evalctl/reports/finding"
)

// noConfidence is all there is to say of a run in which no model says how sure it is.
const noConfidence = "No confidence values: " + eval.NoModelDecisionText + "."

// confidenceDocument shows of every variant without a fault how often it is right where
// it says how sure it is, and what a threshold would keep. A plot stands beside the first
// table where there is room for it.
func confidenceDocument(r Report, width int, beside bool) []block {
	first := head(r)
	if r.Title == "" {
		first.heading = ""
	}
	var doc []block
	if !first.empty() {
		doc = append(doc, first)
	}
	for _, s := range r.Summary.Suites {
		doc = append(doc, confidenceSuite(s, width, beside)...)
	}
	for i := range doc {
		doc[i].clean()
	}
	return doc
}

func confidenceSuite(s eval.SuiteSummary, width int, beside bool) []block {
	cells := confident(s)
	top := block{level: 2, heading: s.Name + ": confidence", lines: []line{{text: strings.TrimPrefix(dataset(s), " · ")}}}
	if !slices.ContainsFunc(cells, func(c eval.ConditionSummary) bool { return c.Confidence != nil }) {
		top.lines = []line{{text: noConfidence}}
		return []block{top}
	}
	if beside {
		top.lines = append(top.lines, line{text: "● accuracy, ─ its 95 % interval, │ mean confidence"})
	}
	blocks := []block{top}
	for _, c := range alikeConfident(cells) {
		table := reliability(c, width, beside)
		if c.Confidence != nil {
			table.lines = append([]line{confidenceScreen(c, s.FailedIn != "")}, table.lines...)
		}
		blocks = append(blocks, table)
		if c.Confidence != nil {
			blocks = append(blocks, risk(c, width))
		}
	}
	return blocks
}

// alikeConfident has one cell for all whose models said the same and were right in the
// same: it has the names of all.
func alikeConfident(cells []eval.ConditionSummary) (list []eval.ConditionSummary) {
	names := [][]string{}
	for _, c := range cells {
		at := slices.IndexFunc(list, func(one eval.ConditionSummary) bool {
			return reflect.DeepEqual(one.Confidence, c.Confidence) && !slices.ContainsFunc(confidenceFigures(), func(name string) bool {
				return !reflect.DeepEqual(one.Metrics[name], c.Metrics[name])
			})
		})
		if at < 0 {
			at, list, names = len(list), append(list, c), append(names, nil)
		}
		names[at] = append(names[at], c.Name)
		list[at].Name = listed(names[at])
	}
	return list
}

// confidenceFigures are the metrics that are about it.
func confidenceFigures() []string {
	return []string{"confidence.ece", "confidence.brier", "confidence.auroc"}
}

// listed are names as a, b and c.
func listed(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// confident are the cells without a fault in which a model is asked to decide.
func confident(s eval.SuiteSummary) []eval.ConditionSummary {
	return slices.DeleteFunc(finding.FaultFree(s), func(c eval.ConditionSummary) bool {
		_, asked := c.Metrics["confidence.ece"]
		return !asked
	})
}

// reliability is the table of a variant's bins under what they come to.
func reliability(c eval.ConditionSummary, width int, beside bool) block {
	b := block{level: 3, heading: title(c)}
	if c.Confidence == nil {
		lost := c.Metrics["confidence.ece"].Missing
		b.lines = []line{{tone: warn, mark: "!", text: "No confidence for " + counted(lost, "labeled turn") + "."}}
		return b
	}
	b.lines = []line{{text: scores(c)}}
	if lost := c.Metrics["confidence.ece"].Missing; lost > 0 {
		b.lines = append(b.lines, line{tone: warn, mark: "!", text: "No confidence for " + counted(lost, "more labeled turn") + "."})
	}
	b.grid = binRows(c.Confidence, width, beside)
	return b
}

// confidenceScreen says whether the model is proven to be surer than it is right, or less sure,
// on average; else how many bins are off, of which chance alone makes one in 20. Of
// cases that were picked because they failed it says neither.
func confidenceScreen(c eval.ConditionSummary, picked bool) line {
	of := c.Confidence
	what := fmt.Sprintf("mean confidence %s, accuracy %s of %s.", two(of.MeanConfidence), estimate(of.Accuracy, percent, " %"), grouped(of.Accuracy.N))
	how, off := sureness(of.MeanConfidence, of.Accuracy), offBins(of.Bins)
	switch {
	case picked:
		return line{tone: warn, mark: "!", text: "Only cases that failed before: " + what}
	case how == over:
		return line{tone: warn, mark: "!", text: "Over-confident: " + what}
	case how == under:
		return line{text: "Under-confident: " + what}
	case finding.IsSmallSample(of.Accuracy):
		return line{text: "Too few answers to show a difference: " + what}
	case aboveChance(c.Metrics["confidence.ece"]):
		return line{tone: warn, mark: "!", text: "Calibration error above chance, but no significant difference on average: " + what}
	case off > 0:
		return line{tone: warn, mark: "!", text: fmt.Sprintf("Off in %d of %s (by chance 1 in 20), but no significant difference on average: %s", off, counted(int64(len(of.Bins)), "bin"), what)}
	}
	return line{text: "No significant difference on average: " + what}
}

// aboveChance tells a calibration error whose lower bound is above none.
func aboveChance(ece eval.Estimate) bool { return known(ece.Lo) && *ece.Lo > 0 }

// offBins counts those in which confidence is outside what chance leaves open.
func offBins(bins []eval.ConfidenceBin) (n int) {
	for _, b := range bins {
		if sureness(b.MeanConfidence, b.Accuracy) != level {
			n++
		}
	}
	return n
}

// sure is how a stated confidence stands to a share of right answers.
type sure int

const (
	level sure = iota // no difference is proven
	over
	under
)

func sureness(says float64, right eval.Estimate) sure {
	switch {
	case known(right.Hi) && says > *right.Hi:
		return over
	case known(right.Lo) && says < *right.Lo:
		return under
	}
	return level
}

// scores are the three figures; ECE with what it would be of a confidence that is right.
func scores(c eval.ConditionSummary) string {
	return fmt.Sprintf("ECE %s (by chance alone: %s). Brier score %s. AUROC %s.",
		score(c.Metrics["confidence.ece"]), three(c.Confidence.ECEIfCalibrated), score(c.Metrics["confidence.brier"]), score(c.Metrics["confidence.auroc"]))
}

// rangesFrom is the width at which bins show from where to where they go.
const rangesFrom = 72

func binRows(of *eval.ConfidenceSummary, width int, beside bool) grid {
	g := grid{keys: 1, columns: []column{{head: "mean"}, {head: "accuracy [95 %]"}, {head: "n", right: true}, {head: "gap, points"}}}
	for _, b := range of.Bins {
		row := []cell{{text: two(b.MeanConfidence)}, {text: estimate(b.Accuracy, percent, " %")}, {text: grouped(b.Accuracy.N)}, offBy(b)}
		g.rows = append(g.rows, row)
	}
	if width >= rangesFrom {
		g.columns = slices.Insert(g.columns, 0, column{head: "confidence"})
		for i, b := range of.Bins {
			g.rows[i] = slices.Insert(g.rows[i], 0, cell{text: number.Threshold(b.Lo) + "–" + number.Threshold(b.Hi)})
		}
	}
	if room := width - sum(g.natural()) - gap; room >= leastPlot && beside {
		scale := newScale(of, min(room, mostPlot))
		g.columns = append(g.columns, column{head: scale.head()})
		for i, b := range of.Bins {
			g.rows[i] = append(g.rows[i], cell{text: scale.draw(b)})
		}
	}
	return g
}

// offBy is by how much a bin's confidence is above its share of right answers.
func offBy(b eval.ConfidenceBin) cell {
	if !known(b.Accuracy.Value) {
		return cell{text: unmeasured}
	}
	text := number.Points(b.MeanConfidence - *b.Accuracy.Value)
	switch sureness(b.MeanConfidence, b.Accuracy) {
	case over:
		return cell{text: text + " over", tone: warn}
	case under:
		return cell{text: text + " under"}
	}
	return cell{text: "~ " + text}
}

// coverages are the shares of answers to keep that have a row.
func coverages() []float64 { return []float64{1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.25} }

// risk is what a threshold would keep, as a plot and as rows.
func risk(c eval.ConditionSummary, width int) block {
	curve := c.Confidence.RiskCoverage
	b := block{lines: []line{{text: kept(curve)}}}
	if len(curve) < 2 {
		return b
	}
	b.lines = append(b.lines, line{text: fmt.Sprintf("Area under the risk-coverage curve (AURC): %s; without information in the confidence: %s.",
		three(c.Confidence.AURC), estimate(eval.Estimate{Value: curve[len(curve)-1].Risk.Value}, three, ""))})
	b.plot = riskPlot(curve, width)
	b.grid = grid{keys: 1, columns: []column{{head: "coverage", right: true}, {head: "threshold", right: true}, {head: "errors [95 %]"}, {head: "n", right: true}}}
	last := -1
	for _, share := range coverages() {
		i := covering(curve, share)
		if i == last {
			continue
		}
		last = i
		p := curve[i]
		b.grid.rows = append(b.grid.rows, []cell{{text: percent(p.Coverage) + " %"}, {text: number.Threshold(p.Threshold)},
			{text: estimate(p.Risk, percent, " %")}, {text: grouped(p.Risk.N)}})
	}
	return b
}

// covering is the point that keeps the least that is not less than a share.
func covering(curve []eval.RiskPoint, share float64) int {
	return max(0, slices.IndexFunc(curve, func(p eval.RiskPoint) bool { return p.Coverage >= share-1e-9 }))
}

// defaultCoverage is what the sentence about a threshold keeps, or somewhat more.
const defaultCoverage = 0.8

// kept says what a usual threshold keeps, and what of it is wrong.
func kept(curve []eval.RiskPoint) string {
	if len(curve) < 2 {
		return "All answers have the same confidence, so no threshold separates them."
	}
	all := curve[len(curve)-1]
	p := curve[covering(curve, defaultCoverage)]
	if p.Threshold == all.Threshold {
		p = curve[len(curve)-2]
	}
	return fmt.Sprintf("A threshold of %s keeps %s %% of the answers, with an error rate of %s; without a threshold: %s.",
		number.Threshold(p.Threshold), percent(p.Coverage), strings.TrimSpace(estimate(p.Risk, percent, " %")), estimate(all.Risk, percent, " %"))
}
