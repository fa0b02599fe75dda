package suite_test

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"slices"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/system"
	"evalctl/eval"
	"evalctl/eval/suite"
	"evalctl/mocks"
	"evalctl/mocks/component"
	"evalctl/mocks/model"
	"evalctl/mocks/transport"
)

// studios is a suite with variants of the system studio that use all its kinds of components.
const studios = `name: mine
target: studio
dataset: studio
faults: ["critic:timeout", "embedding:timeout", "poll:timeout", "image:reset", "router:timeout+critic:auth"]
variants:
  - {name: plain, critic: heuristic}
  - {name: rich, profile: v2, critic: vision, image-generator: dashscope, embedder: api}
  - {name: reader, profile: v1, critic: llm}
models:
  image: {task_duration: 4s}
`

// imageCase returns a case that requests an image.
func imageCase(text string) iter.Seq2[eval.Case, error] {
	return func(yield func(eval.Case, error) bool) {
		step := eval.LabeledTurn{Turn: agent.Turn{Text: text},
			Expected: json.RawMessage(`{"action":"generate_image","slots":{"style":"水墨"},"styles":["ink-wash"]}`)}
		yield(eval.Case{ID: "w", LineHash: "w", Turns: []eval.LabeledTurn{step}}, nil)
	}
}

// imageMocks returns simulated components that plan, generate and accept an image, for each trial.
func imageMocks(t eval.Trial, v suite.Variant) (func(string) system.Endpoint, error) {
	parts := component.Components{"router": component.Router, "embedding": component.Embedding,
		"style_library": component.RoleStore,
		"image":         component.Image, "critic": component.Critic}
	server, err := mocks.New(mocks.Config{Seed: t.TrialSeed(), Components: parts,
		Images: mocks.ImageConfig{Running: 4 * time.Second},
		Model: model.Func(func(r model.Request) model.Answer {
			if r.Role == component.Critic {
				return model.Answer{Content: `{"passed":true,"score":0.9,"feedback":"","suggestions":[]}`}
			}
			return model.Answer{Content: `{"action":"generate_image","subject":"山","style":"水墨","prompt":"mountains","confidence":0.9}`}
		})})
	web := &http.Client{Transport: transport.Transport{Handler: server}}
	return func(part string) system.Endpoint {
		l := system.Endpoint{Provider: "dashscope", Model: "qwen-plus", APIKey: "k", HTTP: web}
		switch part {
		case "embedding":
			l.Model = "text-embedding-v4"
		case "image":
			l.Model, l.AsyncTasks = "qwen-image-plus", true
		}
		l.BeforeCall = func(ctx context.Context) error { return server.SimulateLocalCall(ctx, part) }
		return l
	}, err
}

