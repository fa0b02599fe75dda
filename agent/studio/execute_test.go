package studio_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/imagegen"
	"evalctl/agent/llm"
	"evalctl/agent/studio"
	"evalctl/agent/trace"
	"evalctl/mocks/model"
)

// repaint returns a turn with everything that editing an area requires: a text, an image and a
// mask.
func repaint() agent.Turn {
	return agent.Turn{Text: "换成机械头盔", Mask: mask(1), Images: []string{canvas}}
}

func drawn() agent.Turn { return agent.Turn{Text: "画一只猫"} }

func brightened() agent.Turn { return agent.Turn{Text: "亮一点", Images: []string{canvas}} }

func refusing(kind llm.ErrorKind) func(context.Context, int) error {
	return func(context.Context, int) error { return &llm.Error{Kind: kind} }
}

func hanging(ctx context.Context, _ int) error { return clock.Sleep(ctx, time.Hour) }

var _ = Describe("S4: The executor", func() {
	DescribeTable("makes at most 4 attempts in v2, and only if a retry can help",
		func(before func(context.Context, int) error, reason string, attempts int) {
			s := newStage(studio.ProfileV2, planV2("generate_image", 0.9))
			s.before = before
			reply := s.runText(wish)
			Expect(failure(reply)).To(Equal("EXECUTOR_FAILED executor " + reason))
			Expect(reply.Predicted).To(Equal("generate_image"))
			Expect(s.attempts).To(Equal(attempts))
			Expect(withPrefix(s.eventLines(trace.KindSpan), "span executor")).To(HaveLen(attempts))
			Expect(s.eventLines(trace.KindRetry)).To(HaveLen(attempts - 1))
			Expect(s.eventLines(trace.KindFallback)).
				To(Equal([]string{"fallback executor→error_handler (" + reason + ")"}))
			Expect(s.stream()).To(HaveSuffix(
				"thought_log:rag thought_log:executor error:error_handler gen_ui_component:error_handler "))
		},
		Entry("the service returns a server error", refusing(llm.KindServerError), "server_error", 4),
		Entry("the service limits the rate", refusing(llm.KindRateLimited), "rate_limited", 4),
		Entry("the connection breaks", refusing(llm.KindConnectionReset), "reset", 4),
		Entry("the API key is wrong", refusing(llm.KindAuth), "auth", 1),
		Entry("the content of the request is blocked", refusing(llm.KindContentBlocked), "content_blocked", 1),
		Entry("the service does not answer", hanging, "timeout", 1),
		Entry("the error has an unknown kind", func(context.Context, int) error { return errors.New("?") },
			"transport", 1),
	)

	It("waits 0.5 s, 1 s and 2 s, each ±25 %, between the attempts of v2", func() {
		s := newStage(studio.ProfileV2, planV2("generate_image", 0.9))
		s.before = refusing(llm.KindServerError)
		s.runText(wish)
		Expect(s.duration - time.Second).To(BeNumerically("~", 3500*time.Millisecond, 875*time.Millisecond))
	})

	It("counts the retries of a failed call separately from the images that the critic rejects", func() {
		s := newStage(studio.ProfileV2, planV2("generate_image", 0.9))
		s.before = func(_ context.Context, attempt int) error {
			if attempt < 4 {
				return &llm.Error{Kind: llm.KindServerError}
			}
			return nil
		}
		s.config.Critic = studio.CriticLLM
		s.review = func(model.Request) string { return verdict(0.1, false) }
		Expect(s.runText(wish).AnsweredBy).To(Equal("generate_image"))
		Expect(s.attempts).To(Equal(3+4), "4 pictures, the first of them at the 4th attempt")
	})

	It("makes only one attempt in v1", func() {
		s := newStage(studio.ProfileV1, planV1("generate_image"))
		s.before = refusing(llm.KindServerError)
		Expect(failure(s.runText(wish))).To(Equal("EXECUTOR_FAILED executor server_error"))
		Expect(s.attempts).To(Equal(1))
		Expect(s.stream()).To(HaveSuffix("error:executor gen_ui_component:executor gen_ui_component:executor "))
		Expect(s.eventLines(trace.KindFallback)).To(Equal([]string{"fallback executor→end (server_error)"}))
	})

	It("S6: shows a retry button in v1 after a failure, and the previous image if there is one", func() {
		const retry = `{"widgetType":"ActionPanel","props":{"actions":[{"id":"retry_btn","label":"重试","type":"button"}]}}`
		s := newStage(studio.ProfileV1, planV1("generate_image"))
		s.config.Critic = studio.CriticLLM
		s.review = func(model.Request) string { return verdict(0.1, false) }
		for attempt := 1; attempt <= 3; attempt++ {
			s.attempts = 0
			s.before = func(_ context.Context, n int) error {
				if n == attempt {
					return &llm.Error{Kind: llm.KindServerError}
				}
				return nil
			}
			reply := s.runText(wish)
			shown := s.components()
			Expect(shown[len(shown)-1]).To(Equal(retry))
			if attempt == 1 {
				Expect(failure(reply)).To(Equal("EXECUTOR_FAILED executor server_error"))
				continue
			}
			Expect(reply.ErrorReply).To(BeNil())
			Expect(reply.AnsweredBy).To(Equal("generate_image"))
			Expect(reply.GeneratedImageURL).NotTo(BeEmpty())
			Expect(shown).To(ContainElement(ContainSubstring(reply.GeneratedImageURL)))
			Expect(reply.Content).To(Equal("生成完成！质量评分：10/100。换个角度 再次生成没有成功，这是上一次的结果，仍未达到质量要求。"))
			Expect(shown[len(shown)-2]).To(ContainSubstring(reply.Content))
			Expect(reviews(s)).To(HaveLen(attempt-1), "nothing new to judge")
			Expect(s.eventLines(trace.KindFallback)).
				To(Equal([]string{"fallback executor→last_picture (server_error)"}))
		}
	})

	It("S6: shows no retry button if a retry cannot help, and never in v2", func() {
		s := newStage(studio.ProfileV1, planV1("inpainting"))
		t := repaint()
		t.Mask = "data:image/png;base64,"
		Expect(failure(s.runTurn(t))).To(Equal("INVALID_MASK executor"))
		Expect(s.components()).To(HaveLen(1))
		v2 := newStage(studio.ProfileV2, planV2("generate_image", 0.9))
		v2.before = refusing(llm.KindAuth)
		v2.runText(wish)
		Expect(v2.components()).To(HaveLen(1))
	})

	DescribeTable("S9: times out after exactly 5 s per attempt", func(profile studio.Profile, answer string) {
		s := newStage(profile, answer)
		s.before = hanging
		s.runText(wish)
		Expect(s.duration).To(Equal(6 * time.Second))
		Expect(s.eventLines(trace.KindTimeout)).To(Equal([]string{"timeout executor  (timeout)"}))
	},
		Entry(nil, studio.ProfileV2, planV2("generate_image", 0.9)),
		Entry(nil, studio.ProfileV1, planV1("generate_image")),
	)

	DescribeTable("X6: handles a panic of the image generator like a failed call",
		func(profile studio.Profile, answer string) {
			s := newStage(profile, answer)
			s.config.ImageGenerator = imageGenerator(func(context.Context, studio.ImageRequest) (studio.Image,
				error) {
				panic("no colours")
			})
			Expect(failure(s.runText(wish))).To(Equal("EXECUTOR_FAILED executor panic"))
		},
		Entry(nil, studio.ProfileV2, planV2("generate_image", 0.9)),
		Entry(nil, studio.ProfileV1, planV1("generate_image")),
	)

	DescribeTable("treats an image without a URL as a failure", func(profile studio.Profile, answer string) {
		s := newStage(profile, answer)
		asked := 0
		s.config.ImageGenerator = imageGenerator(func(context.Context, studio.ImageRequest) (studio.Image, error) {
			asked++
			return studio.Image{URL: strings.Repeat(" ", asked-1), Reusable: true}, nil
		})
		s.inSimulation(func(_ context.Context, respond func(agent.Turn) agent.Reply) {
			for range 2 {
				Expect(failure(respond(agent.Turn{Text: wish}))).To(Equal("EXECUTOR_FAILED executor empty_content"))
			}
		})
		Expect(asked).To(Equal(2), "what is not a picture is not kept")
	},
		Entry(nil, studio.ProfileV2, planV2("generate_image", 0.9)),
		Entry(nil, studio.ProfileV1, planV1("generate_image")),
	)

	for profile, answer := range map[studio.Profile]string{studio.ProfileV2: planV2("inpainting", 0.9),
		studio.ProfileV1: planV1("inpainting")} {
		DescribeTable(string(profile)+", S8: rejects an invalid mask before it calls the image generator",
			func(wrong string) {
				s := newStage(profile, answer)
				t := repaint()
				t.Mask = wrong
				reply := s.runTurn(t)
				Expect(failure(reply)).To(Equal("INVALID_MASK executor"))
				Expect(reply.Predicted).To(Equal("inpainting"))
				Expect(reply.Content).To(ContainSubstring("蒙版"))
				Expect(s.attempts).To(BeZero())
				Expect(s.eventLines(trace.KindFallback)).To(BeEmpty())
			},
			Entry("an http URL", "https://a.example/mask.png"),
			Entry("base64 that is not a data URL", strings.TrimPrefix(mask(1), "data:image/png;base64,")),
			Entry("a data URL with invalid base64", "data:image/png;base64,!!!"),
			Entry("a data URL with text", "data:text/plain;base64,aGVsbG8="),
			Entry("a PNG that is declared as text", strings.Replace(mask(1), "image/png", "text/plain", 1)),
			Entry("HTML that is declared as a PNG", "data:image/png;base64,PGh0bWw+PC9odG1sPg=="),
			Entry("half of a PNG", mask(1)[:len(mask(1))/2/4*4+2]),
			Entry("a PNG without its end", mask(1)[:len(mask(1))-24]),
			Entry("a data URL without data", "data:image/png;base64,"),
		)
	}

	It("returns an error in v1 if the action is to edit an area but there is no image", func() {
		s := newStage(studio.ProfileV1, planV1("inpainting"))
		t := repaint()
		t.Images = nil
		Expect(failure(s.runTurn(t))).To(Equal("BASE_IMAGE_REQUIRED executor"))
		Expect(s.attempts).To(BeZero())
	})

	It("generates a new image in v2 if the action is to edit an area but there is no image", func() {
		s := newStage(studio.ProfileV2, planV2("inpainting", 0.9))
		t := repaint()
		t.Images = nil
		Expect(s.runTurn(t).AnsweredBy).To(Equal("inpainting"))
		Expect(s.eventLines(trace.KindFallback)).To(BeEmpty())
	})
})

