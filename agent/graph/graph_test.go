package graph_test

import (
	"context"
	"errors"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
	"evalctl/agent/graph"
)

var errBroken = errors.New("broken")

var _ = Describe("A graph", func() {
	ctx := context.Background()

	It("S1: visits the nodes in the order that their Next functions determine", func() {
		s := sharedState{}
		Expect(newGraph(recordingNode("planner", "rag"), recordingNode("executor", graph.End),
			recordingNode("rag", "executor")).Run(ctx, &s)).
			To(Succeed())
		Expect(s.Visited).To(Equal([]string{"planner", "rag", "executor"}))
	})

	It("ends after a node without a Next function", func() {
		s := sharedState{}
		last := recordingNode("last", "")
		last.Next = nil
		Expect(newGraph(last).Run(ctx, &s)).To(Succeed())
		Expect(s.Visited).To(Equal([]string{"last"}))
	})

	It("S5: can visit nodes in a loop, depending on the state, which is separate for each run", func() {
		critic := recordingNode("critic", "")
		critic.Next = func(s *sharedState) string {
			if s.Score++; s.Score < 3 {
				return "executor"
			}
			return graph.End
		}
		g := newGraph(recordingNode("executor", "critic"), critic)
		for range 2 {
			s := sharedState{}
			Expect(g.Run(ctx, &s)).To(Succeed())
			Expect(s.Visited).To(Equal([]string{"executor", "critic", "executor", "critic", "executor", "critic"}))
		}
	})

	DescribeTable("is not created with an invalid configuration, and the error names the field",
		func(want string, cfg graph.Config[sharedState]) {
			_, err := graph.New(cfg)
			Expect(err).To(MatchError(want))
		},
		Entry("if it has no nodes", `graph.Config.Start: no node ""`, graph.Config[sharedState]{}),
		Entry("if its start node is unknown", `graph.Config.Start: no node "b"`,
			graph.Config[sharedState]{Start: "b", Nodes: []node{recordingNode("a", "")}}),
		Entry("if a node has no name", `graph.Config.Nodes[1].Name: empty`,
			graph.Config[sharedState]{Start: "a", Nodes: []node{recordingNode("a", ""), recordingNode("", "")}}),
		Entry("if two nodes have the same name", `graph.Config.Nodes[1].Name: "a" is there twice`,
			graph.Config[sharedState]{Start: "a", Nodes: []node{recordingNode("a", ""), recordingNode("a", "")}}),
		Entry("if a node has no Run function", `graph.Config.Nodes[0].Run: node "a" has none`,
			graph.Config[sharedState]{Start: "a", Nodes: []node{{Name: "a"}}}),
		Entry("if a timeout is negative", `graph.Config.Nodes[0].Timeout: -1s of node "a" is negative`,
			graph.Config[sharedState]{Start: "a", Nodes: []node{slow("a", 0, -time.Second)}}),
		Entry("if the limit on visits is negative", `graph.Config.MaxSteps: -1 is negative`,
			graph.Config[sharedState]{Start: "a", Nodes: []node{recordingNode("a", "")}, MaxSteps: -1}),
	)
})

