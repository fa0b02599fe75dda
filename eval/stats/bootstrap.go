package stats

import (
	"maps"
	"slices"
)

const defaultReplicates = 400

// Bootstrap estimates the uncertainty of macro-F1 in one pass and constant memory. The
// rows of one case (its epochs, its turns) are not independent, so whole cases are
// resampled: every case gets, in each of B replicates, a Poisson(1) weight that all its
// rows share and that is derived from seed, case and replicate. Sources: Hanley &
// MacGibbon, «Creating non-parametric bootstrap samples using Poisson frequencies»,
// Computer Methods and Programs in Biomedicine 83 (2006); Chamandy, Muralidharan,
// Najmi & Naidu, «Estimating Uncertainty for Massive Data Streams», Google (2012).
//
// Only integers are accumulated, so the interval depends on the rows, not on their
// order. Memory is 8 bytes × B for each label; counts are right up to 4·10⁹ rows a
// label. The zero value is an empty bootstrap of 400 replicates.
type Bootstrap struct {
	count   int    // of replicates; 0 means defaultReplicates
	seed    uint64 // the same seed and rows give the same interval
	classes map[string]*resampled

	weights  []uint8 // of lastCase
	lastCase uint64
	several  bool // more than one case was seen
}

// resampled holds, per replicate, the weighted true positives of a label and its
// errors (false positives and false negatives together: F1 needs no more).
type resampled struct{ hits, errors []uint32 }

// Add counts one row. caseKey says which rows belong to one case; any hash of its id
// will do.
func (b *Bootstrap) Add(caseKey uint64, expected, predicted string) {
	b.weigh(caseKey)
	if expected == predicted {
		addWeights(b.class(expected).hits, b.weights)
		return
	}
	addWeights(b.class(expected).errors, b.weights)
	addWeights(b.class(predicted).errors, b.weights)
}

// Replicates returns macro-F1 of every resample, sorted. In each, the mean runs over
// the labels that occur in it, as [Confusion.MacroF1] defines it; a resample that drew
// no case at all is left out.
func (b *Bootstrap) Replicates() []float64 {
	labels := slices.Sorted(maps.Keys(b.classes)) // one order, so that sums are bit-equal
	values := make([]float64, 0, b.replicates())
	for i := range b.replicates() {
		sum, present := 0.0, 0
		for _, label := range labels {
			c := b.classes[label]
			hits, errors := float64(c.hits[i]), float64(c.errors[i])
			if hits+errors > 0 {
				sum += 2 * hits / (2*hits + errors)
				present++
			}
		}
		if present > 0 {
			values = append(values, sum/float64(present))
		}
	}
	slices.Sort(values)
	return values
}

// Interval returns the percentile interval of macro-F1: of B sorted replicates the
// k-th from below and from above, k = ⌊(B+1)(1−level)/2⌋ (Efron & Tibshirani, «An
// Introduction to the Bootstrap» (1993), §13.3; 10th and 391st of 400 at 0.95).
//
// ok is false when the bootstrap cannot tell: one case only, a level finer than the
// replicates resolve, or no replicate that differs from the others (every answer
// right, or every answer wrong: resampling then knows no doubt, which is no proof that
// there is none; see [Wilson] on the accuracy). With fewer than some 20 cases, or
// labels of very few cases, it is too narrow.
func (b *Bootstrap) Interval(level float64) (lo, hi float64, ok bool) {
	if !b.several || !isLevel(level) {
		return 0, 0, false
	}
	values := b.Replicates()
	k := int(float64(len(values)+1)*(1-level)/2 + 1e-9)
	if k < 1 || values[0] == values[len(values)-1] {
		return 0, 0, false
	}
	return values[k-1], values[len(values)-k], true
}

func (b *Bootstrap) replicates() int {
	if b.count == 0 {
		return defaultReplicates
	}
	return b.count
}

// weigh makes weights those of the case; rows of a case often come together.
func (b *Bootstrap) weigh(caseKey uint64) {
	if b.weights != nil && b.lastCase == caseKey {
		return
	}
	if b.weights == nil {
		b.weights = make([]uint8, b.replicates())
		b.classes = make(map[string]*resampled)
	} else {
		b.several = true
	}
	b.lastCase = caseKey
	drawWeights(b.weights, b.seed, caseKey)
}

func (b *Bootstrap) class(label string) *resampled {
	c := b.classes[label]
	if c == nil {
		c = &resampled{hits: make([]uint32, b.replicates()), errors: make([]uint32, b.replicates())}
		b.classes[label] = c
	}
	return c
}

func addWeights(to []uint32, weights []uint8) {
	to = to[:len(weights)]
	for i, w := range weights {
		to[i] += uint32(w)
	}
}
