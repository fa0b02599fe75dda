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
	It("30.6: identifies the cases that have another ID in another run", func() {
		before := map[string]eval.CaseHash{"csv-1": "a", "csv-2": "b", "csv-3": "c", "csv-4": "c", "x": "d", "old": ""}
		now := map[string]eval.CaseHash{"1": "a", "csv-2": "e", "3": "c", "4": "b", "x": "d", "y": "d", "new": ""}
		Expect(eval.RenamedCases(before, now)).To(Equal(map[string]string{"1": "csv-1"}))
	})

	long := strings.Repeat("x", eval.MaxTextChars)
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

	DescribeTable("15.15: reports which parts of a case changed between two versions",
		func(change func(*eval.Case), want eval.CaseChange) {
			c := talk()
			change(&c)
			Expect(hash(talk()).Diff(hash(c))).To(Equal(want))
		},
		Entry("no part, if the case is the same", func(*eval.Case) {}, eval.CaseChange{}),
		Entry("no part, if only the ID, the tags, the split and the position change",
			func(c *eval.Case) { c.ID, c.Tags, c.Split, c.Pos = "b", []string{"t"}, "dev", "f:2" }, eval.CaseChange{}),
		Entry("no part, if only the JSON notation of a label changes", func(c *eval.Case) {
			c.Turns[0].Expected = json.RawMessage(`{ "slots": {"subject": "cat"}, "route": ["chat", "none"]}`)
		}, eval.CaseChange{}),
		Entry("the text, if a message changes beyond the characters that a result contains",
			func(c *eval.Case) { c.Turns[0].Text = long + " other" },
			eval.CaseChange{Text: true}),
		Entry("the text, if the messages of a batch change",
			func(c *eval.Case) { c.Turns[1].Batch = []string{"seco", "nd"} },
			eval.CaseChange{Text: true}),
		Entry("the input, if the conversation history changes",
			func(c *eval.Case) { c.Turns[0].History[0].Content = "ho" }, eval.CaseChange{Input: true}),
		Entry("the input, if an option is removed", func(c *eval.Case) { c.Turns[0].Options = nil },
			eval.CaseChange{Input: true}),
		Entry("the input, if the time of the case changes", func(c *eval.Case) { c.Now = time.Unix(1, 0) },
			eval.CaseChange{Input: true}),
		Entry("the labels, if the label of the first turn changes", func(c *eval.Case) {
			c.Turns[0].Expected = json.RawMessage(`{"route":["time","none"],"slots":{"subject":"cat"}}`)
		}, eval.CaseChange{Labels: true}),
		Entry("the labels, if an accepted alternative changes", func(c *eval.Case) {
			c.Turns[0].Expected = json.RawMessage(`{"route":["chat","web"],"slots":{"subject":"cat"}}`)
		}, eval.CaseChange{Labels: true}),
		Entry("the labels, if an expected slot value changes", func(c *eval.Case) {
			c.Turns[0].Expected = json.RawMessage(`{"route":["chat","none"],"slots":{"subject":"dog"}}`)
		}, eval.CaseChange{Labels: true}),
		Entry("all parts, if a turn is added",
			func(c *eval.Case) { c.Turns = append(c.Turns, eval.LabeledTurn{Turn: agent.Turn{Text: "third"}}) },
			eval.CaseChange{Text: true, Input: true, Labels: true}),
	)

	It("15.15: differs between a plain message and a batch of one message", func() {
		of := func(t agent.Turn) eval.CaseHash { return hash(eval.Case{Turns: []eval.LabeledTurn{{Turn: t}}}) }
		Expect(of(agent.Turn{Text: "a"}).Diff(of(agent.Turn{Batch: []string{"a"}}))).
			To(Equal(eval.CaseChange{Text: true}))
	})

	It("15.15: reports no change if a hash is unknown, and recognizes malformed hashes", func() {
		Expect(hash(talk()).Diff("").IsChanged()).To(BeFalse())
		for _, bad := range []eval.CaseHash{"x", "aaaaaaaa", "aaaaaaaa.bbbbbbbb.ccccccccc",
			"AAAAAAAA.bbbbbbbb.cccccccc"} {
			Expect(bad.IsValid()).To(BeFalse(), string(bad))
		}
	})
})
