package finding

import (
	"evalctl/eval"
	"evalctl/eval/number"
)

// tooMuch is by how much a model's mean confidence is above what it can be right in, at
// the most, for a sentence to be made of it.
const tooMuch = 0.05

// tooSure names the variant whose model is most clearly surer than it is right. Cases
// that were picked because they failed say nothing of that: there it is wrong.
func tooSure(s suite) *Sentence {
	if s.FailedIn != "" {
		return nil
	}
	var worst eval.ConditionSummary
	most := tooMuch
	for _, c := range FaultFree(s.SuiteSummary) {
		if c.Confidence == nil || !number.IsKnown(c.Confidence.Accuracy.Hi) {
			continue
		}
		if by := c.Confidence.MeanConfidence - *c.Confidence.Accuracy.Hi; by > most {
			worst, most = c, by
		}
	}
	if worst.Confidence == nil {
		return nil
	}
	out := &Sentence{Kind: Overconfident}
	out.say("The model of ")
	out.variants(worst.Name)
	out.say(" is over-confident: mean confidence " + number.Mean(worst.Confidence.MeanConfidence) + ", accuracy " + share(worst.Confidence.Accuracy))
	return out
}
