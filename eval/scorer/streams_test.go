package scorer_test

import (
	"context"
	"encoding/json"
	"regexp"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/eval/scorer"
)

// sent is an outcome with a turn for each stream of events.
func sent(streams ...[]trace.Event) (o eval.Outcome) {
	for _, events := range streams {
		o.Turns = append(o.Turns, eval.TurnResult{Events: events})
	}
	return o
}

func thought(node string) trace.Event { return trace.Event{Kind: trace.KindThoughtLog, Node: node} }

func component(node, data string) trace.Event {
	return trace.Event{Kind: trace.KindGenUIComponent, Node: node, Data: json.RawMessage(data)}
}

var (
	done   = trace.Event{Kind: trace.KindDone, Text: "好了"}
	failed = trace.Event{Kind: trace.KindError, Node: "executor", Data: json.RawMessage(`{}`)}
)

var _ = Describe("EventOrder", func() {
	order := scorer.EventOrder{Pattern: regexp.MustCompile(
		`^(?:thought_log:planner (?:thought_log:executor )+(?:gen_ui_component:genui ){2}|` +
			`thought_log:planner error:executor gen_ui_component:genui )$`)}
	score := func(o eval.Outcome) eval.Score {
		GinkgoHelper()
		s, err := order.Score(context.Background(), eval.Case{}, o)
		Expect(err).NotTo(HaveOccurred())
		Expect(s.Name).To(Equal("events.in_order"))
		Expect(s.IsAttribute).To(BeTrue())
		return s
	}
	plan, paint, canvas, panel := thought("planner"), thought("executor"), component("genui", `{"a":1}`),
		component("genui", `{"b":1}`)

	DescribeTable("S7: requires the events in the order of the nodes, each component once per visit, and the answer at the end",
		func(reason string, events ...trace.Event) {
			s := score(sent(events))
			Expect(s.Reason).To(Equal(reason))
			Expect(s.Verdict).To(Equal(eval.PassIf(reason == "")))
			Expect(s.Value == 1).To(Equal(reason == ""))
		},
		Entry("a correct stream", "", plan, paint, canvas, panel, done),
		Entry("a loop", "", plan, paint, paint, canvas, panel, done),
		Entry("an event in between that users do not receive", "", plan,
			trace.Event{Kind: trace.KindSpan, Node: "planner"}, paint,
			trace.Event{Kind: trace.KindReview}, trace.Event{Kind: trace.KindLoop}, canvas,
			trace.Event{Kind: trace.KindCacheHit}, panel, done),
		Entry("an error reply", "", plan, failed, panel, done),
		Entry("a component twice", "genui shows a component twice", plan, paint, canvas, canvas, done),
		Entry("a component twice, with others between", "genui shows a component twice", plan, paint, canvas,
			panel, canvas, done),
		Entry("a component in each of two visits",
			"out of order: gen_ui_component:genui thought_log:executor gen_ui_component:genui", canvas,
			paint, canvas, done),
		Entry("a component after a thought in each of two visits",
			"out of order: thought_log:genui gen_ui_component:genui thought_log:executor thought_log:genui gen_ui_component:genui",
			thought("genui"), canvas, paint, thought("genui"), canvas, done),
		Entry("two components of one kind", "", plan, paint, canvas, component("genui", `{"a":2}`), done),
		Entry("a node that is missing",
			"out of order: thought_log:planner gen_ui_component:genui gen_ui_component:genui", plan,
			canvas, panel, done),
		Entry("nodes in reverse order",
			"out of order: thought_log:executor thought_log:planner gen_ui_component:genui gen_ui_component:genui",
			paint, plan, canvas, panel, done),
		Entry("an unknown node",
			"out of order: thought_log:planner thought_log:who gen_ui_component:genui gen_ui_component:genui",
			plan, thought("who"), canvas, panel, done),
		Entry("half of a stream", "out of order: thought_log:planner", plan, done),
		Entry("a thought after the end", "events follow the end", plan, paint, canvas, panel, done, paint),
		Entry("a call after the end", "events follow the end", plan, paint, canvas, panel, done,
			trace.Event{Kind: trace.KindSpan}),
		Entry("two ends", "events follow the end", plan, paint, canvas, panel, done, done),
		Entry("a visit without an end event", "no end", plan, paint, canvas, panel),
		Entry("no events", "no end"),
		Entry("only an end", "out of order: ", done),
	)

	It("names the first turn that is out of order, else the last", func() {
		right, wrong := []trace.Event{plan, paint, canvas, panel, done}, []trace.Event{plan}
		Expect(score(sent(right, right)).Turn).To(Equal(2))
		Expect(score(sent(right, wrong, wrong)).Turn).To(Equal(2))
		Expect(score(sent(right, wrong, right)).Verdict).To(Equal(eval.Fail))
	})

	It("permits a component that an earlier turn showed", func() {
		right := []trace.Event{plan, paint, canvas, panel, done}
		Expect(score(sent(right, right)).Verdict).To(Equal(eval.Pass))
	})

	It("leaves an outcome without turns unscored", func() {
		Expect(score(eval.Outcome{})).To(Equal(eval.Score{Name: "events.in_order", IsAttribute: true}))
	})
})

