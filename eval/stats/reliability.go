package stats

import "math"

// minAnswersPerBin is the minimum mean number of answers per bin; with fewer, the errors of the
// bins are not normal enough.
const minAnswersPerBin = 10

// ReliabilityBin is one row of a reliability table: answers of similar confidence, N in number.
type ReliabilityBin struct {
	MinConfidence, MaxConfidence float64 // lowest and highest confidence
	MeanConfidence               float64 // mean confidence
	Correct, N                   int64   // numbers of right answers and of all answers
}

// gap returns the calibration error of the bin: its mean confidence less its share of right
// answers.
func (b ReliabilityBin) gap() float64 { return b.MeanConfidence - float64(b.Correct)/float64(b.N) }

// ReliabilityBins divides the answers, in order of confidence, into at most bins groups of equal
// size. The group with the lowest confidence is first. Answers of equal confidence are in one bin,
// that of the middle one, so there may be fewer bins.
func (c *Calibration) ReliabilityBins(bins int64) (list []ReliabilityBin) {
	below, last, sum := int64(0), int64(-1), int64(0)
	for _, step := range c.ascending() {
		j := c.at[step]
		middle := (float64(below) + float64(j.n())/2) / float64(c.N())
		below += j.n()
		confidence := float64(step) / confidenceSteps
		if at := int64(middle * float64(bins)); at > last {
			last, sum = at, 0
			list = append(list, ReliabilityBin{MinConfidence: confidence})
		}
		b := &list[len(list)-1]
		sum += step * j.n()
		b.MaxConfidence, b.Correct, b.N = confidence, b.Correct+j.right, b.N+j.n()
		b.MeanConfidence = float64(sum) / confidenceSteps / float64(b.N)
	}
	return list
}

// ECE returns the expected calibration error: the mean absolute difference of the share of right
// answers and the mean confidence over [Calibration.ReliabilityBins]. It is above 0 even for
// calibrated confidences, the more so with fewer answers: on average [Calibration.ECEIfCalibrated].
// ok is false without an answer or bin.
//
// Source: Naeini, Cooper & Hauskrecht, "Obtaining Well Calibrated Probabilities Using Bayesian
// Binning", AAAI 2015; bins of equal mass: Nixon, Dusenberry, Zhang, Jerfel & Tran, "Measuring
// Calibration in Deep Learning", CVPR Workshops 2019.
func (c *Calibration) ECE(bins int64) (v float64, ok bool) {
	if c.N() == 0 || bins < 1 {
		return 0, false
	}
	for _, b := range c.ReliabilityBins(bins) {
		v += math.Abs(b.gap()) * float64(b.N) / float64(c.N())
	}
	return v, true
}

// ECEIfCalibrated returns the expected [Calibration.ECE] if every bin were calibrated: √(2/π)·Σ
// w·s, the mean absolute value of normal errors. w is the share of answers in a bin, and s the
// standard error of its share of right answers.
func (c *Calibration) ECEIfCalibrated(bins int64) (v float64, ok bool) {
	sum, _, _ := c.binErrors(bins)
	return math.Sqrt(2/math.Pi) * sum, c.N() > 0 && bins >= 1
}

// binErrors returns three sums over the bins that [Calibration.ECEInterval] uses: Σ w·s, √Σ w²s²,
// and Σ w³s³ divided by the third power of the second. For its standard error s, each bin gets two
// more right and two more wrong answers (Agresti & Coull 1998). A bin without wrong answers may
// still have some in the long run.
func (c *Calibration) binErrors(bins int64) (sum, root, skew float64) {
	if c.N() == 0 {
		return 0, 0, 0
	}
	alone := c.independentShare()
	for _, b := range c.ReliabilityBins(bins) {
		n := float64(b.N) * alone
		p := (float64(b.Correct)*alone + 2) / (n + 4)
		s := math.Sqrt(p*(1-p)/n) * float64(b.N) / float64(c.N())
		sum, root, skew = sum+s, root+s*s, skew+s*s*s
	}
	root = math.Sqrt(root)
	return sum, root, skew / (root * root * root)
}

// ECEInterval returns a confidence interval of the calibration error of the population over the
// same bins, given their confidences. With normal errors these bounds hold with at least 97.5 %
// each:
//
//	ECE − √(2/π)·Σ w·s − z′·√((1 − 2/π)·Σ w²s²)  and  ECE + z·√(Σ w²s²)
//
// For the lower bound, |g + e| ≤ |g| + |e|, and the excess has the moments of a folded normal. z′ =
// z + (z² − 1)γ/6 corrects for its skewness γ (Cornish & Fisher 1938). For the upper bound, Σ w|g +
// e| is at least the normal Σ w·sign(g)(g + e) with mean Σ w|g|.
//
// The coverage is above the level, and near 1 if most bins err in the same direction. Intervals of
// a bootstrap or a jackknife would exclude the 0 of a calibrated confidence. In simulation this
// interval excludes it in 0 to 2 % of samples. With confidences near one half and bins of 10 to 15
// answers it is up to 4 %. The bounds are ours. ok is false with fewer than 10 effectively
// independent answers per bin.
func (c *Calibration) ECEInterval(bins int64, level float64) (lo, hi float64, ok bool) {
	v, ok := c.ECE(bins)
	if !ok || !isLevel(level) || c.right.EffectiveN() < minAnswersPerBin*float64(len(c.ReliabilityBins(bins))) {
		return 0, 0, false
	}
	sum, root, skew := c.binErrors(bins)
	z := normalScore(level)
	skewed := z + (z*z-1)*foldedSkewness*skew/6
	lo = v - math.Sqrt(2/math.Pi)*sum - skewed*math.Sqrt(1-2/math.Pi)*root
	return max(lo, 0), min(v+z*root, 1), true
}

// foldedSkewness is the skewness of the absolute value of a normal error: √2·(4 − π)/(π − 2)^1.5.
const foldedSkewness = 0.9952717464311568
