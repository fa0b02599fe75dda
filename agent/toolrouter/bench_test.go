package toolrouter_test

import (
	"context"
	"testing"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/toolrouter"
	"evalctl/agent/trace"
)

// BenchmarkTurn measures a turn in mode llm-first on a simulated clock: a routing decision and a
// streamed answer.
func BenchmarkTurn(b *testing.B) {
	s := talker()
	a, err := s.open()
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		s.bodies = map[string][]string{} // dropped, so that recording requests does not count
		err := clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
			_, err := a.Respond(ctx, agent.Turn{Text: "讲个笑话"}, func(trace.Event) {})
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRules measures a time question in mode rules, which needs no external call.
func BenchmarkRules(b *testing.B) {
	s := newStage(says{})
	s.config.Mode = toolrouter.ModeRules
	a, err := s.open()
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := a.Respond(context.Background(), agent.Turn{Text: "请问现在几点了"}, nil); err != nil {
			b.Fatal(err)
		}
	}
}
