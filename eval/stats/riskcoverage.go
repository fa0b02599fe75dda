package stats

// RiskPoint is what a threshold on confidence keeps: Kept of the N answers, at or above
// it, of which Wrong are wrong. Kept/N is called the coverage, and Wrong/Kept the risk.
type RiskPoint struct {
	Confidence     float64
	Wrong, Kept, N int64
}

// RiskCoverage lists what every confidence that occurs would keep as a threshold, the
// highest first.
//
// Source: El-Yaniv & Wiener, «On the Foundations of Noise-free Selective
// Classification», JMLR 11 (2010).
func (c *Calibration) RiskCoverage() []RiskPoint {
	var points []RiskPoint
	var kept judged
	for _, step := range c.descending() {
		kept = kept.plus(c.at[step])
		points = append(points, RiskPoint{
			Confidence: float64(step) / confidenceSteps,
			Wrong:      kept.wrong, Kept: kept.n(), N: c.N(),
		})
	}
	return points
}

// AURC is the area under the curve of risk over coverage: the mean, over all numbers of
// answers to keep, of the share of wrong ones among the most confident. Answers of equal
// confidence come in any order, and it is the mean over these. 0 is best; the share of
// all wrong answers is what a confidence that tells nothing has. ok is false without an
// answer.
//
// Source: Geifman, Uziel & El-Yaniv, «Bias-Reduced Uncertainty Estimation for Deep
// Neural Classifiers», ICLR 2019.
func (c *Calibration) AURC() (v float64, ok bool) {
	if c.N() == 0 {
		return 0, false
	}
	var kept judged
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
