package eval_test

import (
	"encoding/json"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/eval"
)

var _ = Describe("CaseHash", func() {
	long := strings.Repeat("x", eval.MaxText)
	talk := func() eval.Case {
		return eval.Case{ID: "a", Now: time.Unix(0, 0), Turns: []eval.LabeledTurn{
			{Turn: agent.Turn{Text: long + " first", History: []agent.Message{{Role: "user", Content: "hi"}},
				Options: map[string]json.RawMessage{"gate": json.RawMessage("true")}},
				Expected: json.RawMessage(`{"route":["chat","none"],"slots":{"subject":"cat"}}`)},
			{Turn: agent.Turn{Text: "second", Batch: []string{"sec", "ond"}},
				Expected: json.RawMessage(`{"route":"time"}`)},
		}}
	}
	hash := func(c eval.Case) eval.CaseHash {
		GinkgoHelper()
		h, err := eval.NewCaseHash(c)
		Expect(err).NotTo(HaveOccurred())
		Expect(h.IsValid()).To(BeTrue(), string(h))
		return h
	}

	DescribeTable("15.15: reports what changed",
		func(change func(*eval.Case), want eval.CaseChange) {
			c := talk()
			change(&c)
			Expect(hash(talk()).Change(hash(c))).To(Equal(want))
		},
		Entry("nothing", func(*eval.Case) {}, eval.CaseChange{}),
		Entry("ID, tags, split and position",
			func(c *eval.Case) { c.ID, c.Tags, c.Split, c.Pos = "b", []string{"t"}, "dev", "f:2" }, eval.CaseChange{}),
		Entry("the notation of a label", func(c *eval.Case) {
			c.Turns[0].Expected = json.RawMessage(`{ "slots": {"subject": "cat"}, "route": ["chat", "none"]}`)
		}, eval.CaseChange{}),
		Entry("a text after the part that a row contains", func(c *eval.Case) { c.Turns[0].Text = long + " other" },
			eval.CaseChange{Text: true}),
		Entry("the messages of a batch", func(c *eval.Case) { c.Turns[1].Batch = []string{"seco", "nd"} },
			eval.CaseChange{Text: true}),
		Entry("the history", func(c *eval.Case) { c.Turns[0].History[0].Content = "ho" }, eval.CaseChange{Input: true}),
		Entry("an option", func(c *eval.Case) { c.Turns[0].Options = nil }, eval.CaseChange{Input: true}),
		Entry("the time", func(c *eval.Case) { c.Now = time.Unix(1, 0) }, eval.CaseChange{Input: true}),
		Entry("the label of the first turn", func(c *eval.Case) {
			c.Turns[0].Expected = json.RawMessage(`{"route":["time","none"],"slots":{"subject":"cat"}}`)
		}, eval.CaseChange{Labels: true}),
		Entry("an accepted alternative", func(c *eval.Case) {
			c.Turns[0].Expected = json.RawMessage(`{"route":["chat","web"],"slots":{"subject":"cat"}}`)
		}, eval.CaseChange{Labels: true}),
		Entry("another expectation", func(c *eval.Case) {
			c.Turns[0].Expected = json.RawMessage(`{"route":["chat","none"],"slots":{"subject":"dog"}}`)
		}, eval.CaseChange{Labels: true}),
		Entry("an additional turn",
			func(c *eval.Case) { c.Turns = append(c.Turns, eval.LabeledTurn{Turn: agent.Turn{Text: "third"}}) },
			eval.CaseChange{Text: true, Input: true, Labels: true}),
	)

	It("15.15: distinguishes a text from a batch of one message", func() {
		of := func(t agent.Turn) eval.CaseHash { return hash(eval.Case{Turns: []eval.LabeledTurn{{Turn: t}}}) }
		Expect(of(agent.Turn{Text: "a"}).Change(of(agent.Turn{Batch: []string{"a"}}))).
			To(Equal(eval.CaseChange{Text: true}))
	})

	It("15.15: reports no change for an unknown hash, and rejects malformed hashes", func() {
		Expect(hash(talk()).Change("").Any()).To(BeFalse())
		for _, bad := range []eval.CaseHash{"x", "aaaaaaaa", "aaaaaaaa.bbbbbbbb.ccccccccc",
			"AAAAAAAA.bbbbbbbb.cccccccc"} {
			Expect(bad.IsValid()).To(BeFalse(), string(bad))
		}
	})
})
