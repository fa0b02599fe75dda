package backend_test

import (
	"context"
	"encoding/json"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/agent/system"
	"evalctl/agent/trace"
	"evalctl/eval"
	"evalctl/eval/floor"
	"evalctl/eval/suite"
	"evalctl/mocks/backend"
)

// trainingTexts are the training texts of the baseline models in this file: image requests and
// small talk.
var trainingTexts = []system.LabeledExample{
	{Text: "画一只猫", Label: "generate_image"}, {Text: "画一条狗", Label: "generate_image"},
	{Text: "帮我画一匹马", Label: "generate_image"},
	{Text: "你好", Label: "unknown"}, {Text: "你好，你是谁", Label: "unknown"}, {Text: "谢谢你", Label: "unknown"},
}

// runOnce runs one case with the given text in every condition of a suite with the given variants.
func runOnce(target, faults, variants, want, text string, m suite.DatasetInfo) (rows map[string]eval.Result,
	b *backend.Backend) {
	GinkgoHelper()
	s, err := suite.Parse("mine.yaml",
		[]byte("name: mine\ntarget: "+target+"\ndataset: pets\nfaults: ["+faults+"]\nvariants:\n"+variants))
	Expect(err).NotTo(HaveOccurred())
	b, err = backend.New(backend.Config{Suite: s, DatasetInfo: m})
	Expect(err).NotTo(HaveOccurred())
	conditions, err := s.Conditions(b.Connect, m)
	Expect(err).NotTo(HaveOccurred())
	c := eval.Case{ID: "one",
		Turns: []eval.LabeledTurn{{Turn: agent.Turn{Text: text}, Expected: json.RawMessage(want)}}}
	one := func(yield func(eval.Case, error) bool) { yield(c, nil) }
	rows = map[string]eval.Result{}
	r := eval.Runner{Parallel: 2, Timeout: time.Hour, SimulatedClock: true}
	Expect(r.Run(context.Background(), suite.Trials(conditions, one, 1, 1), eval.SinkFunc(func(r eval.Result) error {
		rows[r.Variant+"/"+r.Fault] = r
		return nil
	}))).To(Succeed())
	return rows, b
}

var _ = Describe("a baseline model that makes the decisions", func() {
	It("predicts from its training texts in the answer format of profile v1 or v2, at no cost and without faults",
		func() {
			rows, b := runOnce("studio", "", `
  - {name: v2, profile: v2, model: "baseline:linear"}
  - {name: v1, profile: v1, model: "baseline:naive-bayes"}
  - {name: most, profile: v2, model: "baseline:majority"}
`, `{"action":"generate_image"}`, "画一匹马", suite.DatasetInfo{TrainingSet: trainingTexts})
			Expect(rows).To(And(HaveLen(3), HaveKey("v1/none")))
			for name, r := range rows {
				Expect(r.Predicted).To(Equal("generate_image"), name)
				Expect(r.Tokens).To(Equal(eval.Tokens{}))
				Expect(r.Cost).To(HaveValue(BeZero()))
			}
			said := rows["v2/none"].Turns[0].ModelDecision
			Expect(said.Label).To(Equal("generate_image"))
			Expect(*said.Confidence).To(And(BeNumerically(">", 0.5), BeNumerically("<=", 1)))
			notes := b.ModelNotes()
			Expect(notes[0]).To(Equal(eval.ModelInfo{Component: "router", Kind: "trained", Variants: []string{"v2"},
				Note: "baseline:linear: a linear model over words and character n-grams, trained on 6 texts of split train of pets"}))
			Expect(b.HasRealEndpoint()).To(BeFalse())
		})

	It("runs next to a simulated model, and faults of the router affect only the simulated model", func() {
		rows, _ := runOnce("toolrouter", "router:timeout, router:malformed_json", `
  - {name: simulated, router: llm}
  - {name: linear, router: llm, model: "baseline:linear"}
`, `{"route":"image_gen"}`, "画一匹马",
			suite.DatasetInfo{TrainingSet: []system.LabeledExample{{Text: "画一只猫", Label: "image_gen"},
				{Text: "你好", Label: "chat"}}})
		Expect(rows).To(HaveLen(4))
		Expect(rows).To(And(HaveKey("simulated/router:timeout"), HaveKey("linear/none")))
		Expect(rows["linear/none"].Predicted).To(Equal("image_gen"))
	})

	It("answers with a plain label or with a custom label field, as the variant configures", func() {
		labels := []system.Label{{Name: "image"}, {Name: "talk"}}
		s, err := suite.Parse("mine.yaml",
			[]byte("name: mine\ntarget: prompt\ndataset: pets\nvariants:\n  - {name: plain, answer-format: plain, model: \"baseline:linear\"}\n  - {name: named, label-field: intent, model: \"baseline:linear\"}\n"))
		Expect(err).NotTo(HaveOccurred())
		m := suite.DatasetInfo{Labels: labels,
			TrainingSet: []system.LabeledExample{{Text: "draw a cat", Label: "image"},
				{Text: "hello you", Label: "talk"},
				{Text: "hello", Label: "talk"}}}
		b, err := backend.New(backend.Config{Suite: s, DatasetInfo: m})
		Expect(err).NotTo(HaveOccurred())
		for _, v := range s.Variants {
			link, err := b.Connect(eval.Trial{Condition: &eval.Condition{Fault: eval.NoFault}}, v)
			Expect(err).NotTo(HaveOccurred())
			a, err := s.OpenAgent(v, 1, link, m)
			Expect(err).NotTo(HaveOccurred())
			reply, err := a.Respond(context.Background(), agent.Turn{Text: "hello there"}, func(trace.Event) {})
			Expect(err).NotTo(HaveOccurred())
			Expect(reply.Predicted).To(Equal("talk"), v.Name)
		}
	})

	It("returns an error if the training set is empty", func() {
		s, err := suite.Parse("mine.yaml",
			[]byte("name: mine\ntarget: studio\ndataset: pets\nvariants: [{name: x, model: \"baseline:linear\"}]\n"))
		Expect(err).NotTo(HaveOccurred())
		_, err = backend.New(backend.Config{Suite: s})
		Expect(err).To(MatchError(floor.ErrTooFewLabels))
	})
})
