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
		s := sheet{}
		Expect(made(sign("planner", "rag"), sign("executor", graph.End), sign("rag", "executor")).Run(ctx, &s)).
			To(Succeed())
		Expect(s.Visited).To(Equal([]string{"planner", "rag", "executor"}))
	})

	It("ends after a node without a Next function", func() {
		s := sheet{}
		last := sign("last", "")
		last.Next = nil
		Expect(made(last).Run(ctx, &s)).To(Succeed())
		Expect(s.Visited).To(Equal([]string{"last"}))
	})

	It("S5: can visit nodes in a loop, depending on the state, which is separate for each run", func() {
		critic := sign("critic", "")
		critic.Next = func(s *sheet) string {
			if s.Score++; s.Score < 3 {
				return "executor"
			}
			return graph.End
		}
		g := made(sign("executor", "critic"), critic)
		for range 2 {
			s := sheet{}
			Expect(g.Run(ctx, &s)).To(Succeed())
			Expect(s.Visited).To(Equal([]string{"executor", "critic", "executor", "critic", "executor", "critic"}))
		}
	})

	DescribeTable("is not created with an invalid configuration, and the error names the field",
		func(want string, cfg graph.Config[sheet]) {
			_, err := graph.New(cfg)
			Expect(err).To(MatchError(want))
		},
		Entry("if it has no nodes", `graph.Config.Start: no node ""`, graph.Config[sheet]{}),
		Entry("if its start node is unknown", `graph.Config.Start: no node "b"`,
			graph.Config[sheet]{Start: "b", Nodes: []node{sign("a", "")}}),
		Entry("if a node has no name", `graph.Config.Nodes[1].Name: empty`,
			graph.Config[sheet]{Start: "a", Nodes: []node{sign("a", ""), sign("", "")}}),
		Entry("if two nodes have the same name", `graph.Config.Nodes[1].Name: "a" is there twice`,
			graph.Config[sheet]{Start: "a", Nodes: []node{sign("a", ""), sign("a", "")}}),
		Entry("if a node has no Run function", `graph.Config.Nodes[0].Run: node "a" has none`,
			graph.Config[sheet]{Start: "a", Nodes: []node{{Name: "a"}}}),
		Entry("if a timeout is negative", `graph.Config.Nodes[0].Timeout: -1s of node "a" is negative`,
			graph.Config[sheet]{Start: "a", Nodes: []node{slow("a", 0, -time.Second)}}),
		Entry("if the limit on visits is negative", `graph.Config.MaxSteps: -1 is negative`,
			graph.Config[sheet]{Start: "a", Nodes: []node{sign("a", "")}, MaxSteps: -1}),
	)
})

var _ = Describe("The error of a run", func() {
	ctx := context.Background()

	It("contains the path of visited nodes", func() {
		err := made(sign("planner", "rag"), sign("rag", "executor"), failing("executor", errBroken)).Run(ctx, &sheet{})
		Expect(err).To(MatchError("planner → rag → executor: broken"))
		Expect(err).To(MatchError(errBroken))
		Expect(pathOf(err)).To(Equal([]string{"planner", "rag", "executor"}))
	})

	It("is returned if the next node is unknown", func() {
		err := made(sign("planner", "nowhere")).Run(ctx, &sheet{})
		Expect(err).To(MatchError(`planner: no node "nowhere"`))
		Expect(pathOf(err)).To(Equal([]string{"planner"}))
	})

	DescribeTable("X6: is returned if a function of a node panics",
		func(panics func(n *node)) {
			n := sign("executor", "")
			panics(&n)
			err := made(sign("planner", "executor"), n).Run(ctx, &sheet{})
			Expect(err).To(MatchError("planner → executor: panic in executor: broken"))
			Expect(err).To(MatchError(errBroken))
		},
		Entry("the Run function", func(n *node) { n.Run = func(context.Context, *sheet) error { panic(errBroken) } }),
		Entry("the Next function", func(n *node) { n.Next = func(*sheet) string { panic(errBroken) } }),
		Entry("the OnError function", func(n *node) {
			n.Run = func(context.Context, *sheet) error { return errors.New("before") }
			n.OnError = func(*sheet, error) (string, bool) { panic(errBroken) }
		}),
	)

	DescribeTable("is returned if the run reaches its limit on visits",
		func(maxSteps, visits int) {
			s := sheet{}
			err := configured(graph.Config[sheet]{Nodes: []node{sign("round", "round")}, MaxSteps: maxSteps}).
				Run(ctx, &s)
			Expect(err).To(MatchError(graph.ErrSteps))
			Expect(pathOf(err)).To(HaveLen(visits))
			Expect(s.Visited).To(HaveLen(visits))
		},
		Entry("of 100 by default", 0, graph.DefaultMaxSteps),
		Entry("of three", 3, 3),
		Entry("of many more than the graph has nodes", 1000, 1000),
	)

	It("is not returned if the last permitted visit ends the run", func() {
		g := configured(graph.Config[sheet]{Nodes: []node{sign("a", "b"), sign("b", "")}, MaxSteps: 2})
		Expect(g.Run(ctx, &sheet{})).To(Succeed())
	})
})

