package floor

// majority always predicts one label.
type majority struct {
	label string
	share float64
	size  Size
}

var _ Model = majority{}

func mostFrequent(rows []row, labels []string) majority {
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
		size: Size{Examples: len(rows), Labels: len(labels)}}
}

// Predict implements Model.
func (m majority) Predict(string) (string, float64) { return m.label, m.share }

// Size implements Model.
func (m majority) Size() Size { return m.size }
