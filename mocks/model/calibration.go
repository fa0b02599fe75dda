package model

import (
	"errors"
	"fmt"
	"math"
	"sort"
)

// CurvePoint is a point of a calibration curve: the share Accuracy of the answers with this
// Confidence is correct.
type CurvePoint struct {
	Confidence float64 `yaml:"confidence" json:"confidence"` // stated confidence, 0..1
	Accuracy   float64 `yaml:"accuracy" json:"right"`        // share of correct answers, 0..1
}

// confidenceSteps is the resolution of confidences: models return them with three decimals.
const confidenceSteps = 1000

// Calibration draws the confidence of a simulated model's answers, so that confidence and accuracy
// are related by a calibration curve. The curve is linear between its points. The confidences are
// all multiples of 1/1000 from the first to the last point.
//
// Initially, every segment of the curve has the same weight, and all confidences within it are
// equally likely. Dense points therefore mean many answers. The weights are then multiplied by
// exp(θ·accuracy) so that the mean accuracy equals the model's accuracy. Source: Esscher, "On the
// probability function in the collective theory of risk" (1932).
type Calibration struct {
	accuracy       float64
	minThousandths int       // the lowest confidence, in thousandths
	correctWeights []float64 // cumulative weights of the confidences of correct answers
	wrongWeights   []float64 // cumulative weights of the confidences of wrong answers
}

// PerfectCurve returns the curve of a perfectly calibrated model: the confidence equals the
// accuracy. With accuracy 0 or 1, the confidence is constant.
func PerfectCurve(accuracy float64) []CurvePoint {
	if accuracy == 0 || accuracy == 1 {
		return []CurvePoint{{Confidence: accuracy, Accuracy: accuracy}}
	}
	return []CurvePoint{{Confidence: 0, Accuracy: 0}, {Confidence: 1, Accuracy: 1}}
}

// NewCalibration returns the calibration of a model with the given curve and mean accuracy. The
// accuracy must be between the lowest and the highest accuracy of the curve, or equal both. Errors
// begin with the path of the invalid field.
func NewCalibration(curve []CurvePoint, accuracy float64) (*Calibration, error) {
	if err := checkCurve(curve); err != nil {
		return nil, err
	}
	lowest, highest := curve[0].Accuracy, curve[0].Accuracy
	for _, p := range curve {
		lowest, highest = min(lowest, p.Accuracy), max(highest, p.Accuracy)
	}
	if !(accuracy > lowest && accuracy < highest) && (lowest != highest || accuracy != lowest) {
		return nil, fmt.Errorf("calibration: between %v and %v are right, an accuracy of %v does not lie within",
			lowest, highest, accuracy)
	}
	c := &Calibration{accuracy: accuracy, minThousandths: thousandths(curve[0].Confidence)}
	steps := curveSteps(curve)
	weight := weights(steps, findTilt(steps, accuracy))
	var right, wrong float64
	for i, w := range weight {
		right, wrong = right+w*steps[i].accuracy, wrong+w*(1-steps[i].accuracy)
		c.correctWeights, c.wrongWeights = append(c.correctWeights, right), append(c.wrongWeights, wrong)
	}
	return c, nil
}

func checkCurve(curve []CurvePoint) error {
	if len(curve) == 0 {
		return errors.New("calibration: has no point")
	}
	for i, p := range curve {
		switch {
		case !(p.Confidence >= 0 && p.Confidence <= 1):
			return fmt.Errorf("calibration[%d].confidence: %v is not in 0..1", i, p.Confidence)
		case math.Abs(p.Confidence*confidenceSteps-float64(thousandths(p.Confidence))) > 1e-9:
			return fmt.Errorf("calibration[%d].confidence: %v has more than three decimals", i, p.Confidence)
		case i > 0 && p.Confidence <= curve[i-1].Confidence:
			return fmt.Errorf("calibration[%d].confidence: %v is not above the one before", i, p.Confidence)
		case !(p.Accuracy >= 0 && p.Accuracy <= 1):
			return fmt.Errorf("calibration[%d].accuracy: %v is not in 0..1", i, p.Accuracy)
		}
	}
	return nil
}

func thousandths(v float64) int { return int(math.Round(v * confidenceSteps)) }

// confidenceStep is one possible confidence: the accuracy of answers with it, and its initial
// weight.
type confidenceStep struct{ accuracy, weight float64 }

// curveSteps returns the steps of all confidences on the curve, in ascending order.
func curveSteps(curve []CurvePoint) []confidenceStep {
	list := []confidenceStep{{accuracy: curve[0].Accuracy, weight: 1}}
	for i, p := range curve[1:] {
		from, to := thousandths(curve[i].Confidence), thousandths(p.Confidence)
		for at := from + 1; at <= to; at++ {
			part := float64(at-from) / float64(to-from)
			list = append(list, confidenceStep{accuracy: curve[i].Accuracy + part*(p.Accuracy-curve[i].Accuracy),
				weight: 1 / float64(to-from)})
		}
	}
	if len(list) > 1 {
		list[0].weight = list[1].weight
	}
	return list
}

// findTilt returns the θ at which the mean accuracy of the weighted steps equals accuracy. It uses
// bisection, because the mean accuracy increases with θ.
func findTilt(steps []confidenceStep, accuracy float64) float64 {
	span := 1.0
	for span < math.MaxInt32 && (meanAccuracy(steps, span) < accuracy || meanAccuracy(steps, -span) > accuracy) {
		span *= 2
	}
	low, high := -span, span
	for range 100 {
		if middle := (low + high) / 2; meanAccuracy(steps, middle) < accuracy {
			low = middle
		} else {
			high = middle
		}
	}
	return (low + high) / 2
}

// weights returns the weights of the steps multiplied by exp(θ·accuracy), up to a common factor.
func weights(steps []confidenceStep, theta float64) []float64 {
	top := math.Inf(-1)
	for _, s := range steps {
		top = max(top, theta*s.accuracy)
	}
	list := make([]float64, len(steps))
	for i, s := range steps {
		list[i] = s.weight * math.Exp(theta*s.accuracy-top)
	}
	return list
}

func meanAccuracy(steps []confidenceStep, theta float64) float64 {
	sum, all := 0.0, 0.0
	for i, w := range weights(steps, theta) {
		sum, all = sum+w*steps[i].accuracy, all+w
	}
	return sum / all
}

// WithoutErrors returns the calibration of a model that is always correct. It states the confidences
// of all answers of c, correct and wrong ones, in the same proportions.
func (c *Calibration) WithoutErrors() *Calibration {
	all := make([]float64, len(c.correctWeights))
	for i := range all {
		all[i] = c.correctWeights[i] + c.wrongWeights[i]
	}
	return &Calibration{
		accuracy:       1,
		minThousandths: c.minThousandths,
		correctWeights: all,
		wrongWeights:   all,
	}
}

// drawConfidence returns the confidence of a correct or wrong answer. unit is a random number,
// uniform in (0, 1).
func (c *Calibration) drawConfidence(right bool, unit float64) float64 {
	sums := c.wrongWeights
	if right {
		sums = c.correctWeights
	}
	at := sort.SearchFloat64s(sums, unit*sums[len(sums)-1])
	return float64(c.minThousandths+at) / confidenceSteps
}
