package mocks_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
	"evalctl/mocks"
	"evalctl/mocks/component"
	"evalctl/mocks/fault"
	"evalctl/mocks/latency"
	"evalctl/mocks/model"
	"evalctl/mocks/script"
	"evalctl/mocks/transport"
)

const (
	chatPath = "/v1/chat/completions"
	hello    = `{"model":"m","messages":[{"role":"user","content":"x"}]}`
	decision = `{"model":"m","response_format":{"type":"json_object"},"messages":[{"role":"system","content":"json"},{"role":"user","content":"x"}]}`
	verdict  = `{"model":"m","response_format":{"type":"json_object"},"messages":[{"role":"system","content":"json \"score\""},{"role":"user","content":"x"}]}`
)

var _ = Describe("the component that a request belongs to", func() {
	parts := component.Components{
		"pick": component.Router, "supervisor": component.Router, "talk": component.Chat, "painter": component.Image,
		"shelf": component.RoleStore,
	}
	// named returns a request body with another model name.
	named := func(body, model string) string { return strings.Replace(body, `"m"`, `"`+model+`"`, 1) }
	// asked returns the component and the role of the only logged request.
	asked := func(s *mocks.Server) [2]string {
		GinkgoHelper()
		Expect(s.Log()).To(HaveLen(1))
		Expect(s.Log()[0].Status).To(Equal(200))
		return [2]string{s.Log()[0].ComponentName, string(s.Log()[0].Role)}
	}

	DescribeTable("is the one given to ForComponent, even if it contradicts",
		func(part, path, body string, role component.Role) {
			var got model.Request
			s := newServer(mocks.Config{Components: parts,
				Model: model.Func(func(r model.Request) model.Answer { got = r; return model.Answer{} })})
			Expect(post(s.ForComponent(part), path, body, async).Code).To(Equal(200))
			Expect(asked(s)).To(Equal([2]string{part, string(role)}))
			Expect(s.Calls(part)).To(Equal(1))
			if path == chatPath {
				Expect([2]string{got.ComponentName, string(got.Role)}).To(Equal(asked(s)))
			}
		},
		Entry("the form of a chat request", "pick", chatPath, hello, component.Router),
		Entry("the form of a router request", "talk", chatPath, decision, component.Chat),
		Entry("the form of a critic request", "supervisor", chatPath, verdict, component.Router),
		Entry("the model name", "pick", chatPath, named(hello, "talk/gpt-4o"), component.Router),
		Entry("the URL path", "talk", "/v1/embeddings", `{"model":"m","input":"x"}`, component.Chat),
		Entry("nothing (an image request for the image component)", "painter", taskPath,
			`{"model":"qwen-image","input":{"prompt":"x"}}`, component.Image),
	)

	It("is the one given to ForComponent, even if a script assigns the request to another", func() {
		m, err := script.Parse("s.yaml",
			strings.NewReader("components:\n  - match: {}\n    component: talk\nrules:\n  - match: {component: pick}\n    answer: {content: P}\ndefault: {content: D}\n"), parts)
		Expect(err).NotTo(HaveOccurred())
		s := newServer(mocks.Config{Components: parts, Model: m})
		Expect(post(s.ForComponent("pick"), chatPath, hello).Body.String()).To(ContainSubstring(`"content":"P"`))
		Expect(post(s, chatPath, decision).Body.String()).To(ContainSubstring(`"content":"D"`))
		Expect(post(s, chatPath, named(hello, "supervisor")).Body.String()).To(ContainSubstring(`"content":"D"`))
		Expect([]int{s.Calls("pick"), s.Calls("talk"), s.Calls("supervisor")}).To(Equal([]int{1, 1, 1}))
	})

	It("is poll for a request that polls a task, and none for a list of models, even with ForComponent", func() {
		s := newServer(mocks.Config{Components: parts})
		imageGenerator := s.ForComponent("painter")
		Expect(send(imageGenerator, "GET", "/api/v1/tasks/x", "").Code).To(Equal(200))
		Expect(send(imageGenerator, "GET", "/v1/models", "").Code).To(Equal(200))
		Expect(s.Log()[0].ComponentName).To(Equal("poll"))
		Expect(s.Log()[1].ComponentName).To(BeEmpty())
		Expect([]int{s.Calls("poll"), s.Calls("painter")}).To(Equal([]int{1, 0}))
	})

	It("must exist: ForComponent answers with status 500 and lists the known components", func() {
		w := post(newServer(mocks.Config{Components: parts}).ForComponent("router"), chatPath, hello)
		Expect(w.Code).To(Equal(500))
		Expect(w.Body.String()).
			To(ContainSubstring(`unknown component "router": known are pick, supervisor, talk, painter, poll, shelf`))
	})

	DescribeTable("is determined from the request",
		func(path, body string, part string, role component.Role) {
			s := newServer(mocks.Config{Components: parts})
			Expect(post(s, path, body).Code).To(Equal(200))
			Expect(asked(s)).To(Equal([2]string{part, string(role)}))
		},
		Entry("by the model name COMPONENT", chatPath, named(hello, "supervisor"), "supervisor", component.Router),
		Entry("by the model name COMPONENT/NAME", chatPath, named(hello, "supervisor/gpt-4o"), "supervisor",
			component.Router),
		Entry("by the model name COMPONENT/NAME, where NAME contains slashes", chatPath, named(decision, "talk/a/b"),
			"talk", component.Chat),
		Entry("by the form of the request if the model name starts with no component", chatPath,
			named(decision, "nobody/gpt-4o"),
			"pick", component.Router),
		Entry("by the form of the request if the named component has no chat model", chatPath,
			named(hello, "painter/gpt-4o"),
			"talk", component.Chat),
		Entry("by the form of the request: it is named like its role if no component has the role", chatPath, verdict,
			"critic", component.Critic),
		Entry("by the URL path", syncPath, draw("qwen-image", `[{"text":"x"}]`, `{}`), "painter", component.Image),
		Entry("by the URL path: it is named like its role if no component has the role", "/v1/embeddings",
			`{"model":"pick","input":"x"}`, "embedding",
			component.Embedding),
	)

	It("is determined by the model name COMPONENT/NAME for the default components too", func() {
		s := newServer(mocks.Config{})
		Expect(post(s, chatPath, named(hello, "critic/gpt-4o")).Code).To(Equal(200))
		Expect(asked(s)).To(Equal([2]string{"critic", "critic"}))
	})

	DescribeTable("can be part of the model name for every provider",
		func(path, name, seen string, thinks bool) {
			var got model.Request
			s := newServer(mocks.Config{Components: parts, Strict: true,
				Model: model.Func(func(r model.Request) model.Answer { got = r; return model.Answer{Content: "x"} })})
			w := post(s, path+"/chat/completions", named(hello, name))
			Expect(w.Code).To(Equal(200), w.Body.String())
			Expect(w.Body.String()).To(ContainSubstring(`"model":"` + name + `"`))
			Expect(strings.Contains(w.Body.String(), "reasoning_content")).To(Equal(thinks))
			Expect(got.Model).To(Equal(seen))
			Expect(s.Log()[0].Model).To(Equal(name))
		},
		Entry("DeepSeek: the component alone", "", "pick", "", false),
		Entry("DeepSeek: with an unknown model", "", "pick/gpt-4o", "gpt-4o", true),
		Entry("DeepSeek: with a deprecated model", "", "pick/deepseek-chat", "deepseek-chat", false),
		Entry("DashScope: with a model", "/compatible-mode/v1", "pick/qwen-plus", "qwen-plus", false),
		Entry("Ark: with a model", "/api/v3", "pick/doubao-seed-1-6-251015", "doubao-seed-1-6-251015", true),
		Entry("OpenAI: the component alone", "/v1", "pick", "", false),
	)

	It("is not taken from an unknown name: DeepSeek refuses the model as unknown", func() {
		w := post(newServer(mocks.Config{Components: parts}), "/chat/completions", named(hello, "router/deepseek-chat"))
		Expect(w.Code).To(Equal(400))
		Expect(w.Body.String()).To(ContainSubstring("but you passed router/deepseek-chat."))
	})

	It("has its own faults, latency and number of calls", func() {
		faults, err := fault.Parse("pick:server_error@2+painter:task_failed+poll:overloaded@1", parts)
		Expect(err).NotTo(HaveOccurred())
		s := newServer(mocks.Config{Components: parts, Faults: faults,
			Latency: map[string]latency.Latency{"pick": latency.Constant(2 * time.Second)}})
		Expect(clock.RunSimulated(context.Background(), time.Unix(0, 0), func(ctx context.Context) error {
			ask := func(part string) (status int, duration time.Duration) {
				start := clock.Now(ctx)
				status, _ = fetch(ctx, &http.Client{Transport: transport.Transport{Handler: s.ForComponent(part)}},
					"POST", chatPath, decision)
				return status, clock.Since(ctx, start)
			}
			for _, want := range []struct {
				part     string
				status   int
				duration time.Duration
			}{{"pick", 200, 2 * time.Second}, {"supervisor", 200, 0}, {"pick", 500, 0}, {"supervisor", 200, 0},
				{"pick", 200, 2 * time.Second}} {
				status, duration := ask(want.part)
				Expect(status).To(Equal(want.status))
				Expect(duration).To(Equal(want.duration))
			}
			return nil
		})).To(Succeed())
		Expect([]int{s.Calls("pick"), s.Calls("supervisor"), s.Calls("router")}).To(Equal([]int{3, 2, 0}))
		Expect(s.Log()[2].Faults).To(Equal([]string{"pick:server_error@2"}))
		Expect(send(s, "GET", "/api/v1/tasks/x", "").Code).To(Equal(503))
		Expect(post(s, syncPath, draw("qwen-image", `[{"text":"x"}]`, `{}`)).Code).To(Equal(500))
	})

	It("has its own random draws, which depend on its name only", func() {
		duration := func(part string, p component.Components) (list []time.Duration) {
			s := newServer(mocks.Config{Seed: 5, Components: p,
				Latency: map[string]latency.Latency{part: latency.LogNormal(time.Second, 0.5)}})
			simulate(s, func(ctx context.Context, _ *http.Client) {
				for range 5 {
					start := clock.Now(ctx)
					Expect(s.SimulateLocalCall(ctx, part)).To(Succeed())
					list = append(list, clock.Since(ctx, start))
				}
			})
			return list
		}
		Expect(duration("pick", parts)).To(Equal(duration("pick", component.Components{"pick": component.Chat})),
			"the name decides")
		Expect(duration("pick", parts)).NotTo(Equal(duration("supervisor", parts)))
		Expect(duration("router", nil)).To(Equal(duration("router", component.Components{"router": component.Router})))
		Expect(duration("router", nil)).NotTo(Equal(duration("pick", parts)))
	})

	It("is given by name to CallLocal; an unknown name is an error", func() {
		s := newServer(mocks.Config{Components: parts,
			Faults: []fault.Fault{{Component: "shelf", Kind: fault.Overloaded, CallNumber: 2}}})
		ctx := context.Background()
		Expect(s.SimulateLocalCall(ctx, "shelf")).To(Succeed())
		err := s.SimulateLocalCall(ctx, "shelf")
		Expect(err).To(MatchError("shelf: overloaded (503)"))
		var affected *fault.Error
		Expect(errors.As(err, &affected)).To(BeTrue())
		Expect(affected.Component).To(Equal("shelf"))
		Expect(s.SimulateLocalCall(ctx, "store")).
			To(MatchError(`mocks: unknown component "store": known are pick, supervisor, talk, painter, poll, shelf`))
	})

	DescribeTable("must be valid in each field of Config that names one",
		func(cfg mocks.Config, message string) {
			_, err := mocks.New(cfg)
			Expect(err).To(MatchError(ContainSubstring(message)))
		},
		Entry(nil, mocks.Config{Components: component.Components{"pick": "picking"}},
			`mocks: Config.Components: part "pick"`),
		Entry(nil, mocks.Config{Components: parts, Latency: map[string]latency.Latency{"router": {}}},
			`mocks: Config.Latency: unknown component "router": known are pick, supervisor`),
		Entry(nil, mocks.Config{Components: parts, Faults: []fault.Fault{{Component: "router", Kind: fault.Reset}}},
			`mocks: Config.Faults[0]: unknown component "router": known are pick`),
		Entry(nil, mocks.Config{Components: parts,
			Faults: []fault.Fault{{Component: "talk", Kind: fault.LowConfidence}}},
			`kind "low_confidence" makes no sense for talk: known are timeout`),
	)
})
