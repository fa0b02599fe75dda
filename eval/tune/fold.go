package tune

import (
	"cmp"
	"encoding/binary"
	"hash/fnv"
	"math/rand/v2"
	"slices"
)

// crossFit applies to each fold the threshold that is the best on the others.
type crossFit struct {
	*curve
	present float64
	in      []int     // the fold of each case
	right   [][]int64 // right trials of each fold, place by place
	others  []int64   // those of all folds but one
	chosen  []float64 // what the others of each fold choose
	place   []int     // where that stands
}

func newCrossFit(c *curve, folds int, seed uint64, present float64) *crossFit {
	f := &crossFit{curve: c, present: present, in: c.folds(folds, seed), right: make([][]int64, folds),
		others: make([]int64, c.last+1), chosen: make([]float64, folds), place: make([]int, folds)}
	for i := range f.right {
		f.right[i] = make([]int64, c.last+1)
	}
	return f
}

// fit counts right trials that are held out, where each case counts so often.
func (f *crossFit) fit(weight func(of int) int64) (held int64) {
	for _, list := range f.right {
		clear(list)
	}
	for i, one := range f.cases {
		f.right[f.in[i]][0] += weight(i) * one.always
	}
	for _, j := range f.jumps {
		if j.cut < f.last {
			f.right[f.in[j.of]][j.cut+1] += weight(j.of) * j.right
		}
	}
	all := make([]int64, f.last+1)
	for _, list := range f.right {
		for i := range list {
			if i > 0 {
				list[i] += list[i-1]
			}
			all[i] += list[i]
		}
	}
	for fold, list := range f.right {
		for i := range all {
			f.others[i] = all[i] - list[i]
		}
		f.chosen[fold] = f.best(f.others, f.present)
		f.place[fold] = f.curve.place(f.chosen[fold])
		held += list[f.place[fold]]
	}
	return held
}

// parts are the folds, after fit.
func (f *crossFit) parts() []Fold {
	list := make([]Fold, len(f.right))
	for i := range list {
		list[i].Threshold, list[i].Correct = f.chosen[i], f.right[i][f.place[i]]
	}
	for i, one := range f.cases {
		list[f.in[i]].Cases++
		list[f.in[i]].Trials += one.n
	}
	return list
}

// byCase counts the right trials of each case at the threshold that the others
// chose, after fit.
func (f *crossFit) byCase() []int64 {
	right := f.rightAt(0)
	for _, j := range f.jumps {
		if j.cut < f.place[f.in[j.of]] {
			right[j.of] += j.right
		}
	}
	return right
}

// folds puts each case into one: cases are put in order of the label that their first
// labelled turn wants, those of a label in an order that the seed and their ids draw,
// and dealt out to the folds in turn. Another seed deals other folds.
func (c *curve) folds(n int, seed uint64) []int {
	type drawn struct {
		of int
		by uint64
	}
	order := make([]drawn, len(c.cases))
	for i, one := range c.cases {
		order[i] = drawn{of: i, by: draw(seed, one.id)}
	}
	slices.SortFunc(order, func(a, b drawn) int {
		return cmp.Or(cmp.Compare(c.cases[a.of].label, c.cases[b.of].label), cmp.Compare(a.by, b.by), cmp.Compare(a.of, b.of))
	})
	in := make([]int, len(c.cases))
	for i, d := range order {
		in[d.of] = i % n
	}
	return in
}

// draw is a number that is the case's own, in whatever order cases come.
func draw(seed uint64, id string) uint64 {
	h := fnv.New64a()
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], seed)
	h.Write(b[:])
	h.Write([]byte(id))
	return rand.NewPCG(seed, h.Sum64()).Uint64()
}
