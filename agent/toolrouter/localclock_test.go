package toolrouter_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/toolrouter"
	"evalctl/mocks/component"
)

var _ = Describe("An answer by the local clock", func() {
	DescribeTable("T8: adds that the clock cannot answer the question if the model chose this route but the rules did not",
		func(text, content string) {
			s := newStage(says{component.Router: route("time_query", 1)})
			reply, err := s.say(text)
			Expect(err).NotTo(HaveOccurred())
			Expect(reply.AnsweredBy).To(Equal(toolrouter.RouteTimeQuery))
			Expect(reply.Content).To(And(ContainSubstring("UTC+08:00"), ContainSubstring(content)))
			chunks, dones := s.shown()
			Expect(dones).To(Equal([]string{strings.Join(chunks, "")}))
		},
		Entry("a question about the time in another place", "纽约现在几点", "外地的时间"),
		Entry("a question about a holiday", "春节是几号", "节日的日期"),
		Entry("a question in English", "what time is it in Tokyo?", "time elsewhere"),
	)

	It("T8: adds nothing if the rules recognize a question about the local time", func() {
		s := newStage(says{component.Router: route("time_query", 1)})
		reply, err := s.say("现在几点")
		Expect(err).NotTo(HaveOccurred())
		Expect(reply.Content).NotTo(ContainSubstring("外地"))
	})
})
