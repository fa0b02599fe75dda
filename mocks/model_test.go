package mocks_test

import (
	"context"
	"encoding/json"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	openai "github.com/sashabaranov/go-openai"

	"evalctl/mocks"
	"evalctl/mocks/component"
	"evalctl/mocks/fault"
	"evalctl/mocks/model"
	"evalctl/mocks/wire"
)

// labelOf returns the label at the beginning of texts such as "web_search 17".
func labelOf(text string) (string, bool) {
	label, _, found := strings.Cut(text, " ")
	return label, found
}

func review(text string) openai.ChatCompletionRequest {
	r := askJSON("qwen-plus", text)
	r.Messages[0].Content = `JSON: {"passed":true,"score":0.9}`
	return r
}

var _ = Describe("a simulated router, over HTTP", func() {
	routes := []string{"image_gen", "web_search", "time_query", "chat"}

	It("uses the configured label field and returns valid JSON", func() {
		l := &model.SimulatedRouter{CorrectLabel: labelOf, Labels: routes, Accuracy: 1, LabelField: "intent"}
		s := newServer(mocks.Config{Model: l})
		res, err := newClient(s, wire.DashScope).CreateChatCompletion(context.Background(),
			askJSON("qwen-plus", "time_query 3"))
		Expect(err).NotTo(HaveOccurred())
		var v struct {
			Intent     string
			Confidence float64
			Reason     string
		}
		Expect(json.Unmarshal([]byte(res.Choices[0].Message.Content), &v)).To(Succeed())
		Expect(v.Intent).To(Equal("time_query"))
		Expect(v.Confidence).To(BeNumerically(">", 0.6))
		Expect(s.Log()[0].Role).To(Equal(component.Router))
	})

	It("answers requests of other components with text in the user's language", func() {
		l := &model.SimulatedRouter{CorrectLabel: labelOf, Labels: routes, Accuracy: 1}
		s := newServer(mocks.Config{Model: l})
		c := newClient(s, wire.DashScope)
		say := func(r openai.ChatCompletionRequest) string {
			GinkgoHelper()
			res, err := c.CreateChatCompletion(context.Background(), r)
			Expect(err).NotTo(HaveOccurred())
			return res.Choices[0].Message.Content
		}
		Expect(say(ask("qwen-plus", "红楼梦讲了什么"))).To(MatchRegexp(`\p{Han}`))
		Expect(say(ask("qwen-plus", "what is a monad"))).NotTo(MatchRegexp(`\p{Han}`))
		search := ask("qwen-plus", "今天的新闻")
		Expect(say(search)).NotTo(BeEmpty())
		improve := ask("qwen-plus", "一只猫")
		improve.Messages = append([]openai.ChatCompletionMessage{{Role: "system", Content: "优化用户的绘画提示词"}},
			improve.Messages...)
		Expect(say(improve)).To(HavePrefix("一只猫，"))
		look := ask("qwen-vl-plus", "")
		look.Messages[0].MultiContent = []openai.ChatMessagePart{
			{Type: "image_url", ImageURL: &openai.ChatMessageImageURL{URL: "data:image/png;base64,AAAA"}},
			{Type: "text", Text: "这是什么"},
		}
		Expect(say(look)).To(MatchRegexp(`\p{Han}`))
		Expect(s.Log()[4].Role).To(Equal(component.Vision))
	})
})

var _ = Describe("a simulated critic, over HTTP", func() {
	constant := func(q float64) func(model.Request, int) float64 {
		return func(model.Request, int) float64 { return q }
	}

	It("numbers its answers without counting calls that a fault left unanswered", func() {
		var asked []int
		j := &model.SimulatedCritic{Quality: func(_ model.Request,
			nth int) float64 {
			asked = append(asked, nth)
			return 0.5
		}}
		faults, err := fault.Parse("critic:overloaded@1+critic:reset@3+critic:wrong_schema@4", nil)
		Expect(err).NotTo(HaveOccurred())
		s := newServer(mocks.Config{Model: j, Faults: faults})
		c := newClient(s, wire.DashScope)
		for range 5 {
			_, _ = c.CreateChatCompletion(context.Background(), review("x")) // two of the five calls fail
		}
		Expect(asked).To(Equal([]int{1, 2, 3}))
	})

	DescribeTable("returns a verdict with feedback in the user's language",
		func(text string, quality float64, passed bool, language string) {
			s := newServer(mocks.Config{Model: &model.SimulatedCritic{Quality: constant(quality), Threshold: 0.5}})
			res, err := newClient(s, wire.DashScope).CreateChatCompletion(context.Background(), review(text))
			Expect(err).NotTo(HaveOccurred())
			var v struct {
				Passed      *bool
				Score       *float64
				Feedback    *string
				Suggestions *[]string
			}
			decode(res.Choices[0].Message.Content, &v)
			Expect(*v.Score).To(Equal(quality))
			Expect(*v.Passed).To(Equal(passed))
			Expect(*v.Feedback).To(MatchRegexp(language))
			Expect(v.Suggestions).NotTo(BeNil(), "a list, though it be empty")
			Expect(len(*v.Suggestions) == 0).To(Equal(passed))
			for _, suggestion := range *v.Suggestions {
				Expect(suggestion).To(MatchRegexp(language))
			}
			Expect(s.Log()[0].Role).To(Equal(component.Critic))
		},
		Entry(nil, "一只猫", 0.9, true, `^\p{Han}`),
		Entry(nil, "一只猫", 0.123, false, `^\p{Han}`),
		Entry(nil, "a cat", 0.9, true, `^[ -~]+$`),
		Entry(nil, "a cat", 0.5, false, `^[ -~]+$`),
	)
})
