package toolrouter_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/toolrouter"
	"evalctl/mocks/component"
)

var _ = Describe("The local clock", func() {
	DescribeTable("T8: reports its limits if a model routes an unsuitable question to it",
		func(text, content string) {
			s := newStage(says{component.Router: route("time_query", 1)})
			reply, err := s.say(text)
			Expect(err).NotTo(HaveOccurred())
			Expect(reply.AnsweredBy).To(Equal(toolrouter.TimeQuery))
			Expect(reply.Content).To(And(ContainSubstring("UTC+08:00"), ContainSubstring(content)))
			chunks, dones := s.shown()
			Expect(dones).To(Equal([]string{strings.Join(chunks, "")}))
		},
		Entry("the time in another place", "纽约现在几点", "外地的时间"),
		Entry("a holiday", "春节是几号", "节日的日期"),
		Entry("in English", "what time is it in Tokyo?", "time elsewhere"),
	)

	It("T8: adds no such note to a plain question", func() {
		s := newStage(says{component.Router: route("time_query", 1)})
		reply, err := s.say("现在几点")
		Expect(err).NotTo(HaveOccurred())
		Expect(reply.Content).NotTo(ContainSubstring("外地"))
	})
})
