package stats

import (
	"cmp"
	"maps"
	"slices"
)

// Row is what a case came to in N of its trials. Right says that Predicted is Gold, or
// is accepted in its place.
type Row struct {
	Gold, Predicted string
	Right           bool
	N               int64
}

// maxSignatures is how many different cases F1 tells apart.
const maxSignatures = 1 << 16

// F1 takes cases with all their decisions and gives macro-F1 and the figures of the
// classes. The classes are the gold labels. A right answer is one of the gold label,
// also where another label was accepted; a wrong one is missed by the gold label, and
// held against the predicted one where that is a class.
//
// Cases that came to the same are counted together. Once more than 65,536 differ,
// which takes some 5 MB, only the pairs of gold and predicted label are kept, and
// [F1.MacroInterval] takes those of a case for equal, which is never too narrow; what
// labels there are is the caller's to bound. The state depends only on what was added, not on its order. The zero value
// is empty.
type F1 struct {
	limit   int // of signatures; 0 means maxSignatures
	ids     map[string]int
	labels  []*label
	right   Proportion
	pairs   map[pair]int64   // rows
	cases   map[string]int64 // how many cases have this signature; nil once there are too many
	tooMany bool
}

// label is a gold or predicted label; it is a class if its recall has rows.
type label struct {
	name              string
	recall, precision Proportion
	either            Proportion // right of those that are gold, predicted or both
}

// pair is the gold and the predicted label by their numbers: equal where the answer
// is right.
type pair struct{ gold, predicted int }

// Add counts a case. Rows with N < 1 are none.
func (f *F1) Add(rows ...Row) {
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
	f.group(signature(cells))
}

func (f *F1) group(signature string) {
	if f.tooMany {
		return
	}
	f.cases[signature]++
	if len(f.cases) > cmp.Or(f.limit, maxSignatures) {
		f.cases, f.tooMany = nil, true
	}
}

// cells adds the rows up by pair.
func (f *F1) cells(rows []Row) []cell {
	cells := make([]cell, 0, len(rows))
	for _, r := range rows {
		if r.N < 1 {
			continue
		}
		p := pair{gold: f.id(r.Gold)}
		p.predicted = p.gold
		if !r.Right {
			p.predicted = f.id(r.Predicted)
		}
		cells = append(cells, cell{pair: p, n: r.N})
	}
	return merge(cells)
}

// id numbers labels as they come.
func (f *F1) id(name string) int {
	if id, ok := f.ids[name]; ok {
		return id
	}
	if f.ids == nil {
		f.ids, f.pairs, f.cases = make(map[string]int), make(map[pair]int64), make(map[string]int64)
	}
	f.ids[name] = len(f.labels)
	f.labels = append(f.labels, &label{name: name, precision: Proportion{random: true}, either: Proportion{random: true}})
	return f.ids[name]
}

// N is the number of rows.
func (f *F1) N() int64 { return f.right.N() }

// Cases is the number of cases.
func (f *F1) Cases() int64 { return f.right.Cases() }

// Count is the number of rows with this gold label and this prediction; right answers
// count as predictions of the gold label.
func (f *F1) Count(gold, predicted string) int64 {
	g, known := f.ids[gold]
	p, predictable := f.ids[predicted]
	if !known || !predictable {
		return 0
	}
	return f.pairs[pair{g, p}]
}

// Predicted lists the labels that were predicted, sorted.
func (f *F1) Predicted() []string {
	found := make(map[string]struct{})
	for p := range f.pairs {
		found[f.labels[p.predicted].name] = struct{}{}
	}
	return slices.Sorted(maps.Keys(found))
}
