package compare

import (
	"cmp"
	"slices"

	"evalctl/eval"
)

// maxCrossed is of how many variants all are held against each other, and not
// only against one.
const maxCrossed = 16

// cell is a variant under a fault.
type cell struct{ variant, fault string }

func cellOf(r eval.Result) cell {
	return cell{variant: r.Variant, fault: cmp.Or(r.Fault, eval.NoFault)}
}

// Suite compares the cells of a suite while it is played. What it keeps grows
// with the cases only up to a bound.
type Suite struct {
	against string
	cells   []cell
	pairs   []*cellPair
	fates   []*eval.Fate
}

// cellPair is a pair under one fault.
type cellPair struct {
	Pair
	a, b   cell
	ratios *ratios // nil: none are wanted
}

// NewSuite makes ready to compare the suite's variants with the one that it
// names, or its first: under each fault, and each with each without one. Of more
// than 16 variants no ratios are known, and of other pairs those with the first
// floor.
func NewSuite(s eval.SuiteSummary) *Suite {
	c := &Suite{against: s.Against}
	var plain []string
	for _, v := range s.Variants {
		one := cell{variant: v.Name, fault: cmp.Or(v.Fault, eval.NoFault)}
		c.cells = append(c.cells, one)
		if one.fault == eval.NoFault {
			plain = append(plain, v.Name)
		}
	}
	if c.against == "" && len(c.cells) > 0 {
		c.against = c.cells[0].variant
	}
	c.pairAgainst(len(plain) <= maxCrossed)
	if len(plain) <= maxCrossed {
		c.pairOthers(plain)
	} else {
		c.pairFloor(s, plain)
	}
	c.pairFates()
	return c
}

// pairAgainst makes the pairs that a reader asks for first.
func (c *Suite) pairAgainst(withRatios bool) {
	known := map[cell]bool{}
	for _, one := range c.cells {
		known[one] = true
	}
	for _, b := range c.cells {
		a := cell{variant: c.against, fault: b.fault}
		if b.variant == c.against || !known[a] {
			continue
		}
		p := &cellPair{a: a, b: b}
		if withRatios && b.fault == eval.NoFault {
			p.ratios = &ratios{}
		}
		c.pairs = append(c.pairs, p)
	}
}

// pairOthers makes those of all the others, of which a ranking is made.
func (c *Suite) pairOthers(variants []string) {
	for i, a := range variants {
		for _, b := range variants[i+1:] {
			if a != c.against && b != c.against {
				c.pairs = append(c.pairs, &cellPair{a: cell{a, eval.NoFault}, b: cell{b, eval.NoFault}})
			}
		}
	}
}

// pairFloor makes those of all with the first floor, where they are too many to be
// held against each other.
func (c *Suite) pairFloor(s eval.SuiteSummary, variants []string) {
	at := slices.IndexFunc(s.Variants, func(v eval.CellSummary) bool { return v.Floor })
	if at < 0 || s.Variants[at].Name == c.against {
		return
	}
	for _, b := range variants {
		if b != c.against && b != s.Variants[at].Name {
			c.pairs = append(c.pairs, &cellPair{a: cell{s.Variants[at].Name, eval.NoFault}, b: cell{b, eval.NoFault}})
		}
	}
}

func (c *Suite) pairFates() {
	for _, one := range c.cells {
		if one.fault != eval.NoFault {
			c.fates = append(c.fates, &eval.Fate{Variant: one.variant, Fault: one.fault})
		}
	}
}

// Add counts a case: all results of it, in whatever order.
func (c *Suite) Add(rows []eval.Result) {
	by, tallies := map[cell][]eval.Result{}, map[cell]tally{}
	for _, r := range rows {
		by[cellOf(r)] = append(by[cellOf(r)], r)
	}
	for of, rows := range by {
		tallies[of] = tallyOf(rows)
	}
	for _, p := range c.pairs {
		p.add(tallies[p.a], tallies[p.b])
		if p.ratios != nil {
			p.ratios.add(by[p.a], by[p.b])
		}
	}
	for _, f := range c.fates {
		before := by[cell{variant: f.Variant, fault: eval.NoFault}]
		for _, now := range by[cell{variant: f.Variant, fault: f.Fault}] {
			for _, b := range before {
				if b.Epoch == now.Epoch {
					count(f, b, now)
				}
			}
		}
	}
}

// Close writes what was found: first what is held against the one variant, which
// is one family of tests, then the others, which are another.
func (c *Suite) Close(into *eval.SuiteSummary) {
	into.Differences, into.Fates = nil, nil
	if len(c.pairs) > 0 {
		into.Against = c.against
	}
	var asked, others []tested
	for _, p := range c.pairs {
		d := p.Difference()
		d.Variant, d.Against, d.Fault = p.b.variant, p.a.variant, p.b.fault
		if p.ratios != nil {
			d.Ratios = p.ratios.contrasts()
			p.ratios.addTimes(d.Ratios, metricsOf(into, p.a), metricsOf(into, p.b))
		}
		into.Differences = append(into.Differences, d)
	}
	for i := range into.Differences {
		t := tested{of: &into.Differences[i], by: &c.pairs[i].Pair}
		if t.of.Against == c.against {
			asked = append(asked, t)
		} else {
			others = append(others, t)
		}
	}
	settle(asked)
	settle(others)
	for _, f := range c.fates {
		into.Fates = append(into.Fates, *f)
	}
}

// metricsOf has a cell's metrics by name.
func metricsOf(s *eval.SuiteSummary, of cell) func(string) eval.Estimate {
	for _, v := range s.Variants {
		if v.Name == of.variant && cmp.Or(v.Fault, eval.NoFault) == of.fault {
			return func(name string) eval.Estimate { return v.Metrics[name] }
		}
	}
	return func(string) eval.Estimate { return eval.Estimate{} }
}
