package backend_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/eval/stats"
	"evalctl/eval/suite"
	"evalctl/mocks/backend"
)

// labels are the labels of the generated cases, assigned in turn.
var labels = []string{"chat", "image_gen", "web_search", "time_query"}

// ambiguousCases returns n cases whose texts contain no characteristic words; only the label
// distinguishes them.
func ambiguousCases(n int) iter.Seq2[eval.Case, error] {
	return func(yield func(eval.Case, error) bool) {
		for i := range n {
			c := eval.Case{ID: fmt.Sprint("wish ", i),
				Turns: []eval.LabeledTurn{{Turn: agent.Turn{Text: fmt.Sprintf("第%d个愿望", i)},
					Expected: json.RawMessage(fmt.Sprintf(`{"route":%q}`, labels[i%len(labels)]))}}}
			if !yield(c, nil) {
				return
			}
		}
	}
}

// imageCases returns n cases that request different images.
func imageCases(n int) iter.Seq2[eval.Case, error] {
	return func(yield func(eval.Case, error) bool) {
		for i := range n {
			if !yield(eval.Case{ID: fmt.Sprint(i),
				Turns: []eval.LabeledTurn{{Turn: agent.Turn{Text: fmt.Sprintf("画第%d只猫", i)},
					Expected: json.RawMessage(`{"action":"generate_image","slots":{"subject":["猫"]}}`)}}}, nil) {
				return
			}
		}
	}
}

// suiteWithRouter returns a suite whose router is a simulated model with the given settings.
func suiteWithRouter(router string) suite.Suite {
	GinkgoHelper()
	s, err := suite.Parse("stated.yaml", []byte(fmt.Sprintf(`
name: stated
target: toolrouter
dataset: wishes
decision_only: true
variants: [{name: llm, router: llm}]
models: {router: {%s}}
`, router)))
	Expect(err).NotTo(HaveOccurred())
	return s
}

// rowsOf runs the cases with the suite and returns the results.
func rowsOf(s suite.Suite, cases iter.Seq2[eval.Case, error], epochs int, seed uint64,
	more backend.Config) (rows []eval.Result) {
	GinkgoHelper()
	more.Suite = s
	b, err := backend.New(more)
	Expect(err).NotTo(HaveOccurred())
	conditions, err := s.Conditions(b.Connect, more.DatasetInfo)
	Expect(err).NotTo(HaveOccurred())
	sink := eval.SinkFunc(func(r eval.Result) error {
		rows = append(rows, r)
		return nil
	})
	r := eval.Runner{Parallel: 2, Timeout: time.Hour, SimulatedClock: true}
	Expect(r.Run(context.Background(), suite.Trials(conditions, cases, epochs, seed), sink)).To(Succeed())
	return rows
}

// executedTurns runs the cases with the suite and returns the summary of the first condition, and
// the results.
func executedTurns(s suite.Suite, cases iter.Seq2[eval.Case, error], epochs int, seed uint64,
	more backend.Config) (c eval.ConditionSummary, rows []eval.Result) {
	GinkgoHelper()
	rows = rowsOf(s, cases, epochs, seed, more)
	table := metric.NewCollector(
		[]eval.SuiteSummary{{Name: s.Name, Epochs: epochs,
			Conditions: []eval.ConditionSummary{{Variant: s.Variants[0].Name, Fault: eval.NoFault}}}})
	for _, r := range rows {
		Expect(table.Add(r)).To(Succeed())
	}
	return table.Close().Suites[0].Conditions[0], rows
}

// contains reports whether the 95 % interval of e contains the true value.
func contains(e eval.Estimate, truth float64) bool { return *e.Lo <= truth && truth <= *e.Hi }

