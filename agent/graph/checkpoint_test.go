package graph_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/graph"
)

// asking returns a node that interrupts the run until the state contains an answer.
func asking(name, next string) node {
	n := recordingNode(name, next)
	n.Run = func(_ context.Context, s *sharedState) error {
		s.Visited = append(s.Visited, name)
		if s.Answer == "" {
			return graph.Interrupt("what colour?")
		}
		return nil
	}
	return n
}

// elsewhere encodes and decodes a checkpoint, as for another process.
func elsewhere(c graph.Checkpoint) (read graph.Checkpoint) {
	GinkgoHelper()
	text, err := json.Marshal(c)
	Expect(err).NotTo(HaveOccurred())
	Expect(json.Unmarshal(text, &read)).To(Succeed())
	return read
}

func interruption(err error) graph.Checkpoint {
	GinkgoHelper()
	var stopped *graph.InterruptError
	Expect(errors.As(err, &stopped)).To(BeTrue(), "%v", err)
	return stopped.Checkpoint
}

var _ = Describe("An interruption of a run by a node", func() {
	ctx := context.Background()
	team := func() *graph.Graph[sharedState] {
		return newGraph(recordingNode("brief", "ask"), asking("ask", "write"), recordingNode("write", ""))
	}

	It("N7: stops the run and returns a checkpoint with the state, the path and the reason", func() {
		err := team().Run(ctx, &sharedState{Score: 7})
		Expect(err).To(MatchError("interrupted in ask: what colour?"))
		c := interruption(err)
		Expect(c.State).To(MatchJSON(`{"visited":["brief","ask"],"score":7}`))
		c.State = nil
		Expect(c).To(Equal(graph.Checkpoint{Next: "ask", Path: []string{"brief", "ask"}, Reason: "what colour?"}))
	})

	It("N7: can be resumed with the same node in another process", func() {
		c := elsewhere(interruption(team().Run(ctx, &sharedState{})))
		var s sharedState
		Expect(json.Unmarshal(c.State, &s)).To(Succeed())
		s.Answer = "red"
		var err error
		c.State, err = json.Marshal(s)
		Expect(err).NotTo(HaveOccurred())

		s = sharedState{helper: "kept"}
		Expect(team().Resume(ctx, c, &s)).To(Succeed())
		Expect(s).To(Equal(sharedState{Visited: []string{"brief", "ask", "ask", "write"}, Answer: "red",
			helper: "kept"}))
	})

	It("can occur repeatedly, and each time counts as a visit", func() {
		g := configured(graph.Config[sharedState]{Nodes: []node{asking("ask", "")}, MaxSteps: 3})
		err := g.Run(ctx, &sharedState{})
		for range 2 {
			err = g.Resume(ctx, elsewhere(interruption(err)), &sharedState{})
		}
		Expect(interruption(err).Path).To(Equal([]string{"ask", "ask", "ask"}))
		Expect(g.Resume(ctx, interruption(err), &sharedState{})).To(MatchError(graph.ErrTooManySteps))
	})

	It("is not passed to OnError, even after a timeout", func() {
		var asked []error
		n := rescued(slow("ask", 2, 1), "", &asked)
		sleep := n.Run
		n.Run = func(ctx context.Context, s *sharedState) error {
			_ = sleep(ctx, s)
			return graph.Interrupt("still there?")
		}
		_, err := simulate(func(ctx context.Context) error { return newGraph(n).Run(ctx, &sharedState{}) })
		Expect(interruption(err).Reason).To(Equal("still there?"))
		Expect(asked).To(BeEmpty())
	})

	It("in an inner graph also interrupts the outer graph", func() {
		inner := newGraph(asking("ask", ""))
		outer := newGraph(recordingNode("brief", "team"), node{Name: "team", Run: inner.Run})
		c := interruption(outer.Run(ctx, &sharedState{}))
		Expect(c.Next).To(Equal("team"))
		Expect(c.Reason).To(Equal("what colour?"))
		Expect(c.Path).To(Equal([]string{"brief", "team"}))
	})

	It("is saved like any other checkpoint", func() {
		var saved []graph.Checkpoint
		g := configured(graph.Config[sharedState]{Nodes: []node{asking("ask", "")}, Save: keep(&saved)})
		c := interruption(g.Run(ctx, &sharedState{}))
		Expect(saved).To(Equal([]graph.Checkpoint{c}))
	})
})

func keep(into *[]graph.Checkpoint) func(context.Context, graph.Checkpoint) error {
	return func(_ context.Context, c graph.Checkpoint) error {
		*into = append(*into, c)
		return nil
	}
}

