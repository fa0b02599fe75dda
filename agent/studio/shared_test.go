package studio_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/knowledge"
	"evalctl/agent/llm"
	"evalctl/agent/studio"
	"evalctl/agent/system"
	"evalctl/agent/trace"
	"evalctl/mocks"
	"evalctl/mocks/fault"
	"evalctl/mocks/model"
)

var _ = Describe("The studio", func() {
	It("X2: records a span for each call with node, provider, model, start, duration, tokens and attempt", func() {
		s := reviewed(studio.ProfileV2, studio.CriticLLM, scores(0.9))
		s.runText(wish)
		var spans []trace.Span
		for _, e := range s.events {
			if e.Kind != trace.KindSpan {
				continue
			}
			if e.Span.Provider == "deepseek" {
				Expect(e.Span.Tokens.In).To(BeNumerically(">", 0))
				Expect(e.Span.Tokens.Out).To(BeNumerically(">", 0))
				e.Span.Tokens = trace.Tokens{}
			}
			e.Span.SentMessages = nil
			spans = append(spans, *e.Span)
		}
		painted := paintedIn(s)
		Expect(spans).To(Equal([]trace.Span{
			{Provider: "deepseek", Model: "deepseek-chat", Duration: time.Second, Attempt: 1},
			{Provider: "style_library", Model: "styles", Start: time.Second, Attempt: 1},
			{Provider: "placeholder", Model: "text_to_image", Start: time.Second, Duration: painted, Attempt: 1},
			{Provider: "deepseek", Model: "deepseek-chat", Start: time.Second + painted, Duration: time.Second,
				Attempt: 1},
		}))
	})

	It("X4: records a one-word reason for each decision, fallback, retry, timeout, cache hit and loop", func() {
		counts := map[trace.Kind]int{}
		for _, faults := range []string{"router:timeout", "router:server_error@1+critic:timeout",
			"router:malformed_json", "critic:reset@1"} {
			s := reviewed(studio.ProfileV2, studio.CriticLLM, scores(0.2, 0.9))
			s.faults, s.search = faults, hang
			s.inSimulation(func(_ context.Context, respond func(agent.Turn) agent.Reply) {
				for range 2 {
					respond(agent.Turn{Text: wish})
					for _, e := range s.events {
						switch e.Kind {
						case trace.KindFallback, trace.KindRetry, trace.KindTimeout, trace.KindRoute,
							trace.KindCacheHit, trace.KindCriticLoop:
							counts[e.Kind]++
							Expect(e.Reason).To(MatchRegexp(`^[a-z_]+$`), "%v", e)
						}
					}
				}
			})
		}
		Expect(counts).To(HaveLen(6))
	})

	DescribeTable("X6: stops with a single done event if its context ends",
		func(profile studio.Profile, at string) {
			answer := planV2("generate_image", 0.9)
			if profile == studio.ProfileV1 {
				answer = planV1("generate_image")
			}
			s := newStage(profile, answer)
			s.config.Critic, s.search = studio.CriticLLM, hang
			a := s.open()
			Expect(clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
				ctx, cancel := context.WithCancel(ctx)
				clock.Go(ctx, "user", func(ctx context.Context) {
					d, err := time.ParseDuration(at)
					Expect(err).NotTo(HaveOccurred())
					Expect(clock.Sleep(ctx, d)).To(Succeed())
					cancel()
				})
				reply, err := s.answer(ctx, a, agent.Turn{Text: wish})
				Expect(errors.Is(err, context.Canceled) || errors.Is(err, llm.KindCanceled)).To(BeTrue(), "%v", err)
				Expect(reply.AnsweredBy).To(BeEmpty())
				Expect(s.duration.String()).To(Equal(at))
				Expect(s.eventLines(trace.KindDone)).To(Equal([]string{"done "}))
				Expect(s.eventLines(trace.KindError)).To(BeEmpty(), "no client is left to notify")
				Expect(s.eventLines(trace.KindReview)).To(BeEmpty())
				Expect(s.eventLines(trace.KindFallback)).To(HaveLen(strings.Count(at, "5s")),
					"the library's, before the executor")
				return nil
			})).To(Succeed())
		},
		Entry("the planner of v2 is running", studio.ProfileV2, "500ms"),
		Entry("the style search of v2 is running", studio.ProfileV2, "2s"),
		Entry("the executor of v2 is running", studio.ProfileV2, "5s"),
		Entry("the planner of v1 is running", studio.ProfileV1, "500ms"),
		Entry("the style search of v1 is running", studio.ProfileV1, "2s"),
		Entry("the executor of v1 is running", studio.ProfileV1, "5s"),
	)

	It("X6: does not count an image as passed if its context ends during the review", func() {
		s := reviewed(studio.ProfileV2, studio.CriticLLM, scores(0.9))
		s.faults = "critic:timeout"
		a := s.open()
		Expect(clock.RunSimulated(context.Background(), noon, func(ctx context.Context) error {
			ctx, cancel := clock.WithTimeout(ctx, 5*time.Second)
			defer cancel()
			_, err := s.answer(ctx, a, agent.Turn{Text: wish})
			Expect(err).To(HaveOccurred())
			Expect(s.eventLines(trace.KindReview)).To(BeEmpty())
			return nil
		})).To(Succeed())
	})

	DescribeTable("X4: records the planner's reasoning with its decision",
		func(profile studio.Profile, reasoning, text string) {
			answer := strings.Replace(planV2("generate_image", 0.9), `"因为"`, reasoning, 1)
			if profile == studio.ProfileV1 {
				answer = strings.Replace(planV1("generate_image"), "{", `{"reasoning":`+reasoning+",", 1)
			}
			s := newStage(profile, answer)
			Expect(s.runText(wish).DecidedBy).To(Equal("llm"))
			var texts []string
			for _, e := range s.events {
				if e.Kind == trace.KindRoute {
					texts = append(texts, e.Text)
				}
			}
			Expect(texts).To(Equal([]string{text}))
		},
		Entry("the reasoning in v2", studio.ProfileV2, `"要一张新图"`, "要一张新图"),
		Entry("the reasoning in v1", studio.ProfileV1, `"要一张新图"`, "要一张新图"),
		Entry("reasoning that is cut to 200 characters", studio.ProfileV2, `"`+strings.Repeat("因", 201)+`"`,
			strings.Repeat("因", 200)),
		Entry("reasoning that is not a text and is not recorded", studio.ProfileV2, `{"why":"因为"}`, ""),
		Entry("reasoning that is null and is not recorded", studio.ProfileV2, `null`, ""),
	)

	It("X6: returns an error reply after a panic in the planner", func() {
		for profile, node := range map[studio.Profile]string{studio.ProfileV2: "error_handler",
			studio.ProfileV1: "planner"} {
			s := newStage(profile, "")
			cfg := s.wire(second)
			cfg.Planner = new(llm.Client) // a client that was not created with llm.New panics
			reply := s.playBy(opened(cfg), agent.Turn{Text: wish})
			Expect(failure(reply)).To(Equal("PLANNER_FAILED planner panic"))
			Expect(s.stream()).To(Equal("error:" + node + " gen_ui_component:" + node + " "))
		}
	})

	It("X7: reads its prompts from files; a hash of their content is the version", func() {
		shipped, err := studio.ShippedPrompts("")
		Expect(err).NotTo(HaveOccurred())
		v1, err := studio.ShippedPrompts(studio.ProfileV1)
		Expect(err).NotTo(HaveOccurred())
		Expect(v1.Hash()).NotTo(Equal(shipped.Hash()))
		file := filepath.Join(GinkgoT().TempDir(), "mine.md")
		Expect(os.WriteFile(file, []byte("只回 json。{{if .Mask}}有蒙版{{end}}"), 0o600)).To(Succeed())
		mine := shipped
		mine.Planner, err = llm.LoadPromptFile(file)
		Expect(err).NotTo(HaveOccurred())
		Expect(mine.Hash()).NotTo(Equal(shipped.Hash()))
		review, again := shipped, v1
		review.Review, again.PlanRetry = prompt("只回 json。"), prompt("再来一次。")
		Expect(review.Hash()).NotTo(Equal(shipped.Hash()))
		Expect(again.Hash()).NotTo(Equal(v1.Hash()))

		s := newStage(studio.ProfileV2, planV2("generate_image", 0.9))
		s.config.Prompts.Planner = mine.Planner
		s.runText(wish)
		Expect(s.sent(0).Messages[0].Content).To(Equal("只回 json。"))
	})

	It("X7: uses a configured retry prompt in v1 only", func() {
		p, err := studio.ShippedPrompts(studio.ProfileV2)
		Expect(err).NotTo(HaveOccurred())
		Expect(p.PlanRetry).To(BeZero())
		s := newStage(studio.ProfileV1, "好的，画猫")
		s.config.Prompts.Planner = prompt("只回 json。")
		s.config.Prompts.PlanRetry = prompt("再来一次{{if .Mask}}，有蒙版{{end}}。")
		s.runTurn(repaint())
		Expect(s.sent(0).Messages[0].Content).To(Equal("只回 json。"))
		Expect(s.sent(1).Messages[0].Content).To(Equal("只回 json。\n再来一次，有蒙版。"))
	})

	DescribeTable("X7: reads each prompt from the file of a setting",
		func(profile, setting string, used bool) {
			version := func(values system.SettingValues) (string, error) {
				values["profile"] = profile
				o, err := studio.System().
					Open(system.Options{SettingValues: values,
						EndpointOf: func(string) system.Endpoint { return system.Endpoint{} }})
				return o.Version, err
			}
			file := filepath.Join(GinkgoT().TempDir(), "mine.md")
			Expect(os.WriteFile(file, []byte("只回 json。"), 0o600)).To(Succeed())
			shipped, err := version(system.SettingValues{})
			Expect(err).NotTo(HaveOccurred())
			mine, err := version(system.SettingValues{setting: file})
			Expect(err).NotTo(HaveOccurred())
			Expect(mine != shipped).To(Equal(used))
			_, err = version(system.SettingValues{setting: file + "x"})
			Expect(err).To(MatchError(HavePrefix("prompt: ")))
		},
		Entry(nil, "v2", "prompt", true), Entry(nil, "v2", "review-prompt", true),
		Entry("the retry prompt, which v2 ignores", "v2", "plan-retry-prompt", false),
		Entry(nil, "v1", "prompt", true), Entry(nil, "v1", "review-prompt", true),
		Entry(nil, "v1", "plan-retry-prompt", true),
	)

	It("X7: has one setting for each built-in prompt", func() {
		files := 0
		for _, s := range studio.System().Settings {
			if s.IsFile && s.Check != nil {
				files++
			}
		}
		Expect(files).To(Equal(reflect.TypeFor[studio.Prompts]().NumField()))
	})

	It("X8: emits the same events in every run, also with concurrent turns", func() {
		play := func() string {
			s := reviewed(studio.ProfileV2, studio.CriticLLM, scores(0.3, 0.6, 0.9))
			s.faults = "router:server_error%50+critic:server_error%50"
			s.inSimulation(func(_ context.Context,
				respond func(agent.Turn) agent.Reply) {
				respond(agent.Turn{Text: wish})
			})
			return strings.Join(s.story(), "\n")
		}
		want := play()
		stories := make([]string, 8)
		g, _ := clock.NewGroup(context.Background(), 0)
		for i := range stories {
			g.Go("player", func(context.Context) error {
				defer GinkgoRecover()
				stories[i] = play()
				return nil
			})
		}
		Expect(g.Wait()).To(Succeed())
		Expect(stories).To(HaveEach(want))
	})

	It("answers fifty concurrent callers in real time", func() {
		s := newStage(studio.ProfileV2, "")
		s.plan = func(r model.Request) string {
			return fmt.Sprintf(`{"action":"generate_image","subject":%q,"style":"","confidence":0.9}`, r.Text)
		}
		s.search = nil
		s.config.Critic = studio.CriticLLM
		s.config.ImageGenerator = imageGenerator(func(_ context.Context, j studio.ImageRequest) (studio.Image, error) {
			return studio.Image{URL: "https://a.example/" + j.Prompt, Reusable: true}, nil
		})
		a := opened(s.wire(nil))
		before := runtime.NumGoroutine()
		g, _ := clock.NewGroup(context.Background(), 0)
		for i := range 50 {
			text := fmt.Sprintf("第%d只猫", i%20)
			g.Go("caller", func(ctx context.Context) error {
				reply, err := a.Respond(ctx, agent.Turn{Text: text}, nil)
				if err == nil && (reply.GeneratedImageURL != "https://a.example/"+text ||
					reply.Slots["subject"] != text) {
					err = fmt.Errorf("%s: got %+v", text, reply)
				}
				return err
			})
		}
		Expect(g.Wait()).To(Succeed())
		Eventually(runtime.NumGoroutine).Should(BeNumerically("<=", before+2), "X6: no goroutine is left")
	})

	It("answers a turn even if faults are injected into the style search and the image generator", func() {
		faults, err := fault.Parse("store:server_error+image:server_error@1", nil)
		Expect(err).NotTo(HaveOccurred())
		server, err := mocks.New(mocks.Config{Faults: faults})
		Expect(err).NotTo(HaveOccurred())
		local := func(ctx context.Context, part string) error {
			err := server.SimulateLocalCall(ctx, part)
			if refused := (*fault.Error)(nil); errors.As(err, &refused) {
				return llm.NewResponseError(llm.Provider{}, refused.Status, "", "", err.Error())
			}
			return err
		}
		s := newStage(studio.ProfileV2, planV2("generate_image", 0.9))
		s.search = func(ctx context.Context, _ knowledge.Query) ([]knowledge.StyleMatch, error) {
			return nil, local(ctx, "store")
		}
		s.before = func(ctx context.Context, _ int) error { return local(ctx, "image") }
		Expect(s.runText(wish).AnsweredBy).To(Equal("generate_image"))
		Expect(s.eventLines(trace.KindFallback)).To(Equal([]string{"fallback rag→original_prompt (server_error)"}))
		Expect(s.eventLines(trace.KindRetry)).To(Equal([]string{"retry executor  (server_error)"}))
	})
})

