package eval_test

import (
	"context"
	"iter"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/eval"
)

func TestEval(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Eval")
}

// targetFunc adapts a function to the interface Target.
type targetFunc func(ctx context.Context, turns []agent.Turn) (eval.Outcome, error)

func (f targetFunc) Run(ctx context.Context, turns []agent.Turn) (eval.Outcome, error) {
	return f(ctx, turns)
}

// trials yields n trials with the cases 0, 1, …, which run the target play.
func trials(n int, play targetFunc) iter.Seq2[eval.Trial, error] {
	condition := &eval.Condition{Suite: "s", Variant: "v", Fault: eval.NoFault,
		NewTarget: func(eval.Trial) (eval.Target, error) { return play, nil }}
	return func(yield func(eval.Trial, error) bool) {
		for i := range n {
			step := eval.LabeledTurn{Turn: agent.Turn{Text: string(rune('a' + i%26))}}
			if !yield(eval.Trial{Condition: condition, Case: eval.Case{ID: caseID(i), Turns: []eval.LabeledTurn{step}},
				Epoch: 1}, nil) {
				return
			}
		}
	}
}

func caseID(i int) string {
	return "case-" + string(rune('0'+i/100%10)) + string(rune('0'+i/10%10)) + string(rune('0'+i%10))
}

// memorySink stores results in memory. It has no lock, so that the race detector finds concurrent
// calls.
type memorySink struct{ results []eval.Result }

func (k *memorySink) Add(r eval.Result) error {
	k.results = append(k.results, r)
	return nil
}

func (k *memorySink) cases() (ids []string) {
	for _, r := range k.results {
		ids = append(ids, r.Case)
	}
	return ids
}

// run runs trials on simulated clocks, four at a time.
func run(ctx context.Context, ts iter.Seq2[eval.Trial, error]) (memorySink, error) {
	var k memorySink
	err := eval.Runner{Parallel: 4, Timeout: time.Minute, SimulatedClock: true}.Run(ctx, ts, &k)
	return k, err
}
