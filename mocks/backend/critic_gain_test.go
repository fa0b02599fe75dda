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
	"gonum.org/v1/gonum/stat/distuv"

	"evalctl/agent"
	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/eval/stats"
	"evalctl/eval/suite"
	"evalctl/mocks/backend"
)

// improvingCases returns n cases with two labeled images each. The quality of the first is normally
// distributed; the second is better by gain.
func improvingCases(n int, mean, spread, gain float64) iter.Seq2[eval.Case, error] {
	normal := distuv.Normal{Mu: mean, Sigma: spread}
	return func(yield func(eval.Case, error) bool) {
		for i := range n {
			first := min(max(normal.Quantile((float64(i)+0.5)/float64(n)), 0), 1)
			want := fmt.Sprintf(`{"action":"generate_image","slots":{"subject":["猫"]},"images":[{"quality":%v,"acceptable":true},{"quality":%v,"acceptable":true}]}`,
				first, min(first+gain, 1))
			c := eval.Case{ID: fmt.Sprint("cat ", i),
				Turns: []eval.LabeledTurn{{Turn: agent.Turn{Text: fmt.Sprintf("画第%d只猫", i)},
					Expected: json.RawMessage(want)}}}
			if !yield(c, nil) {
				return
			}
		}
	}
}

var _ = Describe("S5: the measured gain of a Critic loop whose critic is noisy", Label("figures"), func() {
	const noise, mean, spread, cases, epochs = 0.1, 0.7, 0.15, 200, 4

	// measured returns the metrics of a run with the given type of critic on cases whose second
	// image is better by gain.
	measured := func(critic string, gain float64) map[string]eval.Estimate {
		GinkgoHelper()
		s, err := suite.Parse("gain.yaml", []byte(fmt.Sprintf(`
name: gain
target: studio
dataset: cats
second_judgment: true
variants: [{name: v2, profile: v2, critic: %s}]
models:
  router: {behavior: labeled, accuracy: 1, slot_accuracy: 1, calibration: [{confidence: 0.6, accuracy: 1}]}
  critic: {behavior: labeled, score_noise: %v}
`, critic, noise)))
		Expect(err).NotTo(HaveOccurred())
		b, err := backend.New(backend.Config{Suite: s})
		Expect(err).NotTo(HaveOccurred())
		conditions, err := s.Conditions(b.Connect, suite.DatasetInfo{})
		Expect(err).NotTo(HaveOccurred())
		table := metric.NewCollector([]eval.SuiteSummary{{Name: "gain", Cases: cases, Epochs: epochs,
			Conditions: []eval.ConditionSummary{{Variant: "v2", Fault: eval.NoFault}}}})
		r := eval.Runner{Parallel: 2, Timeout: time.Hour, SimulatedClock: true}
		Expect(r.Run(context.Background(),
			suite.Trials(conditions, improvingCases(cases, mean, spread, gain), epochs, 1), table)).To(Succeed())
		return table.Close().Suites[0].Conditions[0].Metrics
	}
	regression, _ := stats.NormalRegressionToMean(noise, mean, math.Hypot(spread, noise), 0.7)

	It("equals the gain of the images if there is a second judgment; the raw gain is higher because of regression to the mean",
		Label("long"), func() {
			const gain = 0.1
			m := measured("vision", gain)
			net, raw := m["critic.gain_per_loop"], m["critic.raw_gain_per_loop"]
			Expect(net.N).To(BeNumerically(">", 300))
			Expect(net.Missing).To(BeZero())
			Expect(*net.Value).To(BeNumerically("~", gain, 0.015))
			Expect(*net.Lo).To(BeNumerically("<", gain))
			Expect(*net.Hi).To(BeNumerically(">", gain))
			Expect(*raw.Value - *net.Value).To(BeNumerically("~", regression, 0.015))
			Expect(*raw.Lo).To(BeNumerically(">", gain))
		})

	It("is 0 if the critic scores the same text again instead of the images", Label("long"), func() {
		m := measured("llm", 0.1)
		Expect(*m["critic.gain_per_loop"].Value).To(BeNumerically("~", 0, 0.015))
		Expect(*m["critic.raw_gain_per_loop"].Value).To(BeNumerically(">", 0.03))
	})
})
