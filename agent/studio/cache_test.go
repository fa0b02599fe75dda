package studio_test

import (
	"context"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/studio"
	"evalctl/agent/trace"
	"evalctl/mocks/model"
)

var _ = Describe("S10: The studio's cache", func() {
	type respond = func(agent.Turn) agent.Reply
	turn := agent.Turn{Text: wish}
	const again = "cache_hit planner  (same_request)"

	for profile, answer := range map[studio.Profile]string{studio.ProfileV2: planV2("generate_image", 0.9),
		studio.ProfileV1: planV1("generate_image")} {
		It(string(profile)+": returns the same reply to an identical request without external calls", func() {
			s := newStage(profile, answer)
			s.inSimulation(func(_ context.Context, respond respond) {
				first := respond(turn)
				Expect(s.eventLines(trace.KindCacheHit)).To(BeEmpty())
				second := respond(turn)
				Expect(s.eventLines(trace.KindCacheHit)).
					To(Equal([]string{again, "cache_hit rag  (same_query)", "cache_hit executor  (same_image)"}))
				Expect(second).To(Equal(first))
				Expect(s.duration).To(BeZero())
				Expect(s.eventLines(trace.KindSpan)).To(BeEmpty())
			})
			Expect(s.server.Calls("router")).To(Equal(1))
			Expect(s.queries).To(HaveLen(1))
			Expect(s.attempts).To(Equal(1))
		})
	}

	It("stores search results for 5 minutes and plans for 1 hour", func() {
		s := newStage(studio.ProfileV2, planV2("generate_image", 0.9))
		s.inSimulation(func(ctx context.Context, respond respond) {
			respond(turn)
			at := func(d time.Duration) (plans, searches int) {
				Expect(clock.Sleep(ctx, d-clock.Since(ctx, noon))).To(Succeed())
				respond(turn)
				return s.server.Calls("router"), len(s.queries)
			}
			plans, searches := at(5*time.Minute - time.Second)
			Expect([]int{plans, searches}).To(Equal([]int{1, 1}))
			plans, searches = at(5*time.Minute + 2*time.Second)
			Expect([]int{plans, searches}).To(Equal([]int{1, 2}))
			plans, _ = at(time.Hour)
			Expect(plans).To(Equal(1), "the plan came a second after noon")
			plans, _ = at(time.Hour + 2*time.Second)
			Expect(plans).To(Equal(2))
			Expect(s.attempts).To(Equal(1), "pictures stay")
		})
	})

	DescribeTable("does not store a plan that is longer than 64 KiB", func(length, calls int) {
		plan := planV2("generate_image", 0.9)
		s := newStage(studio.ProfileV2,
			plan[:len(plan)-1]+`,"x":"`+strings.Repeat("x", length-len(plan)-len(`,"x":""`))+`"}`)
		s.inSimulation(func(_ context.Context, respond respond) {
			respond(turn)
			Expect(respond(turn).DecidedBy).To(Equal("llm"))
		})
		Expect(s.server.Calls("router")).To(Equal(calls))
	}, Entry("a plan of 64 KiB is stored", 64<<10, 1),
		Entry("a plan that is one byte longer is not stored", 64<<10+1, 2))

	DescribeTable("is not used if a part of the request differs",
		func(t agent.Turn) {
			s := newStage(studio.ProfileV2, planV2("generate_image", 0.9))
			s.inSimulation(func(_ context.Context, respond respond) {
				respond(turn)
				respond(t)
			})
			Expect(s.server.Calls("router")).To(Equal(2))
		},
		Entry("the text differs", agent.Turn{Text: wish + "。"}),
		Entry("the history differs",
			agent.Turn{Text: wish, History: []agent.Message{{Role: "user", Content: "你好"},
				{Role: "assistant", Content: "你好"}}}),
		Entry("the turn also has a mask", agent.Turn{Text: wish, Mask: mask(1)}),
	)

	It("does not store invalid answers or failed calls", func() {
		s := newStage(studio.ProfileV2, "")
		s.plan = func(r model.Request) string {
			return []string{"嗯", planV2("generate_image", 0.9)}[min(r.CallNumber, 2)-1]
		}
		s.inSimulation(func(_ context.Context, respond respond) {
			Expect(respond(turn).Predicted).To(Equal("unknown"))
			Expect(respond(turn).Predicted).To(Equal("generate_image"))
		})
		s = newStage(studio.ProfileV2, planV2("generate_image", 0.9))
		s.faults = "router:auth@1"
		s.inSimulation(func(_ context.Context, respond respond) {
			Expect(respond(turn).AnsweredBy).To(Equal("failed"))
			Expect(respond(turn).AnsweredBy).To(Equal("generate_image"))
		})
	})

	It("does not store failed style searches", func() {
		s := newStage(studio.ProfileV2, planV2("generate_image", 0.9))
		good := s.search
		s.search = hang
		s.inSimulation(func(_ context.Context, respond respond) {
			Expect(respond(turn).Retrieved).To(BeEmpty())
			s.search = good
			Expect(respond(turn).Retrieved).NotTo(BeEmpty())
		})
	})

	It("S5: stores the critic's answer for each attempt of a turn separately", func() {
		s := reviewed(studio.ProfileV2, studio.CriticLLM, scores(0.3, 0.5, 0.9, 0.1))
		s.inSimulation(func(_ context.Context, respond respond) {
			respond(turn)
			first := reviews(s)
			Expect(first).To(HaveLen(3))
			Expect(withPrefix(s.eventLines(trace.KindCacheHit), "cache_hit critic")).To(BeEmpty())
			respond(turn)
			Expect(reviews(s)).To(Equal(first))
			Expect(withPrefix(s.eventLines(trace.KindCacheHit), "cache_hit critic")).To(HaveLen(3))
		})
		Expect(s.server.Calls("critic")).To(Equal(3))
	})

	It("does not store an invalid answer of the critic", func() {
		s := reviewed(studio.ProfileV2, studio.CriticLLM, scores(0.9))
		s.faults = "critic:auth@1"
		s.inSimulation(func(_ context.Context, respond respond) {
			respond(turn)
			Expect(reviews(s)[0].Reviewer).To(Equal("none"))
			respond(turn)
			Expect(reviews(s)[0].Reviewer).To(Equal("llm"))
		})
	})

	It("does not return an image that the critic has rejected", func() {
		s := reviewed(studio.ProfileV2, studio.CriticLLM, scores(0.3, 0.9))
		s.inSimulation(func(_ context.Context, respond respond) {
			respond(turn)
			respond(turn)
		})
		Expect(s.attempts).To(Equal(3), "the second turn's first picture alone is not painted")
	})

	It("returns a cached edited image in v2, and always generates a new one in v1", func() {
		for profile, attempts := range map[studio.Profile]int{studio.ProfileV2: 1, studio.ProfileV1: 2} {
			s := newStage(profile, planV2("inpainting", 0.9))
			if profile == studio.ProfileV1 {
				s = newStage(profile, planV1("inpainting"))
			}
			s.inSimulation(func(_ context.Context, respond respond) {
				respond(repaint())
				respond(repaint())
			})
			Expect(s.attempts).To(Equal(attempts), string(profile))
		}
	})

	It("does not store images of a real image generator", func() {
		s := newStage(studio.ProfileV2, planV2("generate_image", 0.9))
		s.config.ImageGenerator = dashScope(s, studio.ProfileV2)
		s.inSimulation(func(_ context.Context, respond respond) {
			respond(turn)
			respond(turn)
		})
		Expect(s.server.Calls("image")).To(Equal(2))
	})
})
