package studio_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/knowledge"
	"evalctl/agent/llm"
	"evalctl/agent/studio"
	"evalctl/agent/trace"
)

var watercolour = knowledge.Hit{Similarity: 0.8, Style: knowledge.Style{ID: "watercolour", ZH: "水彩", EN: "watercolour", Prompt: "wet washes"}}

var _ = Describe("S3: the rag node", func() {
	It("v2: asks for style, subject and text, 3 styles of 0.6 and more", func() {
		s := newStage(studio.V2, planV2("generate_image", 0.9))
		s.say(wish)
		Expect(s.queries).To(Equal([]knowledge.Query{{Texts: []string{"赛博朋克", "猫", wish}, Limit: 3, MinSimilarity: 0.6}}))
	})

	It("v2: puts what it finds behind the user's text", func() {
		s := newStage(studio.V2, planV2("generate_image", 0.9))
		s.search = finding(cyberpunk, watercolour)
		var job studio.Job
		s.config.Painter = painterOf(&job)
		reply := s.say(wish)
		Expect(job.Prompt).To(Equal(wish + ", neon-lit night city, wet washes"))
		Expect(s.of(trace.KindThought)).To(ContainElement("rag 检索到 2 条相关风格：赛博朋克, 水彩"))
		Expect(reply.Retrieved).To(Equal([]agent.Hit{{ID: "cyberpunk", Similarity: 0.95}, {ID: "watercolour", Similarity: 0.8}}))
	})

	DescribeTable("v1: asks for the style and its pieces, 3 styles of 0.7 and more",
		func(style string, texts ...string) {
			s := newStage(studio.V1, strings.Replace(planV1("generate_image"), `"style":"cyberpunk"`, fmt.Sprintf(`"style":%q`, style), 1))
			s.say(wish)
			Expect(s.queries).To(Equal([]knowledge.Query{{Texts: texts, Limit: 3, MinSimilarity: 0.7}}))
		},
		Entry(nil, "cyberpunk", "cyberpunk"),
		Entry(nil, "cyberpunk, neon", "cyberpunk, neon", "cyberpunk", "neon"),
		Entry(nil, "水墨、留白", "水墨、留白", "水墨", "留白"),
		Entry(nil, "ink and wash", "ink and wash", "ink", "wash"),
		Entry(nil, "grandeur", "grandeur"),
	)

	It("v1: puts what it finds behind the planner's prompt", func() {
		s := newStage(studio.V1, planV1("generate_image"))
		var job studio.Job
		s.config.Painter = painterOf(&job)
		s.say(wish)
		Expect(job.Prompt).To(Equal("a cyberpunk cat, neon-lit night city"))
	})

	It("v1: begins an inpainting's prompt with where and what", func() {
		s := newStage(studio.V1, planV1("inpainting"))
		var job studio.Job
		s.config.Painter = painterOf(&job)
		s.play(agent.Turn{Text: "换成机械头盔", Mask: mask(1), Images: []string{canvas}})
		Expect(job.Prompt).To(Equal("a cyberpunk cat in the masked area, 换成机械头盔, neon-lit night city"))
	})

	DescribeTable("v1: is passed by without a style", func(style string) {
		s := newStage(studio.V1, strings.Replace(planV1("generate_image"), `"style":"cyberpunk"`, style, 1))
		var job studio.Job
		s.config.Painter = painterOf(&job)
		s.say(wish)
		Expect(s.queries).To(BeEmpty())
		Expect(job.Prompt).To(Equal("a cyberpunk cat"))
		Expect(strings.Join(s.story(), "\n")).NotTo(ContainSubstring("rag"))
	},
		Entry("empty", `"style":""`), Entry("blank", `"style":"  "`), Entry("absent", `"x":1`), Entry("null", `"style":null`),
	)

	DescribeTable("goes on with the original prompt where nothing is found",
		func(profile studio.Profile, answer, prompt string, thought []string) {
			s := newStage(profile, answer)
			s.search = finding()
			var job studio.Job
			s.config.Painter = painterOf(&job)
			reply := s.say(wish)
			Expect(job.Prompt).To(Equal(prompt))
			Expect(reply.Retrieved).To(BeEmpty())
			Expect(s.of(trace.KindFallback)).To(BeEmpty())
			Expect(withPrefix(s.of(trace.KindThought), "rag")).To(Equal(thought))
		},
		Entry(nil, studio.V2, planV2("generate_image", 0.9), wish, []string{"rag 未检索到匹配的风格，使用原始 Prompt"}),
		Entry(nil, studio.V1, planV1("generate_image"), "a cyberpunk cat", nil),
	)

	It("finds nothing without a library", func() {
		s := newStage(studio.V2, planV2("generate_image", 0.9))
		s.search = nil
		Expect(s.say(wish).Retrieved).To(BeEmpty())
		Expect(withPrefix(s.of(trace.KindSpan), "span rag")).To(BeEmpty())
	})

	for profile, answer := range map[studio.Profile]string{studio.V2: planV2("generate_image", 0.9), studio.V1: planV1("generate_image")} {
		DescribeTable(string(profile)+": goes on with the original prompt where the search fails",
			func(search shelf, reason string) {
				s := newStage(profile, answer)
				s.search = search
				reply := s.say(wish)
				Expect(reply.Served).To(Equal("generate_image"))
				Expect(reply.Failure).To(BeNil())
				Expect(s.of(trace.KindFallback)).To(Equal([]string{"fallback rag→original_prompt (" + reason + ")"}))
			},
			Entry("with an error", failing(errors.New("disk on fire")), "transport"),
			Entry("with an error of a call", failing(&llm.Error{Kind: llm.KindServer}), "server"),
			Entry("in a panic", shelf(func(context.Context, knowledge.Query) ([]knowledge.Hit, error) { panic("no") }), "panic"),
			Entry("by hanging", shelf(hang), "timeout"),
		)
	}

	DescribeTable("takes at most 3 styles that are similar enough, whatever it is given",
		func(profile studio.Profile, answer string, least float64) {
			s := newStage(profile, answer)
			like := func(similarity float64) knowledge.Hit {
				return knowledge.Hit{Style: cyberpunk.Style, Similarity: similarity}
			}
			s.search = finding(like(math.NaN()), like(1.1), like(least-0.01), like(-1), like(1), like(least), like(0.9), like(0.8))
			kept := []agent.Hit{{ID: "cyberpunk", Similarity: 1}, {ID: "cyberpunk", Similarity: least}, {ID: "cyberpunk", Similarity: 0.9}}
			Expect(s.say(wish).Retrieved).To(Equal(kept))
		},
		Entry(nil, studio.V2, planV2("generate_image", 0.9), 0.6), Entry(nil, studio.V1, planV1("generate_image"), 0.7),
	)

	It("waits 3 s for the library, and asks once", func() {
		s := newStage(studio.V2, planV2("generate_image", 0.9))
		s.search = hang
		s.say(wish)
		Expect(s.story()).To(ContainElements(
			"4s span rag knowledge#1 timeout", "4s timeout rag  (timeout)", "4s fallback rag→original_prompt (timeout)"))
		Expect(s.queries).To(HaveLen(1))
	})

	It("finds styles of the shipped library by their Chinese and English names", func() {
		styles, err := knowledge.Shipped()
		Expect(err).NotTo(HaveOccurred())
		lib, err := knowledge.New(context.Background(), styles, knowledge.Local{})
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(lib.Close)
		for profile, answer := range map[studio.Profile]string{studio.V2: planV2("generate_image", 0.9), studio.V1: planV1("generate_image")} {
			s := newStage(profile, answer)
			s.search = func(ctx context.Context, q knowledge.Query) ([]knowledge.Hit, error) {
				return lib.Search(ctx, knowledge.Local{}, q)
			}
			reply := s.say(wish)
			Expect(reply.Retrieved).NotTo(BeEmpty(), string(profile))
			Expect(reply.Retrieved[0].ID).To(Equal("cyberpunk"))
		}
	})
})

func finding(hits ...knowledge.Hit) shelf {
	return func(context.Context, knowledge.Query) ([]knowledge.Hit, error) { return hits, nil }
}

func failing(err error) shelf {
	return func(context.Context, knowledge.Query) ([]knowledge.Hit, error) { return nil, err }
}

// hang waits until nobody waits for it.
func hang(ctx context.Context, _ knowledge.Query) ([]knowledge.Hit, error) {
	return nil, clock.Sleep(ctx, time.Hour)
}

func withPrefix(lines []string, prefix string) (list []string) {
	for _, l := range lines {
		if strings.HasPrefix(l, prefix) {
			list = append(list, l)
		}
	}
	return list
}
