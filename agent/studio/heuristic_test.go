package studio_test

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/studio"
	"evalctl/agent/trace"
)

var _ = Describe("S5: the heuristic critic of v1", func() {
	const plan = `{"action":"generate_image","subject":%q,"style":%q,"prompt":%q,"parameters":%s}`
	none := finding()
	one := finding(cyberpunk)

	DescribeTable("is the mean of completeness, consistency and sanity",
		func(subject, style, prompt, parameters string, library shelf, want float64) {
			s := newStage(studio.V1, fmt.Sprintf(plan, subject, style, prompt, parameters))
			s.search = library
			s.runText(wish)
			Expect(reviews(s)[0].Score).To(BeNumerically("~", want, 1e-9))
			Expect(reviews(s)[0].Passed).To(Equal(want >= 0.6))
		},
		Entry("all given and valid", "cat", "cyberpunk", "a Cyberpunk CAT",
			`{"style_strength":60,"resolution":"800x600"}`, one, 1.0),
		Entry("no style", "cat", "", "a cat", `{}`, one, 2.5/3),
		Entry("a subject missing in the prompt", "dog", "cyberpunk", "a cyberpunk cat", `{}`, one, 2.5/3),
		Entry("a Chinese subject and style with an English prompt", "猫", "夜景", "a cat at night", `{}`, none, 2.0/3),
		Entry("an English subject with a Chinese prompt", "cat", "", "夜里的猫", `{}`, none, 2.5/3),
		Entry("a Chinese subject missing in a Chinese prompt", "狗", "", "夜里的猫", `{}`, none, 2.0/3),
		Entry("a Russian subject with an English prompt", "кот", "", "a cat at night", `{}`, none, 2.5/3),
		Entry("a Japanese subject with an English prompt", "ねこ", "", "a cat at night", `{}`, none, 2.5/3),
		Entry("a Russian subject missing in a Russian prompt", "собака", "", "кот ночью", `{}`, none, 2.0/3),
		Entry("a list of subjects, all in the prompt", "cat、moon", "cyberpunk", "a cyberpunk CAT under the moon",
			`{}`, one, 1.0),
		Entry("a list of subjects, one missing in the prompt", "cat, dog", "cyberpunk", "a cyberpunk cat",
			`{}`, one, 2.5/3),
		Entry("only a separator", "、", "cyberpunk", "a cyberpunk cat", `{}`, one, 2.5/3),
		Entry("neither subject nor style", "", "", "something", `{}`, one, 2.0/3),
		Entry("a style that is not found", "cat", "cyberpunk", "a cyberpunk cat", `{}`, none, 2.0/3),
		Entry("a style neither found nor in the prompt", "cat", "baroque", "a cat", `{}`, none, 1.5/3),
		Entry("a strength above 100", "cat", "cyberpunk", "a cyberpunk cat", `{"style_strength":101}`, one, 2.0/3),
		Entry("a negative strength", "cat", "cyberpunk", "a cyberpunk cat", `{"style_strength":-1}`, one, 2.0/3),
		Entry("a strength at the limit", "cat", "cyberpunk", "a cyberpunk cat", `{"style_strength":100}`, one, 1.0),
		Entry("a strength as digits in a string", "cat", "cyberpunk", "a cyberpunk cat", `{"style_strength":"60"}`,
			one, 1.0),
		Entry("a strength in percent", "cat", "cyberpunk", "a cyberpunk cat", `{"style_strength":"70 ％"}`, one, 1.0),
		Entry("more than 100 percent", "cat", "cyberpunk", "a cyberpunk cat", `{"style_strength":"170%"}`, one, 2.0/3),
		Entry("a size in pixels", "cat", "cyberpunk", "a cyberpunk cat", `{"resolution":"1024x768 px"}`, one, 1.0),
		Entry("sides in pixels", "cat", "cyberpunk", "a cyberpunk cat", `{"resolution":"1024像素×768像素"}`, one, 1.0),
		Entry("a list of sides", "cat", "cyberpunk", "a cyberpunk cat", `{"resolution":[1024,768]}`, one, 1.0),
		Entry("sides by name", "cat", "cyberpunk", "a cyberpunk cat", `{"resolution":{"width":1024,"height":"768px"}}`,
			one, 1.0),
		Entry("only one side", "cat", "cyberpunk", "a cyberpunk cat", `{"resolution":{"width":1024}}`, one, 2.0/3),
		Entry("a side that is too small", "cat", "cyberpunk", "a cyberpunk cat", `{"resolution":[32,600]}`, one, 2.0/3),
		Entry("a strength in words", "cat", "cyberpunk", "a cyberpunk cat", `{"style_strength":"strong"}`, one, 2.0/3),
		Entry("a strength of null", "cat", "cyberpunk", "a cyberpunk cat", `{"style_strength":null}`, one, 1.0),
		Entry("an invalid size", "cat", "cyberpunk", "a cyberpunk cat", `{"resolution":"big"}`, one, 2.0/3),
		Entry("a size that is too small", "cat", "cyberpunk", "a cyberpunk cat", `{"resolution":"32x600"}`, one, 2.0/3),
		Entry("a size that is too big", "cat", "cyberpunk", "a cyberpunk cat", `{"resolution":"800x9000"}`, one, 2.0/3),
		Entry("a size with an asterisk", "cat", "cyberpunk", "a cyberpunk cat", `{"resolution":"1024*1024"}`, one, 1.0),
	)

	It("S5: generates 3 images with the same score, identically in each run, and reports it", func() {
		s := newStage(studio.V1, fmt.Sprintf(plan, "cat", "baroque", "a cat", `{}`))
		s.search = none
		reply := s.runText(wish)
		same := trace.Review{Score: 0.5, Reviewer: "heuristic", CriticInput: trace.ShownPrompt}
		for i, r := range reviews(s) {
			same.Loop = i + 1
			Expect(r).To(Equal(same))
		}
		Expect(s.attempts).To(Equal(3))
		Expect(s.queries).To(HaveLen(1), "back to the executor")
		Expect(s.eventLines(trace.KindLoop)).To(Equal([]string{
			"loop critic→executor (rejected)", "loop critic→executor (rejected)", "loop critic→end (exhausted)"}))
		Expect(strings.Count(s.stream(), "gen_ui_component:executor")).
			To(Equal(6), "each visit shows its picture and panel")
		Expect(reply.AnsweredBy).To(Equal("generate_image"))
		Expect(reply.Content).To(Equal("生成完成！质量评分：50/100。建议增加更具体的风格描述 可以尝试调整风格强度 多次尝试后仍未达到质量要求，这是目前的结果。"))
	})

	It("S5: shows each of 3 different inpaintings", func() {
		s := newStage(studio.V1, `{"action":"inpainting","subject":"cat","style":"baroque","prompt":"a dog"}`)
		s.search = none
		reply := s.runTurn(repaint())
		Expect(reviews(s)).To(HaveLen(3))
		Expect(strings.Count(s.stream(), "gen_ui_component:executor")).To(Equal(6))
		Expect(s.components()[len(s.components())-4]).To(ContainSubstring(reply.GeneratedImageURL),
			"the last one is the result")
	})
})
