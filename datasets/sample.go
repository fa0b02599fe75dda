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

// stratifiedSample decides which cases belong to a stratified sample. Each case has a random
// number. A case is selected if its number is at most the threshold of its label.
type stratifiedSample struct {
	seed       uint64
	thresholds map[string]uint64 // threshold by primary label
}

func (s *stratifiedSample) has(c labeled) bool {
	if s == nil {
		return true
	}
	mark, ok := s.thresholds[c.label]
	return ok && draw(s.seed, c.ID) <= mark
}

// draw returns the random number of a case. It depends only on the seed and the ID, so a case's
// number does not change when other cases are added.
func draw(seed uint64, id string) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s", seed, id))
	return binary.BigEndian.Uint64(sum[:8])
}

// sample computes a stratified sample of f.Sample cases among those that the filter selects. It
// returns nil if the filter has no sample, so that all cases are used. It reads the dataset once.
func (d *Dataset) sample(f Filter) (*stratifiedSample, error) {
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
	s := &stratifiedSample{seed: f.Seed, thresholds: map[string]uint64{}}
	for label, n := range allocate(sizes, f.Sample) {
		slices.Sort(draws[label])
		s.thresholds[label] = draws[label][n-1]
	}
	return s, nil
}

// allocate divides a sample of n cases among labels in proportion to their sizes. Each label gets
// at least one case, and the rest is distributed by largest remainders. If n is smaller than the
// number of labels, only the largest labels get one case each.
func allocate(sizes map[string]int64, n int64) map[string]int64 {
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
	// over returns how many cases a label has more than its exact proportion.
	over := func(label string) float64 { return float64(got[label]) - float64(n)*float64(sizes[label])/float64(all) }
	left := n
	for _, label := range labels {
		got[label] = max(1, int64(float64(n)*float64(sizes[label])/float64(all)))
		left -= got[label]
	}
	for ; left < 0; left++ {
		got[labelWithHighest(labels, func(l string) bool { return got[l] > 1 }, over)]--
	}
	for ; left > 0; left-- {
		got[labelWithHighest(labels, func(l string) bool { return got[l] < sizes[l] },
			func(l string) float64 { return -over(l) })]++
	}
	return got
}

// labelWithHighest returns the label with the highest value, among the labels for which may returns
// true.
func labelWithHighest(labels []string, may func(string) bool, value func(string) float64) (found string) {
	for _, l := range labels {
		if may(l) && (found == "" || value(l) > value(found)) {
			found = l
		}
	}
	return found
}

// StreamSpread returns cases that are spread evenly over the whole dataset, but no more than most.
func (d *Dataset) StreamSpread(most int64) iter.Seq2[eval.Case, error] {
	every, n := (d.Cases+most-1)/most, int64(0)
	return func(yield func(eval.Case, error) bool) {
		for c, err := range d.Stream(Filter{}) {
			if n++; (err != nil || n%every == 0) && !yield(c, err) {
				return
			}
		}
	}
}
