package graph_test

import (
	"context"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
	"evalctl/agent/graph"
)

func TestGraph(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "graph")
}

var midnight = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)

// sharedState is the state that the nodes of a graph share.
type sharedState struct {
	Visited []string       `json:"visited"`
	Score   int            `json:"score"`
	Notes   map[string]int `json:"notes,omitempty"`
	Answer  string         `json:"answer,omitempty"`

	helper string // not part of the JSON
}

type node = graph.Node[sharedState]

// recordingNode returns a node that adds its name to the state and continues with next.
func recordingNode(name, next string) node {
	return node{
		Name: name,
		Run:  func(_ context.Context, s *sharedState) error { s.Visited = append(s.Visited, name); return nil },
		Next: func(*sharedState) string { return next },
	}
}

// failing returns a node that fails with err.
func failing(name string, err error) node {
	return node{Name: name, Run: func(context.Context, *sharedState) error { return err }}
}

// slow returns a node that sleeps for d and has the timeout limit.
func slow(name string, d, limit time.Duration) node {
	return node{Name: name, Timeout: limit,
		Run: func(ctx context.Context, _ *sharedState) error { return clock.Sleep(ctx, d) }}
}

// rescued returns n with an OnError function that records the error and continues with next.
func rescued(n node, next string, into *[]error) node {
	n.OnError = func(_ *sharedState, err error) (string, bool) {
		*into = append(*into, err)
		return next, true
	}
	return n
}

// newGraph returns a graph of these nodes that starts with the first.
func newGraph(nodes ...node) *graph.Graph[sharedState] {
	GinkgoHelper()
	return configured(graph.Config[sharedState]{Nodes: nodes})
}

func configured(cfg graph.Config[sharedState]) *graph.Graph[sharedState] {
	GinkgoHelper()
	cfg.Start = cfg.Nodes[0].Name
	g, err := graph.New(cfg)
	Expect(err).NotTo(HaveOccurred())
	return g
}

// simulate runs f in simulated time and returns its duration and error.
func simulate(f func(ctx context.Context) error) (duration time.Duration, err error) {
	GinkgoHelper()
	Expect(clock.RunSimulated(context.Background(), midnight, func(ctx context.Context) error {
		err = f(ctx)
		duration = clock.Since(ctx, midnight)
		return nil
	})).To(Succeed())
	return duration, err
}

// pathOf returns the path of visited nodes in an *Error.
func pathOf(err error) []string {
	GinkgoHelper()
	Expect(err).To(BeAssignableToTypeOf(&graph.Error{}))
	return err.(*graph.Error).Path
}
