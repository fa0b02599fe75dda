package classifier_test

import (
	"os"
	"path/filepath"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/classifier"
	"evalctl/agent/llm"
	"evalctl/agent/system"
	"evalctl/agent/trace"
)

var _ = Describe("The classifier", func() {
	some := labels("refund", "card lost", "退款", "5", "other")

	label := func(answer string, change func(*classifier.Config)) (agent.Reply, []trace.Event) {
		GinkgoHelper()
		d := &mockModel{answer: answer}
		cfg := classifier.Config{Model: d.client(), Labels: some}
		change(&cfg)
		r, events, err := reply(cfg, agent.Turn{Text: "where is my money"})
		Expect(err).NotTo(HaveOccurred())
		return r, events
	}
	asIs := func(*classifier.Config) {}
	plain := func(c *classifier.Config) { c.PlainTextAnswer = true }

	DescribeTable("X3: reads the label and the confidence from a JSON answer",
		func(answer, want string, confidence float64) {
			r, events := label(answer, asIs)
			Expect(r.Predicted).To(Equal(want))
			Expect(r.AnsweredBy).To(Equal(want))
			Expect(r.Content).To(Equal(want))
			Expect(r.DecidedBy).To(Equal("llm"))
			Expect(r.Confidence).To(Equal(confidence))
			Expect(r.ModelDecision.Label).To(Equal(want))
			Expect(r.ModelDecision.Confidence != nil).To(Equal(confidence > 0), "a confidence that is not said is none")
			Expect(events).To(ContainElement(And(HaveField("Kind", trace.KindRoute), HaveField("To", want))))
			Expect(events[len(events)-1]).To(And(HaveField("Kind", trace.KindDone), HaveField("Text", want)))
		},
		Entry("with an exact label, a confidence and a reason", `{"label":"refund","confidence":0.9,"reason":"money"}`,
			"refund", 0.9),
		Entry("with a Chinese label", `{"label":"退款","confidence":1}`, "退款", 1.0),
		Entry("without a confidence", `{"label":"refund"}`, "refund", 0.0),
		Entry("with a label in other letter case and with extra spaces", `{"label":" Card  Lost ","confidence":0.5}`,
			"card lost", 0.5),
		Entry("with a label in full-width letters", `{"label":"ｒｅｆｕｎｄ"}`, "refund", 0.0),
		Entry("with a label that is a JSON number", `{"label":5,"confidence":0.4}`, "5", 0.4),
		Entry("inside prose and a code fence", "Sure.\n```json\n{\"label\":\"refund\",\"confidence\":0.7}\n```",
			"refund", 0.7),
		Entry("with a confidence of null", `{"label":"refund","confidence":null}`, "refund", 0.0),
		Entry("with a reason of the wrong type", `{"label":"refund","confidence":0.7,"reason":["a"]}`, "refund", 0.7),
	)

	DescribeTable("X4, X10, X12: returns the out-of-scope label if the confidence is below the threshold",
		func(answer string, threshold float64, want string) {
			r, events := label(answer, func(c *classifier.Config) { c.OOSLabel, c.Threshold = "other", threshold })
			Expect([]string{r.Predicted, r.AnsweredBy, r.Content}).To(Equal([]string{want, want, want}))
			Expect([]string{r.ModelDecision.Label, r.ModelDecision.DecisionIfRejected}).
				To(Equal([]string{"refund", "other"}),
					"what the model said is kept")
			fallback := ContainElement(
				Equal(trace.Event{Kind: trace.KindFallback, Node: classifier.Node, From: "refund", To: "other",
					Reason: trace.ReasonLowConfidence}))
			if want == "refund" {
				fallback = Not(ContainElement(HaveField("Kind", trace.KindFallback)))
			}
			Expect(events).To(fallback)
			Expect(events).To(ContainElement(And(HaveField("Kind", trace.KindRoute), HaveField("To", want))))
		},
		Entry("not for a confidence above the threshold", `{"label":"refund","confidence":0.71}`, 0.7, "refund"),
		Entry("not for a confidence equal to the threshold", `{"label":"refund","confidence":0.7}`, 0.7, "refund"),
		Entry("for a confidence below the threshold", `{"label":"refund","confidence":0.69}`, 0.7, "other"),
		Entry("not without a threshold", `{"label":"refund"}`, 0.0, "refund"),
	)

	It("does not fall back if an answer below the threshold has the out-of-scope label itself", func() {
		r, events := label(`{"label":"refund","confidence":0.1}`, func(c *classifier.Config) {
			c.OOSLabel, c.Threshold = "refund", 0.7
		})
		Expect(r.Predicted).To(Equal("refund"))
		Expect(events).NotTo(ContainElement(HaveField("Kind", trace.KindFallback)))
		Expect(events).To(ContainElement(And(HaveField("Kind", trace.KindRoute),
			HaveField("Reason", trace.ReasonLowConfidence))))
	})

	It("leaves DecisionIfRejected empty without an out-of-scope label, and for plain labels, which have no confidence",
		func() {
			r, _ := label(`{"label":"refund","confidence":0.1}`, asIs)
			Expect(r.ModelDecision.DecisionIfRejected).To(BeEmpty())
			r, _ = label("refund", func(c *classifier.Config) { c.PlainTextAnswer, c.OOSLabel = true, "other" })
			Expect(r.ModelDecision.DecisionIfRejected).To(BeEmpty())
		})

	DescribeTable("X3: counts an answer without a valid label as a wrong decision, not as an error",
		func(answer string, change func(*classifier.Config)) {
			r, _ := label(answer, change)
			Expect(r.Predicted).To(Equal("invalid"))
			Expect(r.AnsweredBy).To(BeEmpty())
			Expect(r.Content).To(Equal(answer))
			Expect(r.HasDecision()).To(BeTrue())
		},
		Entry("for an unknown label", `{"label":"weather"}`, asIs),
		Entry("for a missing label field", `{"intent":"refund"}`, asIs),
		Entry("for a list instead of a label", `{"label":["refund"]}`, asIs),
		Entry("for a label of null", `{"label":null}`, asIs),
		Entry("for text instead of JSON", "refund", asIs),
		Entry("for a sentence instead of a plain label", "It is refund, I think", plain),
		Entry("for two plain labels", "refund, other", plain),
		Entry("for an answer with only reasoning", "<think>hm", asIs),
		Entry("for an answer with only reasoning instead of a plain label", "<think>card lost?</think>", plain),
		Entry("for a confidence above 1", `{"label":"refund","confidence":95}`, asIs),
		Entry("for a confidence in words", `{"label":"refund","confidence":"high"}`, asIs),
		Entry("for a confidence too large for a number", `{"label":"refund","confidence":1e999}`, asIs),
		Entry("for a missing confidence if there is a threshold", `{"label":"refund"}`,
			func(c *classifier.Config) { c.OOSLabel, c.Threshold = "other", 0.01 }),
	)

	DescribeTable("finds a plain label inside what models add around it",
		func(answer, want string) {
			r, _ := label(answer, plain)
			Expect(r.Predicted).To(Equal(want))
		},
		Entry(nil, "refund", "refund"), Entry(nil, " refund\n", "refund"), Entry(nil, `"refund"`, "refund"),
		Entry(nil, "**refund**", "refund"),
		Entry(nil, "Label: refund.", "refund"), Entry(nil, "退款。", "退款"),
		Entry(nil, "<think>hm, other?</think>\nrefund", "refund"),
		Entry(nil, "<think>a</think>other<think>no</think>refund", "refund"), Entry(nil, "Card lost", "card lost"),
	)

	It("reads the label from the configured JSON field", func() {
		r, _ := label(`{"intent":"refund","label":"other"}`, func(c *classifier.Config) { c.LabelField = "intent" })
		Expect(r.Predicted).To(Equal("refund"))
	})

	It("uses a name for invalid answers that differs from all labels", func() {
		r, _ := label("?", func(c *classifier.Config) { c.Labels = labels("valid", "invalid") })
		Expect(r.Predicted).To(Equal("(invalid)"))
	})

	It("accepts only an exact match if labels differ only in case", func() {
		two := func(c *classifier.Config) { c.Labels = labels("Refund", "REFUND", "other") }
		r, _ := label(`{"label":"refund"}`, two)
		Expect(r.Predicted).To(Equal("invalid"))
		r, _ = label(`{"label":"REFUND"}`, two)
		Expect(r.Predicted).To(Equal("REFUND"))
	})

	DescribeTable("X2, X4: returns the error of a failed model call", func(faults string, kind llm.ErrorKind) {
		d := &mockModel{answer: `{"label":"refund","reason":"r"}`, faults: faults}
		_, events, err := reply(classifier.Config{Model: d.client(), Labels: some}, agent.Turn{Text: "x"})
		Expect(llm.KindOf(err)).To(Equal(kind))
		Expect(events[len(events)-1].Kind).To(Equal(trace.KindDone))
	},
		Entry(nil, "router:auth", llm.KindAuth),
		Entry(nil, "router:timeout", llm.KindTimeout),
		Entry("also for an empty answer", "router:empty_content", llm.KindEmptyContent),
	)

	DescribeTable("15.14: accepts a truncated answer only if its label is complete",
		func(answer string, predicted string) {
			d := &mockModel{answer: answer, finish: "length"}
			r, _, err := reply(classifier.Config{Model: d.client(), Labels: some}, agent.Turn{Text: "x"})
			Expect(r.Predicted).To(Equal(predicted))
			if predicted == "" {
				Expect(llm.KindOf(err)).To(Equal(llm.KindTruncated))
			} else {
				Expect(err).NotTo(HaveOccurred())
			}
		},
		Entry("if it ends after the label", `{"label":"refund"`, "refund"),
		Entry("if it ends in a later field", `{"label":"refund","reason":"be`, "refund"),
		Entry("not if it ends before the label", `{"la`, ""),
		Entry("not if it ends within the label", `{"label":"refun`, ""),
		Entry("not if it ends before the label's closing quote", `{"label":"refund`, ""),
	)

	DescribeTable("15.14: counts an answer with damaged JSON as invalid", func(answer string) {
		d := &mockModel{answer: answer}
		r, _, err := reply(classifier.Config{Model: d.client(), Labels: some}, agent.Turn{Text: "x"})
		Expect(err).NotTo(HaveOccurred())
		Expect(r.Predicted).To(Equal("invalid"))
	},
		Entry("if the opening brace is missing", `"label":"refund","reason":"r"`),
		Entry("if the quotes are doubled", "Here is the JSON:\n"+`""label"":""refund"",""rea`),
		Entry("if there are no quotes", "```json\nlabel: refund, rea"),
		Entry("if it ends within the label", `{"label":"refu`),
		Entry("if it ends within a label without quotes", `label: refu`),
	)

	DescribeTable("returns an error for a plain label that is empty, or truncated and possibly the beginning of another label",
		func(answer, finish, faults string, kind llm.ErrorKind) {
			d := &mockModel{answer: answer, finish: finish, faults: faults}
			r, _, err := reply(classifier.Config{Model: d.client(), Labels: labels("card", "card lost"),
				PlainTextAnswer: true},
				agent.Turn{Text: "x"})
			Expect(llm.KindOf(err)).To(Equal(kind))
			Expect(r.Predicted).To(BeEmpty())
		},
		Entry(nil, "card", "length", "", llm.KindTruncated), Entry(nil, "card lo", "length", "", llm.KindTruncated),
		Entry(nil, "card", "", "router:empty_content", llm.KindEmptyContent),
	)

	DescribeTable("scores a truncated plain answer that cannot be the beginning of another label",
		func(answer, predicted string) {
			d := &mockModel{answer: answer, finish: "length"}
			r, _, err := reply(classifier.Config{Model: d.client(), Labels: labels("card", "card lost"),
				PlainTextAnswer: true},
				agent.Turn{Text: "x"})
			Expect(err).NotTo(HaveOccurred())
			Expect(r.Predicted).To(Equal(predicted))
		},
		Entry("as correct if the label is complete", "card lost", "card lost"),
		Entry("as invalid if it is prose", "It is about a card", "invalid"),
	)

	DescribeTable("X4: records the model's answer in the trace if there is no decision",
		func(answer, kept, reason string, plain bool) {
			d := &mockModel{answer: answer, finish: "length"}
			_, events, err := reply(classifier.Config{Model: d.client(), Labels: some, PlainTextAnswer: plain},
				agent.Turn{Text: "x"})
			Expect(err).To(HaveOccurred())
			i := slices.IndexFunc(events, func(e trace.Event) bool { return e.Kind == trace.KindNoDecision })
			Expect(events[i].RawAnswer()).To(Equal(kept))
			Expect(events[i].Reason).To(Equal(reason))
		},
		Entry("for truncated JSON", `{"label":`, `{"label":`, "truncated", false),
		Entry("for a truncated plain label", "refun", "refun", "truncated", true),
	)

	DescribeTable("records the model's answer in the trace with the decision, and the reason if it is invalid",
		func(answer, reason string) {
			d := &mockModel{answer: answer}
			_, events, err := reply(classifier.Config{Model: d.client(), Labels: some}, agent.Turn{Text: "x"})
			Expect(err).NotTo(HaveOccurred())
			i := slices.IndexFunc(events, func(e trace.Event) bool { return e.Kind == trace.KindRoute })
			Expect(events[i].RawAnswer()).To(Equal(answer))
			Expect(events[i].Reason).To(Equal(reason))
		},
		Entry(nil, `{"label":"refund"}`, "llm"), Entry(nil, `{"label":"weather"}`, "unknown_label"),
		Entry(nil, `{"intent":"refund"}`, "wrong_schema"), Entry(nil, "refund", "malformed_json"),
	)

	DescribeTable("is not created with an invalid configuration, and the error names the field",
		func(change func(*classifier.Config), want string) {
			cfg := classifier.Config{Model: (&mockModel{}).client(), Labels: some}
			change(&cfg)
			_, err := classifier.New(cfg)
			Expect(err).To(MatchError(ContainSubstring(want)))
		},
		Entry(nil, func(c *classifier.Config) { c.Model = nil }, "classifier.Config.Model: required"),
		Entry(nil, func(c *classifier.Config) { c.Labels = labels("one") },
			"classifier.Config.Labels: 1 are nothing to choose from"),
		Entry(nil, func(c *classifier.Config) { c.Threshold = 0.5 },
			"classifier.Config.Threshold: no label is out of scope"),
		Entry(nil, func(c *classifier.Config) { c.Threshold, c.OOSLabel, c.PlainTextAnswer = 0.5, "other", true },
			"classifier.Config.Threshold: a plain label has no confidence"),
		Entry(nil, func(c *classifier.Config) { c.Threshold, c.OOSLabel = 1.5, "other" },
			"classifier.Config.Threshold: 1.5 is not in 0..1"),
		Entry(nil, func(c *classifier.Config) { c.OOSLabel = "none" },
			`classifier.Config.OOSLabel: "none" is not one of the labels`),
	)
})

