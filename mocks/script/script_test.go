package script_test

import (
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/mocks/component"
	"evalctl/mocks/model"
	"evalctl/mocks/script"
)

const rules = `
components:
  - match: {system: 审稿}
    component: critic
rules:
  - match: {component: router, text: 画, nth: 2}
    answer: {json: {route: chat, confidence: 0.5, tags: [a, 1, null, true, 1.5], nested: {z: 1, a: 2}}}
  - match: {component: router, regex: "^画.+猫$"}
    answer: {json: {route: image_gen, confidence: 0.95}}
  - match: {model: qwen-max}
    answer:
      error: {status: 429, retry_after: 2s}
  - match: {component: critic}
    answer: {content: 不合格, finish_reason: length, usage: {prompt_tokens: 7, completion_tokens: 3}}
  - match: {text: 天气}
    answer: {tool_calls: [{name: weather, arguments: {city: 上海}}]}
default: {content: 好的}
`

func parse(text string) (*script.Script, error) {
	return script.Parse("s.yaml", strings.NewReader(text), nil)
}

var _ = Describe("a scripted model", func() {
	load := func() *script.Script {
		GinkgoHelper()
		s, err := parse(rules)
		Expect(err).NotTo(HaveOccurred())
		return s
	}

	It("answers by the first rule that matches, or else by the default", func() {
		s := load()
		answer := func(part, text string, nth int) string {
			return s.Answer(model.Request{ComponentName: part, Model: "qwen-plus", Text: text, CallNumber: nth}).Content
		}
		Expect(answer("router", "画一只猫", 1)).To(Equal(`{"route":"image_gen","confidence":0.95}`))
		Expect(answer("router", "画一只猫", 2)).
			To(Equal(`{"route":"chat","confidence":0.5,"tags":["a",1,null,true,1.5],"nested":{"z":1,"a":2}}`))
		Expect(answer("router", "画一只狗", 3)).To(Equal("好的"))
		Expect(answer("chat", "画一只猫", 1)).To(Equal("好的"))
	})

	It("determines the component of a request by the system message", func() {
		s := load()
		Expect(s.Classify(model.Request{Messages: []model.Message{{Role: "system", Text: "你是审稿人"}}})).
			To(Equal("critic"))
		Expect(s.Classify(model.Request{Messages: []model.Message{{Role: "user", Text: "你是审稿人"}}})).To(BeEmpty())
	})

	It("answers with errors, tool calls and usage", func() {
		s := load()
		Expect(s.Answer(model.Request{Model: "qwen-max"}).ErrorResponse).
			To(Equal(&model.ErrorResponse{Status: 429, RetryAfter: 2 * time.Second}))
		Expect(s.Answer(model.Request{Text: "上海天气"}).ToolCalls).
			To(Equal([]model.ToolCall{{Name: "weather", Arguments: `{"city":"上海"}`}}))
		critic := s.Answer(model.Request{ComponentName: "critic"})
		Expect(critic.FinishReason).To(Equal("length"))
		Expect(critic.Usage).To(Equal(&model.Usage{PromptTokens: 7, CompletionTokens: 3}))
	})

	It("returns an error if no rule matches and there is no default", func() {
		s, err := parse("rules:\n  - match: {text: a}\n    answer: {content: A}\n")
		Expect(err).NotTo(HaveOccurred())
		Expect(s.Answer(model.Request{ComponentName: "chat", Text: "a"}).Content).To(Equal("A"))
		Expect(s.Answer(model.Request{ComponentName: "chat", Text: "b", CallNumber: 3}).ErrorResponse.Message).To(
			Equal(`no rule of the script matches call 3 of chat: "b"`))
	})

	It("can refer to the components of its agent by name", func() {
		parts := component.Components{"pick": component.Router, "talk": component.Chat, "draw": component.Image}
		text := "components:\n  - match: {system: 挑}\n    component: pick\nrules:\n  - match: {component: pick}\n    answer: {content: P}\ndefault: {content: D}\n"
		s, err := script.Parse("s.yaml", strings.NewReader(text), parts)
		Expect(err).NotTo(HaveOccurred())
		Expect(s.Validate()).To(Succeed())
		Expect(s.Classify(model.Request{Messages: []model.Message{{Role: "system", Text: "挑一个"}}})).To(Equal("pick"))
		Expect(s.Answer(model.Request{ComponentName: "pick", Role: component.Router}).Content).To(Equal("P"))
		Expect(s.Answer(model.Request{ComponentName: "talk", Role: component.Chat}).Content).To(Equal("D"))
		for _, other := range []string{"router", "draw"} {
			_, err = script.Parse("s.yaml",
				strings.NewReader(strings.ReplaceAll(text, "component: pick}", "component: "+other+"}")), parts)
			Expect(err).To(MatchError(`s.yaml:5: component "` + other +
				`" has no chat model: known are pick, talk`))
		}
	})

	DescribeTable("is rejected if its file is invalid, with file name and line",
		func(text string, parts ...string) {
			_, err := parse(text)
			for _, p := range parts {
				Expect(err).To(MatchError(ContainSubstring(p)))
			}
		},
		Entry("an unknown key", "default: {content: x}\nrules:\n  - match: {txt: a}\n    answer: {content: b}\n",
			"s.yaml:3:", "txt"),
		Entry("a value of the wrong type", "rules:\n  - match: {nth: two}\n    answer: {content: b}\n", "s.yaml:2:"),
		Entry("invalid YAML", "rules:\n  - match: {\n", "s.yaml:"),
		Entry("a duplicate key", "default: {content: x}\ndefault: {content: y}\n", "s.yaml:2:"),
		Entry("an empty file", "", "s.yaml:1:", "neither rules nor a default"),
		Entry("an invalid regular expression",
			"default: {content: x}\nrules:\n  - match:\n      regex: '('\n    answer: {content: b}\n",
			"s.yaml:4:", "missing closing"),
		Entry("two errors, both reported",
			"rules:\n  - match: {component: rooter}\n    answer: {content: b}\n  - match: {nth: -1}\n    answer: {}\n",
			"s.yaml:2:", "rooter", "s.yaml:4:", "nth -1", "needs content"),
		Entry("a component without a chat model", "rules:\n  - match: {component: image}\n    answer: {content: b}\n",
			"router, chat, structured, vision, critic, grader, search"),
		Entry("an answer with both content and json", "default: {content: x, json: {a: 1}}",
			"one of content, json and error"),
		Entry("an error with status 200", "default: {error: {status: 200}}", "200"),
		Entry("an invalid delay", "default: {content: x, delay: soon}", "soon"),
	)
})
