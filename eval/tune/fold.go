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
	folds   int
	foldOf  []int     // fold of each case
	chosen  []float64 // for each fold, the best threshold on the other folds
	place   []int     // for each fold, the index of the threshold range that contains its chosen threshold
}

func newCrossFit(c *curve, folds int, seed uint64, present float64) *crossFit {
	return &crossFit{
		curve:   c,
		present: present,
		folds:   folds,
		foldOf:  c.folds(folds, seed),
		chosen:  make([]float64, folds),
		place:   make([]int, folds),
	}
}

// fit chooses the threshold for each fold. weight is the weight of a case, for the bootstrap.
func (f *crossFit) fit(weight func(of int) float64) {
	for fold := range f.folds {
		scores := f.scores(func(of int) float64 {
			if f.foldOf[of] == fold {
				return 0
			}
			return weight(of)
		})
		f.chosen[fold] = f.best(scores, f.present)
		f.place[fold] = f.curve.place(f.chosen[fold])
	}
}

// parts returns the results of each fold. fit must be called before. held contains the sums of each
// case at the chosen threshold.
func (f *crossFit) parts(held [][channels]int64) []Fold {
	list := make([]Fold, f.folds)
	for i := range list {
		list[i].Threshold = f.chosen[i]
	}
	for i, one := range f.cases {
		in := &list[f.foldOf[i]]
		in.Cases++
		in.Trials += one.n
		in.Correct += held[i][trialsRight]
	}
	return list
}

// byCase returns the sums of each case at the threshold chosen on the other folds. fit must be
// called before.
func (f *crossFit) byCase() [][channels]int64 {
	return f.sumsAt(func(of int) int { return f.place[f.foldOf[of]] })
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
