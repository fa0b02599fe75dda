package intent

const maxHits = 96

// hit is a known word and where it stands, in characters of its clause that
// are letters or digits. So two hits touch although a space is between them.
type hit struct {
	is       class
	from, to int
}

// clause is what has been read since the last clause ended.
type clause struct {
	all    class // what any hit is
	n      int
	length int   // in letters and digits
	left   class // what the clause before leaves open: its place, its month
	hits   [maxHits]hit
}

// reset leaves the old hits where they are: only the first n are read.
func (c *clause) reset(comma bool) {
	c.left = 0
	if comma {
		c.left = c.leaves()
	}
	c.all, c.n, c.length = 0, 0, 0
}

// leaves gives what the next clause must know of this one when only a comma
// parts them: «in Tokyo, …» and 2024年3月，… are no clauses of their own.
func (c *clause) leaves() class {
	const short = 16
	switch {
	case c.length > short || c.n == 0 || c.hits[0].from > 0:
		return 0
	case c.month() > 0 && !c.has(person):
		return c.hits[0].is&place | calendar
	}
	return c.hits[0].is & place
}

func (c *clause) has(is class) bool { return c.all&is != 0 }

// then tells whether an a stands before a b, or one word is both: 最新消息.
func (c *clause) then(a, b class) bool {
	if !c.has(a) || !c.has(b) {
		return false
	}
	return c.next(c.next(0, a), b) < c.n
}

// next gives the first hit from i on that is one of want, or n.
func (c *clause) next(i int, want class) int {
	for i < c.n && c.hits[i].is&want == 0 {
		i++
	}
	return i
}

// before tells whether one of want stands before hit i.
func (c *clause) before(i int, want class) bool {
	return c.has(want) && c.next(0, want) < i
}

// touch tells whether hit i is one of want and directly follows hit i-1.
func (c *clause) touch(i int, want class) bool {
	return i < c.n && c.hits[i].is&want != 0 && c.hits[i].from == c.end(i-1)
}

// follows tells whether hit i directly follows a hit that is one of want.
func (c *clause) follows(i int, want class) bool {
	return i > 0 && c.hits[i].from == c.hits[i-1].to && c.hits[i-1].is&want != 0
}

// reaches tells whether a hit that is one of want stands before hit i with
// nothing between them but words of over.
func (c *clause) reaches(i int, want, over class) bool {
	for ; c.follows(i, want|over); i-- {
		if c.hits[i-1].is&want != 0 {
			return true
		}
	}
	return false
}

// refused tells whether hit i is asked for with a no: 不用上网搜.
func (c *clause) refused(i int) bool {
	return c.reaches(i, refuse, opener|lead|with|net|tail)
}

// end gives where hit i ends; before the first hit that is the clause's start.
func (c *clause) end(i int) int {
	if i < 0 {
		return 0
	}
	return c.hits[i].to
}

// opens tells whether all that comes before hit i are words of allowed.
func (c *clause) opens(i int, allowed class) bool {
	if c.hits[i].from != c.end(i-1) {
		return false
	}
	for i--; i >= 0; i-- {
		if c.hits[i].is&allowed == 0 || c.hits[i].from != c.end(i-1) {
			return false
		}
	}
	return true
}

// only tells whether the clause has no word outside allowed.
func (c *clause) only(allowed class) bool {
	return c.n > 0 && c.end(c.n-1) == c.length && c.opens(c.n-1, allowed) &&
		c.hits[c.n-1].is&allowed != 0
}

// described tells whether at least min characters describe what hit i is to
// make, and more than a number and a measure word.
func (c *clause) described(i, min int) bool {
	n, thing := c.length-c.hits[i].to, true
	for j := i + 1; j < c.n; j++ {
		if c.hits[j].is&tail != 0 {
			n -= c.hits[j].to - c.hits[j].from
		}
	}
	j := i + 1
	for c.touch(j, number|measure|tail) {
		j++
	}
	if j > i+1 {
		thing = c.end(j-1) < c.length
	}
	return thing && n >= min
}
