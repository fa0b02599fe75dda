package floor

import (
	"cmp"
	"math"
	"slices"
)

// linear is a linear classifier over hashed features. It sums in a fixed order and rounds every
// product before the addition, so its results are bit-identical on all machines.
type linear struct {
	labels      []string
	rows        int
	work        int       // computing cost of the training; 0: negligible
	column      []int32   // index of the feature in weights, by bucket; -1: unknown feature
	idf         []float32 // inverse document frequency, by feature; nil: counts are not weighted
	weights     []float32 // weights by feature, then by label
	bias        []float32 // constant that is added to the score of each label
	calibration calibration
}

var _ Model = (*linear)(nil)

// featureValue is the value of one feature in a text. column is the index of the feature.
type featureValue struct {
	column int32
	value  float32
}

// newLinear creates an untrained classifier for the features that occur in at least two examples.
// If there are too many, it takes the most frequent ones. A feature of a single example would only
// memorize that example.
func newLinear(rows []trainingExample, labels []string) *linear {
	in := make([]int32, allBuckets) // number of examples with a feature in this bucket
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
	m := &linear{
		labels:  labels,
		rows:    len(rows),
		column:  make([]int32, allBuckets),
		weights: make([]float32, len(known)*len(labels)),
		bias:    make([]float32, len(labels)),
	}
	for b := range m.column {
		m.column[b] = -1
	}
	for c, b := range known {
		m.column[b] = int32(c)
		m.idf = append(m.idf, float32(math.Log(float64(1+len(rows))/float64(1+in[b]))+1))
	}
	return m
}

// featureValues returns the values of those features of a text that the classifier knows.
func (m *linear) featureValues(grams []featureCount) []featureValue {
	list := make([]featureValue, 0, len(grams))
	words := 0 // the buckets of words come first
	for _, g := range grams {
		if c := m.column[g.bucket]; c >= 0 {
			list = append(list, featureValue{column: c, value: g.times})
		}
		if g.bucket < buckets {
			words = len(list)
		}
	}
	if m.idf != nil {
		m.tfIdf(list[:words])
		m.tfIdf(list[words:])
	}
	return list
}

// tfIdf converts feature counts to a TF-IDF vector of length one. It is called for words and for
// character n-grams separately.
func (m *linear) tfIdf(list []featureValue) {
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

// score computes the scores of all labels, four features at a time for speed.
func (m *linear) score(list []featureValue, into []float32) {
	n := len(into)
	copy(into, m.bias)
	for ; len(list) >= 4; list = list[4:] {
		v0, v1, v2, v3 := list[0].value, list[1].value, list[2].value, list[3].value
		w0, w1, w2, w3 := m.columnWeights(list[0])[:n], m.columnWeights(list[1])[:n], m.columnWeights(list[2])[:n],
			m.columnWeights(list[3])[:n]
		for k := range into {
			into[k] += float32(v0*w0[k]) + float32(v1*w1[k]) + (float32(v2*w2[k]) + float32(v3*w3[k]))
		}
	}
	for _, c := range list {
		for k, w := range m.columnWeights(c) {
			into[k] += float32(c.value * w)
		}
	}
}

// columnWeights returns the weights of one feature, one per label.
func (m *linear) columnWeights(c featureValue) []float32 {
	n := len(m.labels)
	return m.weights[int(c.column)*n:][:n]
}

// Predict returns the label with the highest score and its calibrated probability.
func (m *linear) Predict(text string) (string, float64) {
	scores := make([]float32, len(m.labels))
	m.score(m.featureValues(gramsOf(normalized(text))), scores)
	best := 0
	for k, s := range scores {
		if s > scores[best] {
			best = k
		}
	}
	return m.labels[best], m.calibration.confidence(scores, best)
}

// Size returns the size of the classifier.
func (m *linear) Size() ModelSize {
	return ModelSize{
		Examples: m.rows,
		Labels:   len(m.labels),
		Features: len(m.weights) / len(m.labels),
		Bytes:    4 * (len(m.column) + len(m.idf) + len(m.weights) + len(m.bias)),
	}
}