var _ = Describe("UIComponents", func() {
	const schema = `{"type":"object","properties":{"kind":{"enum":["canvas","panel"]},"n":{"type":"integer"}},
		"required":["kind"],"additionalProperties":false}`
	score := func(o eval.Outcome) eval.Score {
		GinkgoHelper()
		c, err := scorer.NewComponents([]byte(schema))
		Expect(err).NotTo(HaveOccurred())
		s, err := c.Score(context.Background(), eval.Case{}, o)
		Expect(err).NotTo(HaveOccurred())
		Expect(s.Name).To(Equal("genui.conform"))
		return s
	}
	good, bad := component("genui", `{"kind":"canvas","n":3}`), component("genui", `{"kind":"canvas","n":3.5}`)

	DescribeTable("S6: requires components in every turn, each valid against the schema",
		func(verdict eval.Verdict, turn int, reason string, streams ...[]trace.Event) {
			s := score(sent(streams...))
			Expect(s.Verdict).To(Equal(verdict))
			Expect(s.Turn).To(Equal(turn))
			Expect(s.Reason).To(HavePrefix(reason))
		},
		Entry("one", eval.Pass, 1, "", []trace.Event{thought("a"), good, done}),
		Entry("some in each turn", eval.Pass, 2, "", []trace.Event{good, good}, []trace.Event{good}),
		Entry("none in a turn", eval.Fail, 2, "no component", []trace.Event{good}, []trace.Event{thought("a"), done},
			[]trace.Event{bad}),
		Entry("one that does not conform", eval.Fail, 1, "component 2: ", []trace.Event{good, bad},
			[]trace.Event{good}),
		Entry("one of an unknown kind", eval.Fail, 1, "component 1: ",
			[]trace.Event{component("x", `{"kind":"button"}`)}),
		Entry("one with an extra field", eval.Fail, 1, "component 1: ",
			[]trace.Event{component("x", `{"kind":"panel","x":1}`)}),
		Entry("null", eval.Fail, 1, "component 1: ", []trace.Event{component("x", `null`)}),
		Entry("an empty one", eval.Fail, 1, "component 1 is not JSON: ", []trace.Event{component("x", ``)}),
		Entry("a truncated one", eval.Fail, 1, "component 1 is not JSON: ", []trace.Event{component("x", `{"kind"`)}),
		Entry("no turn", eval.Unscored, 0, ""),
	)

	DescribeTable("rejects an invalid schema", func(schema string) {
		_, err := scorer.NewComponents([]byte(schema))
		Expect(err).To(MatchError(HavePrefix("component schema: ")))
	}, Entry("not JSON", `{`), Entry("invalid type", `{"type":3}`),
		Entry("unresolvable reference", `{"$ref":"#/$defs/x"}`))

	It("scores trials concurrently", func() {
		c, err := scorer.NewComponents([]byte(schema))
		Expect(err).NotTo(HaveOccurred())
		verdicts := make(chan eval.Verdict)
		for range 16 {
			go func() {
				s, _ := c.Score(context.Background(), eval.Case{}, sent([]trace.Event{good, bad}))
				verdicts <- s.Verdict
			}()
		}
		for range 16 {
			Expect(<-verdicts).To(Equal(eval.Fail))
		}
	})
})
