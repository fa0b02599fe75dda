package stats

// maxClustered is how many values of cases with several are kept.
const maxClustered = 16384

// clusters keeps the values of cases with several, one case after the other, to tell
// how much those of a case are alike. Once there are too many it keeps none.
type clusters struct {
	values  []int64
	sizes   []int
	pairs   int64 // Σm(m−1) of all cases, kept or not
	tooMany bool
}

func (c *clusters) add(values []int64) {
	m := int64(len(values))
	if m < 2 {
		return
	}
	c.pairs += m * (m - 1)
	if c.tooMany || len(c.values)+len(values) > maxClustered {
		c.values, c.sizes, c.tooMany = nil, nil, true
		return
	}
	c.values, c.sizes = append(c.values, values...), append(c.sizes, len(values))
}

// effective is how many of n values, of which k are at most x, count as independent of
// each other for the share at most x; see [Share.EffectiveN].
func (c *clusters) effective(n, k, x int64) int64 {
	if c.pairs == 0 {
		return n
	}
	if c.tooMany {
		return int64(float64(n) * float64(n) / float64(n+c.pairs)) // as if those of a case were equal
	}
	var s Proportion
	rest := c.values
	for _, m := range c.sizes {
		below := int64(0)
		for _, v := range rest[:m] {
			if v <= x {
				below++
			}
		}
		s.Add(below, int64(m))
		rest = rest[m:]
	}
	s.addSingles(k-s.K(), n-s.N())
	return int64(s.EffectiveN())
}
