package datasets

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"iter"
	"maps"
	"slices"

	"evalctl/eval"
)

// sampled are the cases of a stratified sample: of each label those whose draws
// are at most its own mark.
type sampled struct {
	seed  uint64
	marks map[string]uint64 // by primary label
}

func (s *sampled) has(c labeled) bool {
	if s == nil {
		return true
	}
	mark, ok := s.marks[c.label]
	return ok && draw(s.seed, c.ID) <= mark
}

// draw is a case's random number: its own, whatever stands beside it.
func draw(seed uint64, id string) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s", seed, id))
	return binary.BigEndian.Uint64(sum[:8])
}

// sample draws f.Sample of the cases that f otherwise picks, by their labels; nil
// are all. It reads the set once more.
func (d *Dataset) sample(f Filter) (*sampled, error) {
	if f.Sample <= 0 {
		return nil, nil
	}
	draws := map[string][]uint64{}
	var bad error
	_, err := d.each(func(c labeled, err error) bool {
		if bad = err; err == nil && f.picks(c.Case) {
			draws[c.label] = append(draws[c.label], draw(f.Seed, c.ID))
		}
		return bad == nil
	})
	if err = cmp.Or(err, bad); err != nil {
		return nil, err
	}
	sizes := map[string]int64{}
	for label, list := range draws {
		sizes[label] = int64(len(list))
	}
	s := &sampled{seed: f.Seed, marks: map[string]uint64{}}
	for label, n := range shares(sizes, f.Sample) {
		slices.Sort(draws[label])
		s.marks[label] = draws[label][n-1]
	}
	return s, nil
}

// shares divides n among labels as their sizes are to each other, by largest
// remainders, and at least one to each; with fewer than labels, one to each of
// the largest. Labels that get none are left out.
func shares(sizes map[string]int64, n int64) map[string]int64 {
	var all int64
	for _, size := range sizes {
		all += size
	}
	n = min(n, all)
	labels := slices.SortedFunc(maps.Keys(sizes), func(a, b string) int {
		return cmp.Or(cmp.Compare(sizes[b], sizes[a]), cmp.Compare(a, b))
	})
	labels = labels[:min(n, int64(len(labels)))]
	got := map[string]int64{}
	// over is how much a label has beyond its exact share.
	over := func(label string) float64 { return float64(got[label]) - float64(n)*float64(sizes[label])/float64(all) }
	left := n
	for _, label := range labels {
		got[label] = max(1, int64(float64(n)*float64(sizes[label])/float64(all)))
		left -= got[label]
	}
	for ; left < 0; left++ {
		got[best(labels, func(l string) bool { return got[l] > 1 }, over)]--
	}
	for ; left > 0; left-- {
		got[best(labels, func(l string) bool { return got[l] < sizes[l] }, func(l string) float64 { return -over(l) })]++
	}
	return got
}

// best is the first of those that may with the highest value.
func best(labels []string, may func(string) bool, value func(string) float64) (found string) {
	for _, l := range labels {
		if may(l) && (found == "" || value(l) > value(found)) {
			found = l
		}
	}
	return found
}

// Spread streams at most so many cases of all splits, spread evenly over the set.
func (d *Dataset) Spread(most int64) iter.Seq2[eval.Case, error] {
	every, n := (d.Cases+most-1)/most, int64(0)
	return func(yield func(eval.Case, error) bool) {
		for c, err := range d.Stream(Filter{}) {
			if n++; (err != nil || n%every == 0) && !yield(c, err) {
				return
			}
		}
	}
}
