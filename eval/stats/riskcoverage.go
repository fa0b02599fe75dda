package stats

// RiskCoveragePoint has the effect of a threshold on confidence: Accepted of all N answers are at
// or above Confidence, and Wrong of these are wrong. Accepted/N is the coverage, Wrong/Accepted the
// risk.
type RiskCoveragePoint struct {
	Confidence         float64
	Wrong, Accepted, N int64
}

// RiskCoverage returns the risk-coverage curve: a point for each confidence that occurs, as a
// threshold, highest first.
//
// Source: El-Yaniv & Wiener, "On the Foundations of Noise-free Selective Classification", JMLR 11
// (2010).
func (c *Calibration) RiskCoverage() []RiskCoveragePoint {
	var points []RiskCoveragePoint
	var kept answerCounts
	for _, step := range c.descending() {
		kept = kept.plus(c.at[step])
		points = append(points, RiskCoveragePoint{
			Confidence: float64(step) / confidenceSteps,
			Wrong:      kept.wrong,
			Accepted:   kept.n(),
			N:          c.N(),
		})
	}
	return points
}

// AURC returns the area under the risk-coverage curve: the mean share of wrong answers among the k
// most confident, over all k. Answers of equal confidence are averaged over all orders. The best
// value is 0. If the confidence carries no information, the value is the share of wrong answers. ok is false
// without an answer.
//
// Source: Geifman, Uziel & El-Yaniv, "Bias-Reduced Uncertainty Estimation for Deep Neural
// Classifiers", ICLR 2019.
func (c *Calibration) AURC() (v float64, ok bool) {
	if c.N() == 0 {
		return 0, false
	}
	var kept answerCounts
	for _, step := range c.descending() {
		j := c.at[step]
		each := float64(j.wrong) / float64(j.n())
		for i := int64(1); i <= j.n(); i++ {
			v += (float64(kept.wrong) + each*float64(i)) / float64(kept.n()+i)
		}
		kept = kept.plus(j)
	}
	return v / float64(c.N()), true
}