var _ = Describe("The Go API of the studio", func() {
	good := func() studio.Config {
		return newStage(studio.ProfileV2, "").wire(second)
	}

	It("rejects an invalid retry prompt of v1 with an error that names the prompt", func() {
		cfg := good()
		cfg.Profile, cfg.Prompts = studio.ProfileV1, studio.Prompts{PlanRetry: prompt("{{.Colour}}")}
		_, err := studio.New(cfg)
		Expect(err).To(MatchError(ContainSubstring("studio.Config.Prompts: fill prompt mine")))
	})

	DescribeTable("rejects an invalid configuration with an error that names the field",
		func(want string, change func(*studio.Config)) {
			cfg := good()
			change(&cfg)
			_, err := studio.New(cfg)
			Expect(err).To(MatchError(ContainSubstring(want)))
		},
		Entry(nil, `studio.Config.Profile: unknown "v3"`, func(c *studio.Config) { c.Profile = "v3" }),
		Entry(nil, `studio.Config.Critic: unknown "me"`, func(c *studio.Config) { c.Critic = "me" }),
		Entry(nil, "studio.Config.Planner: required", func(c *studio.Config) { c.Planner = nil }),
		Entry(nil, "studio.Config.Reviewer: critic llm needs it",
			func(c *studio.Config) { c.Critic, c.Reviewer = studio.CriticLLM, nil }),
		Entry(nil, "studio.Config.Reviewer: critic vision needs it",
			func(c *studio.Config) { c.Critic, c.Reviewer = studio.CriticVision, nil }),
		Entry(nil, "studio.Config.ImageGenerator: required", func(c *studio.Config) { c.ImageGenerator = nil }),
		Entry(nil, "studio.Config.MaxText: -1 is negative", func(c *studio.Config) { c.MaxText = -1 }),
		Entry(nil, "studio.Config.Prompts: fill prompt mine",
			func(c *studio.Config) { c.Prompts.Planner = prompt("{{.Colour}}") }),
		Entry(nil, "studio.Config.Prompts: fill prompt mine",
			func(c *studio.Config) { c.Prompts.Review = prompt("{{.Colour}}") }),
	)

	It("requires no reviewer for the heuristic critic, and never a style library", func() {
		cfg := good()
		cfg.Reviewer, cfg.Styles, cfg.Critic = nil, nil, ""
		_, err := studio.New(cfg)
		Expect(err).NotTo(HaveOccurred())
	})

	It("lists the actions by their names in v2", func() {
		Expect(studio.Actions()).To(Equal([]string{"generate_image", "inpainting", "adjust_parameters", "unknown"}))
	})
})

