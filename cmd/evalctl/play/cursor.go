package play

import (
	"iter"

	"evalctl/eval"
	"evalctl/eval/suite"
)

// TrialCursor reads the trials of a plan by number. Trials are numbered from 0 in the order in
// which a run executes them. The cursor reads each case once, as long as the requested numbers
// increase. It is not safe for concurrent use and must be closed.
type TrialCursor struct {
	plan  *Plan
	next  func() (plannedCase, error, bool)
	stop  func()
	now   plannedCase
	first int64 // number of the first trial of the case in now
}

type plannedCase struct {
	eval.Case
	suite *suitePlan
}

// trials returns the number of trials of the case, over all conditions and epochs.
func (p plannedCase) trials() int64 {
	if p.suite == nil {
		return 0
	}
	return p.suite.perCase()
}

// Cursor returns a cursor that starts at the first trial of the plan.
func (p *Plan) Cursor() *TrialCursor {
	c := &TrialCursor{plan: p}
	c.rewind()
	return c
}

func (c *TrialCursor) rewind() {
	c.Close()
	c.next, c.stop = iter.Pull2(c.plan.allCases())
	c.now, c.first = plannedCase{}, 0
}

// Close closes the dataset file that the cursor reads.
func (c *TrialCursor) Close() {
	if c.stop != nil {
		c.stop()
	}
}

// Trials returns the trials with the numbers from <= n < to. It returns fewer if the plan has
// fewer.
func (c *TrialCursor) Trials(from, to int64) iter.Seq2[eval.Trial, error] {
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
			n, conditions := at-c.first, c.now.suite.conditions
			t := suite.Trial(conditions[n%int64(len(conditions))], c.now.Case, int(n/int64(len(conditions)))+1,
				c.plan.seed)
			if !yield(t, nil) {
				return
			}
		}
	}
}

func (c *TrialCursor) advance() (bool, error) {
	one, err, ok := c.next()
	if err != nil || !ok {
		return false, err
	}
	c.first += c.now.trials()
	c.now = one
	return true, nil
}

func (p *Plan) allCases() iter.Seq2[plannedCase, error] {
	return func(yield func(plannedCase, error) bool) {
		for i := range p.suites {
			for c, err := range p.suites[i].stream() {
				if !yield(plannedCase{Case: c, suite: &p.suites[i]}, err) {
					return
				}
			}
		}
	}
}
