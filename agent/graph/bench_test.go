package graph_test

import (
	"context"
	"testing"
	"time"

	"evalctl/agent/graph"
)

const visits = 60

// ring is a minimal state that counts visits.
type ring struct{ n int }

// ringNodes returns six nodes in a ring. The run ends after a fixed number of visits.
func ringNodes(timeout time.Duration) []graph.Node[ring] {
	names := []string{"planner", "rag", "executor", "critic", "genui", "error_handler"}
	var nodes []graph.Node[ring]
	for i, name := range names {
		next := names[(i+1)%len(names)]
		nodes = append(nodes, graph.Node[ring]{
			Name:    name,
			Timeout: timeout,
			Run:     func(_ context.Context, r *ring) error { r.n++; return nil },
			Next: func(r *ring) string {
				if r.n == visits {
					return graph.End
				}
				return next
			},
		})
	}
	return nodes
}

// BenchmarkVisit compares the time per visit of a node with that of calling the same functions in a
// loop.
func BenchmarkVisit(b *testing.B) {
	perVisit := func(b *testing.B) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/visits, "ns/visit")
	}
	b.Run("loop", func(b *testing.B) {
		nodes := ringNodes(0)
		b.ReportAllocs()
		for b.Loop() {
			r, name := ring{}, ""
			for i := 0; ; i = (i + 1) % len(nodes) {
				if err := nodes[i].Run(b.Context(), &r); err != nil {
					b.Fatal(err)
				}
				if name = nodes[i].Next(&r); name == graph.End {
					break
				}
			}
		}
		perVisit(b)
	})
	graphs := map[string]graph.Config[ring]{
		"graph":         {Nodes: ringNodes(0)},
		"graph/timeout": {Nodes: ringNodes(time.Minute)},
		"graph/saved":   {Nodes: ringNodes(0), Save: func(context.Context, graph.Checkpoint) error { return nil }},
	}
	for _, name := range []string{"graph", "graph/timeout", "graph/saved"} {
		b.Run(name, func(b *testing.B) {
			cfg := graphs[name]
			cfg.Start = "planner"
			g, err := graph.New(cfg)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if err := g.Run(b.Context(), &ring{}); err != nil {
					b.Fatal(err)
				}
			}
			perVisit(b)
		})
	}
}