func prompt(text string) llm.Prompt {
	GinkgoHelper()
	p, err := llm.NewPrompt("mine.md", []byte(text))
	Expect(err).NotTo(HaveOccurred())
	return p
}

var _ = Describe("S7: EventOrderPattern", func() {
	const (
		plan   = "thought_log:planner "
		loop2  = "thought_log:rag thought_log:executor thought_log:executor thought_log:critic thought_log:critic "
		shown2 = "gen_ui_component:genui gen_ui_component:genui gen_ui_component:genui "
		sorry2 = "error:error_handler gen_ui_component:error_handler "
		made1  = "thought_log:executor gen_ui_component:executor gen_ui_component:executor "
	)

	DescribeTable("rejects a wrong order of events", func(p studio.Profile, stream string) {
		Expect(studio.EventOrderPattern(p).MatchString(stream)).To(BeFalse())
	},
		Entry("no events, with the pattern of v2", studio.ProfileV2, ""),
		Entry("no events, with the pattern of v1", studio.ProfileV1, ""),
		Entry("an answer event without a plan event before it", studio.ProfileV2, loop2+shown2),
		Entry("a turn without an answer event", studio.ProfileV2, plan+loop2),
		Entry("an incomplete answer", studio.ProfileV2, plan+loop2+"gen_ui_component:genui "),
		Entry("five images in v2", studio.ProfileV2, plan+strings.Repeat(loop2, 5)+shown2),
		Entry("a review before the image", studio.ProfileV2,
			plan+"thought_log:rag thought_log:critic thought_log:executor thought_log:executor thought_log:critic "+
				shown2),
		Entry("an error reply after the answer", studio.ProfileV2, plan+loop2+shown2+sorry2),
		Entry("a UI component before the error event", studio.ProfileV2,
			plan+"gen_ui_component:error_handler error:error_handler "),
		Entry("the error event twice", studio.ProfileV2, plan+"error:error_handler "+sorry2),
		Entry("the events of v1, with the pattern of v2", studio.ProfileV2, plan+made1+"thought_log:critic "),
		Entry("the events of v2, with the pattern of v1", studio.ProfileV1, plan+loop2+shown2),
		Entry("four images in v1", studio.ProfileV1,
			plan+strings.Repeat(made1+"thought_log:critic gen_ui_component:critic ", 3)+made1+"thought_log:critic "),
		Entry("an error reply of a node that never sends one", studio.ProfileV1,
			plan+"error:rag gen_ui_component:rag "),
		Entry("an error reply after an image was generated in v1", studio.ProfileV1,
			plan+made1+"thought_log:critic thought_log:executor error:executor gen_ui_component:executor "),
		Entry("an error reply after an image was generated in v2", studio.ProfileV2,
			plan+loop2+"thought_log:rag thought_log:executor "+sorry2),
		Entry("further events after the answer", studio.ProfileV1,
			plan+made1+"thought_log:critic thought_log:planner "),
	)

	DescribeTable("accepts a valid order of events", func(p studio.Profile, stream string) {
		Expect(studio.EventOrderPattern(p).MatchString(stream)).To(BeTrue())
	},
		Entry("four images in v2", studio.ProfileV2, plan+strings.Repeat(loop2, 4)+shown2),
		Entry("in v2, a second image that cannot be generated", studio.ProfileV2,
			plan+loop2+"thought_log:rag thought_log:executor "+shown2),
		Entry("three images in v1", studio.ProfileV1,
			plan+strings.Repeat(made1+"thought_log:critic gen_ui_component:critic ", 2)+made1+"thought_log:critic "),
		Entry("in v1, a third image that cannot be generated", studio.ProfileV1,
			plan+made1+"thought_log:critic gen_ui_component:critic "+made1+"thought_log:critic "+made1),
		Entry("one image in the default profile", studio.Profile(""), plan+loop2+shown2),
	)
})