var _ = Describe("S4: The placeholder image generator", func() {
	paint := func(p studio.PlaceholderGenerator, j studio.ImageRequest) (image studio.Image, duration time.Duration) {
		GinkgoHelper()
		Expect(clock.RunSimulated(context.Background(), noon, func(ctx context.Context) (err error) {
			image, err = p.Generate(ctx, j)
			duration = clock.Since(ctx, noon)
			return err
		})).To(Succeed())
		return image, duration
	}

	DescribeTable("waits for a time that depends on the prompt, the seed and the number of rejected images",
		func(profile studio.Profile, task studio.ImageTask, least, most time.Duration) {
			times := map[time.Duration]bool{}
			for seed := range uint64(200) {
				_, duration := paint(studio.PlaceholderGenerator{Profile: profile, Seed: seed},
					studio.ImageRequest{Task: task, Prompt: "猫", Mask: mask(1)})
				Expect(duration).To(And(BeNumerically(">=", least), BeNumerically("<=", most)))
				times[duration] = true
			}
			if least == most {
				return
			}
			Expect(len(times)).To(BeNumerically(">", 100))
			_, retried := paint(studio.PlaceholderGenerator{Profile: profile},
				studio.ImageRequest{Task: task, Prompt: "猫", RejectedCount: 1})
			_, first := paint(studio.PlaceholderGenerator{Profile: profile},
				studio.ImageRequest{Task: task, Prompt: "猫"})
			Expect(retried).NotTo(Equal(first))
		},
		Entry(nil, studio.ProfileV2, studio.TaskTextToImage, 2*time.Second, 3*time.Second),
		Entry(nil, studio.ProfileV2, studio.TaskInpainting, 2*time.Second, 3*time.Second),
		Entry(nil, studio.ProfileV2, studio.TaskParameterAdjustment, 1500*time.Millisecond, 1500*time.Millisecond),
		Entry(nil, studio.ProfileV1, studio.TaskTextToImage, 2*time.Second, 3*time.Second),
		Entry(nil, studio.ProfileV1, studio.TaskInpainting, 3*time.Second, 4*time.Second),
		Entry(nil, studio.ProfileV1, studio.TaskParameterAdjustment, 2*time.Second, 3*time.Second),
	)

	DescribeTable("returns the same URL for identical requests, and different URLs for different requests",
		func(profile studio.Profile, a, b studio.ImageRequest, same bool) {
			first, _ := paint(studio.PlaceholderGenerator{Profile: profile, Seed: 1}, a)
			second, _ := paint(studio.PlaceholderGenerator{Profile: profile, Seed: 2}, b)
			Expect(first.URL).To(MatchRegexp(`^https://picsum\.photos/seed/[0-9]+/800/600$`))
			Expect(first.URL == second.URL).To(Equal(same))
			Expect(first.Reusable).To(BeTrue())
		},
		Entry("two requests with the same prompt, which get the same URL", studio.ProfileV2,
			studio.ImageRequest{Task: studio.TaskTextToImage, Prompt: "猫"},
			studio.ImageRequest{Task: studio.TaskTextToImage, Prompt: "猫", RejectedCount: 2}, true),
		Entry("two requests with different prompts", studio.ProfileV2,
			studio.ImageRequest{Task: studio.TaskTextToImage, Prompt: "猫"},
			studio.ImageRequest{Task: studio.TaskTextToImage, Prompt: "狗"}, false),
		Entry("a new image and an adjustment with the same prompt", studio.ProfileV2,
			studio.ImageRequest{Task: studio.TaskTextToImage, Prompt: "猫"},
			studio.ImageRequest{Task: studio.TaskParameterAdjustment, Prompt: "猫"}, false),
		Entry("two masks that differ only in the middle", studio.ProfileV2,
			studio.ImageRequest{Task: studio.TaskInpainting, Prompt: "猫", Mask: mask(1)},
			studio.ImageRequest{Task: studio.TaskInpainting, Prompt: "猫", Mask: mask(2)}, false),
		Entry("two requests with different parameters", studio.ProfileV1,
			studio.ImageRequest{Task: studio.TaskParameterAdjustment, Prompt: "猫",
				Parameters: map[string]any{"style_strength": 10}},
			studio.ImageRequest{Task: studio.TaskParameterAdjustment, Prompt: "猫",
				Parameters: map[string]any{"style_strength": 20}}, false),
	)

	It("v1: returns a new URL each time an area is edited, even for the same request", func() {
		var urls []string
		Expect(clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
			for range 2 {
				p, err := studio.PlaceholderGenerator{Profile: studio.ProfileV1}.Generate(ctx,
					studio.ImageRequest{Task: studio.TaskInpainting, Prompt: "猫", Mask: mask(1)})
				if err != nil {
					return err
				}
				Expect(p.Reusable).To(BeFalse())
				urls = append(urls, p.URL)
			}
			return nil
		})).To(Succeed())
		Expect(urls[0]).NotTo(Equal(urls[1]))
	})
})

