package stats

import (
	"maps"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

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

// placements are what answers of a confidence add to what AUROC is off: of a right one
// the share of wrong ones that it is above, of a wrong one the share of right ones that
// are above it, each less the AUROC and per right or wrong answer.
type placements map[int64]struct{ right, wrong float64 }

func (c *Calibration) placements(theta float64) placements {
	list := placements{}
	right, wrong := float64(c.all.right), float64(c.all.wrong)
	var above judged
	for _, step := range c.descending() {
		j := c.at[step]
		below := c.all.less(above).less(j)
		p := list[step]
		p.right = ((float64(below.wrong)+float64(j.wrong)/2)/wrong - theta) / right
		p.wrong = ((float64(above.right)+float64(j.right)/2)/right - theta) / wrong
		list[step] = p
		above = above.plus(j)
	}
	return list
}

// AUROCInterval is symmetric about the logit of the AUROC, with Student's t for as many
// cases as have a right answer or a wrong one, whichever are fewer, less one:
//
//	s² = I/(I−1)·Σaᵢ² + J/(J−1)·Σbᵢ² + 2·G/(G−1)·Σaᵢbᵢ
//
// where aᵢ is what the right answers of case i add (see placements), of which I cases have
// some, bᵢ what its wrong ones do, of which J have some, and G = all cases. Where nothing
// varies, as of a perfect order or of one confidence only, it is Wilson's over the fewer
// cases, as if each were all or nothing. ok is false without two cases of either kind.
//
// Sources: Obuchowski, «Nonparametric Analysis of Clustered ROC Curve Data», Biometrics 53
// (1997), which with an answer a case is DeLong, DeLong & Clarke-Pearson, Biometrics 44
// (1988); the logit: Pepe, «The Statistical Evaluation of Medical Tests» (2003), §5.2. That
// it is Student's, and what is done where nothing varies, is ours.
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

// casesBySide are how many cases have a right answer, and how many a wrong one.
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

// aurocVariance is s² of [Calibration.AUROCInterval]. Of too many cases with several
// answers these count as each other's equals.
func (c *Calibration) aurocVariance(theta float64) float64 {
	p := c.placements(theta)
	single := maps.Clone(c.at)
	var rights, wrongs, both []float64
	rest := c.several.values
	for _, m := range c.several.sizes {
		a, b := 0.0, 0.0
		for _, code := range rest[:m] {
			o := decoded(code)
			single[o.step] = single[o.step].less(o.counted())
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
	alike := 1.0
	if c.several.tooMany {
		alike = 1 + float64(c.several.pairs)/float64(c.N())
	}
	return alike * max(0, unbiased(right)*sumSorted(rights)+unbiased(wrong)*sumSorted(wrongs)+2*unbiased(c.Cases())*sumSorted(both))
}

// unbiased is n/(n−1).
func unbiased(n int64) float64 { return float64(n) / float64(n-1) }