var _ = Describe("The error of a run", func() {
	ctx := context.Background()

	It("contains the path of visited nodes", func() {
		err := newGraph(recordingNode("planner", "rag"), recordingNode("rag", "executor"),
			failing("executor", errBroken)).Run(ctx, &sharedState{})
		Expect(err).To(MatchError("planner → rag → executor: broken"))
		Expect(err).To(MatchError(errBroken))
		Expect(pathOf(err)).To(Equal([]string{"planner", "rag", "executor"}))
	})

	It("is returned if the next node is unknown", func() {
		err := newGraph(recordingNode("planner", "nowhere")).Run(ctx, &sharedState{})
		Expect(err).To(MatchError(`planner: no node "nowhere"`))
		Expect(pathOf(err)).To(Equal([]string{"planner"}))
	})

	DescribeTable("X6: is returned if a function of a node panics",
		func(panics func(n *node)) {
			n := recordingNode("executor", "")
			panics(&n)
			err := newGraph(recordingNode("planner", "executor"), n).Run(ctx, &sharedState{})
			Expect(err).To(MatchError("planner → executor: panic in executor: broken"))
			Expect(err).To(MatchError(errBroken))
		},
		Entry("the Run function",
			func(n *node) { n.Run = func(context.Context, *sharedState) error { panic(errBroken) } }),
		Entry("the Next function", func(n *node) { n.Next = func(*sharedState) string { panic(errBroken) } }),
		Entry("the OnError function", func(n *node) {
			n.Run = func(context.Context, *sharedState) error { return errors.New("before") }
			n.OnError = func(*sharedState, error) (string, bool) { panic(errBroken) }
		}),
	)

	DescribeTable("is returned if the run reaches its limit on visits",
		func(maxSteps, visits int) {
			s := sharedState{}
			err := configured(graph.Config[sharedState]{Nodes: []node{recordingNode("round", "round")},
				MaxSteps: maxSteps}).
				Run(ctx, &s)
			Expect(err).To(MatchError(graph.ErrTooManySteps))
			Expect(pathOf(err)).To(HaveLen(visits))
			Expect(s.Visited).To(HaveLen(visits))
		},
		Entry("of 100 by default", 0, graph.DefaultMaxSteps),
		Entry("of three", 3, 3),
		Entry("of many more than the graph has nodes", 1000, 1000),
	)

	It("is not returned if the last permitted visit ends the run", func() {
		g := configured(graph.Config[sharedState]{Nodes: []node{recordingNode("a", "b"), recordingNode("b", "")},
			MaxSteps: 2})
		Expect(g.Run(ctx, &sharedState{})).To(Succeed())
	})
})

var _ = Describe("The OnError function of a node", func() {
	var asked []error
	BeforeEach(func() { asked = nil })

	It("handles an error and selects the next node", func() {
		s := sharedState{}
		g := newGraph(rescued(failing("planner", errBroken), "handler", &asked), recordingNode("handler", ""))
		Expect(g.Run(context.Background(), &s)).To(Succeed())
		Expect(asked).To(HaveExactElements(MatchError(errBroken)))
		Expect(s.Visited).To(Equal([]string{"handler"}))
	})

	It("can end the run, and causes an error if it selects an unknown node", func() {
		Expect(newGraph(rescued(failing("a", errBroken), graph.End, &asked)).Run(context.Background(), &sharedState{})).
			To(Succeed())
		err := newGraph(rescued(failing("a", errBroken), "nowhere", &asked)).Run(context.Background(), &sharedState{})
		Expect(err).To(MatchError(`a: no node "nowhere"`))
	})

	It("can reject the error, which then ends the run", func() {
		n := failing("a", errBroken)
		n.OnError = func(*sharedState, error) (string, bool) { return "a", false }
		Expect(newGraph(n).Run(context.Background(), &sharedState{})).To(MatchError(errBroken))
	})

	It("X6: handles a panic", func() {
		n := node{Name: "a", Run: func(context.Context, *sharedState) error { panic("boom") }}
		Expect(newGraph(rescued(n, "b", &asked), recordingNode("b", "")).Run(context.Background(), &sharedState{})).
			To(Succeed())
		Expect(asked).To(HaveExactElements(And(BeAssignableToTypeOf(&clock.PanicError{}),
			MatchError("panic in a: boom"))))
	})

	It("S9: handles the timeout of its node when it expires", func() {
		g := newGraph(rescued(slow("critic", time.Hour, 8*time.Second), "b", &asked), recordingNode("b", ""))
		duration, err := simulate(func(ctx context.Context) error { return g.Run(ctx, &sharedState{}) })
		Expect(err).NotTo(HaveOccurred())
		Expect(duration).To(Equal(8 * time.Second))
		Expect(asked).To(HaveExactElements(MatchError("timeout after 8s: context deadline exceeded")))
		Expect(asked[0]).To(MatchError(context.DeadlineExceeded))
	})

	DescribeTable("is not called if the caller's context has ended",
		func(want error, leave func(ctx context.Context) (context.Context, func())) {
			g := newGraph(rescued(slow("critic", time.Hour, 8*time.Second), "b", &asked), recordingNode("b", ""))
			duration, err := simulate(func(ctx context.Context) error {
				ctx, cancel := leave(ctx)
				defer cancel()
				return g.Run(ctx, &sharedState{})
			})
			Expect(err).To(MatchError(want))
			Expect(err).NotTo(MatchError(ContainSubstring("timeout after")))
			Expect(duration).To(BeNumerically("<=", 8*time.Second))
			Expect(asked).To(BeEmpty())
		},
		Entry("before the timeout of the node", context.DeadlineExceeded,
			func(ctx context.Context) (context.Context, func()) {
				ctx, cancel := clock.WithTimeout(ctx, 5*time.Second)
				return ctx, cancel
			}),
		Entry("at the same moment as the timeout of the node", context.DeadlineExceeded,
			func(ctx context.Context) (context.Context, func()) {
				ctx, cancel := clock.WithTimeout(ctx, 8*time.Second)
				return ctx, cancel
			}),
		Entry("because the caller canceled it", context.Canceled, func(ctx context.Context) (context.Context, func()) {
			ctx, cancel := context.WithCancel(ctx)
			clock.AfterFunc(ctx, time.Second, cancel)
			return ctx, cancel
		}),
	)
})

