package tune

import (
	"cmp"
	"encoding/binary"
	"hash/fnv"
	"math/rand/v2"
	"slices"
)

// crossFit computes a cross-validation: it evaluates each fold at the threshold that is best on the
// other folds.
type crossFit struct {
	*curve
	present float64
	foldOf  []int     // fold of each case
	right   [][]int64 // right trials of each fold, by threshold range
	others  []int64   // right trials of all other folds, by threshold range
	chosen  []float64 // for each fold, the best threshold on the other folds
	place   []int     // for each fold, the index of the threshold range that contains its chosen threshold
}

func newCrossFit(c *curve, folds int, seed uint64, present float64) *crossFit {
	f := &crossFit{
		curve:   c,
		present: present,
		foldOf:  c.folds(folds, seed),
		right:   make([][]int64, folds),
		others:  make([]int64, c.last+1),
		chosen:  make([]float64, folds),
		place:   make([]int, folds),
	}
	for i := range f.right {
		f.right[i] = make([]int64, c.last+1)
	}
	return f
}

// fit chooses the threshold of each fold and returns how many held-out trials are right. weight
// returns the weight of a case; a bootstrap replicate has random weights.
func (f *crossFit) fit(weight func(of int) int64) (held int64) {
	for _, list := range f.right {
		clear(list)
	}
	for i, one := range f.cases {
		f.right[f.foldOf[i]][0] += weight(i) * one.rightIfTrusted
	}
	for _, j := range f.jumps {
		if j.cut < f.last {
			f.right[f.foldOf[j.caseIndex]][j.cut+1] += weight(j.caseIndex) * j.right
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

// parts returns the results of each fold. fit must be called before.
func (f *crossFit) parts() []Fold {
	list := make([]Fold, len(f.right))
	for i := range list {
		list[i].Threshold, list[i].Correct = f.chosen[i], f.right[i][f.place[i]]
	}
	for i, one := range f.cases {
		list[f.foldOf[i]].Cases++
		list[f.foldOf[i]].Trials += one.n
	}
	return list
}

// byCase returns, for each case, how many trials are right at the threshold chosen on the other
// folds. fit must be called before.
func (f *crossFit) byCase() []int64 {
	right := f.rightAt(0)
	for _, j := range f.jumps {
		if j.cut < f.place[f.foldOf[j.caseIndex]] {
			right[j.caseIndex] += j.right
		}
	}
	return right
}

// folds assigns each case to one of n folds, stratified by label. Cases are sorted by label and
// then randomly, depending on the seed, and assigned in turn.
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
		return cmp.Or(cmp.Compare(c.cases[a.of].label, c.cases[b.of].label), cmp.Compare(a.by, b.by),
			cmp.Compare(a.of, b.of))
	})
	in := make([]int, len(c.cases))
	for i, d := range order {
		in[d.of] = i % n
	}
	return in
}

// draw returns a random number for a case. It depends only on the seed and the ID.
func draw(seed uint64, id string) uint64 {
	h := fnv.New64a()
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], seed)
	h.Write(b[:])
	h.Write([]byte(id))
	return rand.NewPCG(seed, h.Sum64()).Uint64()
}
