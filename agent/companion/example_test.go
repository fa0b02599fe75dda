package companion_test

import (
	"context"
	"fmt"
	"time"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/companion"
	"evalctl/agent/trace"
)

// The debouncer answers messages in quick succession as one turn.
func ExampleNewDebouncer() {
	listener := agent.Func(func(_ context.Context, t agent.Turn, _ func(trace.Event)) (agent.Reply, error) {
		return agent.Reply{Content: fmt.Sprintf("%q", t.Batch)}, nil
	})
	g := companion.NewDebouncer(listener)
	start := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	_ = clock.RunSimulated(context.Background(), start, func(ctx context.Context) error {
		group, ctx := clock.NewGroup(ctx, 0)
		for i, text := range []string{"在吗", "昨天聊了啥"} {
			group.Go("user", func(ctx context.Context) error {
				_ = clock.Sleep(ctx, time.Duration(i)*2*time.Second)
				reply, err := g.Respond(ctx, agent.Turn{Text: text, Session: "s"}, nil)
				if !reply.IsDeferred {
					fmt.Println(clock.Since(ctx, start), reply.Content)
				}
				return err
			})
		}
		return group.Wait()
	})
	// Output:
	// 7s ["在吗" "昨天聊了啥"]
}
