package play

import (
	"iter"

	"evalctl/eval"
	"evalctl/eval/suite"
)

// Cursor gives a plan's trials by their numbers, from 0, in the order in which a run
// plays them. It reads the cases once as long as numbers rise: a lease of some trials
// costs no more than those between it and the last one. One goroutine at a time may use
// it, and it must be closed.
type Cursor struct {
	plan  *Plan
	next  func() (placed, error, bool)
	stop  func()
	now   placed
	first int64 // number of the first trial of now
}

// placed is a case, and what it is played in.
type placed struct {
	eval.Case
	in *suitePlan
}

// trials is how many are played of the case.
func (p placed) trials() int64 {
	if p.in == nil {
		return 0
	}
	return p.in.perCase()
}

// Cursor stands before the first trial.
func (p *Plan) Cursor() *Cursor {
	c := &Cursor{plan: p}
	c.rewind()
	return c
}

func (c *Cursor) rewind() {
	c.Close()
	c.next, c.stop = iter.Pull2(c.plan.placed())
	c.now, c.first = placed{}, 0
}

// Close frees the file of cases.
func (c *Cursor) Close() {
	if c.stop != nil {
		c.stop()
	}
}

// Trials are those from one number to before another, as far as there are any.
func (c *Cursor) Trials(from, to int64) iter.Seq2[eval.Trial, error] {
	return func(yield func(eval.Trial, error) bool) {
		if from < c.first {
			c.rewind()
		}
		for at := from; at < to; at++ {
			for at >= c.first+c.now.trials() {
				if ok, err := c.advance(); err != nil || !ok {
					if err != nil {
						yield(eval.Trial{}, err)
					}
					return
				}
			}
			n, conditions := at-c.first, c.now.in.conditions
			t := suite.Trial(conditions[n%int64(len(conditions))], c.now.Case, int(n/int64(len(conditions)))+1, c.plan.seed)
			if !yield(t, nil) {
				return
			}
		}
	}
}

// advance goes to the next case; false: there is none.
func (c *Cursor) advance() (bool, error) {
	one, err, ok := c.next()
	if err != nil || !ok {
		return false, err
	}
	c.first += c.now.trials()
	c.now = one
	return true, nil
}

// placed are all cases of the plan, suite by suite.
func (p *Plan) placed() iter.Seq2[placed, error] {
	return func(yield func(placed, error) bool) {
		for i := range p.suites {
			for c, err := range p.suites[i].stream() {
				if !yield(placed{Case: c, in: &p.suites[i]}, err) {
					return
				}
			}
		}
	}
}
