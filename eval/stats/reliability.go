package stats

import "math"

// leastInBin is how many answers a bin needs, on the mean, for its error to be normal.
const leastInBin = 10

// Bin is a row of the reliability table: answers of about the same confidence.
type Bin struct {
	Lo, Hi     float64 // the least and the greatest confidence
	Mean       float64
	Correct, N int64
}

// gap is by how much confidence is above the share of right answers, over all N.
func (b Bin) gap() float64 { return b.Mean - float64(b.Correct)/float64(b.N) }

// Bins are so many, of as many answers each, the least confident first. Answers of equal
// confidence are of one bin, that of the middle one, so that there may be fewer.
func (c *Calibration) Bins(bins int64) (list []Bin) {
	below, last, sum := int64(0), int64(-1), int64(0)
	for _, step := range c.ascending() {
		j := c.at[step]
		middle := (float64(below) + float64(j.n())/2) / float64(c.N())
		below += j.n()
		confidence := float64(step) / confidenceSteps
		if at := int64(middle * float64(bins)); at > last {
			last, sum = at, 0
			list = append(list, Bin{Lo: confidence})
		}
		b := &list[len(list)-1]
		sum += step * j.n()
		b.Hi, b.Correct, b.N = confidence, b.Correct+j.right, b.N+j.n()
		b.Mean = float64(sum) / confidenceSteps / float64(b.N)
	}
	return list
}

// ECE is the expected calibration error: how far the share of right answers is from the
// mean confidence, on the average over [Calibration.Bins]. It is above 0 also where
// confidence is right, the more so the fewer answers there are: by [Calibration.ECEIfCalibrated]
// on the mean. ok is false without an answer and without a bin.
//
// Source: Naeini, Cooper & Hauskrecht, «Obtaining Well Calibrated Probabilities Using
// Bayesian Binning», AAAI 2015; bins of equal mass: Nixon, Dusenberry, Zhang, Jerfel &
// Tran, «Measuring Calibration in Deep Learning», CVPR Workshops 2019.
func (c *Calibration) ECE(bins int64) (v float64, ok bool) {
	if c.N() == 0 || bins < 1 {
		return 0, false
	}
	for _, b := range c.Bins(bins) {
		v += math.Abs(b.gap()) * float64(b.N) / float64(c.N())
	}
	return v, true
}

// ECEIfCalibrated is what [Calibration.ECE] would be on the mean if confidence were right in
// every bin: √(2/π)·Σ w·s, the mean size of normal errors, where w is the share of all
// answers that a bin has, and s the standard error of its share of right ones.
func (c *Calibration) ECEIfCalibrated(bins int64) (v float64, ok bool) {
	sum, _, _ := c.binErrors(bins)
	return math.Sqrt(2/math.Pi) * sum, c.N() > 0 && bins >= 1
}

// binErrors are Σ w·s, √Σ w²s², and Σ w³s³ over the third power of that. The share of a
// bin has two right and two wrong answers more for its error alone (Agresti & Coull
// 1998): of a bin without a wrong answer nobody knows that it never has one.
func (c *Calibration) binErrors(bins int64) (sum, root, skew float64) {
	if c.N() == 0 {
		return 0, 0, 0
	}
	alone := c.alone()
	for _, b := range c.Bins(bins) {
		n := float64(b.N) * alone
		p := (float64(b.Correct)*alone + 2) / (n + 4)
		s := math.Sqrt(p*(1-p)/n) * float64(b.N) / float64(c.N())
		sum, root, skew = sum+s, root+s*s, skew+s*s*s
	}
	root = math.Sqrt(root)
	return sum, root, skew / (root * root * root)
}

// ECEInterval holds the calibration error over the same bins that all the cases behind
// these would have, given their confidences. The errors of bins can only add to the ECE
// where there is none and let it vary where there is, so that for normal ones
//
//	ECE − √(2/π)·Σ w·s − z′·√((1 − 2/π)·Σ w²s²)  and  ECE + z·√(Σ w²s²)
//
// are below and above it with 97.5 % each or more: |g + e| ≤ |g| + |e|, whose excess has
// the moments of a folded normal, with z′ = z + (z² − 1)γ/6 for its skewness γ (Cornish &
// Fisher 1938), and Σ w|g + e| is at least the normal Σ w·sign(g)(g + e) with mean Σ w|g|.
// It covers more often than the level, nearly always where most bins are off to the same
// side; a bootstrap's or a jackknife's interval would leave out the 0 of a confidence that
// is right. That 0 is left out, as simulated, in 0 to 2 % of samples, and where all
// confidences are near a half, and bins of 10 to 15 answers, in up to 4 %. The bounds are
// ours. ok is false where fewer than 10 answers a bin count as independent.
func (c *Calibration) ECEInterval(bins int64, level float64) (lo, hi float64, ok bool) {
	v, ok := c.ECE(bins)
	if !ok || !isLevel(level) || c.right.EffectiveN() < leastInBin*float64(len(c.Bins(bins))) {
		return 0, 0, false
	}
	sum, root, skew := c.binErrors(bins)
	z := normalScore(level)
	skewed := z + (z*z-1)*foldedSkewness*skew/6
	lo = v - math.Sqrt(2/math.Pi)*sum - skewed*math.Sqrt(1-2/math.Pi)*root
	return max(lo, 0), min(v+z*root, 1), true
}

// foldedSkewness is that of the size of a normal error: √2·(4 − π)/(π − 2)^1.5.
const foldedSkewness = 0.9952717464311568
