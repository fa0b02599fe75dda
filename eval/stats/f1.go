package stats

import (
	"cmp"
	"maps"
	"slices"
)

// ConfusionRow counts the trials of one case with the same result: the expected label (Gold), the
// predicted label, and whether the prediction is right. Right is true if Predicted is Gold or an
// accepted alternative.
type ConfusionRow struct {
	Gold, Predicted string
	Correct         bool
	Trials          int64
}

// maxSignatures is the maximum number of cases with different results that F1 stores.
const maxSignatures = 1 << 16

// F1 accumulates the decisions of cases and computes macro-F1 and the metrics of each class. The
// classes are the gold labels. A right answer counts for the gold label, also if it is an accepted
// alternative. A wrong answer is a false negative of the gold label. It is also a false positive of
// the predicted label if that label is a class.
//
// Cases with the same results are counted together. Beyond 65,536 different ones (about 5 MB) only
// the pairs of gold and predicted label are stored. [F1.MacroF1Interval] then treats the trials of
// a case as equal, which is never too narrow. The number of labels is not limited here. The state
// does not depend on the order of additions. The zero value is empty.
type F1 struct {
	limit   int // maximum number of signatures; 0 means maxSignatures
	ids     map[string]int
	labels  []*label
	right   Proportion
	pairs   map[pair]int64   // number of trials by pair of labels
	cases   map[string]int64 // number of cases by signature (encoded result); nil if there are too many
	tooMany bool
}

// label has the counts of a gold or predicted label. The label is a class if its recall has trials.
type label struct {
	name              string
	recall, precision Proportion
	either            Proportion // share of right trials among those that expect the label, predict it or do both
}

// pair has the numbers of a gold and a predicted label. They are equal if the answer is right.
type pair struct{ gold, predicted int }

// Add adds a case with its results. Rows with Trials < 1 are ignored.
func (f *F1) Add(rows ...ConfusionRow) {
	cells := f.cells(rows)
	if len(cells) == 0 {
		return
	}
	var k, n int64
	for _, c := range cells {
		f.pairs[c.pair] += c.n
		n += c.n
		if c.gold == c.predicted {
			k += c.n
		}
	}
	f.right.Add(k, n)
	for _, t := range talliesOf(cells) {
		l := f.labels[t.label]
		l.recall.Add(t.right, t.gold)
		l.precision.Add(t.right, t.predicted)
		l.either.Add(t.right, t.gold+t.predicted-t.right)
	}
	f.countSignature(signature(cells))
}

func (f *F1) countSignature(signature string) {
	if f.tooMany {
		return
	}
	f.cases[signature]++
	if len(f.cases) > cmp.Or(f.limit, maxSignatures) {
		f.cases, f.tooMany = nil, true
	}
}

// cells sums the trials of a case by pair of gold and predicted label.
func (f *F1) cells(rows []ConfusionRow) []cell {
	cells := make([]cell, 0, len(rows))
	for _, r := range rows {
		if r.Trials < 1 {
			continue
		}
		p := pair{gold: f.id(r.Gold)}
		p.predicted = p.gold
		if !r.Correct {
			p.predicted = f.id(r.Predicted)
		}
		cells = append(cells, cell{pair: p, n: r.Trials})
	}
	return merge(cells)
}

// id returns the number that identifies a label; labels are numbered in order of first occurrence.
func (f *F1) id(name string) int {
	if id, ok := f.ids[name]; ok {
		return id
	}
	if f.ids == nil {
		f.ids, f.pairs, f.cases = make(map[string]int), make(map[pair]int64), make(map[string]int64)
	}
	f.ids[name] = len(f.labels)
	f.labels = append(f.labels,
		&label{name: name, precision: Proportion{random: true}, either: Proportion{random: true}})
	return f.ids[name]
}

// N returns the number of trials.
func (f *F1) N() int64 { return f.right.N() }

// Cases returns the number of cases.
func (f *F1) Cases() int64 { return f.right.Cases() }

// ConfusionCount returns the number of trials with this gold label and this prediction: one element
// of the confusion matrix. Right answers count as predictions of the gold label.
func (f *F1) ConfusionCount(gold, predicted string) int64 {
	g, known := f.ids[gold]
	p, predictable := f.ids[predicted]
	if !known || !predictable {
		return 0
	}
	return f.pairs[pair{g, p}]
}

// PredictedLabels returns all labels that were predicted, sorted.
func (f *F1) PredictedLabels() []string {
	found := make(map[string]struct{})
	for p := range f.pairs {
		found[f.labels[p.predicted].name] = struct{}{}
	}
	return slices.Sorted(maps.Keys(found))
}
