package toolrouter_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/clock"
	"evalctl/agent/llm"
	"evalctl/agent/toolrouter"
	"evalctl/agent/trace"
	"evalctl/mocks/component"
	"evalctl/mocks/latency"
	"evalctl/mocks/model"
	"evalctl/mocks/wire"
)

var _ = Describe("The tool router", func() {
	DescribeTable("X1: calls its models at any provider",
		func(provider, model, path string, dialect wire.Dialect) {
			s := talker()
			s.config.Router, s.config.Chat = s.client("router", provider, model), s.client("chat", provider, model)
			reply, err := s.say("讲个笑话")
			Expect(err).NotTo(HaveOccurred())
			Expect(reply.Content).To(Equal(joke))
			Expect(s.bodies[path]).To(HaveLen(2))
			Expect(s.server.Log()[0].Dialect).To(Equal(dialect))
		},
		Entry(nil, "openai", "gpt-4o", "/v1/chat/completions", wire.OpenAI),
		Entry(nil, "deepseek", "deepseek-chat", deepSeek, wire.DeepSeek),
		Entry(nil, "dashscope", "qwen-plus", dashScope, wire.DashScope),
		Entry(nil, "ark", "doubao-1-5-pro-32k-250115", "/api/v3/chat/completions", wire.Ark),
	)

	It("X2: records a span for each call with node, provider, model, start, duration, time to first token, tokens and attempt",
		func() {
			s := finder()
			s.mocks.Latency["chat"] = latency.PerToken(time.Second, 100*time.Millisecond)
			_, err := s.say(news)
			Expect(err).NotTo(HaveOccurred())
			var spans []trace.Span
			for _, e := range s.events {
				if e.Kind == trace.KindSpan {
					Expect(e.Span.Tokens.In).To(BeNumerically(">", 0))
					Expect(e.Span.Tokens.Out).To(BeNumerically(">", 0))
					Expect(e.Span.SentMessages).NotTo(BeEmpty())
					e.Span.Tokens, e.Span.SentMessages = trace.Tokens{}, nil
					spans = append(spans, *e.Span)
				}
			}
			Expect(spans).To(HaveLen(3))
			Expect(spans[0]).To(Equal(trace.Span{Provider: "deepseek", Model: "deepseek-chat", Duration: time.Second,
				Attempt: 1}))
			Expect(spans[1]).To(Equal(trace.Span{Provider: "dashscope", Model: "qwen-plus", Start: time.Second,
				Duration: time.Second, Attempt: 1}))
			Expect(spans[2].Start).To(Equal(2 * time.Second))
			Expect(spans[2].TTFT).To(Equal(time.Second))
			Expect(spans[2].Duration).To(BeNumerically(">=", time.Second))
		})

	DescribeTable("X2: retries a call only after an error that may be temporary",
		func(fault string, attempts int) {
			s := talker()
			s.faults = fault
			_, err := s.say("讲个笑话")
			Expect(err).To(HaveOccurred())
			Expect(s.server.Calls("chat")).To(Equal(attempts))
		},
		Entry(nil, "chat:rate_limited", 3), Entry(nil, "chat:overloaded", 3), Entry(nil, "chat:reset", 3),
		Entry(nil, "chat:auth", 1), Entry(nil, "chat:no_balance", 1), Entry(nil, "chat:timeout", 1),
	)

	It("X2: waits for the Retry-After delay before a retry", func() {
		s := talker()
		s.faults = "router:rate_limited=7s@1"
		reply, err := s.say("讲个笑话")
		Expect(err).NotTo(HaveOccurred())
		Expect(reply.DecidedBy).To(Equal("llm"))
		Expect(decidedAt(s)).To(Equal(8 * time.Second))
	})

	It("X4: records a one-word reason for each fallback, overridden decision, retry, timeout and route", func() {
		counts := map[trace.Kind]int{}
		for _, fault := range []string{"router:timeout", "router:server_error", "image:reset", "image:task_endless",
			"chat:empty_content@1"} {
			s := imageGenerator()
			s.faults, s.tasks = fault, true
			_, err := s.play(agent.Turn{Text: "画一张今天新闻的图", Options: options("web_search", "false")})
			Expect(err).NotTo(HaveOccurred())
			for _, e := range s.events {
				if slices.Contains([]trace.Kind{trace.KindFallback, trace.KindGuard, trace.KindRetry, trace.KindTimeout,
					trace.KindRoute}, e.Kind) {
					counts[e.Kind]++
					Expect(e.Reason).To(MatchRegexp(`^[a-z_]+$`), "%v", e)
				}
			}
		}
		Expect(counts).To(And(HaveKey(trace.KindFallback), HaveKey(trace.KindRetry), HaveKey(trace.KindTimeout),
			HaveKey(trace.KindRoute)))
	})

	It("X5: takes no real time on a simulated clock, even if a stream stalls for 61 s", func() {
		s := talker()
		s.faults = "chat:stalled_stream"
		began := time.Now()
		_, err := s.say("讲个笑话")
		Expect(err).To(HaveOccurred())
		Expect(s.duration).To(Equal(61 * time.Second))
		Expect(time.Since(began)).To(BeNumerically("<", 30*time.Second))
	})

	It("X7: reads its prompts from files, with a hash as the version; a setting can replace each of them", func() {
		shipped, err := toolrouter.ShippedPrompts()
		Expect(err).NotTo(HaveOccurred())
		file := filepath.Join(GinkgoT().TempDir(), "mine.md")
		Expect(os.WriteFile(file, []byte("只回 json。"), 0o600)).To(Succeed())
		mine := shipped
		mine.Router, err = llm.LoadPromptFile(file)
		Expect(err).NotTo(HaveOccurred())
		Expect(mine.Hash()).NotTo(Equal(shipped.Hash()))

		s := talker()
		s.config.Prompts.Router = mine.Router
		_, err = s.say("讲个笑话")
		Expect(err).NotTo(HaveOccurred())
		Expect(s.messages(deepSeek, 0)[0].Content).To(Equal("只回 json。"))
		Expect(s.messages(deepSeek, 1)[0].Content).To(Equal(shipped.Chat.Text))
	})

	It("X7: has a built-in routing prompt that requires the three fields and names the four routes", func() {
		shipped, err := toolrouter.ShippedPrompts()
		Expect(err).NotTo(HaveOccurred())
		for _, word := range append(toolrouter.Routes(), `"route"`, `"confidence"`, `"reason"`, "json") {
			Expect(shipped.Router.Text).To(ContainSubstring(word))
		}
	})

	It("X8: emits the same events in every run, even if trials run in parallel", func() {
		play := func() string {
			s := imageGenerator()
			s.mocks.Seed, s.tasks = 7, true
			s.mocks.Latency["router"] = latency.LogNormal(time.Second, 0.5)
			s.faults = "router:server_error%50+image:reset%50"
			_, err := s.say("画一张今天新闻的图")
			Expect(err).NotTo(HaveOccurred())
			return fmt.Sprint(s.story())
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
		s := newStage(nil)
		s.mocks.Latency = nil
		s.mocks.Model = model.Func(func(r model.Request) model.Answer {
			words := map[component.Role]string{component.Router: route("chat", 0.9), component.Chat: "好：" + r.Text,
				component.Search: "- 事实"}
			if r.Text == drawing {
				words[component.Router] = route("image_gen", 0.9)
			}
			if r.Text == news {
				words[component.Router] = route("web_search", 0.9)
			}
			return model.Answer{Content: words[r.Role]}
		})
		a, err := s.open()
		Expect(err).NotTo(HaveOccurred())
		before := runtime.NumGoroutine()
		g, _ := clock.NewGroup(context.Background(), 0)
		for i := range 50 {
			text := []string{drawing, news, fmt.Sprintf("第 %d 个笑话", i)}[i%3]
			g.Go("caller", func(ctx context.Context) error {
				var content string
				reply, err := a.Respond(ctx, agent.Turn{Text: text}, func(e trace.Event) {
					if e.Kind == trace.KindChunk {
						content += e.Text
					}
				})
				switch {
				case err != nil:
					return err
				case reply.Content != content:
					return fmt.Errorf("%s: content %q, chunks %q", text, reply.Content, content)
				case i%3 == 0 && reply.GeneratedImageURL == "", i%3 > 0 && content != "好："+text:
					return fmt.Errorf("%s: got %+v", text, reply)
				}
				return nil
			})
		}
		Expect(g.Wait()).To(Succeed())
		Eventually(runtime.NumGoroutine).Should(BeNumerically("<=", before+2), "X6: no goroutine is left")
	})
})

var _ = Describe("New", func() {
	good := func() toolrouter.Config {
		cfg, err := newStage(says{}).prepare()
		Expect(err).NotTo(HaveOccurred())
		return cfg
	}
	number := func(f float64) *float64 { return &f }

	DescribeTable("rejects an invalid configuration with an error that names the field",
		func(want string, spoil func(*toolrouter.Config)) {
			cfg := good()
			spoil(&cfg)
			_, err := toolrouter.New(cfg)
			Expect(err).To(MatchError(ContainSubstring("toolrouter.Config." + want)))
		},
		Entry(nil, `Mode: unknown "both"`, func(c *toolrouter.Config) { c.Mode = "both" }),
		Entry(nil, "Threshold: 1.1", func(c *toolrouter.Config) { c.Threshold = number(1.1) }),
		Entry(nil, "Threshold: -0.1", func(c *toolrouter.Config) { c.Threshold = number(-0.1) }),
		Entry(nil, "Router: mode llm-first needs it", func(c *toolrouter.Config) { c.Router = nil }),
		Entry(nil, "Chat", func(c *toolrouter.Config) { c.Chat = nil }),
		Entry(nil, "Vision", func(c *toolrouter.Config) { c.Vision = nil }),
		Entry(nil, "Search", func(c *toolrouter.Config) { c.Search = nil }),
		Entry(nil, "Image", func(c *toolrouter.Config) { c.Image = nil }),
	)

	It("requires no client for routes that are off, and no deciding model in mode rules", func() {
		cfg := good()
		cfg.Mode, cfg.Router, cfg.PromptRewriter, cfg.Image, cfg.Search = toolrouter.ModeRules, nil, nil, nil, nil
		cfg.Disabled.DashScope = true
		_, err := toolrouter.New(cfg)
		Expect(err).NotTo(HaveOccurred())
	})

	It("loads four different built-in prompts", func() {
		p, err := toolrouter.ShippedPrompts()
		Expect(err).NotTo(HaveOccurred())
		hashes := map[string]bool{p.Router.Hash: true, p.ImageRewrite.Hash: true, p.Vision.Hash: true,
			p.Chat.Hash: true}
		Expect(slices.Collect(maps.Keys(hashes))).To(HaveLen(4))
	})
})
