package floor

import "math"

// Parameters of the gradient descent: passes over the examples, minimum number of steps if there
// are few examples, and the initial learning rate, which falls linearly to 0. The cost limit
// maxWork can reduce the steps.
const (
	epochs    = 5
	minSteps  = 10_000
	firstRate = 2.0
	minError  = 1e-3 // smaller errors do not change the weights
)

// logisticRegression trains a multinomial logistic regression by stochastic gradient descent. Its
// features are TF-IDF-weighted words and character n-grams.
//
// Sources: Robbins & Monro, "A Stochastic Approximation Method" (1951); Bottou, "Stochastic
// Gradient Descent Tricks" (2012); the features are those of Cavnar & Trenkle, "N-Gram-Based Text
// Categorization" (1994), hashed as by Weinberger and others, "Feature Hashing for Large Scale
// Multitask Learning" (2009).
func logisticRegression(rows []trainingExample, labels []string) *linear {
	m := newLinear(rows, labels)
	cells := make([][]featureValue, len(rows))
	pass := 0
	for i, r := range rows {
		cells[i] = m.featureValues(r.grams)
		pass += len(cells[i]) * len(labels)
	}
	errors := make([]float32, len(labels))
	var wrong []int
	steps := stepsOf(len(rows), pass)
	m.work = steps * pass / len(rows)
	for step := range steps {
		r := step % len(rows)
		m.score(cells[r], errors)
		toErrors(errors, rows[r].label)
		wrong = wrong[:0]
		rate := float32(firstRate * (1 - float64(step)/float64(steps)))
		for k, e := range errors {
			if math.Abs(float64(e)) > minError {
				wrong = append(wrong, k)
				errors[k] = rate * e
			}
		}
		m.correct(cells[r], wrong, errors)
	}
	return m
}

// stepsOf returns the number of gradient descent steps. pass is the cost of one pass.
func stepsOf(rows, pass int) int {
	affordable := rows * maxWork / max(pass, 1)
	return max(rows, min(affordable, max(epochs*rows, minSteps)))
}

// toErrors converts the scores of an example to errors: the predicted probability of each label
// minus the true one (0 or 1).
func toErrors(scores []float32, label int) {
	top := scores[0]
	for _, s := range scores {
		top = max(top, s)
	}
	var sum float64
	for k, s := range scores {
		e := math.Exp(float64(s - top))
		scores[k] = float32(e)
		sum += e
	}
	for k := range scores {
		scores[k] = float32(float64(scores[k]) / sum)
	}
	scores[label]--
}

// correct adjusts the weights of the labels in wrong. by contains the errors of these labels.
func (m *linear) correct(list []featureValue, wrong []int, by []float32) {
	n := len(m.labels)
	for _, c := range list {
		w := m.weights[int(c.column)*n:][:n]
		for _, k := range wrong {
			w[k] -= float32(c.value * by[k])
		}
	}
	for _, k := range wrong {
		m.bias[k] -= by[k]
	}
}
