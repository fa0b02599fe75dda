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
// The answers of a case (its epochs and turns) are alike.
//
// A confidence is rounded to four decimals, and memory is at most that of 10,001 of
// them and of 16,384 answers of cases with several; of more of these, all answers of a
// case count as one another's equals where that matters. The state depends only on what
// was added, not on its order. The zero value has no answer.
type Calibration struct {
	all     judged
	at      map[int64]judged // by confidence in steps
	right   Proportion
	squares Mean     // of what confidence is off
	several clusters // the answers of cases with several, as codes
}

// Answer is how confident one was, and whether it was right.
type Answer struct {
	Confidence float64
	Correct    bool
}

// judged counts answers of one confidence.
type judged struct{ right, wrong int64 }

func (j judged) n() int64 { return j.right + j.wrong }

func (j judged) plus(o judged) judged {
	return judged{right: j.right + o.right, wrong: j.wrong + o.wrong}
}

func (j judged) less(o judged) judged {
	return judged{right: j.right - o.right, wrong: j.wrong - o.wrong}
}

// one is an answer in steps.
type one struct {
	step  int64
	right bool
}

func (o one) counted() judged {
	if o.right {
		return judged{right: 1}
	}
	return judged{wrong: 1}
}

// off is the square of what the confidence is off, in square steps.
func (o one) off() int64 {
	if o.right {
		return (confidenceSteps - o.step) * (confidenceSteps - o.step)
	}
	return o.step * o.step
}

func (o one) code() int64 { return 2*o.step + o.counted().right }

func decoded(code int64) one { return one{step: code / 2, right: code%2 == 1} }

// Add counts the only answer of a case; a confidence outside 0…1 is none, and goes into
// no figure.
func (c *Calibration) Add(confidence float64, right bool) {
	c.AddCase(Answer{Confidence: confidence, Correct: right})
}

// AddCase counts the answers of a case, as Add does.
func (c *Calibration) AddCase(answers ...Answer) {
	codes, right := make([]int64, 0, len(answers)), int64(0)
	squares := make([]float64, 0, len(answers))
	for _, a := range answers {
		if !(a.Confidence >= 0 && a.Confidence <= 1) {
			continue
		}
		o := one{step: int64(math.Round(a.Confidence * confidenceSteps)), right: a.Correct}
		if c.at == nil {
			c.at = make(map[int64]judged)
		}
		c.all, c.at[o.step] = c.all.plus(o.counted()), c.at[o.step].plus(o.counted())
		codes, right = append(codes, o.code()), right+o.counted().right
		squares = append(squares, float64(o.off())/confidenceSteps/confidenceSteps)
	}
	c.right.Add(right, int64(len(codes)))
	c.squares.Add(squares...)
	c.several.add(codes)
}

// N is the number of answers.
func (c *Calibration) N() int64 { return c.all.n() }

// Cases is the number of cases with an answer.
func (c *Calibration) Cases() int64 { return c.right.Cases() }

// Correct is the share of right answers.
func (c *Calibration) Accuracy() *Proportion { return &c.right }

// Mean is the mean confidence; ok is false without an answer.
func (c *Calibration) Mean() (v float64, ok bool) {
	sum := int64(0)
	for step, j := range c.at {
		sum += step * j.n()
	}
	return float64(sum) / confidenceSteps / float64(c.N()), c.N() > 0
}

// ShareInterval is [Wilson]'s of k in n of the answers, such as the right ones of a bin,
// of which as great a part counts as independent of each other as of all: see
// [Share.EffectiveN]. ok is false for n < 1.
func (c *Calibration) ShareInterval(k, n int64, level float64) (lo, hi float64, ok bool) {
	if n < 1 || n > c.N() {
		return 0, 0, false
	}
	lo, hi = Wilson(float64(k)*c.alone(), float64(n)*c.alone(), level)
	return lo, hi, !math.IsNaN(lo)
}

// alone is how much of an answer counts as independent of the others of its case.
func (c *Calibration) alone() float64 { return c.right.EffectiveN() / float64(c.N()) }

// ascending lists the confidences from the lowest up.
func (c *Calibration) ascending() []int64 { return slices.Sorted(maps.Keys(c.at)) }

// descending lists the confidences from the highest down.
func (c *Calibration) descending() []int64 {
	return slices.SortedFunc(maps.Keys(c.at), func(a, b int64) int { return cmp.Compare(b, a) })
}
