package floor

import "math"

// smoothing is added to every feature count, so that no probability is 0.
const smoothing = 0.1

// naiveBayes trains a multinomial naive Bayes classifier. The prior of a label is its frequency.
// The likelihood of a feature is its frequency among all features of the texts with that label.
//
// Source: McCallum & Nigam, "A Comparison of Event Models for Naive Bayes Text Classification"
// (1998), with Lidstone's smoothing.
func naiveBayes(rows []trainingExample, labels []string) *linear {
	m := newLinear(rows, labels)
	m.idf = nil
	n, total := len(labels), make([]float64, len(labels))
	for _, r := range rows {
		m.bias[r.label]++
		for _, c := range m.featureValues(r.grams) {
			m.weights[int(c.column)*n+r.label] += c.value // exact, because the values are integers
			total[r.label] += float64(c.value)
		}
	}
	features := float64(len(m.weights) / n)
	for i, w := range m.weights {
		m.weights[i] = float32(math.Log((float64(w) + smoothing) / (total[i%n] + smoothing*features)))
	}
	for k, b := range m.bias {
		m.bias[k] = float32(math.Log((float64(b) + smoothing) / (float64(len(rows)) + smoothing*float64(n))))
	}
	return m
}
