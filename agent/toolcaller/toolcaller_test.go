package toolcaller_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/llm"
	"evalctl/agent/toolcaller"
	"evalctl/agent/trace"
	"evalctl/mocks/model"
)

var _ = Describe("The tool-calling agent", func() {
	some := tools("refund", "card lost", "退款")

	play := func(answer model.Answer, change func(*toolcaller.Config)) (agent.Reply, []trace.Event) {
		GinkgoHelper()
		d := &desk{answer: answer}
		cfg := toolcaller.Config{Model: d.client(), Tools: some}
		if change != nil {
			change(&cfg)
		}
		r, events, err := respond(made(cfg), agent.Turn{Text: "where is my money"})
		Expect(err).NotTo(HaveOccurred())
		Expect(events[len(events)-1]).To(And(HaveField("Kind", trace.KindDone), HaveField("Text", r.Content)))
		return r, events
	}
	withNone := func(c *toolcaller.Config) { c.NoToolLabel = "other" }

	It("predicts the label of the called tool and returns its arguments as slots", func() {
		r, events := play(calls("refund", `{"order":"A7","items":[1, 2],"fast":true}`), nil)
		Expect([]string{r.Predicted, r.AnsweredBy, r.DecidedBy, r.ModelDecision.Label}).
			To(Equal([]string{"refund", "refund", "llm", "refund"}))
		Expect(r.ModelDecision.Confidence).To(BeNil(), "nobody says how sure it is")
		Expect(r.Slots).To(Equal(map[string]string{"order": "A7", "items": "[1,2]", "fast": "true"}))
		Expect(r.ToolCalls).To(Equal(
			[]agent.ToolCall{{Name: "refund", Input: `{"order":"A7","items":[1, 2],"fast":true}`}}))
		Expect(events).To(ContainElement(And(HaveField("Kind", trace.KindRoute), HaveField("To", "refund"))))
		Expect(events).To(ContainElement(And(HaveField("Kind", trace.KindFormCheck), HaveField("Reason", ""))))
	})

	It("gives a tool another name if its label is not a valid name, and records the name in the trace", func() {
		for _, label := range []string{"card lost", "退款"} {
			r, events := play(calls(toolcaller.ToolName(label), `{}`), nil)
			Expect(r.Predicted).To(Equal(label))
			Expect(events).To(ContainElement(And(HaveField("To", label),
				HaveField("Text", "the tool is called "+toolcaller.ToolName(label)))))
		}
	})

	It("predicts the label of the first tool call and records that further calls were ignored", func() {
		r, events := play(calls("refund", `{}`, "退款", `{}`, "refund", `{"a":"b"}`), nil)
		Expect(r.Predicted).To(Equal("refund"))
		Expect(r.ToolCalls).To(HaveLen(1))
		Expect(events).To(ContainElement(And(HaveField("Kind", trace.KindIgnoredInput),
			HaveField("Text", "called besides: 退款, refund"))))
	})

	DescribeTable("counts an answer without a valid tool call as a wrong decision, not as an error",
		func(answer model.Answer, change func(*toolcaller.Config)) {
			r, events := play(answer, change)
			Expect(r.Predicted).To(Equal("invalid"))
			Expect(r.AnsweredBy).To(BeEmpty())
			Expect(r.HasDecision()).To(BeTrue())
			Expect(events).To(ContainElement(And(HaveField("Kind", trace.KindRoute),
				HaveField("Reason", string(llm.KindUnknownLabel)))))
		},
		Entry("a call of a tool that was not offered", calls("launch", `{}`), withNone),
		Entry("a tool name in another letter case", calls("Refund", `{}`), withNone),
		Entry("a call with the label instead of the tool's name", calls("card lost", `{}`), nil),
		Entry("text without a tool call, if no no-tool label is configured",
			model.Answer{Content: "I would refund it."},
			nil),
	)

	DescribeTable("30.4: reports the argument confidence as its confidence, if it is a number from 0 to 1",
		func(arguments string, want *float64) {
			r, _ := play(calls("refund", arguments), nil)
			Expect(r.ModelDecision.Confidence).To(Equal(want))
			if want != nil {
				Expect(r.Confidence).To(Equal(*want))
			}
		},
		Entry(nil, `{"confidence":0.7}`, new(0.7)), Entry(nil, `{"confidence":0}`, new(0.0)),
		Entry(nil, `{"confidence":70}`, nil), Entry(nil, `{"confidence":"high"}`, nil), Entry(nil, `{}`, nil),
	)

	It("predicts the no-tool label if the answer is only text", func() {
		r, _ := play(model.Answer{Content: "Nothing fits."}, withNone)
		Expect([]string{r.Predicted, r.AnsweredBy, r.Content}).To(Equal([]string{"other", "other", "Nothing fits."}))
	})

	It("predicts a label for invalid answers that differs from all other labels", func() {
		r, _ := play(calls("?", "{}"),
			func(c *toolcaller.Config) { c.Tools, c.NoToolLabel = tools("invalid"), "(invalid)" })
		Expect(r.Predicted).To(Equal("((invalid))"))
	})

	DescribeTable("predicts the label of a tool call even if its arguments are invalid", func(arguments string) {
		r, events := play(calls("refund", arguments), nil)
		Expect(r.Predicted).To(Equal("refund"))
		Expect(r.Slots).To(BeNil())
		Expect(events).To(ContainElement(And(HaveField("Kind", trace.KindFormCheck),
			HaveField("Reason", string(llm.KindMalformedJSON)))))
	}, Entry(nil, `{"order":`), Entry(nil, `["a"]`), Entry(nil, `order 7`))

	DescribeTable("X2, X4: returns an error if the call of the model fails",
		func(faults, finish string, kind llm.ErrorKind) {
			d := &desk{answer: model.Answer{Content: "Nothing fits, I am", FinishReason: finish}, faults: faults}
			_, events, err := respond(made(toolcaller.Config{Model: d.client(), Tools: some, NoToolLabel: "other"}),
				agent.Turn{Text: "x"})
			Expect(llm.KindOf(err)).To(Equal(kind))
			Expect(events[len(events)-1].Kind).To(Equal(trace.KindDone))
		},
		Entry(nil, "router:auth", "", llm.KindAuth),
		Entry(nil, "router:timeout", "", llm.KindTimeout),
		Entry("an empty answer, which does not mean the no-tool label", "router:empty_content", "",
			llm.KindEmptyContent),
		Entry("an answer that is cut off by the token limit", "", "length", llm.KindTruncated),
	)

	It("sends the prompt, the images and the history; the history contains its earlier replies as tool calls", func() {
		d := &desk{answer: calls("refund", `{}`)}
		a := made(toolcaller.Config{Model: d.client(), Tools: some})
		_, _, err := respond(a, agent.Turn{Text: "and now?", History: []agent.Message{
			{Role: "user", Content: "hello"}, {Role: "assistant", Content: "Hello, what is it?"},
			{Role: "user", Content: "money back"}, {Role: "assistant", Content: `refund {"order":"A7"}`},
			{Role: "user", Content: "refund"}, {Role: "assistant", Content: "refund is done"},
		}})
		Expect(err).NotTo(HaveOccurred())
		var roles []string
		for _, m := range d.asked.Messages {
			roles = append(roles, m.Role)
		}
		Expect(roles).To(Equal([]string{"system", "user", "assistant", "user", "assistant", "tool", "user",
			"assistant", "user"}))
		Expect(d.asked.Text).To(Equal("and now?"))
		Expect(d.asked.Tools).To(Equal([]string{"refund", toolcaller.ToolName("card lost"), toolcaller.ToolName("退款")}))
	})

	DescribeTable("rejects an invalid configuration with a message that names the field",
		func(change func(*toolcaller.Config), message string) {
			cfg := toolcaller.Config{Model: (&desk{}).client(), Tools: some}
			change(&cfg)
			_, err := toolcaller.New(cfg)
			Expect(err).To(MatchError(ContainSubstring(message)))
		},
		Entry("a missing model", func(c *toolcaller.Config) { c.Model = nil }, "Config.Model: required"),
		Entry("an empty list of tools", func(c *toolcaller.Config) { c.Tools = nil },
			"Config.Tools: there is nothing to call"),
		Entry("two tools with the same label", func(c *toolcaller.Config) { c.Tools = tools("a", "a") },
			`Config.Tools: "a" and "a" would both be called a`),
		Entry("more tools than a request may contain",
			func(c *toolcaller.Config) { c.Tools = make([]toolcaller.Tool, 129) },
			"129 tools are more than 128"),
		Entry("an unknown tool choice", func(c *toolcaller.Config) { c.ToolChoice = "none" },
			`Config.ToolChoice: "none" is neither auto nor required`),
		Entry("parameters that are not a schema of an object", func(c *toolcaller.Config) {
			c.Tools = []toolcaller.Tool{{Label: "a", Parameters: []byte(`{"type":"string"}`)}}
		}, `"a": parameters: {"type":"string"} is not a JSON schema of an object`),
	)
})

var _ = DescribeTable("ToolName returns a name that model APIs accept", func(label, want string) {
	name := toolcaller.ToolName(label)
	Expect(name).To(HavePrefix(want))
	Expect(name).To(MatchRegexp(`^[a-zA-Z0-9_-]{1,64}$`))
	Expect(name == label).To(Equal(want == label))
},
	Entry("a valid label is its own name", "get_weather-2", "get_weather-2"),
	Entry("spaces are replaced", "card lost", "card_lost_"),
	Entry("dots are replaced", "a.b", "a_b_"),
	Entry("a label in another script becomes a hash", "退款", "tool_"),
	Entry("a label without valid characters becomes a hash", "____ !", "tool_"),
	Entry("a long label is shortened", strings.Repeat("a", 65), strings.Repeat("a", 55)+"_"),
)
