package model

import (
	"maps"
	"math"
	"slices"

	"evalctl/mocks/random"
)

// odds are the weights of the wrong answers to a text, by index of the label.
type odds struct {
	labels  []string
	weights []float64
	sum     float64 // sum of the weights; 0: there is no wrong answer
}

// wrongOdds returns the weights of the wrong labels among labels for a text with the given correct label. They
// come from the confusion row of that label; without one, all names have the same weight. Accepted
// labels, and labels with the same name in answers, have weight 0.
func (l *SimulatedRouter) wrongOdds(labels []string, right string, accepted []string) odds {
	o := odds{labels: labels, weights: make([]float64, len(labels))}
	fill := func(weight func(i int, label string) float64) {
		for i, label := range labels {
			if l.name(label) != l.name(right) && !slices.Contains(accepted, label) {
				o.weights[i] = weight(i, label)
				o.sum += o.weights[i]
			}
		}
	}
	if row := l.Confusion[right]; row != nil {
		fill(func(_ int, label string) float64 { return row[label] })
	}
	if o.sum > 0 {
		return o
	}
	fill(func(i int, label string) float64 {
		if l.LabelName != nil && slices.ContainsFunc(labels[:i],
			func(before string) bool { return l.name(before) == l.name(label) }) {
			return 0
		}
		return 1
	})
	return o
}

// draw returns a wrong label. unit is a random number, uniform in (0, 1).
func (o odds) draw(unit float64) (last string) {
	x := unit * o.sum
	for i, w := range o.weights {
		if w == 0 {
			continue
		}
		if last = o.labels[i]; x < w {
			break
		}
		x -= w
	}
	return last
}

// agreement returns the probability that two answers are equal if they have only the difficulty of
// their case in common.
func (l *SimulatedRouter) agreement(o odds) float64 {
	if o.sum == 0 {
		return 1
	}
	byName := map[string]float64{}
	for i, label := range o.labels {
		byName[l.name(label)] += o.weights[i] / o.sum
	}
	same := 0.0 // probability that two wrong answers are equal
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		same += byName[name] * byName[name]
	}
	right := bothCorrectProb(l.Accuracy, l.Difficulty.Correlation)
	wrong := 1 - 2*l.Accuracy + right
	return right + wrong*same
}

// answerSeed returns the seed of an answer. With the probability that Consistency requires, it is
// the seed of the case, which is equal in all epochs; else the seed of the epoch.
func (l *SimulatedRouter) answerSeed(r Request, o odds) uint64 {
	epoch := r.seedOf(l.Seed)
	if l.Consistency == 0 {
		return epoch
	}
	d := random.Rand{Seed: random.Hash(epoch, "consistency")}
	if a := l.agreement(o); a < 1 && d.Float64() < math.Sqrt(max(0, l.Consistency-a)/(1-a)) {
		return r.seedOf(l.CaseSeed)
	}
	return epoch
}