var _ = Describe("The OnError function of a node", func() {
	var asked []error
	BeforeEach(func() { asked = nil })

	It("handles an error and selects the next node", func() {
		s := sheet{}
		g := made(rescued(failing("planner", errBroken), "handler", &asked), sign("handler", ""))
		Expect(g.Run(context.Background(), &s)).To(Succeed())
		Expect(asked).To(HaveExactElements(MatchError(errBroken)))
		Expect(s.Visited).To(Equal([]string{"handler"}))
	})

	It("can end the run, and causes an error if it selects an unknown node", func() {
		Expect(made(rescued(failing("a", errBroken), graph.End, &asked)).Run(context.Background(), &sheet{})).
			To(Succeed())
		err := made(rescued(failing("a", errBroken), "nowhere", &asked)).Run(context.Background(), &sheet{})
		Expect(err).To(MatchError(`a: no node "nowhere"`))
	})

	It("can reject the error, which then ends the run", func() {
		n := failing("a", errBroken)
		n.OnError = func(*sheet, error) (string, bool) { return "a", false }
		Expect(made(n).Run(context.Background(), &sheet{})).To(MatchError(errBroken))
	})

	It("X6: handles a panic", func() {
		n := node{Name: "a", Run: func(context.Context, *sheet) error { panic("boom") }}
		Expect(made(rescued(n, "b", &asked), sign("b", "")).Run(context.Background(), &sheet{})).To(Succeed())
		Expect(asked).To(HaveExactElements(And(BeAssignableToTypeOf(&clock.PanicError{}),
			MatchError("panic in a: boom"))))
	})

	It("S9: handles the timeout of its node when it expires", func() {
		g := made(rescued(slow("critic", time.Hour, 8*time.Second), "b", &asked), sign("b", ""))
		duration, err := play(func(ctx context.Context) error { return g.Run(ctx, &sheet{}) })
		Expect(err).NotTo(HaveOccurred())
		Expect(duration).To(Equal(8 * time.Second))
		Expect(asked).To(HaveExactElements(MatchError("timeout after 8s: context deadline exceeded")))
		Expect(asked[0]).To(MatchError(context.DeadlineExceeded))
	})

	DescribeTable("is not called if the caller's context has ended",
		func(want error, leave func(ctx context.Context) (context.Context, func())) {
			g := made(rescued(slow("critic", time.Hour, 8*time.Second), "b", &asked), sign("b", ""))
			duration, err := play(func(ctx context.Context) error {
				ctx, cancel := leave(ctx)
				defer cancel()
				return g.Run(ctx, &sheet{})
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
		n.Run = func(ctx context.Context, s *sheet) error {
			_ = sleep(ctx, s)
			return errBroken
		}
		_, err := play(func(ctx context.Context) error { return made(n).Run(ctx, &sheet{}) })
		Expect(err).To(MatchError("planner: timeout after 10s: broken"))
		Expect(err).To(And(MatchError(context.DeadlineExceeded), MatchError(errBroken)))
	})

	It("applies to each visit separately", func() {
		n := slow("a", 6*time.Second, 10*time.Second)
		n.Next = func(s *sheet) string {
			if s.Score++; s.Score < 3 {
				return "a"
			}
			return graph.End
		}
		duration, err := play(func(ctx context.Context) error { return made(n).Run(ctx, &sheet{}) })
		Expect(err).NotTo(HaveOccurred())
		Expect(duration).To(Equal(18 * time.Second))
	})

	It("does not change an error that occurs before", func() {
		n := failing("a", errBroken)
		n.Timeout = time.Second
		Expect(made(n).Run(context.Background(), &sheet{})).To(MatchError("a: broken"))
	})
})

var _ = Describe("A context that has ended", func() {
	It("X6: stops the run before the next node", func() {
		ctx, cancel := context.WithCancel(context.Background())
		first := sign("first", "second")
		first.Run = func(context.Context, *sheet) error { cancel(); return nil }
		s := sheet{}
		err := made(first, sign("second", "")).Run(ctx, &s)
		Expect(err).To(MatchError("first: context canceled"))
		Expect(s.Visited).To(BeEmpty())

		err = made(sign("first", "")).Run(ctx, &s)
		Expect(err).To(MatchError(context.Canceled))
		Expect(pathOf(err)).To(BeEmpty())
	})

	It("does not affect a run that has already reached its end", func() {
		ctx, cancel := context.WithCancel(context.Background())
		last := node{Name: "last", Run: func(context.Context, *sheet) error { cancel(); return nil }}
		Expect(made(last).Run(ctx, &sheet{})).To(Succeed())
	})
})
