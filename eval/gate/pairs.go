package gate

import (
	"slices"

	"evalctl/eval"
)

// Pairs hold a run against its baseline, case by case, for the rules that ask for it:
// cases of the same suite, variant and fault. What they keep grows with the cases. The
// order of results does not matter.
type Pairs struct{ list map[Rule]*pairing }

// NewPairs prepares what the rules need.
func NewPairs(rules []Rule) *Pairs {
	p := &Pairs{list: map[Rule]*pairing{}}
	for _, r := range rules {
		if r.Compares() {
			p.list[r] = &pairing{rule: r, fact: factOf(r), cells: map[Cell]cases{}}
		}
	}
	return p
}

// Compares tells whether the rule wants a baseline.
func (r Rule) Compares() bool { return r.Against != "" }

// Baseline counts a result of the baseline.
func (p *Pairs) Baseline(r eval.Result) { p.each(r, func(c *pair) *[]fact { return &c.before }) }

// Add counts a result of the run.
func (p *Pairs) Add(r eval.Result) { p.each(r, func(c *pair) *[]fact { return &c.now }) }

func (p *Pairs) each(r eval.Result, side func(*pair) *[]fact) {
	for _, of := range p.list {
		of.add(r, side)
	}
}

// pairing is what one rule compares.
type pairing struct {
	rule  Rule
	fact  func(eval.Result) (fact, bool)
	cells map[Cell]cases
}

// cases are a cell's, by their ids.
type cases map[string]*pair

// pair is what the trials of one case came to, before and now.
type pair struct{ before, now []fact }

func (p *pairing) add(r eval.Result, side func(*pair) *[]fact) {
	at := Cell{Suite: r.Suite, Variant: r.Variant, Fault: faultOf(r.Fault)}
	if !p.rule.selects(at) || p.rule.Tag != "" && !slices.Contains(r.Tags, p.rule.Tag) {
		return
	}
	f, concerned := p.fact(r)
	if !concerned {
		return
	}
	if p.cells[at] == nil {
		p.cells[at] = cases{}
	}
	c := p.cells[at][r.Case]
	if c == nil {
		c = &pair{}
		p.cells[at][r.Case] = c
	}
	put(side(c), f)
}

// put keeps the last result of each epoch.
func put(facts *[]fact, f fact) {
	at := slices.IndexFunc(*facts, func(have fact) bool { return have.epoch == f.epoch })
	if at < 0 {
		*facts = append(*facts, f)
		return
	}
	(*facts)[at] = f
}

// judge holds a cell of the rule against the baseline.
func (p *Pairs) judge(r Rule, at Cell) finding {
	if p == nil || p.list[r] == nil {
		return nothing("there is no baseline")
	}
	return p.list[r].judge(at)
}
