package reports

import (
	"cmp"
	"slices"

	"evalctl/eval"
	"evalctl/reports/document"
	"evalctl/reports/finding"
	"evalctl/reports/page"
)

// confidenceSections returns how well the confidence of each model matches its accuracy, and what a
// threshold would change.
func confidenceSections(s eval.SuiteSummary) (list []page.Section) {
	conditions := slices.DeleteFunc(confidenceConditions(s), func(c eval.ConditionSummary) bool {
		return c.Confidence == nil || finding.IsSmallSample(c.Confidence.Accuracy)
	})
	var others []document.Block
	best, _ := bestCondition(s)
	slices.SortStableFunc(conditions, func(a, b eval.ConditionSummary) int {
		return cmp.Compare(orderOf(a, best), orderOf(b, best))
	})
	for i, c := range mergeEqualConfidence(conditions) {
		bins := reliability(c)
		bins.Lines = append([]document.Line{calibrationLine(c, s.FailedInRun != "")}, bins.Lines...)
		risk := riskBlock(c)
		if i > 0 {
			others = append(others, bins, risk)
			continue
		}
		bins.Level, bins.Heading = 2, "Confidence, "+title(c)
		bins.Graphics = document.Graphics{ID: sectionID(s, "confidence"),
			Note: "Decisions of the model in up to ten bins by confidence. Dot: accuracy; stroke: mean confidence."}
		risk.Heading = "Effect of a threshold on " + title(c)
		list = append(list, page.Section{Columns: []page.Column{{Width: 7, Blocks: []document.Block{bins}},
			{Width: 5, Blocks: []document.Block{risk}}}})
	}
	if len(others) > 0 {
		list = append(list, page.FullWidth(
			document.Block{More: &document.Folded{Name: "Confidence of the other variants",
				Blocks: others}}))
	}
	return list
}

// orderOf returns 0 for the condition that comes first, and 1 for others.
func orderOf(c, first eval.ConditionSummary) int {
	if c.Variant == first.Variant {
		return 0
	}
	return 1
}
