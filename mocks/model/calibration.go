package model

import (
	"errors"
	"fmt"
	"math"
	"sort"
)

// Point of a calibration curve: of the answers that state Confidence, the share
// Right is right.
type Point struct {
	Confidence float64 `yaml:"confidence" json:"confidence"`
	Accuracy   float64 `yaml:"accuracy" json:"right"`
}

// perThousand confidences are told apart: a model states them with three digits.
const perThousand = 1000

// Calibration is how a model's confidence goes with being right. It states every
// thousandth between the first and the last point of its curve, which is linear between
// the points. How often each is stated starts from even odds, for each piece between
// two points and within it, so that where points lie close there are many answers; they
// are tilted by exp(θ·right) until as many answers are right as the model's accuracy
// says. Source of the tilting: Esscher, «On the probability function in the collective
// theory of risk» (1932).
type Calibration struct {
	accuracy float64
	first    int       // the least confidence, in thousandths
	right    []float64 // cumulated weights of the confidences of right answers
	wrong    []float64 // and of wrong ones
}

// Perfect is the curve of a model that is right as often as it says; one that always
// or never is right always says so.
func Perfect(accuracy float64) []Point {
	if accuracy == 0 || accuracy == 1 {
		return []Point{{Confidence: accuracy, Accuracy: accuracy}}
	}
	return []Point{{Confidence: 0, Accuracy: 0}, {Confidence: 1, Accuracy: 1}}
}

// NewCalibration makes the calibration of a model of that accuracy. The accuracy lies
// between the least and the greatest share of the curve, or equals both. Errors begin
// with the path of what is wrong.
func NewCalibration(curve []Point, accuracy float64) (*Calibration, error) {
	if err := checkCurve(curve); err != nil {
		return nil, err
	}
	least, most := curve[0].Accuracy, curve[0].Accuracy
	for _, p := range curve {
		least, most = min(least, p.Accuracy), max(most, p.Accuracy)
	}
	if !(accuracy > least && accuracy < most) && (least != most || accuracy != least) {
		return nil, fmt.Errorf("calibration: between %v and %v are right, an accuracy of %v does not lie within", least, most, accuracy)
	}
	c := &Calibration{accuracy: accuracy, first: thousandths(curve[0].Confidence)}
	steps := stepsOf(curve)
	weight := weights(steps, tilt(steps, accuracy))
	var right, wrong float64
	for i, w := range weight {
		right, wrong = right+w*steps[i].right, wrong+w*(1-steps[i].right)
		c.right, c.wrong = append(c.right, right), append(c.wrong, wrong)
	}
	return c, nil
}

func checkCurve(curve []Point) error {
	if len(curve) == 0 {
		return errors.New("calibration: has no point")
	}
	for i, p := range curve {
		switch {
		case !(p.Confidence >= 0 && p.Confidence <= 1):
			return fmt.Errorf("calibration[%d].confidence: %v is not in 0..1", i, p.Confidence)
		case math.Abs(p.Confidence*perThousand-float64(thousandths(p.Confidence))) > 1e-9:
			return fmt.Errorf("calibration[%d].confidence: %v has more than three decimals", i, p.Confidence)
		case i > 0 && p.Confidence <= curve[i-1].Confidence:
			return fmt.Errorf("calibration[%d].confidence: %v is not above the one before", i, p.Confidence)
		case !(p.Accuracy >= 0 && p.Accuracy <= 1):
			return fmt.Errorf("calibration[%d].accuracy: %v is not in 0..1", i, p.Accuracy)
		}
	}
	return nil
}

func thousandths(v float64) int { return int(math.Round(v * perThousand)) }

// step is one confidence: the share that is right of it, and its odds before the tilt.
type step struct{ right, odds float64 }

// stepsOf are those of all confidences, the least first.
func stepsOf(curve []Point) []step {
	list := []step{{right: curve[0].Accuracy, odds: 1}}
	for i, p := range curve[1:] {
		from, to := thousandths(curve[i].Confidence), thousandths(p.Confidence)
		for at := from + 1; at <= to; at++ {
			part := float64(at-from) / float64(to-from)
			list = append(list, step{right: curve[i].Accuracy + part*(p.Accuracy-curve[i].Accuracy), odds: 1 / float64(to-from)})
		}
	}
	if len(list) > 1 {
		list[0].odds = list[1].odds
	}
	return list
}

// tilt finds θ by halving: the mean share rises with it.
func tilt(steps []step, accuracy float64) float64 {
	span := 1.0
	for span < math.MaxInt32 && (meanRight(steps, span) < accuracy || meanRight(steps, -span) > accuracy) {
		span *= 2
	}
	low, high := -span, span
	for range 100 {
		if middle := (low + high) / 2; meanRight(steps, middle) < accuracy {
			low = middle
		} else {
			high = middle
		}
	}
	return (low + high) / 2
}

// weights are relative.
func weights(steps []step, theta float64) []float64 {
	top := math.Inf(-1)
	for _, s := range steps {
		top = max(top, theta*s.right)
	}
	list := make([]float64, len(steps))
	for i, s := range steps {
		list[i] = s.odds * math.Exp(theta*s.right-top)
	}
	return list
}

func meanRight(steps []step, theta float64) float64 {
	sum, all := 0.0, 0.0
	for i, w := range weights(steps, theta) {
		sum, all = sum+w*steps[i].right, all+w
	}
	return sum / all
}

// state draws, with a unit, the confidence of a right or a wrong answer.
func (c *Calibration) state(right bool, unit float64) float64 {
	sums := c.wrong
	if right {
		sums = c.right
	}
	at := sort.SearchFloat64s(sums, unit*sums[len(sums)-1])
	return float64(c.first+at) / perThousand
}
