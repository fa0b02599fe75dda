package stats

import (
	"maps"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// AUROC returns the probability that a right answer has a higher confidence than a wrong one, with
// ties counted as one half. It is the area under the receiver operating characteristic. A
// confidence without information has 0.5. ok is false unless there are both right and wrong
// answers.
//
// Source: Hanley & McNeil, "The Meaning and Use of the Area under a Receiver Operating
// Characteristic (ROC) Curve", Radiology 143 (1982). It is the statistic of Mann & Whitney, Annals
// of Mathematical Statistics 18 (1947), per pair.
func (c *Calibration) AUROC() (v float64, ok bool) {
	if c.all.right == 0 || c.all.wrong == 0 {
		return 0, false
	}
	halves := 0.0 // sum in halves, so that ties are integers; exact below 2⁵³: up to 60 million answers
	above := int64(0)
	for _, step := range c.descending() {
		j := c.at[step]
		halves += float64(j.wrong) * float64(2*above+j.right)
		above += j.right
	}
	return halves / 2 / float64(c.all.right) / float64(c.all.wrong), true
}

// placements has, for each confidence, what one right and one wrong answer contribute to the
// sampling error of AUROC. For a right answer this is the share of wrong answers below it. For a
// wrong answer it is the share of right answers above it. Both are reduced by the AUROC and divided
// by the number of right or wrong answers.
type placements map[int64]struct{ right, wrong float64 }

func (c *Calibration) placements(theta float64) placements {
	list := placements{}
	right, wrong := float64(c.all.right), float64(c.all.wrong)
	var above answerCounts
	for _, step := range c.descending() {
		j := c.at[step]
		below := c.all.minus(above).minus(j)
		p := list[step]
		p.right = ((float64(below.wrong)+float64(j.wrong)/2)/wrong - theta) / right
		p.wrong = ((float64(above.right)+float64(j.right)/2)/right - theta) / wrong
		list[step] = p
		above = above.plus(j)
	}
	return list
}

// AUROCInterval returns a confidence interval of [Calibration.AUROC]. It is symmetric on the logit
// scale, with the standard error s and Student's t at min(I, J) − 1 degrees of freedom:
//
//	s² = I/(I−1)·Σaᵢ² + J/(J−1)·Σbᵢ² + 2·G/(G−1)·Σaᵢbᵢ
//
// aᵢ and bᵢ are the sums of the [placements] of the right and of the wrong answers of case i. I
// cases have right answers, J have wrong ones, and G is the number of all cases. If nothing varies
// (a perfect order, or a single confidence), the interval is Wilson's over the smaller of I and J,
// as if each case were all right or all wrong. ok is false if I or J is below 2.
//
// Sources: Obuchowski, "Nonparametric Analysis of Clustered ROC Curve Data", Biometrics 53 (1997),
// which for one answer per case is DeLong, DeLong & Clarke-Pearson, Biometrics 44 (1988); the
// logit: Pepe, "The Statistical Evaluation of Medical Tests" (2003), §5.2. Student's t and the case
// without variation are ours.
func (c *Calibration) AUROCInterval(level float64) (lo, hi float64, ok bool) {
	theta, ok := c.AUROC()
	right, wrong := c.casesBySide()
	fewer := float64(min(right, wrong))
	if !ok || fewer < 2 || !isLevel(level) {
		return 0, 0, false
	}
	se := math.Sqrt(c.aurocVariance(theta))
	if theta == 0 || theta == 1 || se < noSpread {
		lo, hi = Wilson(theta*fewer, fewer, level)
		return lo, hi, true
	}
	half := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: fewer - 1}.Quantile(0.5+level/2) * se / (theta * (1 - theta))
	return expit(logit(theta) - half), expit(logit(theta) + half), true
}

// casesBySide returns the number of cases with at least one right answer, and with at least one
// wrong answer.
func (c *Calibration) casesBySide() (right, wrong int64) {
	for o, n := range c.right.outcomes {
		if o.k > 0 {
			right += n
		}
		if o.k < o.m {
			wrong += n
		}
	}
	return right, wrong
}

// aurocVariance returns s², the squared standard error of AUROC by the formula at
// [Calibration.AUROCInterval]. If too many cases have several answers to store them, the answers of
// a case count as equal.
func (c *Calibration) aurocVariance(theta float64) float64 {
	p := c.placements(theta)
	single := maps.Clone(c.at)
	var rights, wrongs, both []float64
	rest := c.several.values
	for _, m := range c.several.sizes {
		a, b := 0.0, 0.0
		for _, code := range rest[:m] {
			o := decoded(code)
			single[o.step] = single[o.step].minus(o.counted())
			if o.right {
				a += p[o.step].right
			} else {
				b += p[o.step].wrong
			}
		}
		rights, wrongs, both = append(rights, a*a), append(wrongs, b*b), append(both, a*b)
		rest = rest[m:]
	}
	for step, j := range single {
		a, b := p[step].right, p[step].wrong
		rights, wrongs = append(rights, float64(j.right)*a*a), append(wrongs, float64(j.wrong)*b*b)
	}
	right, wrong := c.casesBySide()
	designEffect := 1.0
	if c.several.tooMany {
		designEffect = 1 + float64(c.several.pairs)/float64(c.N())
	}
	return designEffect * max(0,
		unbiased(right)*sumSorted(rights)+unbiased(wrong)*sumSorted(wrongs)+2*unbiased(c.Cases())*sumSorted(both))
}

func unbiased(n int64) float64 { return float64(n) / float64(n-1) }
