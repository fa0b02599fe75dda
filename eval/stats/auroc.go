package stats

import "math"

// AUROC is the chance that a right answer was more confident than a wrong one, equal
// confidence counting half: the area under the receiver operating characteristic, 0.5
// for a confidence that tells nothing. ok is false without a right or without a wrong
// answer.
//
// Source: Hanley & McNeil, «The Meaning and Use of the Area under a Receiver Operating
// Characteristic (ROC) Curve», Radiology 143 (1982); it is the statistic of Mann &
// Whitney, Annals of Mathematical Statistics 18 (1947), per pair.
func (c *Calibration) AUROC() (v float64, ok bool) {
	if c.all.right == 0 || c.all.wrong == 0 {
		return 0, false
	}
	halves := 0.0 // whole numbers, far below 2⁵³ up to 60 million answers
	above := int64(0)
	for _, step := range c.descending() {
		j := c.at[step]
		halves += float64(j.wrong) * float64(2*above+j.right)
		above += j.right
	}
	return halves / 2 / float64(c.all.right) / float64(c.all.wrong), true
}

// AUROCError is the standard error of [Calibration.AUROC] for answers that are
// independent of each other, from the chances that two right answers beat one wrong
// one and that one right answer beats two wrong ones. Source: as there, formula 1.
func (c *Calibration) AUROCError() (se float64, ok bool) {
	theta, ok := c.AUROC()
	if !ok {
		return 0, false
	}
	var twoRight, twoWrong float64
	above, below := int64(0), c.all.wrong
	for _, step := range c.descending() {
		j := c.at[step]
		below -= j.wrong
		twoRight += float64(j.wrong) * beatTwice(above, j.right)
		twoWrong += float64(j.right) * beatTwice(below, j.wrong)
		above += j.right
	}
	right, wrong := float64(c.all.right), float64(c.all.wrong)
	q1, q2 := twoRight/wrong/right/right, twoWrong/right/wrong/wrong
	variance := theta*(1-theta) + (right-1)*(q1-theta*theta) + (wrong-1)*(q2-theta*theta)
	return math.Sqrt(max(variance, 0) / right / wrong), true
}

// beatTwice is how many of all ordered pairs lie on the better side, where better ones
// do and equal ones do half, or a third where both are equal.
func beatTwice(better, equal int64) float64 {
	b, e := float64(better), float64(equal)
	return b*b + b*e + e*e/3
}