var _ = Describe("X7: a prompt", func() {
	ask := func(text string, change func(*classifier.Config)) *mockModel {
		GinkgoHelper()
		p, err := classifier.ParseTemplate("p.md", []byte(text))
		Expect(err).NotTo(HaveOccurred())
		d := &mockModel{answer: `{"label":"a"}`}
		cfg := classifier.Config{Model: d.client(), Prompt: p,
			Labels: []system.Label{{Name: "a", Description: "the first"}, {Name: "b"}}}
		change(&cfg)
		_, _, err = reply(cfg, agent.Turn{Text: "{{labels}} hello",
			History: []agent.Message{{Role: "user", Content: "one\ntwo"}, {Role: "assistant", Content: "b"}}})
		Expect(err).NotTo(HaveOccurred())
		return d
	}
	asIs := func(*classifier.Config) {}

	It("becomes the system message if it lacks {{text}}, and the text becomes the user message", func() {
		d := ask("Choose, as json:\n{{labels}}\n{{ history }}", asIs)
		Expect(d.request.Messages).To(HaveLen(2))
		Expect(d.request.Messages[0].Role).To(Equal("system"))
		Expect(d.request.Messages[0].Text).
			To(Equal("Choose, as json:\n- a: the first\n- b\nuser: one two\nassistant: b"))
		Expect(d.request.Messages[1].Text).To(Equal("{{labels}} hello"), "nothing in a message is a template")
		Expect(d.request.RequiresJSON).To(BeTrue())
	})

	It("becomes the user message if it contains {{text}}", func() {
		d := ask("json: {{text}} of {{labels}}", asIs)
		Expect(d.request.Messages).To(HaveLen(1))
		Expect(d.request.Messages[0].Role).To(Equal("user"))
		Expect(d.request.Messages[0].Text).To(Equal("json: {{labels}} hello of - a: the first\n- b"))
	})

	It("contains the few-shot examples if it has {{examples}}", func() {
		pool := []system.LabeledExample{{Text: "x\ny", Label: "a"}}
		d := ask("{{if .examples}}E:\n{{examples}}{{end}} json",
			func(c *classifier.Config) { c.Examples = fixedExamples(pool) })
		Expect(d.request.Messages[0].Text).To(Equal("E:\n- x y => a json"))
		Expect(ask("{{if .examples}}E{{end}}json", asIs).request.Messages[0].Text).To(Equal("json"))
	})

	DescribeTable("counts as containing the text only if filling it inserts the text",
		func(text string, messages int) {
			Expect(ask(text, asIs).request.Messages).To(HaveLen(messages))
		},
		Entry("not for a word that looks like the placeholder", "json, see notes.text: {{labels}}", 2),
		Entry("not for a condition on the text", "json {{if .text}}x{{end}} {{labels}}", 2),
		Entry("not for the placeholder in a comment", "json {{/* .text */}} {{labels}}", 2),
		Entry("also for the placeholder in another notation", `json {{index . "text"}}`, 1),
	)

	DescribeTable("is rejected with file and line if it is invalid", func(text, want string) {
		_, err := classifier.ParseTemplate("p.md", []byte(text))
		Expect(err).To(MatchError(ContainSubstring(want)))
	},
		Entry("for an unknown placeholder", "a\n{{label}}",
			`p.md:2: function "label" not defined (a prompt has places for {{labels}}, {{examples}}, {{history}} and {{text}})`),
		Entry("for an unknown field of the template", "{{.colour}}", "colour"),
		Entry("for an empty file", " ", "load prompt p.md: empty"),
	)

	It("ships with the package for JSON answers and for plain labels", func() {
		files, err := filepath.Glob("prompts/*.md")
		Expect(err).NotTo(HaveOccurred())
		Expect(files).To(HaveLen(3))
		for _, f := range files {
			raw, err := os.ReadFile(f)
			Expect(err).NotTo(HaveOccurred())
			_, err = classifier.ParseTemplate(f, raw)
			Expect(err).NotTo(HaveOccurred())
		}
	})
})

