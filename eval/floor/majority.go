package floor

// majority always predicts the most frequent training label. Its confidence is the share of that
// label.
type majority struct {
	label string
	share float64
	size  ModelSize
}

var _ Model = majority{}

func mostFrequent(rows []trainingExample, labels []string) majority {
	times := make([]int, len(labels))
	best := 0
	for _, r := range rows {
		times[r.label]++
	}
	for k, n := range times {
		if n > times[best] {
			best = k
		}
	}
	return majority{label: labels[best], share: float64(times[best]) / float64(len(rows)),
		size: ModelSize{Examples: len(rows), Labels: len(labels)}}
}

// Predict returns the most frequent training label and its share, for any text.
func (m majority) Predict(string) (string, float64) { return m.label, m.share }

// Size returns the size of the model.
func (m majority) Size() ModelSize { return m.size }
