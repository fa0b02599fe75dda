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

// sent returns an outcome with a turn for each list of events.
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

	DescribeTable("S7: passes a turn whose events have the order of the pattern, contain no component twice and end with the answer",
		func(reason string, events ...trace.Event) {
			s := score(sent(events))
			Expect(s.Reason).To(Equal(reason))
			Expect(s.Verdict).To(Equal(eval.PassIf(reason == "")))
			Expect(s.Value == 1).To(Equal(reason == ""))
		},
		Entry("events in the correct order", "", plan, paint, canvas, panel, done),
		Entry("a node that runs twice in a loop", "", plan, paint, paint, canvas, panel, done),
		Entry("events that clients do not receive are ignored", "", plan,
			trace.Event{Kind: trace.KindSpan, Node: "planner"}, paint,
			trace.Event{Kind: trace.KindReview}, trace.Event{Kind: trace.KindCriticLoop}, canvas,
			trace.Event{Kind: trace.KindCacheHit}, panel, done),
		Entry("an error reply in the correct order", "", plan, failed, panel, done),
		Entry("a component twice: fail", "genui shows a component twice", plan, paint, canvas, canvas, done),
		Entry("a component twice with another in between: fail", "genui shows a component twice", plan, paint, canvas,
			panel, canvas, done),
		Entry("the same component in two runs of a node: fails only because of the order",
			"out of order: gen_ui_component:genui thought_log:executor gen_ui_component:genui", canvas,
			paint, canvas, done),
		Entry("the same component after a thought in two runs of a node: fails only because of the order",
			"out of order: thought_log:genui gen_ui_component:genui thought_log:executor thought_log:genui gen_ui_component:genui",
			thought("genui"), canvas, paint, thought("genui"), canvas, done),
		Entry("two components of the same kind with different data", "", plan, paint, canvas,
			component("genui", `{"a":2}`), done),
		Entry("a missing node: fail",
			"out of order: thought_log:planner gen_ui_component:genui gen_ui_component:genui", plan,
			canvas, panel, done),
		Entry("nodes in reverse order: fail",
			"out of order: thought_log:executor thought_log:planner gen_ui_component:genui gen_ui_component:genui",
			paint, plan, canvas, panel, done),
		Entry("an unknown node: fail",
			"out of order: thought_log:planner thought_log:who gen_ui_component:genui gen_ui_component:genui",
			plan, thought("who"), canvas, panel, done),
		Entry("only the first events: fail", "out of order: thought_log:planner", plan, done),
		Entry("a thought after the end: fail", "events follow the end", plan, paint, canvas, panel, done, paint),
		Entry("a call after the end: fail", "events follow the end", plan, paint, canvas, panel, done,
			trace.Event{Kind: trace.KindSpan}),
		Entry("two end events: fail", "events follow the end", plan, paint, canvas, panel, done, done),
		Entry("events without an end: fail", "no end", plan, paint, canvas, panel),
		Entry("no events: fail", "no end"),
		Entry("only an end event: fail", "out of order: ", done),
	)

	It("names the first incorrect turn, or else the last turn", func() {
		right, wrong := []trace.Event{plan, paint, canvas, panel, done}, []trace.Event{plan}
		Expect(score(sent(right, right)).Turn).To(Equal(2))
		Expect(score(sent(right, wrong, wrong)).Turn).To(Equal(2))
		Expect(score(sent(right, wrong, right)).Verdict).To(Equal(eval.Fail))
	})

	It("accepts a component that an earlier turn has sent", func() {
		right := []trace.Event{plan, paint, canvas, panel, done}
		Expect(score(sent(right, right)).Verdict).To(Equal(eval.Pass))
	})

	It("is unscored for an outcome without turns", func() {
		Expect(score(eval.Outcome{})).To(Equal(eval.Score{Name: "events.in_order", IsAttribute: true}))
	})
})

var _ = Describe("UIComponents", func() {
	const schema = `{"type":"object","properties":{"kind":{"enum":["canvas","panel"]},"n":{"type":"integer"}},
		"required":["kind"],"additionalProperties":false}`
	score := func(o eval.Outcome) eval.Score {
		GinkgoHelper()
		c, err := scorer.NewUIComponents([]byte(schema))
		Expect(err).NotTo(HaveOccurred())
		s, err := c.Score(context.Background(), eval.Case{}, o)
		Expect(err).NotTo(HaveOccurred())
		Expect(s.Name).To(Equal("genui.conform"))
		return s
	}
	good, bad := component("genui", `{"kind":"canvas","n":3}`), component("genui", `{"kind":"canvas","n":3.5}`)

	DescribeTable("S6: passes if every turn has a component and all components conform to the schema",
		func(verdict eval.Verdict, turn int, reason string, streams ...[]trace.Event) {
			s := score(sent(streams...))
			Expect(s.Verdict).To(Equal(verdict))
			Expect(s.Turn).To(Equal(turn))
			Expect(s.Reason).To(HavePrefix(reason))
		},
		Entry("one valid component", eval.Pass, 1, "", []trace.Event{thought("a"), good, done}),
		Entry("valid components in each turn", eval.Pass, 2, "", []trace.Event{good, good}, []trace.Event{good}),
		Entry("a turn without a component: fail", eval.Fail, 2, "no component", []trace.Event{good},
			[]trace.Event{thought("a"), done},
			[]trace.Event{bad}),
		Entry("a component that does not conform: fail", eval.Fail, 1, "component 2: ", []trace.Event{good, bad},
			[]trace.Event{good}),
		Entry("a component of an unknown kind: fail", eval.Fail, 1, "component 1: ",
			[]trace.Event{component("x", `{"kind":"button"}`)}),
		Entry("a component with an unknown field: fail", eval.Fail, 1, "component 1: ",
			[]trace.Event{component("x", `{"kind":"panel","x":1}`)}),
		Entry("the component null: fail", eval.Fail, 1, "component 1: ", []trace.Event{component("x", `null`)}),
		Entry("an empty component: fail", eval.Fail, 1, "component 1 is not JSON: ", []trace.Event{component("x", ``)}),
		Entry("a truncated component: fail", eval.Fail, 1, "component 1 is not JSON: ",
			[]trace.Event{component("x", `{"kind"`)}),
		Entry("no turn: unscored", eval.Unscored, 0, ""),
	)

	DescribeTable("cannot be created with an invalid schema", func(schema string) {
		_, err := scorer.NewUIComponents([]byte(schema))
		Expect(err).To(MatchError(HavePrefix("component schema: ")))
	}, Entry("a schema that is not JSON", `{`), Entry("a schema with an invalid type", `{"type":3}`),
		Entry("a schema with a reference that does not exist", `{"$ref":"#/$defs/x"}`))

	It("can score several trials concurrently", func() {
		c, err := scorer.NewUIComponents([]byte(schema))
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