var _ = Describe("A graph with a Save function", func() {
	ctx := context.Background()
	three := []node{recordingNode("a", "b"), recordingNode("b", "c"), recordingNode("c", "")}

	It("saves a checkpoint after every node, and a run from any of them ends in the same state", func() {
		var saved []graph.Checkpoint
		g := configured(graph.Config[sharedState]{Nodes: three, Save: keep(&saved)})
		var want sharedState
		Expect(g.Run(ctx, &want)).To(Succeed())
		Expect(saved).To(HaveLen(3))
		Expect(saved[0].Next).To(Equal("b"))
		Expect(saved[2].Next).To(Equal(graph.End))
		for i, c := range saved[:3] {
			Expect(c.Path).To(HaveLen(i + 1))
			var s sharedState
			Expect(newGraph(three...).Resume(ctx, elsewhere(c), &s)).To(Succeed())
			Expect(s).To(Equal(want))
		}
	})

	It("saves a separate path for each run", func() {
		var saved []graph.Checkpoint
		g := configured(graph.Config[sharedState]{Nodes: three, Save: keep(&saved)})
		Expect(g.Run(ctx, &sharedState{})).To(Succeed())
		_ = append(saved[0].Path, "x")
		from := graph.Checkpoint{Next: "b", Path: append(make([]string, 0, 8), "a"), State: []byte(`{}`)}
		Expect(g.Resume(ctx, from, &sharedState{})).To(Succeed())
		from.Next = "c"
		Expect(g.Resume(ctx, from, &sharedState{})).To(Succeed())
		var paths []string
		for _, c := range saved {
			paths = append(paths, strings.Join(c.Path, ""))
		}
		Expect(paths).To(Equal([]string{"a", "ab", "abc", "ab", "abc", "ac"}))
	})

	It("also saves a checkpoint after OnError", func() {
		var saved []graph.Checkpoint
		var asked []error
		nodes := []node{rescued(failing("a", errBroken), "b", &asked), recordingNode("b", "")}
		Expect(configured(graph.Config[sharedState]{Nodes: nodes, Save: keep(&saved)}).Run(ctx, &sharedState{})).
			To(Succeed())
		Expect(saved).To(HaveLen(2))
	})

	It("ends the run if Save fails", func() {
		s := sharedState{}
		full := func(context.Context, graph.Checkpoint) error { return errBroken }
		err := configured(graph.Config[sharedState]{Nodes: three, Save: full}).Run(ctx, &s)
		Expect(err).To(MatchError("a: save checkpoint: broken"))
		Expect(err).To(MatchError(errBroken))
		Expect(s.Visited).To(Equal([]string{"a"}))
		err = configured(graph.Config[sharedState]{Nodes: []node{asking("ask", "")}, Save: full}).Run(ctx, &s)
		Expect(err).To(MatchError("ask: save checkpoint: broken"))
	})

	It("fails if the state cannot be encoded as JSON", func() {
		type odd struct{ C chan int }
		g, err := graph.New(graph.Config[odd]{
			Start: "a",
			Nodes: []graph.Node[odd]{{Name: "a",
				Run: func(context.Context, *odd) error { return graph.Interrupt("?") }}},
		})
		Expect(err).NotTo(HaveOccurred())
		Expect(g.Run(ctx, &odd{})).To(MatchError(ContainSubstring("a: checkpoint: json: unsupported type")))
	})
})

var _ = Describe("A resumed run", func() {
	ctx := context.Background()

	It("counts the visits before it was resumed", func() {
		g := configured(graph.Config[sharedState]{Nodes: []node{recordingNode("round", "round")}, MaxSteps: 5})
		s := sharedState{}
		err := g.Resume(ctx, graph.Checkpoint{Next: "round", Path: make([]string, 3), State: []byte(`{}`)}, &s)
		Expect(err).To(MatchError(graph.ErrTooManySteps))
		Expect(s.Visited).To(HaveLen(2))
	})

	DescribeTable("is rejected if its checkpoint is invalid",
		func(next, state, want string) {
			s := sharedState{}
			err := newGraph(recordingNode("a", "")).Resume(ctx, graph.Checkpoint{Next: next, State: []byte(state)}, &s)
			Expect(err).To(MatchError(ContainSubstring(want)))
			Expect(s.Visited).To(BeEmpty())
		},
		Entry("because of an unknown node", "b", `{}`, `resume: no node "b"`),
		Entry("because of a missing state", "a", ``, `resume at "a": state: `),
		Entry("because of an unknown field in the state", "a", `{"scores":1}`, "scores"),
		Entry("because of a field of another type", "a", `{"score":"much"}`, "score"),
		Entry("because of a truncated state", "a", `{"score":1`, "unexpected end"),
		Entry("because of two states", "a", `{} {}`, "after top-level value"),
		Entry("because of an invalid state, even at the end of the run", graph.End, `[]`, "state"),
	)
})
