package eval

import (
	"context"
	"fmt"

	"evalctl/agent/clock"
	"evalctl/agent/trace"
)

// Graded is what a model made of a turn's answer when the turn was over: which of the
// facts that its case lists it states. It counts to no turn.
type Graded struct {
	Stated []bool        `json:"stated"` // by fact; null: the grader failed
	Error  string        `json:"error,omitempty"`
	Events []trace.Event `json:"events"`
}

// Grader tells of facts, each worded in one or more ways, which of them an answer
// states.
type Grader func(ctx context.Context, facts [][]string, answer string) (stated []bool, err error)

// grade has every answer graded whose turn lists facts. What is listed wrong is for
// scorers to tell.
func (t Trial) grade(ctx context.Context, o *Outcome) {
	if t.Cell.Grade == nil {
		return
	}
	for i, p := range o.Turns {
		if i >= len(t.Case.Turns) || p.Failed || p.Reply.Failure != nil {
			continue
		}
		if facts, err := t.Case.Turns[i].Facts(t.Cell.Facts); err == nil && len(facts) > 0 {
			after := t
			after.Again = i + 1
			o.Turns[i].Graded = after.graded(ctx, facts, p.Reply.Content)
		}
	}
}

func (t Trial) graded(ctx context.Context, facts []OneOf, answer string) *Graded {
	g := &Graded{Events: []trace.Event{}}
	list := make([][]string, len(facts))
	for i, f := range facts {
		list[i] = f
	}
	err := clock.Protect("grading", func() error {
		grade, err := t.Cell.Grade(t)
		if err != nil {
			return err
		}
		stated, err := grade(trace.With(ctx, func(e trace.Event) { g.Events = append(g.Events, e) }), list, answer)
		switch {
		case err != nil:
			return err
		case len(stated) != len(facts):
			return fmt.Errorf("the grader judges %d facts of %d", len(stated), len(facts))
		}
		g.Stated = stated
		return nil
	})
	if err != nil {
		g.Error = err.Error()
	}
	return g
}

// Grading is what the grading of a trial's answers took, which counts to no turn.
type Grading struct {
	Turns  int64    `json:"turns"`
	Failed int64    `json:"failed,omitempty"` // of Turns: of whose facts nobody knows
	Calls  int64    `json:"calls"`
	Tokens Tokens   `json:"tokens"`
	Cost   *float64 `json:"cost"` // USD; null: something has no price
}

// grading sums up that of all turns, nil where none was graded.
func grading(turns []Played, prices Prices) *Grading {
	var sum Grading
	var spent bill
	for _, p := range turns {
		if p.Graded == nil {
			continue
		}
		sum.Turns++
		if p.Graded.Stated == nil {
			sum.Failed++
		}
		for _, e := range p.Graded.Events {
			if e.Kind == trace.KindSpan && e.Span != nil {
				spent.add(e.Span, prices)
			}
		}
	}
	if sum.Turns == 0 {
		return nil
	}
	sum.Calls, sum.Tokens, sum.Cost = spent.calls, spent.tokens, spent.dollars()
	return &sum
}