var _ = Describe("A suite for the system studio", func() {
	It("does not run faults that cannot affect a variant", func() {
		s := parse(studios)
		Expect(s.VariantFaults(s.Variants[0])).To(Equal([]string{"none", "image:reset", "router:timeout+critic:auth"}))
		Expect(s.VariantFaults(s.Variants[1])).To(HaveLen(6))
		Expect(s.VariantFaults(s.Variants[2])).
			To(Equal([]string{"none", "critic:timeout", "image:reset", "router:timeout+critic:auth"}))
	})

	It("uses the variant's chat model only to review texts", func() {
		s := parse(studios)
		Expect(s.UsesVariantModel(s.Variants[1], "router")).To(BeTrue())
		Expect(s.UsesVariantModel(s.Variants[1], "critic")).To(BeFalse())
		Expect(s.UsesVariantModel(s.Variants[2], "critic")).To(BeTrue())
	})

	DescribeTable("rejects settings that the system studio does not have", func(variant, message string) {
		_, err := suite.Parse("mine.yaml",
			[]byte("name: mine\ntarget: studio\ndataset: studio\nvariants:\n  - "+variant+"\n"))
		Expect(err).To(MatchError(ContainSubstring(message)))
	},
		Entry(nil, "{name: a, profile: v3}", `variants[0].profile: unknown profile "v3", did you mean "v2"?`),
		Entry(nil, "{name: a, critic: boss}",
			`variants[0].critic: unknown critic "boss" (known: heuristic, llm, vision)`),
		Entry(nil, "{name: a, image-generator: me}",
			`variants[0].image-generator: unknown image-generator "me" (known: placeholder, dashscope)`),
		Entry(nil, "{name: a, embedder: x}", `variants[0].embedder: unknown embedder "x" (known: local, api)`),
		Entry(nil, "{name: a, router: llm}",
			"variants[0].router: studio does not have it; "+strings.Join(suite.SystemsWithSetting("router"), ", ")),
		Entry(nil, "{name: a, threshold: 0.5}",
			"variants[0].threshold: studio does not have it; "+
				strings.Join(suite.SystemsWithSetting("threshold"), ", ")),
	)

	It("is rejected if its settings are used for the system toolrouter", func() {
		_, err := suite.Parse("mine.yaml", []byte(small+"    critic: llm\n"))
		Expect(err).To(MatchError(ContainSubstring("variants[0].critic: toolrouter does not have it; " +
			strings.Join(suite.SystemsWithSetting("critic"), ", "))))
	})

	It("X7: reads prompts from files, whose content changes the settings hash", func() {
		s := parse(studios)
		conditions, err := conditionsOf(s, imageMocks)
		Expect(err).NotTo(HaveOccurred())
		before := conditions[0].SettingsHash
		set(&s, "review-prompt", write("review.md", `Judge {{.Prompt}}, as json with "score".`))
		conditions, err = conditionsOf(s, imageMocks)
		Expect(err).NotTo(HaveOccurred())
		Expect(conditions[0].SettingsHash).NotTo(Equal(before))
		set(&s, "review-prompt", "nowhere.md")
		_, err = conditionsOf(s, imageMocks)
		Expect(err).To(MatchError(HavePrefix("variant plain: prompt: ")))
	})

	It("runs each variant with its own image generator, critic and embedding model, with reproducible results", func() {
		s := parse(studios)
		s.Faults = nil
		var runs [][]string
		for range 2 {
			conditions, err := conditionsOf(s, imageMocks)
			Expect(err).NotTo(HaveOccurred())
			var lines []string
			r := eval.Runner{Parallel: 2, Timeout: time.Hour, SimulatedClock: true}
			Expect(r.Run(context.Background(), suite.Trials(conditions, imageCase("画一幅水墨山水"), 1, 1),
				eval.SinkFunc(func(r eval.Result) error {
					Expect(r.Error).To(BeNil())
					Expect(r.AnsweredBy).To(Equal("generate_image"), r.Variant)
					Expect(r.Correct).To(HaveValue(BeTrue()))
					Expect(r.LoopRounds).To(HaveLen(1))
					for _, score := range r.Scores {
						Expect(score.Verdict).To(BeElementOf(eval.Pass, eval.Unscored), "%s: %s %s", r.Variant,
							score.Name, score.Reason)
					}
					b, err := json.Marshal(r)
					lines = append(lines, string(b))
					return err
				}))).To(Succeed())
			slices.Sort(lines)
			runs = append(runs, lines)
		}
		Expect(runs[0]).To(HaveLen(3))
		Expect(runs[1]).To(Equal(runs[0]))
	})

	It("uses the prices that the suite sets for its models", func() {
		s := parse(studios + "  router: {model: \"deepseek:deepseek-chat\", price: {in: 1, out: 2}}\n")
		conditions, err := conditionsOf(s, imageMocks)
		Expect(err).NotTo(HaveOccurred())
		price, ok := conditions[0].Prices("deepseek", "deepseek-chat")
		Expect(ok).To(BeTrue())
		Expect(price).To(Equal(eval.Price{In: 1, Out: 2}))
		_, ok = conditions[0].Prices("openai", "gpt")
		Expect(ok).To(BeFalse())
		_, ok = conditions[0].Prices("placeholder", "text_to_image")
		Expect(ok).To(BeTrue())
	})
})
