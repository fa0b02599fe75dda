package page_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/reports/page"
)

var _ = Describe("The answer of a model in a timeline", func() {
	eventsOf := func(verdict eval.Verdict, answer string) []page.Event {
		r := eval.Result{Suite: "s", Case: "c", Variant: "v", Epoch: 1,
			Scores: []eval.Score{{Name: "route", Verdict: verdict}}}
		r.Outcome.Turns = []eval.TurnResult{{Reply: agent.Reply{Content: "hello"}, Events: []trace.Event{
			{Kind: trace.KindRoute, Node: "router", Text: "chat", Data: trace.RawAnswerData(answer)},
			{Kind: trace.KindDone, Node: "chat", Text: "hello"}}}}
		return page.TrialOf(r, 0).Turns[0].Events
	}
	const raw = "{\n\"label\": \"chat\"}"

	It("follows the row of its decision, and is a minor event unless the trial is wrong", func() {
		for verdict, minor := range map[eval.Verdict]bool{eval.Fail: false, eval.Pass: true} {
			events := eventsOf(verdict, raw)
			Expect(events).To(HaveLen(3))
			Expect(events[1]).To(And(HaveField("Text", MatchRegexp(`^the model's answer: \{.?"label": "chat"\}$`)),
				HaveField("Node", "router"), HaveField("Minor", minor)))
		}
		Expect(eventsOf(eval.Fail, "")).To(HaveLen(2))
	})

	It("is cut after 2,000 characters, with the number of omitted ones", func() {
		Expect(eventsOf(eval.Fail, strings.Repeat("ä", 2100))[1].Text).
			To(Equal("the model's answer: " + strings.Repeat("ä", 2000) + " … (100 characters more)"))
	})
})
