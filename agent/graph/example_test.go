package graph_test

import (
	"context"
	"errors"
	"fmt"

	"evalctl/agent/graph"
)

// An image generator repeats its work until a critic accepts it. The third time, a human decides.
func Example() {
	type work struct {
		Tries    int    `json:"tries"`
		Approved string `json:"approved"`
	}
	g, err := graph.New(graph.Config[work]{
		Start: "paint",
		Nodes: []graph.Node[work]{{
			Name: "paint",
			Run:  func(_ context.Context, w *work) error { w.Tries++; return nil },
			Next: func(*work) string { return "review" },
		}, {
			Name: "review",
			Run: func(_ context.Context, w *work) error {
				if w.Tries == 3 && w.Approved == "" {
					return graph.Interrupt("is this good enough?")
				}
				return nil
			},
			Next: func(w *work) string {
				if w.Tries < 3 {
					return "paint"
				}
				return graph.End
			},
		}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	err = g.Run(ctx, &work{})
	fmt.Println(err)

	var stopped *graph.InterruptError
	if errors.As(err, &stopped) {
		c := stopped.Checkpoint // stored as JSON until a human has answered
		c.State = []byte(`{"tries":3,"approved":"yes"}`)
		fmt.Println(g.Resume(ctx, c, &work{}))
	}
	// Output:
	// interrupted in review: is this good enough?
	// <nil>
}
