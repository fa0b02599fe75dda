package studio_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
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

var watercolour = knowledge.StyleMatch{Similarity: 0.8,
	Style: knowledge.Style{ID: "watercolour", ZH: "水彩", EN: "watercolour", Prompt: "wet washes"}}

var _ = DescribeTable("31.2: A style name in a text is found in the plural and in British spelling",
	func(text string, want ...string) {
		Expect(studio.MentionedStyles(text)).To(HaveExactElements(want))
	},
	Entry(nil, "a cat in watercolours", "watercolor"),
	Entry(nil, "Watercolors of a cat", "watercolor"),
	Entry(nil, "two cats as ink washes", "ink wash"),
	Entry(nil, "flat illustrations of cats", "flat illustration"),
	Entry(nil, "in the styles of oil paintings and woodcuts", "oil painting", "woodcut"),
	Entry(nil, "gouaches", "gouache"),
	Entry(nil, "coloured pencils", "colored pencil"),
	Entry("not within a longer word", "watercolourist at work"),
)

var _ = It("31.2: Every English style name is also found in the plural", func() {
	styles, err := knowledge.ShippedStyles()
	Expect(err).NotTo(HaveOccurred())
	for _, s := range styles {
		plural := s.EN + "s"
		if strings.HasSuffix(s.EN, "sh") {
			plural = s.EN + "es"
		}
		lastWord := s.EN[strings.LastIndexAny(s.EN, " -")+1:]
		if len(lastWord) > 2 && !strings.HasSuffix(lastWord, "s") {
			Expect(studio.MentionedStyles("two cats, "+plural)).To(Equal(studio.MentionedStyles("two cats, "+s.EN)),
				plural)
		}
	}
})

