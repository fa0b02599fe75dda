package studio_test

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/llm"
	"evalctl/agent/studio"
	"evalctl/agent/trace"
)

var _ = DescribeTable("S5: v2 returns the previous image if a later attempt fails",
	func(wrong func() error, reason string) {
		s := newStage(studio.ProfileV2, planV2("generate_image", 0.9))
		s.config.Critic, s.review = studio.CriticLLM, scores(0.4)
		jobs := 0
		s.config.ImageGenerator = imageGenerator(func(context.Context, studio.ImageRequest) (studio.Image, error) {
			if jobs++; jobs == 2 {
				return studio.Image{}, wrong()
			}
			return studio.Image{URL: canvas}, nil
		})
		reply := s.runText(wish)
		Expect(reply.ErrorReply).To(BeNil())
		Expect(reply.GeneratedImageURL).To(Equal(canvas))
		Expect(reply.Content).To(Equal("还行（得分 0.40，已尝试 2 次，未通过审查）。"))
		Expect(s.eventLines(trace.KindFallback)).To(Equal([]string{"fallback executor→last_picture (" + reason + ")"}))
	},
	Entry(nil, func() error { return &llm.Error{Kind: llm.KindServerError} }, "server_error"),
	Entry("the image generator panics", func() error { panic("bug") }, "panic"),
	Entry("the image generator returns no URL", func() error { return nil }, "empty_content"),
)
