package stats

// maxClustered is the maximum number of values that [clusters] stores.
const maxClustered = 16384

// clusters stores the values of cases with several values, case by case, to estimate how dependent
// the values of a case are. Beyond maxClustered values it stores none.
type clusters struct {
	values  []int64
	sizes   []int
	pairs   int64 // Σm(m−1) over all cases of m values, stored or not
	tooMany bool
}

func (c *clusters) add(values []int64) {
	m := int64(len(values))
	if m < 2 {
		return
	}
	c.pairs += m * (m - 1)
	if c.tooMany || len(c.values)+len(values) > maxClustered {
		c.values = nil
		c.sizes = nil
		c.tooMany = true
		return
	}
	c.values, c.sizes = append(c.values, values...), append(c.sizes, len(values))
}

// effective returns how many of n values count as independent when the share of values at or below
// x is estimated. k is the number of values at or below x. See [Proportion.EffectiveN].
func (c *clusters) effective(n, k, x int64) int64 {
	if c.pairs == 0 {
		return n
	}
	if c.tooMany {
		return int64(float64(n) * float64(n) / float64(n+c.pairs)) // as if all values of a case were equal
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
	s.addSingles(k-s.Successes(), n-s.N())
	return int64(s.EffectiveN())
}