var _ = Describe("S3: The style search", func() {
	It("v2: searches with style, subject and text, and requests at most 3 styles with a similarity of at least 0.6",
		func() {
			s := newStage(studio.ProfileV2, planV2("generate_image", 0.9))
			s.runText(wish)
			Expect(s.queries).To(Equal(
				[]knowledge.Query{{Names: []string{"赛博朋克"}, Texts: []string{"猫", wish}, Limit: 3, MinSimilarity: 0.6}}))
		})

	// naming returns a plan with this style. Its prompt mentions no style.
	naming := func(profile studio.Profile, style string) string {
		plan := planV2("generate_image", 0.9)
		if profile == studio.ProfileV1 {
			plan = strings.ReplaceAll(planV1("generate_image"), "a cyberpunk cat", "a cat")
			plan = strings.Replace(plan, "cyberpunk", "赛博朋克", 1)
		}
		return strings.Replace(plan, "赛博朋克", style, 1)
	}

	for _, profile := range studio.Profiles() {
		DescribeTable(string(profile)+": searches up to 3 style names of the plan separately",
			func(style string, names ...string) {
				s := newStage(profile, naming(profile, style))
				s.runText("画一只猫")
				Expect(s.queries).To(HaveLen(1))
				Expect(s.queries[0].Names).To(Equal(names))
				Expect(slices.Contains(s.queries[0].Texts, style)).
					To(Equal(len(names) > 1), "and what they are called together")
			},
			Entry(nil, "赛博朋克、水彩", "赛博朋克", "水彩"), Entry(nil, "水墨和工笔", "水墨", "工笔"),
			Entry("style names in traditional characters", "水墨畫和工筆", "水墨画", "工笔"),
			Entry(nil, "ink wash and gongbi", "ink wash", "gongbi"),
			Entry(nil, "watercolor + ukiyo-e", "watercolor", "ukiyo-e"),
			Entry(nil, "水墨风格与工笔", "水墨", "工笔"), Entry(nil, "吉卜力结合像素，再加油画", "吉卜力", "像素", "油画"),
			Entry(nil, "Ukiyo-e meets Bauhaus", "ukiyo-e", "bauhaus"),
			Entry("known and unknown style names", "沙画、水墨、烙画", "水墨", "沙画", "烙画"),
			Entry("unknown style names", "沙画和烙画", "沙画", "烙画"),
			Entry("style names without a conjunction between them", "水墨 工笔", "水墨", "工笔"),
			Entry("style names with another conjunction", "既有水墨又有工笔", "水墨", "工笔"),
			Entry(nil, "oil painting with collage/manga", "oil painting", "collage", "manga"),
			Entry("four style names; only three are searched", "水墨、工笔、白描、年画", "水墨", "工笔", "白描"),
			Entry("a style name that contains the conjunction 和", "和风", "和风"),
			Entry("a style name with 和, whose parts are too short to be names", "光和影", "光和影"),
			Entry("a style name that contains \"and\" within a word", "grandeur", "grandeur"),
			Entry("a style name that contains the word \"and\"", "pen and ink", "pen and ink"),
			Entry(nil, "千与千寻", "千与千寻"),
		)

		DescribeTable(string(profile)+": finds each of several named styles in the built-in library",
			func(style string, want ...string) {
				s := newStage(profile, naming(profile, style))
				s.search = shippedShelf()
				var ids []string
				for _, h := range s.runText("画一只猫").Retrieved {
					ids = append(ids, h.ID)
				}
				Expect(ids).To(ContainElements(want))
			},
			Entry(nil, "赛博朋克、水彩", "cyberpunk", "watercolor"), Entry(nil, "水墨和工笔", "ink-wash", "gongbi"),
			Entry("style names in traditional characters", "水墨畫和工筆", "ink-wash", "gongbi"),
			Entry(nil, "賽博朋克與油畫", "cyberpunk", "oil-painting"),
			Entry(nil, "ink wash and gongbi", "ink-wash", "gongbi"),
			Entry(nil, "watercolor + ukiyo-e", "watercolor", "ukiyo-e"),
			Entry("many styles similar to the first name; the second name is also found", "黑白漫画、木刻版画",
				"manga", "woodcut"),
			Entry("a style name whose parts are not styles", "blue and white porcelain", "blue-white-porcelain"),
			Entry("two style names without a separator between them", "和风浮世绘", "ukiyo-e"),
			Entry("31.2: plural and British spelling", "watercolours and ink washes", "watercolor", "ink-wash"),
			Entry("31.2: plural", "in the styles of Flat Illustrations, gouaches", "flat-vector", "gouache"),
		)
	}

	DescribeTable("v1: also searches the styles that the image prompt mentions",
		func(style, prompt string, names ...string) {
			s := newStage(studio.ProfileV1,
				fmt.Sprintf(`{"action":"generate_image","subject":"cat","style":%q,"prompt":%q}`, style, prompt))
			s.runText("画一只猫")
			Expect(s.queries).To(HaveLen(1))
			Expect(s.queries[0].Names).To(Equal(names))
		},
		Entry("the style slot is empty", "", "a watercolor painting of a cat at night", "watercolor"),
		Entry("the style slot names another style, which comes first", "油画", "a cat, Ukiyo-e, night", "油画", "ukiyo-e"),
		Entry("the style slot names the same style", "Cyberpunk", "a cyberpunk cat", "cyberpunk"),
		Entry("of overlapping names, the longest counts", "", "an ink wash comic about a cat", "ink wash comic"),
		Entry("at most 3 styles are searched, in the order of the prompt", "",
			"pop art cat, low poly dog, manga bird, origami fish", "pop art",
			"low poly", "manga"),
		Entry("the prompt is Chinese", "", "一只水墨风格的猫", "水墨"),
	)

	It("v1: finds style names only in the beginning of a very long prompt", func() {
		s := newStage(studio.ProfileV1,
			fmt.Sprintf(`{"action":"generate_image","subject":"cat","prompt":%q}`,
				strings.Repeat("a cat ", 1000)+"in watercolor"))
		s.runText("画一只猫")
		Expect(s.queries).To(BeEmpty())
	})

	It("v1: recognizes the styles of a custom library in the prompt", func() {
		s := newStage(studio.ProfileV1,
			`{"action":"generate_image","subject":"cat","prompt":"a watercolor cat, dots by Ruru"}`)
		s.config.KnownStyles = []knowledge.Style{{ID: "ruru", ZH: "鲁鲁", EN: "dots by Ruru", Prompt: "dots"}}
		s.runText("画一只猫")
		Expect(s.queries[0].Names).To(Equal([]string{"dots by ruru"}))
	})

	It("v2: appends the styles to the user's text", func() {
		s := newStage(studio.ProfileV2, planV2("generate_image", 0.9))
		s.search = finding(cyberpunk, watercolour)
		var job studio.ImageRequest
		s.config.ImageGenerator = imageGeneratorOf(&job)
		reply := s.runText(wish)
		Expect(job.Prompt).To(Equal(wish + ", neon-lit night city, wet washes"))
		Expect(s.eventLines(trace.KindThoughtLog)).To(ContainElement("rag 检索到 2 条相关风格：赛博朋克, 水彩"))
		Expect(reply.Retrieved).
			To(Equal([]agent.Hit{{ID: "cyberpunk", Similarity: 0.95}, {ID: "watercolour", Similarity: 0.8}}))
	})

	It("v1: appends the styles to the planner's image prompt", func() {
		s := newStage(studio.ProfileV1, planV1("generate_image"))
		var job studio.ImageRequest
		s.config.ImageGenerator = imageGeneratorOf(&job)
		s.runText(wish)
		Expect(job.Prompt).To(Equal("a cyberpunk cat, neon-lit night city"))
	})

	It("v1: starts the prompt for a masked area with what the area must contain", func() {
		s := newStage(studio.ProfileV1, planV1("inpainting"))
		var job studio.ImageRequest
		s.config.ImageGenerator = imageGeneratorOf(&job)
		s.runTurn(agent.Turn{Text: "换成机械头盔", Mask: mask(1), Images: []string{canvas}})
		Expect(job.Prompt).To(Equal("a cyberpunk cat in the masked area, 换成机械头盔, neon-lit night city"))
	})

	DescribeTable("v1: is skipped if neither the slot nor the prompt names a style", func(style, prompt string) {
		s := newStage(studio.ProfileV1,
			fmt.Sprintf(`{"subject":"cat","action":"generate_image",%s,"prompt":%q}`, style, prompt))
		var job studio.ImageRequest
		s.config.ImageGenerator = imageGeneratorOf(&job)
		s.runText(wish)
		Expect(s.queries).To(BeEmpty())
		Expect(job.Prompt).To(Equal(prompt))
		Expect(strings.Join(s.story(), "\n")).NotTo(ContainSubstring("rag"))
	},
		Entry("the style is an empty text", `"style":""`, "a cat"),
		Entry("the style is blank", `"style":"  "`, "a cat"),
		Entry("the style is absent", `"x":1`, "a cat"), Entry("the style is null", `"style":null`, "a cat"),
		Entry("the style consists of separators", `"style":"、+"`, "a cat"),
		Entry("style names occur only within words of the prompt", `"style":""`,
			"a claymore in a doodlebug's mosaicism"),
		Entry("the subject has the name of a style", `"subject":"Crayon","style":""`,
			"a box of crayon stubs, one crayon is broken"),
	)

	DescribeTable("leaves the prompt unchanged if nothing is found",
		func(profile studio.Profile, answer, prompt string, thought []string) {
			s := newStage(profile, answer)
			s.search = finding()
			var job studio.ImageRequest
			s.config.ImageGenerator = imageGeneratorOf(&job)
			reply := s.runText(wish)
			Expect(job.Prompt).To(Equal(prompt))
			Expect(reply.Retrieved).To(BeEmpty())
			Expect(s.eventLines(trace.KindFallback)).To(BeEmpty())
			Expect(withPrefix(s.eventLines(trace.KindThoughtLog), "rag")).To(Equal(thought))
		},
		Entry(nil, studio.ProfileV2, planV2("generate_image", 0.9), wish, []string{"rag 未检索到匹配的风格，使用原始 Prompt"}),
		Entry(nil, studio.ProfileV1, planV1("generate_image"), "a cyberpunk cat", nil),
	)

	It("adds no styles if no library is configured", func() {
		s := newStage(studio.ProfileV2, planV2("generate_image", 0.9))
		s.search = nil
		Expect(s.runText(wish).Retrieved).To(BeEmpty())
		Expect(withPrefix(s.eventLines(trace.KindSpan), "span rag")).To(BeEmpty())
	})

	for profile, answer := range map[studio.Profile]string{studio.ProfileV2: planV2("generate_image", 0.9),
		studio.ProfileV1: planV1("generate_image")} {
		DescribeTable(string(profile)+": leaves the prompt unchanged if the search fails",
			func(search styleLibraryName, reason string) {
				s := newStage(profile, answer)
				s.search = search
				reply := s.runText(wish)
				Expect(reply.AnsweredBy).To(Equal("generate_image"))
				Expect(reply.ErrorReply).To(BeNil())
				Expect(s.eventLines(trace.KindFallback)).
					To(Equal([]string{"fallback rag→original_prompt (" + reason + ")"}))
			},
			Entry("the search returns an error", failing(errors.New("disk on fire")), "transport"),
			Entry("the call of the search service fails", failing(&llm.Error{Kind: llm.KindServerError}),
				"server_error"),
			Entry("the search panics", styleLibraryName(func(context.Context, knowledge.Query) ([]knowledge.StyleMatch,
				error) {
				panic("no")
			}), "panic"),
			Entry("the search times out", styleLibraryName(hang), "timeout"),
		)
	}

	DescribeTable("uses at most 3 styles with sufficient similarity",
		func(profile studio.Profile, answer string, least float64) {
			s := newStage(profile, answer)
			like := func(similarity float64) knowledge.StyleMatch {
				return knowledge.StyleMatch{Style: cyberpunk.Style, Similarity: similarity}
			}
			s.search = finding(like(math.NaN()), like(1.1), like(least-0.01), like(-1), like(1), like(least),
				like(0.9), like(0.8))
			kept := []agent.Hit{{ID: "cyberpunk", Similarity: 1}, {ID: "cyberpunk", Similarity: least},
				{ID: "cyberpunk", Similarity: 0.9}}
			Expect(s.runText(wish).Retrieved).To(Equal(kept))
		},
		Entry(nil, studio.ProfileV2, planV2("generate_image", 0.9), 0.6),
		Entry(nil, studio.ProfileV1, planV1("generate_image"), 0.7),
	)

	It("times out after 3 s without a retry", func() {
		s := newStage(studio.ProfileV2, planV2("generate_image", 0.9))
		s.search = hang
		s.runText(wish)
		Expect(s.story()).To(ContainElements(
			"4s span rag style_library#1 timeout", "4s timeout rag  (timeout)",
			"4s fallback rag→original_prompt (timeout)"))
		Expect(s.queries).To(HaveLen(1))
	})

	It("finds built-in styles by their Chinese and English names", func() {
		for profile, answer := range map[studio.Profile]string{studio.ProfileV2: planV2("generate_image", 0.9),
			studio.ProfileV1: planV1("generate_image")} {
			s := newStage(profile, answer)
			s.search = shippedShelf()
			reply := s.runText(wish)
			Expect(reply.Retrieved).NotTo(BeEmpty(), string(profile))
			Expect(reply.Retrieved[0].ID).To(Equal("cyberpunk"))
		}
	})
})

func shippedShelf() styleLibraryName {
	GinkgoHelper()
	styles, err := knowledge.ShippedStyles()
	Expect(err).NotTo(HaveOccurred())
	lib, err := knowledge.New(context.Background(), styles, knowledge.HashEmbedder{})
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(lib.Close)
	return func(ctx context.Context, q knowledge.Query) ([]knowledge.StyleMatch, error) {
		return lib.Search(ctx, knowledge.HashEmbedder{}, q)
	}
}

func finding(hits ...knowledge.StyleMatch) styleLibraryName {
	return func(context.Context, knowledge.Query) ([]knowledge.StyleMatch, error) { return hits, nil }
}

func failing(err error) styleLibraryName {
	return func(context.Context, knowledge.Query) ([]knowledge.StyleMatch, error) { return nil, err }
}

func hang(ctx context.Context, _ knowledge.Query) ([]knowledge.StyleMatch, error) {
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
