package stats

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// confidenceSteps is how many steps a confidence is rounded to, so that memory is
// bounded and sums are whole numbers.
const confidenceSteps = 10_000

// Calibration holds how confident answers were and whether they were right: how far
// confidence can be believed ([Calibration.ECE], [Calibration.Brier]), and how well it
// tells right answers from wrong ones ([Calibration.AUROC], [Calibration.RiskCoverage]).
//
// A confidence is rounded to four decimals, and memory is at most that of 10,001 of
// them. The state depends only on what was added, not on its order. The zero value has
// no answer.
type Calibration struct {
	all judged
	at  map[int64]judged // by confidence in steps
}

// judged counts answers of one confidence.
type judged struct{ right, wrong int64 }

func (j judged) n() int64 { return j.right + j.wrong }

func (j judged) plus(o judged) judged {
	return judged{right: j.right + o.right, wrong: j.wrong + o.wrong}
}

// Add counts an answer; a confidence outside 0…1 is none, and goes into no figure.
func (c *Calibration) Add(confidence float64, right bool) {
	if !(confidence >= 0 && confidence <= 1) {
		return
	}
	if c.at == nil {
		c.at = make(map[int64]judged)
	}
	step := int64(math.Round(confidence * confidenceSteps))
	one := judged{wrong: 1}
	if right {
		one = judged{right: 1}
	}
	c.all, c.at[step] = c.all.plus(one), c.at[step].plus(one)
}

// N is the number of answers.
func (c *Calibration) N() int64 { return c.all.n() }

// Brier is the mean square of confidence − 1 over right answers and of confidence over
// wrong ones: 0 at best, 0.25 for always saying 0.5. It is half of what Brier defined,
// whose sum also runs over the other outcome. ok is false without an answer.
//
// Source: Brier, «Verification of Forecasts Expressed in Terms of Probability», Monthly
// Weather Review 78 (1950).
func (c *Calibration) Brier() (v float64, ok bool) {
	if c.N() == 0 {
		return 0, false
	}
	sum := int64(0) // of square steps
	for step, j := range c.at {
		sum += j.wrong*step*step + j.right*(confidenceSteps-step)*(confidenceSteps-step)
	}
	return float64(sum) / confidenceSteps / confidenceSteps / float64(c.N()), true
}

// ECE is the expected calibration error: how far the share of right answers is from
// the mean confidence, on the average over bins of as many answers each. Answers of
// equal confidence are of one bin, that of the middle one, so that there may be fewer.
// It is above 0 also where confidence is right, the more so the fewer answers a bin
// has. ok is false without an answer and without a bin.
//
// Source: Naeini, Cooper & Hauskrecht, «Obtaining Well Calibrated Probabilities Using
// Bayesian Binning», AAAI 2015; bins of equal mass: Nixon, Dusenberry, Zhang, Jerfel &
// Tran, «Measuring Calibration in Deep Learning», CVPR Workshops 2019.
func (c *Calibration) ECE(bins int64) (v float64, ok bool) {
	if c.N() == 0 || bins < 1 {
		return 0, false
	}
	gaps := make(map[int64]int64) // by bin: steps that confidence is above the share of right answers, over all answers
	below := int64(0)
	for _, step := range slices.Sorted(maps.Keys(c.at)) {
		j := c.at[step]
		middle := (float64(below) + float64(j.n())/2) / float64(c.N())
		gaps[int64(middle*float64(bins))] += step*j.n() - confidenceSteps*j.right
		below += j.n()
	}
	sum := int64(0)
	for _, gap := range gaps {
		sum += max(gap, -gap)
	}
	return float64(sum) / confidenceSteps / float64(c.N()), true
}

// descending lists the confidences from the highest down.
func (c *Calibration) descending() []int64 {
	return slices.SortedFunc(maps.Keys(c.at), func(a, b int64) int { return cmp.Compare(b, a) })
}
