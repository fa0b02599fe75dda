package suite_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/system"
	"evalctl/agent/trace"
	"evalctl/eval/suite"
)

// decider is a variant of a system in which a model decides in JSON.
type decider struct {
	system     string
	values     system.SettingValues
	key, label string // label field and label of a decision that only the model can make
	text       string
	rest       string // further fields of the answer
	threshold  bool   // a threshold uses the confidence of the answer
	documents  []agent.Document
}

func deciders() []decider {
	plan := `"subject":"cat","style":"","prompt":"a cat"`
	return []decider{
		{system: "toolrouter", values: system.SettingValues{"router": "llm"}, key: "route",
			label: "image_gen", text: "你好"},
		{system: "toolrouter", values: system.SettingValues{"router": "llm-first"}, key: "route", label: "image_gen",
			text: "你好", threshold: true},
		{system: "toolrouter", values: system.SettingValues{"router": "llm-first", "threshold": "0"}, key: "route",
			label: "image_gen", text: "你好"},
		{system: "companion", key: "intent", label: "KNOWLEDGE_QUERY", text: "那顿饭怎么样", threshold: true},
		{system: "studio", values: system.SettingValues{"profile": "v2"}, key: "action", label: "generate_image",
			text: "一只猫",
			rest: plan, threshold: true},
		{system: "studio", values: system.SettingValues{"profile": "v1"}, key: "action", label: "inpainting",
			text: "一只猫", rest: plan},
		{system: "newsroom", key: "next_agent", label: "brief_compiler_agent", text: "写一篇秋天露营的推文"},
		{system: "scholar", values: system.SettingValues{"decision-retries": "0"}, key: "intent",
			label:     "LITERATURE_QA",
			text:      "学习率是多少",
			documents: []agent.Document{{Name: "a.md", Content: "学习率是 0.1。"}}},
		{system: "prompt", key: "label", label: "card_lost", text: "where is it"},
		{system: "prompt", values: system.SettingValues{"threshold": "0.5"}, key: "label", label: "card_lost",
			text: "where is it", threshold: true},
	}
}

func (d decider) String() string { return fmt.Sprint(d.system, d.values) }

// answer returns the template with KEY, LABEL and REST replaced; REST starts with a comma.
func (d decider) answer(template string) string {
	rest := d.rest
	if rest != "" {
		rest = "," + rest
	}
	return strings.NewReplacer("KEY", d.key, "Key", strings.ToUpper(d.key[:1])+d.key[1:], "LABEL", d.label, "Label",
		swapCase(d.label), "REST", rest).Replace(template)
}

// swapCase returns the text with upper and lower case exchanged.
func swapCase(text string) string {
	if upper := strings.ToUpper(text); upper != text {
		return upper
	}
	return strings.ToLower(text)
}

// body is the answer of a fake model, as a chat completion.
type body string

func (b body) Do(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(string(b))),
		Header: http.Header{}}, nil
}

func says(content string) body {
	raw, err := json.Marshal(content)
	Expect(err).NotTo(HaveOccurred())
	return body(`{"choices":[{"message":{"role":"assistant","content":` + string(raw) + `},"finish_reason":"stop"}]}`)
}

// decide runs one turn of the system. Every model call returns this body.
func (d decider) decide(b body) (reply agent.Reply, events []trace.Event, err error) {
	GinkgoHelper()
	of, ok := suite.FindSystem(d.system)
	Expect(ok).To(BeTrue())
	link := func(string) system.Endpoint {
		return system.Endpoint{Model: "m", BaseURL: "http://model.test/v1", HTTP: b}
	}
	opened, bad := of.Open(system.Options{SettingValues: of.WithDefaults(d.values), EndpointOf: link,
		DecisionOnly: of.SupportsDecisionOnly,
		Labels:       []system.Label{{Name: "refund"}, {Name: "card_lost"}, {Name: "other"}}, OOSLabel: "other"})
	Expect(bad).NotTo(HaveOccurred(), d.String())
	one, bad := opened.NewAgent(1, link)
	Expect(bad).NotTo(HaveOccurred(), d.String())
	Expect(clock.RunSimulated(context.Background(), time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC),
		func(ctx context.Context) error {
			reply, err = one.Respond(ctx, agent.Turn{Text: d.text, Documents: d.documents},
				func(e trace.Event) { events = append(events, e) })
			return nil
		})).To(Succeed())
	Expect(agent.Close(one)).To(Succeed())
	return reply, events, err
}

