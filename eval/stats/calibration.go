package stats

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// confidenceSteps is the number of steps between confidence 0 and 1. Confidences are rounded to
// these steps, which bounds the memory and makes sums exact integers.
const confidenceSteps = 10_000

// Calibration accumulates the confidence and correctness of answers. [Calibration.ECE] and
// [Calibration.Brier] measure calibration. [Calibration.AUROC] and [Calibration.RiskCoverage]
// measure how well confidence separates right from wrong answers. The answers of a case (its epochs
// and turns) form one cluster.
//
// A confidence is rounded to four decimals. Memory is bounded by 10,001 confidences and 16,384
// answers of cases with several. Beyond that, all answers of a case count as equal in intervals.
// The state does not depend on the order of additions. The zero value is empty.
type Calibration struct {
	all     answerCounts
	at      map[int64]answerCounts // counts of the answers by confidence, in steps of 1/confidenceSteps
	right   Proportion
	squares Mean     // squared differences of confidence and correctness
	several clusters // encoded answers of the cases with several answers
}

// Answer is the confidence of one answer (0 to 1), and whether the answer is correct.
type Answer struct {
	Confidence float64
	Correct    bool
}

// answerCounts counts right and wrong answers, such as those with the same confidence.
type answerCounts struct{ right, wrong int64 }

func (j answerCounts) n() int64 { return j.right + j.wrong }

func (j answerCounts) plus(o answerCounts) answerCounts {
	return answerCounts{right: j.right + o.right, wrong: j.wrong + o.wrong}
}

func (j answerCounts) minus(o answerCounts) answerCounts {
	return answerCounts{right: j.right - o.right, wrong: j.wrong - o.wrong}
}

// roundedAnswer is an answer whose confidence is rounded to steps of 1/confidenceSteps.
type roundedAnswer struct {
	step  int64
	right bool
}

func (o roundedAnswer) counted() answerCounts {
	if o.right {
		return answerCounts{right: 1}
	}
	return answerCounts{wrong: 1}
}

// squaredError returns the squared difference of confidence and correctness, in units of
// 1/confidenceSteps².
func (o roundedAnswer) squaredError() int64 {
	if o.right {
		return (confidenceSteps - o.step) * (confidenceSteps - o.step)
	}
	return o.step * o.step
}

func (o roundedAnswer) code() int64 { return 2*o.step + o.counted().right }

func decoded(code int64) roundedAnswer { return roundedAnswer{step: code / 2, right: code%2 == 1} }

// Add adds a case with a single answer. A confidence outside 0…1 is ignored.
func (c *Calibration) Add(confidence float64, right bool) {
	c.AddCase(Answer{Confidence: confidence, Correct: right})
}

// AddCase adds a case with all its answers. Answers with a confidence outside 0…1 are ignored.
func (c *Calibration) AddCase(answers ...Answer) {
	codes, right := make([]int64, 0, len(answers)), int64(0)
	squares := make([]float64, 0, len(answers))
	for _, a := range answers {
		if !(a.Confidence >= 0 && a.Confidence <= 1) {
			continue
		}
		o := roundedAnswer{step: int64(math.Round(a.Confidence * confidenceSteps)), right: a.Correct}
		if c.at == nil {
			c.at = make(map[int64]answerCounts)
		}
		c.all, c.at[o.step] = c.all.plus(o.counted()), c.at[o.step].plus(o.counted())
		codes, right = append(codes, o.code()), right+o.counted().right
		squares = append(squares, float64(o.squaredError())/confidenceSteps/confidenceSteps)
	}
	c.right.Add(right, int64(len(codes)))
	c.squares.Add(squares...)
	c.several.add(codes)
}

// N returns the number of answers added.
func (c *Calibration) N() int64 { return c.all.n() }

// Cases returns the number of cases with an answer.
func (c *Calibration) Cases() int64 { return c.right.Cases() }

// Accuracy returns the proportion of right answers.
func (c *Calibration) Accuracy() *Proportion { return &c.right }

// MeanConfidence returns the mean confidence; ok is false without an answer.
func (c *Calibration) MeanConfidence() (v float64, ok bool) {
	sum := int64(0)
	for step, j := range c.at {
		sum += step * j.n()
	}
	return float64(sum) / confidenceSteps / float64(c.N()), c.N() > 0
}

// SubsetInterval returns [Wilson]'s interval of the share k/n of a subset of the answers, such as
// the right ones among the n answers of a bin. n is reduced to an effective number of independent
// answers by the same factor as for all answers: see [Proportion.EffectiveN]. ok is false for n <
// 1.
func (c *Calibration) SubsetInterval(k, n int64, level float64) (lo, hi float64, ok bool) {
	if n < 1 || n > c.N() {
		return 0, 0, false
	}
	lo, hi = Wilson(float64(k)*c.independentShare(), float64(n)*c.independentShare(), level)
	return lo, hi, !math.IsNaN(lo)
}

// independentShare returns the effective number of independent answers divided by the number of
// answers.
func (c *Calibration) independentShare() float64 { return c.right.EffectiveN() / float64(c.N()) }

// ascending returns the confidences that occur, in steps, lowest first.
func (c *Calibration) ascending() []int64 { return slices.Sorted(maps.Keys(c.at)) }

func (c *Calibration) descending() []int64 {
	return slices.SortedFunc(maps.Keys(c.at), func(a, b int64) int { return cmp.Compare(b, a) })
}
