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
	Right      float64 `yaml:"right" json:"right"`
}

// perThousand confidences are told apart: a model states them with three digits.
const perThousand = 1000

// Calibration is how a model's confidence goes with being right. It states every
// thousandth between the first and the last point of its curve, linear between the
// points: how often each is found from even odds, tilted by exp(θ·right) so that as
// many answers are right as the model's accuracy says. Source of the tilting: Esscher,
// «On the probability function in the collective theory of risk» (1932).
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
		return []Point{{Confidence: accuracy, Right: accuracy}}
	}
	return []Point{{Confidence: 0, Right: 0}, {Confidence: 1, Right: 1}}
}

// NewCalibration makes the calibration of a model of that accuracy. The accuracy lies
// between the least and the greatest share of the curve, or equals both. Errors begin
// with the path of what is wrong.
func NewCalibration(curve []Point, accuracy float64) (*Calibration, error) {
	if err := checkCurve(curve); err != nil {
		return nil, err
	}
	least, most := curve[0].Right, curve[0].Right
	for _, p := range curve {
		least, most = min(least, p.Right), max(most, p.Right)
	}
	if !(accuracy > least && accuracy < most) && (least != most || accuracy != least) {
		return nil, fmt.Errorf("calibration: between %v and %v are right, an accuracy of %v does not lie within", least, most, accuracy)
	}
	c := &Calibration{accuracy: accuracy, first: thousandths(curve[0].Confidence)}
	share := shares(curve)
	weight := weights(share, tilt(share, accuracy))
	var right, wrong float64
	for i, w := range weight {
		right, wrong = right+w*share[i], wrong+w*(1-share[i])
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
		case !(p.Right >= 0 && p.Right <= 1):
			return fmt.Errorf("calibration[%d].right: %v is not in 0..1", i, p.Right)
		}
	}
	return nil
}

func thousandths(v float64) int { return int(math.Round(v * perThousand)) }

// shares are what is right of each confidence, the least first.
func shares(curve []Point) []float64 {
	list := []float64{curve[0].Right}
	for i, p := range curve[1:] {
		from, to := thousandths(curve[i].Confidence), thousandths(p.Confidence)
		for at := from + 1; at <= to; at++ {
			part := float64(at-from) / float64(to-from)
			list = append(list, curve[i].Right+part*(p.Right-curve[i].Right))
		}
	}
	return list
}

// tilt finds θ by halving: the mean share rises with it.
func tilt(share []float64, accuracy float64) float64 {
	span := 1.0
	for span < math.MaxInt32 && (meanShare(share, span) < accuracy || meanShare(share, -span) > accuracy) {
		span *= 2
	}
	low, high := -span, span
	for range 100 {
		if middle := (low + high) / 2; meanShare(share, middle) < accuracy {
			low = middle
		} else {
			high = middle
		}
	}
	return (low + high) / 2
}

// weights are relative, the greatest is 1.
func weights(share []float64, theta float64) []float64 {
	top := math.Inf(-1)
	for _, s := range share {
		top = max(top, theta*s)
	}
	list := make([]float64, len(share))
	for i, s := range share {
		list[i] = math.Exp(theta*s - top)
	}
	return list
}

func meanShare(share []float64, theta float64) float64 {
	sum, all := 0.0, 0.0
	for i, w := range weights(share, theta) {
		sum, all = sum+w*share[i], all+w
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
