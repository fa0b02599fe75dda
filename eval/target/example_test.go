package target_test

import (
	"context"
	"fmt"
	"strings"
	"time"

	"evalctl/agent"
	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/eval/scorer"
	"evalctl/eval/target"
)

// desk is an agent that classifies a customer's message by its words.
func desk(_ context.Context, t agent.Turn, emit func(trace.Event)) (agent.Reply, error) {
	team := "delivery"
	if strings.Contains(t.Text, "invoice") {
		team = "billing"
	}
	emit(trace.Event{Kind: trace.KindChunk, Text: "→ " + team})
	return agent.Reply{Content: "→ " + team, Predicted: team, AnsweredBy: team, DecidedBy: "rules"}, nil
}

// A custom agent in Go is evaluated on one case with two turns.
func ExampleAgent() {
	c := eval.Case{ID: "c1", Turns: []eval.LabeledTurn{
		{Turn: agent.Turn{Text: "where is my parcel?"}, Expected: []byte(`{"team":"delivery"}`)},
		{Turn: agent.Turn{Text: "and the invoice?"}, Expected: []byte(`{"team":"billing"}`)},
	}}
	condition := &eval.Condition{Suite: "desk", Variant: "words", Fault: eval.NoFault,
		Scorers:   []eval.Scorer{scorer.Route{Field: "team"}},
		NewTarget: func(eval.Trial) (eval.Target, error) { return target.FromAgent(agent.Func(desk)), nil }}
	trials := func(yield func(eval.Trial, error) bool) {
		yield(eval.Trial{Condition: condition, Case: c, Epoch: 1, Seed: 1}, nil)
	}
	err := eval.Runner{Parallel: 1, Timeout: time.Minute}.Run(context.Background(), trials,
		eval.SinkFunc(func(r eval.Result) error {
			fmt.Println(r.Case, r.Predicted, "right:", *r.Correct)
			return nil
		}))
	fmt.Println(err)
	// Output:
	// c1 billing right: true
	// <nil>
}
