package floor

import (
	"context"
	"math"

	"evalctl/agent/clock"
)

// calibration converts the scores of a classifier to calibrated probabilities. It divides the
// scores by a temperature and applies softmax. It then mixes in a uniform distribution, because
// some training examples have wrong labels.
type calibration struct{ temperature, uniform float64 }

// confidence returns the calibrated probability of the label with the given index.
func (c calibration) confidence(scores []float32, label int) float64 {
	return c.mixed(softmax(scores, label, c.temperature), len(scores))
}

func (c calibration) mixed(p float64, labels int) float64 {
	return (1-c.uniform)*p + c.uniform/float64(labels)
}

func softmax(scores []float32, label int, temperature float64) float64 {
	var odds float64 // sum over all labels, relative to the given one
	for _, s := range scores {
		odds += math.Exp(float64(s-scores[label]) / temperature)
	}
	return 1 / odds
}

// calibrated trains a model and, concurrently, computes its calibration.
func calibrated(learn func([]trainingExample, []string) *linear, rows []trainingExample, labels []string) (m *linear,
	err error) {
	var calibration calibration
	group, _ := clock.NewGroup(context.Background(), 0)
	group.Go("learning", func(context.Context) error { m = learn(rows, labels); return nil })
	group.Go("calibrating", func(
		context.Context) error {
		calibration = calibrate(heldOut(learn, rows, labels))
		return nil
	})
	if err := group.Wait(); err != nil {
		return nil, err
	}
	m.calibration = calibration
	return m, nil
}

// enoughHeldOut is the number of held-out examples that suffice for a calibration.
const enoughHeldOut = 2_000

// heldOutScores contains the scores and the true label of an example that the model was not trained
// on.
type heldOutScores struct {
	scores []float32
	label  int
}

// heldOut scores examples with models that were trained without them (cross-validation). It stops
// after enoughHeldOut examples or when the cost reaches maxWork.
func heldOut(learn func([]trainingExample, []string) *linear, rows []trainingExample,
	labels []string) (held []heldOutScores) {
	work, next := 0, 0
	for f := 0; f < folds && len(held) < enoughHeldOut && work+next <= maxWork; f++ {
		inside, outside := split(rows, f)
		if len(inside) == 0 {
			continue
		}
		m := learn(inside, labels)
		work, next = work+m.work, m.work
		for _, r := range outside {
			o := heldOutScores{scores: make([]float32, len(labels)), label: r.label}
			m.score(m.featureValues(r.grams), o.scores)
			held = append(held, o)
		}
	}
	return held
}

// calibrate returns the calibration that maximizes the likelihood of the true labels of held-out
// examples.
//
// Source of the temperature: Guo, Pleiss, Sun & Weinberger, "On Calibration of Modern Neural
// Networks" (2017).
func calibrate(held []heldOutScores) (best calibration) {
	if len(held) == 0 {
		return calibration{temperature: 1}
	}
	p, labels := make([]float64, len(held)), len(held[0].scores)
	at := func(logTemperature float64) (calibration, float64) {
		c := calibration{temperature: math.Exp(logTemperature)}
		for i, o := range held {
			p[i] = softmax(o.scores, o.label, c.temperature)
		}
		surprise := func(guess float64) (sum float64) {
			c.uniform = guess
			for _, one := range p {
				sum -= math.Log(max(c.mixed(one, labels), minProbability))
			}
			return sum
		}
		sum := surprise(goldenSection(0, 1, surprise))
		return c, sum
	}
	best, _ = at(goldenSection(-4, 8, func(log float64) float64 { _, sum := at(log); return sum }))
	return best
}

// minProbability limits how much one example can contribute to the loss.
const minProbability = 1e-20

// split divides the examples into training examples (inside) and test examples (outside). The test
// examples are those of the fold.
func split(rows []trainingExample, fold int) (training, test []trainingExample) {
	for _, r := range rows {
		if r.fold == fold {
			test = append(test, r)
		} else {
			training = append(training, r)
		}
	}
	return training, test
}

// goldenSection returns the minimum of a unimodal function, by golden-section search.
func goldenSection(lo, hi float64, f func(float64) float64) float64 {
	ratio := (math.Sqrt(5) - 1) / 2
	a, b := hi-ratio*(hi-lo), lo+ratio*(hi-lo)
	atA, atB := f(a), f(b)
	for range 30 {
		if atA <= atB {
			hi, b, atB = b, a, atA
			a = hi - ratio*(hi-lo)
			atA = f(a)
		} else {
			lo, a, atA = a, b, atB
			b = lo + ratio*(hi-lo)
			atB = f(b)
		}
	}
	return (lo + hi) / 2
}