// fixedExamples is an ExampleSelector that always returns these examples.
type fixedExamples []system.LabeledExample

func (p fixedExamples) Select(string) []system.LabeledExample { return p }

var _ = Describe("Few-shot examples", func() {
	pool := []system.LabeledExample{{Text: "我的退款呢", Label: "退款"}, {Text: "退款多久到账", Label: "退款"},
		{Text: "卡丢了", Label: "卡"},
		{Text: "卡被偷了怎么办", Label: "卡"}, {Text: "tell me a joke", Label: "other"}, {Text: "讲个笑话", Label: "other"}}
	open := func(k, by, seed string, list []system.LabeledExample) func(text string) []string {
		GinkgoHelper()
		d := &mockModel{answer: `{"label":"退款"}`}
		of := classifier.System()
		o, err := of.Open(system.Options{SettingValues: of.WithDefaults(map[string]string{"examples": k,
			"example-selection": by, "examples-seed": seed}), EndpointOf: d.link,
			Labels: labels("退款", "卡", "other"), Examples: func(yield func(system.LabeledExample, error) bool) {
				for _, e := range list {
					if !yield(e, nil) {
						return
					}
				}
			}})
		Expect(err).NotTo(HaveOccurred())
		return func(text string) []string {
			GinkgoHelper()
			return shown(o, d, text)
		}
	}

	It("selected by label contain one example of each label in turn, the same for every text and every order of the dataset",
		func() {
			pick := open("3", "label", "1", pool)
			first := pick("随便")
			Expect(first).To(HaveLen(3))
			var of []string
			for _, line := range first {
				of = append(of, line[len(line)-3:])
			}
			Expect(slices.Compact(slices.Sorted(slices.Values(of)))).To(HaveLen(3))
			Expect(pick("别的")).To(Equal(first))
			turned := slices.Clone(pool)
			slices.Reverse(turned)
			Expect(open("3", "label", "1", turned)("随便")).To(Equal(first))
			Expect(open("6", "label", "1", pool)("随便")).To(HaveLen(6))
			Expect(open("9", "label", "1", pool)("随便")).To(HaveLen(6), "there are no more")
		})

	It("selected by label depend on the configured seed", func() {
		var sets []string
		for _, seed := range []string{"1", "2", "3", "4", "5"} {
			sets = append(sets, open("3", "label", seed, pool)("x")[0])
		}
		slices.Sort(sets)
		Expect(len(slices.Compact(sets))).To(BeNumerically(">", 1))
	})

	It("selected by similarity share the most characters with the text, and the most similar one comes last", func() {
		Expect(open("2", "nearest", "1", pool)("退款什么时候到账")).
			To(HaveExactElements(HaveSuffix("=> 退款"), Equal("- 退款多久到账 => 退款")))
		Expect(open("1", "nearest", "1", pool)("Tell me another joke")).To(Equal([]string{"- tell me a joke => other"}))
	})

	It("never include the text itself, which would reveal its label", func() {
		for _, by := range []string{"label", "nearest"} {
			for _, text := range []string{"卡丢了", " 卡 丢了！", "卡丢了?"} {
				Expect(open("6", by, "1", pool)(text)).
					To(And(HaveLen(5), Not(ContainElement(HavePrefix("- 卡丢了")))), text)
			}
		}
	})

	It("never include two examples with the same text", func() {
		twice := append(slices.Clone(pool), system.LabeledExample{Text: "卡 丢了。", Label: "other"},
			system.LabeledExample{Text: "卡丢了", Label: "退款"})
		for _, by := range []string{"label", "nearest"} {
			Expect(open("9", by, "1", twice)("x")).To(HaveLen(6))
			Expect(open("5", by, "1", twice)("卡丢了")).To(HaveLen(5))
		}
	})

	It("change the version of the variant, and an error is returned if the dataset has none", func() {
		of := classifier.System()
		version := func(text string) string {
			o, err := of.Open(system.Options{SettingValues: of.WithDefaults(map[string]string{"examples": "1"}),
				EndpointOf: (&mockModel{}).link, Labels: labels("a", "b"),
				Examples: func(yield func(system.LabeledExample, error) bool) {
					yield(system.LabeledExample{Text: text, Label: "a"},
						nil)
				}})
			Expect(err).NotTo(HaveOccurred())
			return o.Version
		}
		Expect(version("x")).To(Equal(version("x")))
		Expect(version("x")).NotTo(Equal(version("y")))
		_, err := of.Open(system.Options{SettingValues: of.WithDefaults(map[string]string{"examples": "1"}),
			Labels: labels("a", "b")})
		Expect(err).To(MatchError(`examples: the dataset has no case in its train split: give lines "split":"train"`))
	})
})

var _ = Describe("The threshold setting", func() {
	open := func(settings map[string]string, oosLabel string) (system.LoadedVariant, *mockModel, error) {
		of, d := classifier.System(), &mockModel{answer: `{"label":"a","confidence":0.5}`}
		o, err := of.Open(system.Options{SettingValues: of.WithDefaults(settings), EndpointOf: d.link,
			Labels:   labels("a", "b"),
			OOSLabel: oosLabel})
		return o, d, err
	}

	It("requires an out-of-scope label", func() {
		_, _, err := open(map[string]string{"threshold": "0.6"}, "")
		Expect(err).To(MatchError(
			"threshold: no label is out of scope, so there is none to give instead: say which with --oos-label LABEL"))
		_, _, err = open(map[string]string{"threshold": "0.6"}, "b")
		Expect(err).NotTo(HaveOccurred())
	})

	It("has no effect, even on the version, if answers are plain labels", func() {
		plain := map[string]string{"answer-format": "plain"}
		without, _, err := open(plain, "b")
		Expect(err).NotTo(HaveOccurred())
		plain["threshold"] = "0.6"
		with, _, err := open(plain, "b")
		Expect(err).NotTo(HaveOccurred())
		Expect(with.Version).To(Equal(without.Version))
	})
})