var _ = Describe("The configured quality of a simulated router", Label("figures"), func() {
	const cases, epochs, seeds = 60, 3, 12
	// of 12 intervals of 95 %; with correct intervals, fewer than 9 contain the true value in 1 of
	// 440 runs
	const least = 9

	It("is inside the 95 % intervals of the measured accuracy, consistency and confusion for at least 9 of 12 seeds",
		func() {
			const accuracy, consistency = 0.8, 0.85
			s := suiteWithRouter(`accuracy: 0.8, consistency: 0.85, confusion: {chat: {web_search: 3, image_gen: 1}},
  calibration: [{confidence: 0.3, accuracy: 0.2}, {confidence: 0.7, accuracy: 0.6}, {confidence: 0.95, accuracy: 0.92}]`)
			covered := map[string]int{}
			note := func(name string, ok bool) {
				if ok {
					covered[name]++
				}
			}
			var right, stated, count [3]float64
			for seed := range uint64(seeds) {
				c, rows := executedTurns(s, ambiguousCases(cases), epochs, seed, backend.Config{})
				note("accuracy", contains(c.Metrics["route.accuracy"], accuracy))
				note("consistency", contains(c.Metrics["route.consistency"], consistency))
				wrong := map[string]int64{}
				for i, predicted := range c.Confusion.Labels {
					if predicted != "chat" {
						wrong[predicted] = c.Confusion.Counts[0][i]
					}
				}
				Expect(c.Confusion.Labels[0]).To(Equal("chat"))
				Expect(wrong["time_query"]).To(BeZero())
				// Epochs often agree, so the interval counts the answers of a case as one
				// observation.
				lo, hi := stats.Wilson(float64(wrong["web_search"])/epochs,
					float64(wrong["web_search"]+wrong["image_gen"])/epochs, 0.95)
				note("confusion", lo <= 0.75 && 0.75 <= hi)
				for _, r := range rows {
					if r.Epoch == 1 {
						bin := 0
						if *r.Confidence > 0.6 {
							bin = 1
						}
						if *r.Confidence > 0.85 {
							bin = 2
						}
						count[bin]++
						stated[bin] += curve(*r.Confidence)
						if *r.Correct {
							right[bin]++
						}
					}
				}
			}
			Expect(covered).To(And(HaveKeyWithValue("accuracy", BeNumerically(">=", least)),
				HaveKeyWithValue("consistency", BeNumerically(">=", least)),
				HaveKeyWithValue("confusion", BeNumerically(">=", least))))
			for bin, n := range count {
				Expect(n).To(BeNumerically(">", 15))
				lo, hi := stats.Wilson(right[bin], n, 0.999)
				Expect(stated[bin]/n).To(And(BeNumerically(">=", lo), BeNumerically("<=", hi)),
					fmt.Sprint(right, stated, count))
			}
		})

	It("defaults to always correct with confidence 1; with difficulty 0, epochs are independent", func() {
		_, rows := executedTurns(suiteWithRouter(""), ambiguousCases(20), 1, 1, backend.Config{})
		for _, r := range rows {
			Expect(*r.Correct).To(BeTrue())
			Expect(*r.Confidence).To(Equal(1.0))
		}
		within := 0
		for seed := range uint64(10) {
			c, _ := executedTurns(suiteWithRouter("accuracy: 0.7, difficulty: 0"), ambiguousCases(cases), epochs,
				seed, backend.Config{})
			if contains(c.Metrics["route.consistency"], 0.49+0.09/3) {
				within++
			}
		}
		Expect(within).To(BeNumerically(">=", 8))
	})

	It("may have an accuracy of 0 or a slot accuracy of 0", func() {
		c, _ := executedTurns(suiteWithRouter("accuracy: 0"), ambiguousCases(20), 1, 1, backend.Config{})
		Expect(c.Metrics["route.accuracy"].Value).To(HaveValue(BeZero()))
		s := suiteWithRouter("slot_accuracy: 0")
		s.Target, s.DecisionOnly, s.Variants[0].Settings = "studio", false, map[string]string{"profile": "v1"}
		c, _ = executedTurns(s, imageCases(20), 1, 1, backend.Config{})
		Expect(c.Metrics["route.accuracy"].Value).To(HaveValue(Equal(1.0)))
		Expect(c.Metrics["slots.subject"].Value).To(HaveValue(BeZero()))
	})

	It("makes many cases correct in one epoch but not in all epochs, if the behavior is flaky", func() {
		c, _ := executedTurns(suiteWithRouter("behavior: flaky"), ambiguousCases(120), 5, 1, backend.Config{})
		Expect(contains(c.Metrics["route.accuracy"], 0.85)).To(BeTrue())
		Expect(contains(c.Metrics["route.consistency"], 0.75)).To(BeTrue())
		Expect(*c.Metrics["route.pass_k"].Value).To(BeNumerically("<", 0.6))
		b, err := backend.New(backend.Config{Suite: suiteWithRouter(
			"behavior: flaky, accuracy: 0.9, consistency: 0.95")})
		Expect(err).NotTo(HaveOccurred())
		Expect(b.ModelNotes()[0].Note).
			To(Equal("stock answers, labeled, accuracy 0.9, calibration 0.4→0.35 0.6→0.5 0.8→0.72 0.9→0.87 0.99→0.94, consistency 0.95, difficulty 0.5"))
	})
})