var _ = Describe("S4: The DashScope image generator", func() {
	DescribeTable("generates new images and edits images",
		func(turn func() agent.Turn, answer, path string, expected ...string) {
			s := newStage(studio.ProfileV2, answer)
			s.config.ImageGenerator = dashScope(s, "")
			reply := s.runTurn(turn())
			Expect(reply.GeneratedImageURL).NotTo(BeEmpty())
			log := s.server.Log()
			Expect(log[1].Path).To(Equal(path))
			for _, want := range expected {
				Expect(s.bodies[1]).To(ContainSubstring(want))
			}
			Expect(withPrefix(s.eventLines(trace.KindSpan), "span executor dashscope")).NotTo(BeEmpty())
		},
		Entry("a new image", func() agent.Turn { return agent.Turn{Text: wish} }, planV2("generate_image", 0.9),
			"/api/v1/services/aigc/multimodal-generation/generation", wish+", neon-lit night city"),
		Entry("a change of a masked area", repaint, planV2("inpainting", 0.9),
			"/api/v1/services/aigc/image2image/image-synthesis", `"description_edit_with_mask"`, canvas, mask(1)),
		Entry("a change of the whole image",
			func() agent.Turn { return agent.Turn{Text: "亮一点", Images: []string{canvas}} },
			planV2("adjust_parameters", 0.9),
			"/api/v1/services/aigc/image2image/image-synthesis", `"description_edit"`, canvas),
		Entry("a change without an image to change becomes a new image",
			func() agent.Turn { return agent.Turn{Text: "猫亮一点"} },
			planV2("adjust_parameters", 0.9),
			"/api/v1/services/aigc/multimodal-generation/generation", "猫亮一点"),
		Entry("a change of a masked area without an image becomes a new image",
			func() agent.Turn { return agent.Turn{Text: "机械头盔", Mask: mask(1)} },
			planV2("inpainting", 0.9),
			"/api/v1/services/aigc/multimodal-generation/generation", "机械头盔"),
	)

	DescribeTable("S4: sends the parameters of v1 that the service supports, and records the others in the trace",
		func(action, given string, turn func() agent.Turn, sent string, ignored ...string) {
			plan := fmt.Sprintf(`{"action":%q,"subject":"cat","prompt":"a cat","parameters":%s}`, action, given)
			s := newStage(studio.ProfileV1, plan)
			s.config.ImageGenerator = dashScope(s, studio.ProfileV1)
			Expect(s.runTurn(turn()).ErrorReply).To(BeNil())
			Expect(s.bodies[1]).To(ContainSubstring(`"parameters":` + sent))
			var texts []string
			for _, e := range s.events {
				if e.Kind == trace.KindIgnoredInput {
					texts = append(texts, strings.TrimSpace(e.Reason+" "+e.Text+" "+e.From+" "+e.To))
				}
			}
			Expect(strings.Join(texts, "; ")).To(Equal(strings.Join(ignored, "; ")))
		},
		Entry("a size that the service supports", "generate_image", `{"resolution":"1104x1472"}`, drawn,
			`{"n":1,"size":"1104*1472"}`),
		Entry("a size for which the nearest supported one is sent", "generate_image",
			`{"resolution":"800 x 600"}`, drawn,
			`{"n":1,"size":"1472*1104"}`,
			"nearest_size resolution 800*600 1472*1104"),
		Entry("an invalid size", "generate_image", `{"resolution":"big"}`, drawn, `{"n":1,"size":"1328*1328"}`,
			"unsupported resolution"),
		Entry("a strength for a new image is not sent", "generate_image", `{"style_strength":60,"resolution":null}`,
			drawn,
			`{"n":1,"size":"1328*1328"}`, "unsupported style_strength"),
		Entry("a strength for a change is sent", "parameter_adjustment", `{"style_strength":"60"}`, brightened,
			`{"n":1,"strength":0.6}`),
		Entry("a strength of zero for a change", "parameter_adjustment", `{"style_strength":0}`, brightened,
			`{"n":1,"strength":0}`),
		Entry("a strength above 100", "parameter_adjustment", `{"style_strength":101}`, brightened, `{"n":1}`,
			"unsupported style_strength"),
		Entry("a size and an unknown parameter for a change are not sent", "parameter_adjustment",
			`{"style_strength":5,"resolution":"800x600","brightness":3}`, brightened,
			`{"n":1,"strength":0.05}`, "unsupported brightness, resolution"),
		Entry("a strength with a mask is not sent", "inpainting", `{"style_strength":60}`, repaint, `{"n":1}`,
			"unsupported style_strength"),
		Entry("a request without parameters", "inpainting", `{}`, repaint, `{"n":1}`),
	)

	DescribeTable("X10: generates a new image if there is no image to edit; the reply and the trace report this",
		func(profile studio.Profile, answer string, t agent.Turn, decided, from string) {
			s := newStage(profile, answer)
			s.config.ImageGenerator = dashScope(s, profile)
			reply := s.runTurn(t)
			Expect(reply.Predicted).To(Equal(decided))
			Expect(reply.AnsweredBy).To(Equal("generate_image"))
			Expect(s.eventLines(trace.KindFallback)).
				To(Equal([]string{"fallback " + from + "→text_to_image (no_base_image)"}))
		},
		Entry("a change of a masked area", studio.ProfileV2, planV2("inpainting", 0.9),
			agent.Turn{Text: "机械头盔", Mask: mask(1)},
			"inpainting", "inpainting"),
		Entry("a change of the whole image in v2", studio.ProfileV2, planV2("adjust_parameters", 0.9),
			agent.Turn{Text: "猫亮一点"},
			"adjust_parameters", "parameter_adjustment"),
		Entry("a change of the whole image in v1", studio.ProfileV1, planV1("parameter_adjustment"),
			agent.Turn{Text: "猫亮一点"},
			"adjust_parameters", "parameter_adjustment"),
	)

	DescribeTable("X10: executes the planner's action without a fallback if that is possible",
		func(answer string, t agent.Turn, decided string) {
			s := newStage(studio.ProfileV2, answer)
			s.config.ImageGenerator = dashScope(s, "")
			Expect(s.runTurn(t).AnsweredBy).To(Equal(decided))
			Expect(s.eventLines(trace.KindFallback)).To(BeEmpty())
		},
		Entry(nil, planV2("generate_image", 0.9), agent.Turn{Text: wish}, "generate_image"),
		Entry(nil, planV2("inpainting", 0.9), repaint(), "inpainting"),
	)

	It("S9: waits up to 120 s for a task of the service", func() {
		s := newStage(studio.ProfileV2, planV2("inpainting", 0.9))
		s.faults = "image:task_endless"
		s.config.ImageGenerator = dashScope(s, "")
		Expect(failure(s.runTurn(repaint()))).To(Equal("EXECUTOR_FAILED executor timeout"))
		Expect(s.duration).To(Equal(121 * time.Second))
	})

	DescribeTable("retries as often as the placeholder in each profile",
		func(profile studio.Profile, answer string, attempts int) {
			s := newStage(profile, answer)
			s.faults = "image:server_error"
			s.config.ImageGenerator = dashScope(s, profile)
			Expect(failure(s.runText(wish))).To(Equal("EXECUTOR_FAILED executor server_error"))
			Expect(s.server.Calls("image")).To(Equal(attempts))
		},
		Entry(nil, studio.ProfileV2, planV2("generate_image", 0.9), 4),
		Entry(nil, studio.ProfileV1, planV1("generate_image"), 1),
	)
})

func dashScope(s *stage, p studio.Profile) studio.ImageGenerator {
	GinkgoHelper()
	c, err := imagegen.New(imagegen.Config{Node: "executor", APIKey: "sk-test", HTTP: &http.Client{Transport: s},
		Retries: studio.ImageRetries(p)})
	Expect(err).NotTo(HaveOccurred())
	return studio.DashScopeGenerator{Client: c}
}
