package eval

import (
	"context"
	"fmt"

	"evalctl/agent/clock"
	"evalctl/agent/trace"
)

// grade lets a model check which facts each answer states, for all turns whose case lists facts. It
// skips turns whose facts cannot be read: their scorer reports the error.
func (t Trial) grade(ctx context.Context, o *Outcome) {
	if t.Condition.NewGrader == nil {
		return
	}
	for i, p := range o.Turns {
		if i >= len(t.Case.Turns) || p.HasError || p.Reply.ErrorReply != nil {
			continue
		}
		if facts, err := t.Case.Turns[i].Facts(t.Condition.FactsField); err == nil && len(facts) > 0 {
			after := t
			after.RescoredTurn = i + 1
			o.Turns[i].FactGrading = after.gradeTurn(ctx, facts, p.Reply.Content)
		}
	}
}

func (t Trial) gradeTurn(ctx context.Context, facts []OneOf, answer string) *FactGrading {
	g := &FactGrading{Events: []trace.Event{}}
	list := make([][]string, len(facts))
	for i, f := range facts {
		list[i] = f
	}
	err := clock.CatchPanic("grading", func() error {
		grade, err := t.Condition.NewGrader(t)
		if err != nil {
			return err
		}
		stated, err := grade(trace.WithRecorder(ctx, func(e trace.Event) { g.Events = append(g.Events, e) }),
			list, answer)
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

// grading sums the cost of the models that checked facts, over all turns. It returns nil if no turn
// was checked.
func grading(turns []TurnResult, prices PriceFunc) *GradingCost {
	var sum GradingCost
	var spent bill
	for _, p := range turns {
		if p.FactGrading == nil {
			continue
		}
		sum.Turns++
		if p.FactGrading.Stated == nil {
			sum.Failed++
		}
		for _, e := range p.FactGrading.Events {
			if e.Kind == trace.KindSpan && e.Span != nil {
				spent.add(e.Span, prices)
			}
		}
	}
	if sum.Turns == 0 {
		return nil
	}
	sum.Calls, sum.Tokens, sum.Cost = spent.calls, spent.tokens, spent.usd()
	return &sum
}
