package floor

import (
	"cmp"
	"math"
	"slices"
)

// linear weighs what a text has for every label. Its sums are made in one order,
// one after the other, and every product is rounded before it is added: the same
// bits on any machine.
type linear struct {
	labels      []string
	rows        int
	work        int       // that learning took; 0: hardly any
	column      []int32   // of a bucket; -1: nothing was learned of it
	idf         []float32 // of a column; nil: what is counted is taken as it is
	weights     []float32 // of a column, one for each label after the other
	bias        []float32 // of a label
	calibration calibration
}

var _ Model = (*linear)(nil)

// cell is what a text has in a column.
type cell struct {
	column int32
	value  float32
}

// newLinear knows the buckets that two rows have in common, those of most rows
// where there are too many. What one row has alone would only teach that row.
func newLinear(rows []row, labels []string) *linear {
	in := make([]int32, allBuckets) // rows that have it
	for _, r := range rows {
		for _, g := range r.grams {
			in[g.bucket]++
		}
	}
	var known []int32
	for b, n := range in {
		if n >= 2 {
			known = append(known, int32(b))
		}
	}
	slices.SortStableFunc(known, func(a, b int32) int { return cmp.Compare(in[b], in[a]) })
	known = known[:min(len(known), maxWeights/len(labels))]
	m := &linear{labels: labels, rows: len(rows), column: make([]int32, allBuckets),
		weights: make([]float32, len(known)*len(labels)), bias: make([]float32, len(labels))}
	for b := range m.column {
		m.column[b] = -1
	}
	for c, b := range known {
		m.column[b] = int32(c)
		m.idf = append(m.idf, float32(math.Log(float64(1+len(rows))/float64(1+in[b]))+1))
	}
	return m
}

// cells are what the model knows of a text.
func (m *linear) cells(grams []gram) []cell {
	list := make([]cell, 0, len(grams))
	words := 0 // their buckets come first
	for _, g := range grams {
		if c := m.column[g.bucket]; c >= 0 {
			list = append(list, cell{column: c, value: g.times})
		}
		if g.bucket < buckets {
			words = len(list)
		}
	}
	if m.idf != nil {
		m.weigh(list[:words])
		m.weigh(list[words:])
	}
	return list
}

// weigh makes of counts a vector of length one, in which what is rare weighs
// more: words and characters have each a say.
func (m *linear) weigh(list []cell) {
	var square float64
	for i, c := range list {
		v := float32(1+math.Log(float64(c.value))) * m.idf[c.column]
		list[i].value = v
		square += float64(v) * float64(v)
	}
	for i := range list {
		list[i].value /= float32(math.Sqrt(square))
	}
}

// score adds up the labels' scores, four columns in a go.
func (m *linear) score(list []cell, into []float32) {
	n := len(into)
	copy(into, m.bias)
	for ; len(list) >= 4; list = list[4:] {
		v0, v1, v2, v3 := list[0].value, list[1].value, list[2].value, list[3].value
		w0, w1, w2, w3 := m.of(list[0])[:n], m.of(list[1])[:n], m.of(list[2])[:n], m.of(list[3])[:n]
		for k := range into {
			into[k] += float32(v0*w0[k]) + float32(v1*w1[k]) + (float32(v2*w2[k]) + float32(v3*w3[k]))
		}
	}
	for _, c := range list {
		for k, w := range m.of(c) {
			into[k] += float32(c.value * w)
		}
	}
}

// of are the weights of a cell's column.
func (m *linear) of(c cell) []float32 {
	n := len(m.labels)
	return m.weights[int(c.column)*n:][:n]
}

// Predict is part of Model.
func (m *linear) Predict(text string) (string, float64) {
	scores := make([]float32, len(m.labels))
	m.score(m.cells(gramsOf(normal(text))), scores)
	best := 0
	for k, s := range scores {
		if s > scores[best] {
			best = k
		}
	}
	return m.labels[best], m.calibration.confidence(scores, best)
}

// Size is part of Model.
func (m *linear) Size() Size {
	return Size{Examples: m.rows, Labels: len(m.labels), Features: len(m.weights) / len(m.labels),
		Bytes: 4 * (len(m.column) + len(m.idf) + len(m.weights) + len(m.bias))}
}