// curve returns the accuracy at a confidence on the calibration curve of the first test.
func curve(confidence float64) float64 {
	if confidence < 0.7 {
		return 0.2 + (confidence-0.3)/0.4*0.4
	}
	return 0.6 + (confidence-0.7)/0.25*0.32
}

var _ = DescribeTable("An invalid quality setting is rejected with its path and its line in the suite file",
	func(router, message string) {
		s := suiteWithRouter(router)
		_, err := backend.New(backend.Config{Suite: s})
		Expect(err).To(MatchError(HavePrefix(message)))
		Expect(s.AddPosition(err)).To(MatchError(HavePrefix("stated.yaml:7:")))
	},
	Entry(nil, "accuracy: 1.2", "models.router.accuracy: 1.2 is not in 0..1"),
	Entry(nil, "consistency: 0", "models.router.consistency: 0 is less than that of answers that are independent"),
	Entry(nil, "behavior: flaky, accuracy: 0", "models.router.calibration: "),
	Entry(nil, "behavior: flaky, consistency: 0", "models.router.consistency: 0 is less"),
	Entry(nil, "consistency: 2", "models.router.consistency: 2 is not in 0..1"),
	Entry(nil, "accuracy: 0.8, consistency: 0.5", "models.router.consistency: 0.5 is not in 0.6534..1: "),
	Entry(nil, "accuracy: 0.9, confusion: {chat: {web: 1}}", `models.router.confusion.chat: no such label "web"`),
	Entry(nil, "accuracy: 0.9, confusion: {talk: {chat: 1}}", `models.router.confusion.talk: no such label`),
	Entry(nil, "accuracy: 0.9, calibration: prefect",
		`models.router.calibration: "prefect" is neither perfect nor a curve`),
	Entry(nil, "accuracy: 0.9, calibration: [{confidence: 0.5, accuracy: 0.4}, {confidence: 0.9, accuracy: 0.8}]",
		`models.router.calibration: between 0.4 and 0.8 are right, an accuracy of 0.9 `),
	Entry(nil, "accuracy: 0.9, calibration: [{confidence: 0.5, accuracy: 4}]",
		`models.router.calibration[0].accuracy: 4 is not in 0..1`),
)

var _ = Describe("The confusion of a simulated router", func() {
	It("refers to the system's labels, even if the router answers with other names for them", func() {
		s, err := suite.Parse("v1.yaml", []byte(`
name: v1
target: studio
dataset: cats
variants: [{name: v1, profile: v1}]
models: {router: {accuracy: 0.5, slot_accuracy: 1, confusion: {generate_image: {adjust_parameters: 1}}}}
`))
		Expect(err).NotTo(HaveOccurred())
		c, _ := executedTurns(s, imageCases(100), 1, 1, backend.Config{})
		Expect(c.ConfusedPairs).To(HaveLen(1))
		Expect(c.ConfusedPairs[0]).
			To(And(HaveField("Expected", "generate_image"), HaveField("Predicted", "adjust_parameters")))
		Expect(math.Abs(*c.Metrics["route.accuracy"].Value - 0.5)).To(BeNumerically("<", 0.15))
	})
})