var _ = Describe("The timeout of a node", func() {
	It("S9: causes a DeadlineExceeded error that includes the node's own error", func() {
		n := slow("planner", time.Hour, 10*time.Second)
		sleep := n.Run
		n.Run = func(ctx context.Context, s *sharedState) error {
			_ = sleep(ctx, s)
			return errBroken
		}
		_, err := simulate(func(ctx context.Context) error { return newGraph(n).Run(ctx, &sharedState{}) })
		Expect(err).To(MatchError("planner: timeout after 10s: broken"))
		Expect(err).To(And(MatchError(context.DeadlineExceeded), MatchError(errBroken)))
	})

	It("applies to each visit separately", func() {
		n := slow("a", 6*time.Second, 10*time.Second)
		n.Next = func(s *sharedState) string {
			if s.Score++; s.Score < 3 {
				return "a"
			}
			return graph.End
		}
		duration, err := simulate(func(ctx context.Context) error { return newGraph(n).Run(ctx, &sharedState{}) })
		Expect(err).NotTo(HaveOccurred())
		Expect(duration).To(Equal(18 * time.Second))
	})

	It("does not change an error that occurs before it expires", func() {
		n := failing("a", errBroken)
		n.Timeout = time.Second
		Expect(newGraph(n).Run(context.Background(), &sharedState{})).To(MatchError("a: broken"))
	})
})

var _ = Describe("A context that has ended", func() {
	It("X6: stops the run before the next node", func() {
		ctx, cancel := context.WithCancel(context.Background())
		first := recordingNode("first", "second")
		first.Run = func(context.Context, *sharedState) error { cancel(); return nil }
		s := sharedState{}
		err := newGraph(first, recordingNode("second", "")).Run(ctx, &s)
		Expect(err).To(MatchError("first: context canceled"))
		Expect(s.Visited).To(BeEmpty())

		err = newGraph(recordingNode("first", "")).Run(ctx, &s)
		Expect(err).To(MatchError(context.Canceled))
		Expect(pathOf(err)).To(BeEmpty())
	})

	It("does not affect a run that has already reached its end", func() {
		ctx, cancel := context.WithCancel(context.Background())
		last := node{Name: "last", Run: func(context.Context, *sharedState) error { cancel(); return nil }}
		Expect(newGraph(last).Run(ctx, &sharedState{})).To(Succeed())
	})
})
