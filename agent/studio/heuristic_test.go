package studio_test

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/studio"
	"evalctl/agent/trace"
)

var _ = Describe("S5: The heuristic critic of v1", func() {
	const plan = `{"action":"generate_image","subject":%q,"style":%q,"prompt":%q,"parameters":%s}`
	none := finding()
	one := finding(cyberpunk)

	DescribeTable("returns the mean of completeness, consistency and sanity",
		func(subject, style, prompt, parameters string, library styleLibraryName, want float64) {
			s := newStage(studio.ProfileV1, fmt.Sprintf(plan, subject, style, prompt, parameters))
			s.search = library
			s.runText(wish)
			Expect(reviews(s)[0].Score).To(BeNumerically("~", want, 1e-9))
			Expect(reviews(s)[0].Passed).To(Equal(want >= 0.6))
		},
		Entry("subject, style and parameters are given and valid", "cat", "cyberpunk", "a Cyberpunk CAT",
			`{"style_strength":60,"resolution":"800x600"}`, one, 1.0),
		Entry("no style is given", "cat", "", "a cat", `{}`, one, 2.5/3),
		Entry("the prompt lacks the subject", "dog", "cyberpunk", "a cyberpunk cat", `{}`, one, 2.5/3),
		Entry("subject and style are Chinese and the prompt is English", "猫", "夜景", "a cat at night",
			`{}`, none, 2.0/3),
		Entry("the subject is English and the prompt is Chinese", "cat", "", "夜里的猫", `{}`, none, 2.5/3),
		Entry("a Chinese prompt lacks the Chinese subject", "狗", "", "夜里的猫", `{}`, none, 2.0/3),
		Entry("the subject is Russian and the prompt is English", "кот", "", "a cat at night", `{}`, none, 2.5/3),
		Entry("the subject is Japanese and the prompt is English", "ねこ", "", "a cat at night", `{}`, none, 2.5/3),
		Entry("a Russian prompt lacks the Russian subject", "собака", "", "кот ночью", `{}`, none, 2.0/3),
		Entry("the prompt contains all subjects of a list", "cat、moon", "cyberpunk", "a cyberpunk CAT under the moon",
			`{}`, one, 1.0),
		Entry("the prompt lacks a subject of a list", "cat, dog", "cyberpunk", "a cyberpunk cat",
			`{}`, one, 2.5/3),
		Entry("the subject consists only of a separator", "、", "cyberpunk", "a cyberpunk cat", `{}`, one, 2.5/3),
		Entry("neither subject nor style is given", "", "", "something", `{}`, one, 2.0/3),
		Entry("the style is in the prompt but not in the library", "cat", "cyberpunk", "a cyberpunk cat",
			`{}`, none, 2.0/3),
		Entry("the style is neither in the prompt nor in the library", "cat", "baroque", "a cat", `{}`, none, 1.5/3),
		Entry("the strength is above 100", "cat", "cyberpunk", "a cyberpunk cat", `{"style_strength":101}`, one, 2.0/3),
		Entry("the strength is negative", "cat", "cyberpunk", "a cyberpunk cat", `{"style_strength":-1}`, one, 2.0/3),
		Entry("the strength is exactly 100", "cat", "cyberpunk", "a cyberpunk cat", `{"style_strength":100}`, one, 1.0),
		Entry("the strength is a number in quotes", "cat", "cyberpunk", "a cyberpunk cat", `{"style_strength":"60"}`,
			one, 1.0),
		Entry("the strength is a percentage", "cat", "cyberpunk", "a cyberpunk cat", `{"style_strength":"70 ％"}`,
			one, 1.0),
		Entry("the strength is a percentage above 100", "cat", "cyberpunk", "a cyberpunk cat",
			`{"style_strength":"170%"}`, one, 2.0/3),
		Entry("the size has the unit px", "cat", "cyberpunk", "a cyberpunk cat", `{"resolution":"1024x768 px"}`,
			one, 1.0),
		Entry("both sides have the unit 像素", "cat", "cyberpunk", "a cyberpunk cat", `{"resolution":"1024像素×768像素"}`,
			one, 1.0),
		Entry("the size is a list of two numbers", "cat", "cyberpunk", "a cyberpunk cat", `{"resolution":[1024,768]}`,
			one, 1.0),
		Entry("the size is an object with width and height", "cat", "cyberpunk", "a cyberpunk cat",
			`{"resolution":{"width":1024,"height":"768px"}}`,
			one, 1.0),
		Entry("the size lacks one side", "cat", "cyberpunk", "a cyberpunk cat", `{"resolution":{"width":1024}}`,
			one, 2.0/3),
		Entry("a side of 32 pixels is too small, in a size given as a list", "cat", "cyberpunk", "a cyberpunk cat",
			`{"resolution":[32,600]}`,
			one, 2.0/3),
		Entry("the strength is a word", "cat", "cyberpunk", "a cyberpunk cat", `{"style_strength":"strong"}`,
			one, 2.0/3),
		Entry("the strength is null", "cat", "cyberpunk", "a cyberpunk cat", `{"style_strength":null}`, one, 1.0),
		Entry("the size is a word", "cat", "cyberpunk", "a cyberpunk cat", `{"resolution":"big"}`, one, 2.0/3),
		Entry("a side of 32 pixels is too small", "cat", "cyberpunk", "a cyberpunk cat", `{"resolution":"32x600"}`,
			one, 2.0/3),
		Entry("a side of 9,000 pixels is too large", "cat", "cyberpunk", "a cyberpunk cat", `{"resolution":"800x9000"}`,
			one, 2.0/3),
		Entry("the size is written with an asterisk", "cat", "cyberpunk", "a cyberpunk cat",
			`{"resolution":"1024*1024"}`, one, 1.0),
	)

	It("S5: rejects 3 images with the same low score in every run; the reply reports this", func() {
		s := newStage(studio.ProfileV1, fmt.Sprintf(plan, "cat", "baroque", "a cat", `{}`))
		s.search = none
		reply := s.runText(wish)
		same := trace.Review{Score: 0.5, Reviewer: "heuristic", CriticInput: trace.CriticInputPrompt}
		for i, r := range reviews(s) {
			same.Loop = i + 1
			Expect(r).To(Equal(same))
		}
		Expect(s.attempts).To(Equal(3))
		Expect(s.queries).To(HaveLen(1), "back to the executor")
		Expect(s.eventLines(trace.KindCriticLoop)).To(Equal([]string{
			"loop critic→executor (rejected)", "loop critic→executor (rejected)", "loop critic→end (exhausted)"}))
		Expect(strings.Count(s.stream(), "gen_ui_component:executor")).
			To(Equal(6), "each visit shows its picture and panel")
		Expect(reply.AnsweredBy).To(Equal("generate_image"))
		Expect(reply.Content).To(Equal("生成完成！质量评分：50/100。建议增加更具体的风格描述 可以尝试调整风格强度 多次尝试后仍未达到质量要求，这是目前的结果。"))
	})

	It("S5: rejects 3 edited images; each of them is shown", func() {
		s := newStage(studio.ProfileV1, `{"action":"inpainting","subject":"cat","style":"baroque","prompt":"a dog"}`)
		s.search = none
		reply := s.runTurn(repaint())
		Expect(reviews(s)).To(HaveLen(3))
		Expect(strings.Count(s.stream(), "gen_ui_component:executor")).To(Equal(6))
		Expect(s.components()[len(s.components())-4]).To(ContainSubstring(reply.GeneratedImageURL),
			"the last one is the result")
	})
})