// isAccepted reports whether the decision of the model was accepted.
func (d decider) isAccepted(r agent.Reply) bool {
	return r.DecidedBy == "llm" && r.Predicted == d.label
}

var _ = Describe("A model's decision in JSON", func() {
	DescribeTable("15.26: is parsed by every system in the same way, and the trace records each deviation from the exact format",
		func(template, event string) {
			for _, d := range deciders() {
				reply, events, err := d.decide(says(d.answer(template)))
				Expect(err).NotTo(HaveOccurred(), d.String())
				Expect(d.isAccepted(reply)).To(BeTrue(), "%s: %s by %s", d, reply.Predicted, reply.DecidedBy)
				var got []string
				for _, e := range events {
					if e.Kind == trace.KindNormalized && !slices.Contains(got, e.Reason) {
						got = append(got, e.Reason)
					}
				}
				Expect(strings.Join(got, " ")).To(Equal(event), d.String())
			}
		},
		Entry("the exact format: no deviation", `{"KEY":"LABEL","confidence":0.9,"reason":"r"REST}`, ""),
		Entry("no reason: no deviation", `{"KEY":"LABEL","confidence":0.9REST}`, ""),
		Entry("a reason that is not a text: no deviation", `{"KEY":"LABEL","confidence":0.9,"reason":["r"]REST}`, ""),
		Entry("a confidence in quotes", `{"KEY":"LABEL","confidence":"0.9"REST}`, "number"),
		Entry("a confidence in quotes with spaces", `{"KEY":"LABEL","confidence":" 0.9 "REST}`, "number"),
		Entry("a confidence as a percentage", `{"KEY":"LABEL","confidence":"90%"REST}`, "number"),
		Entry("a label in another letter case", `{"KEY":"Label","confidence":0.9REST}`, "label"),
		Entry("a label with spaces", `{"KEY":" LABEL ","confidence":0.9REST}`, "label"),
		Entry("a key in another letter case", `{"Key":"LABEL","Confidence":0.9REST}`, "key"),
		Entry("a key with spaces", `{" KEY ":"LABEL","confidence":0.9REST}`, "key"),
		Entry("a decision within another object", `{"result":{"KEY":"LABEL","confidence":0.9REST}}`, "wrapped"),
		Entry("a decision within a list", `[{"KEY":"LABEL","confidence":0.9REST}]`, "wrapped"),
		Entry("all of these deviations at once", `[{"Key":" Label","CONFIDENCE":"0.9"REST}]`,
			"wrapped key label number"),
		Entry("two decisions: the last one counts",
			`[{"KEY":"refund","confidence":0.9},{"KEY":"LABEL","confidence":0.9REST}]`, "wrapped several_objects"),
		Entry("a decision in a code fence", "```json\n{\"KEY\":\"LABEL\",\"confidence\":0.9REST}\n```", "code_fence"),
		Entry("text before and after the decision", `Sure: {"KEY":"LABEL","confidence":0.9REST} Anything else?`,
			"surrounding_text"),
		Entry("thoughts before the decision", `<think>{"KEY":"refund"}</think>{"KEY":"LABEL","confidence":0.9REST}`,
			"thoughts"),
		Entry("a trailing comma in the decision", `{"KEY":"LABEL","confidence":0.9REST,}`, "trailing_comma"),
		Entry("an answer that ends too early", `{"KEY":"LABEL","confidence":0.9REST,"reason":"beca`, "truncated_tail"),
		Entry("single quotes in place of double quotes", `{'KEY':'LABEL','confidence':0.9REST}`, "notation"),
	)

	DescribeTable("15.26: is rejected as invalid by every system", func(template string) {
		for _, d := range deciders() {
			reply, _, _ := d.decide(says(d.answer(template)))
			Expect(d.isAccepted(reply)).To(BeFalse(), d.String())
		}
	},
		Entry("a confidence above 1", `{"KEY":"LABEL","confidence":1.05REST}`),
		Entry("a confidence above 1 in quotes", `{"KEY":"LABEL","confidence":"1.05"REST}`),
		Entry("a negative confidence", `{"KEY":"LABEL","confidence":-0.1REST}`),
		Entry("the confidence NaN", `{"KEY":"LABEL","confidence":NaNREST}`),
		Entry("the confidence NaN in quotes", `{"KEY":"LABEL","confidence":"NaN"REST}`),
		Entry("a confidence in words", `{"KEY":"LABEL","confidence":"high"REST}`),
		Entry("an unknown label", `{"KEY":"no_such_value","confidence":0.9REST}`),
		Entry("a list of labels", `{"KEY":["LABEL"],"confidence":0.9REST}`),
		Entry("two keys for the label that differ only in letter case and spaces",
			`{"Key":"LABEL","KEY ":"other","confidence":0.9REST}`),
		Entry("no label", `{"confidence":0.9REST}`),
		Entry("a text without JSON", `I think it is clear.`),
	)

	It("15.26: must contain a confidence only if a threshold uses it", func() {
		for _, d := range deciders() {
			for _, template := range []string{`{"KEY":"LABEL"REST}`, `{"KEY":"LABEL","confidence":nullREST}`} {
				reply, _, _ := d.decide(says(d.answer(template)))
				Expect(d.isAccepted(reply)).To(Equal(!d.threshold), d.String())
				if !d.threshold {
					Expect(reply.ReportedConfidence()).To(BeNil(), "%s: nobody stated one", d)
				}
			}
		}
	})

	DescribeTable("15.25: counts as invalid, with a recorded reason, if a complete answer contains no decision",
		func(message, finish, reason string) {
			answer := body(`{"choices":[{"message":{"role":"assistant",` + message + `},"finish_reason":"` +
				finish + `"}]}`)
			calling := decider{system: "tool-calling", text: "where is it"}
			for _, d := range append(deciders(), calling) {
				reply, events, err := d.decide(answer)
				Expect(err).NotTo(HaveOccurred(), "%s: somebody decides, or the decision is wrong", d)
				Expect(reply.Predicted).NotTo(BeEmpty(), d.String())
				Expect(reply.Predicted).NotTo(Equal(d.label), d.String())
				Expect(reply.ModelDecision).To(BeNil(), d.String())
				Expect(reply.HasDecision()).To(BeTrue(), d.String())
				Expect(events).To(ContainElement(And(
					HaveField("Kind", BeElementOf(trace.KindFallback, trace.KindRoute, trace.KindNoDecision)),
					HaveField("Reason", reason))), d.String())
			}
		},
		Entry("a text in the field refusal", `"content":null,"refusal":"I cannot help with that."`,
			"stop", "model_refusal"),
		Entry("a text in the field refusal that mentions labels",
			`"content":"","refusal":"I will not generate_image or inpainting, 画一张"`,
			"stop", "model_refusal"),
		Entry("a content part of the type refusal", `"content":[{"type":"refusal","refusal":"no"}]`,
			"stop", "model_refusal"),
		Entry("the finish reason refusal", `"content":"no"`, "refusal", "model_refusal"),
		Entry("an answer with reasoning but without content", `"content":"","reasoning_content":"hm"`,
			"stop", "no_content"),
	)

	It("15.25: counts as invalid if the model calls an undeclared tool", func() {
		answer := body(`{"choices":[{"message":{"content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"decide","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`)
		for _, d := range append(deciders(), decider{system: "tool-calling", text: "where is it"}) {
			// newsroom declares tools, so it reports to the model that this one does not exist, and
			// calls the model again
			if d.system == "newsroom" {
				continue
			}
			reply, _, err := d.decide(answer)
			Expect(err).NotTo(HaveOccurred(), d.String())
			Expect(reply.Predicted).NotTo(BeElementOf("", d.label), d.String())
			Expect(reply.ModelDecision).To(BeNil(), d.String())
		}
	})

	It("15.25: is a provider error if the content filter or the token limit ended the answer", func() {
		for _, end := range []string{"content_filter", "length"} {
			answer := body(`{"choices":[{"message":{"content":"","refusal":null},"finish_reason":"` + end + `"}]}`)
			for _, d := range deciders() {
				reply, _, err := d.decide(answer)
				Expect(err == nil && reply.DecidedBy == "llm").To(BeFalse(), d.String())
			}
		}
	})

	It("15.26: counts as conforming in the metric form.conformity only if it has no deviations", func() {
		for _, d := range deciders() {
			for template, exact := range map[string]bool{`{"KEY":"LABEL","confidence":0.9REST}`: true,
				`{"KEY":"Label","confidence":0.9REST}`: false} {
				_, events, _ := d.decide(says(d.answer(template)))
				for _, e := range events {
					if e.Kind == trace.KindFormCheck {
						Expect(e.Reason == "").To(Equal(exact), "%s: %s", d, e.Reason)
					}
				}
			}
		}
	})
})
