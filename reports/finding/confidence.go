package finding

import (
	"evalctl/eval"
	"evalctl/eval/metric"
)

// minOverconfidence is the minimum distance of the mean confidence above the upper bound of the
// accuracy. Below it, there is no finding that a model is overconfident.
const minOverconfidence = 0.05

// overconfident returns the finding that names the variant whose model is most overconfident. It
// returns nil if the cases were selected because they failed: a model is usually wrong in such
// cases.
func overconfident(s suite) *Sentence {
	if s.FailedInRun != "" {
		return nil
	}
	var worst eval.ConditionSummary
	most := minOverconfidence
	for _, c := range ConditionsWithoutFault(s.SuiteSummary) {
		if c.Confidence == nil || !metric.IsKnown(c.Confidence.Accuracy.Hi) {
			continue
		}
		if by := c.Confidence.MeanConfidence - *c.Confidence.Accuracy.Hi; by > most {
			worst, most = c, by
		}
	}
	if worst.Confidence == nil {
		return nil
	}
	out := &Sentence{Kind: KindOverconfident}
	out.add("The model of ")
	out.addVariants(worst.Variant)
	out.add(" is over-confident: mean confidence " + metric.FormatMean(
		worst.Confidence.MeanConfidence) + ", accuracy " +
		share(worst.Confidence.Accuracy))
	return out
}
