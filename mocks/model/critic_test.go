package model_test

import (
	"context"
	"fmt"
	"math"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/clock"
	"evalctl/mocks/component"
	"evalctl/mocks/model"
)

// verdict is the answer of a critic, without the texts.
type verdict struct {
	Passed *bool
	Score  *float64
}

// truncatedMoments returns the mean and the standard deviation of a normal variable that is limited
// to 0..1.
func truncatedMoments(mean, spread float64) (m, s float64) {
	if spread == 0 {
		return mean, 0
	}
	below := func(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }
	density := func(z float64) float64 { return math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) }
	a, b := -mean/spread, (1-mean)/spread
	inside, tail := below(b)-below(a), below(-b)
	m = mean*inside + spread*(density(a)-density(b)) + tail
	square := (mean*mean+spread*spread)*inside + 2*mean*spread*(density(a)-density(b)) +
		spread*spread*(a*density(a)-b*density(b)) + tail
	return m, math.Sqrt(square - m*m)
}

var _ = Describe("SimulatedCritic", func() {
	constant := func(q float64) func(model.Request, int) float64 {
		return func(model.Request, int) float64 { return q }
	}
	answer := func(j *model.SimulatedCritic, text string) (v verdict) {
		GinkgoHelper()
		decode(j.Answer(model.Request{Role: component.Critic, RequiresJSON: true, Text: text}).Content, &v)
		return v
	}

	DescribeTable("scores with the configured mean, spread and pass rate",
		func(quality, spread, threshold float64) {
			const n = 20000
			j := &model.SimulatedCritic{Quality: constant(quality), Noise: spread, Threshold: threshold, Seed: 5}
			sum, squares, passed := 0.0, 0.0, 0.0
			for i := range n {
				v := answer(j, fmt.Sprintf("a door, number %d", i/4)) // four answers to each text
				Expect(*v.Score).To(And(BeNumerically(">=", 0), BeNumerically("<=", 1)))
				Expect(*v.Passed).To(Equal(*v.Score > threshold))
				sum += *v.Score
				squares += *v.Score * *v.Score
				if *v.Passed {
					passed++
				}
			}
			const rounding = 0.0005
			m, s := truncatedMoments(quality, spread)
			mean := sum / n
			Expect(mean).To(BeNumerically("~", m, 4*s/math.Sqrt(n)+rounding))
			Expect(math.Sqrt(max(squares/n-mean*mean, 0))).To(BeNumerically("~", s, 4*spread/math.Sqrt(2*n)+rounding))
			rate := 0.0
			if spread > 0 {
				rate = math.Erfc((threshold+rounding-quality)/spread/math.Sqrt2) / 2
			} else if quality > threshold {
				rate = 1
			}
			Expect(passed / n).To(BeNumerically("~", rate, 4*math.Sqrt(rate*(1-rate)/n)+1e-9))
		},
		Entry("with a quality in the middle of the range", 0.5, 0.1, 0.5),
		Entry("with a high quality and a higher pass rate", 0.8, 0.05, 0.7),
		Entry("with scores limited to 1", 0.9, 0.2, 0.7),
		Entry("with scores limited to 0", 0.05, 0.3, 0.6),
		Entry("without noise, at the threshold", 0.7, 0.0, 0.7),
		Entry("without noise, above the threshold", 0.71, 0.0, 0.7),
	)

	It("scores depending only on the seed, the text and the number of the answer", func() {
		j := &model.SimulatedCritic{Quality: func(r model.Request, nth int) float64 { return 0.4 + 0.1*float64(nth) },
			Noise: 0.1, Seed: 3}
		again := &model.SimulatedCritic{Quality: j.Quality, Noise: 0.1, Seed: 3}
		other := &model.SimulatedCritic{Quality: j.Quality, Noise: 0.1, Seed: 4}
		seen := map[float64]bool{}
		for nth := 1; nth <= 4; nth++ {
			got := *answer(j, "一扇门").Score
			Expect(got).To(Equal(j.Score("一扇门", nth, 0.4+0.1*float64(nth))))
			Expect(*answer(j, fmt.Sprint("another ", nth)).Score).
				To(Equal(again.Score(fmt.Sprint("another ", nth), 1, 0.5)))
			Expect(again.Score("一扇门", nth, 0.6)).NotTo(Equal(other.Score("一扇门", nth, 0.6)))
			seen[j.Score("一扇门", nth, 0.6)] = true
		}
		Expect(seen).To(HaveLen(4))
		Expect(j.Score("一扇门", 1, 0.6)).To(Equal(0.525), "frozen: another process agrees")
	})

	It("answers requests of other components with plausible text", func() {
		j := &model.SimulatedCritic{Quality: constant(1)}
		Expect(j.Answer(model.Request{Role: component.Chat, Text: "你好"}).Content).To(MatchRegexp(`\p{Han}`))
		Expect(j.Answer(model.Request{Role: component.Router, RequiresJSON: true, Text: "x"}).Content).
			To(HavePrefix(`{"reply":`))
	})

	It("is safe for concurrent use", func() {
		j := &model.SimulatedCritic{Quality: constant(0.5), Noise: 0.2}
		g, _ := clock.NewGroup(context.Background(), 8)
		for range 8 {
			g.Go("critic", func(context.Context) error {
				for range 100 {
					j.Answer(model.Request{Role: component.Critic, Text: "x"})
				}
				return nil
			})
		}
		Expect(g.Wait()).To(Succeed())
		Expect(*answer(j, "x").Score).To(Equal(j.Score("x", 801, 0.5)))
	})

	DescribeTable("rejects an invalid configuration, and the error names the field",
		func(j *model.SimulatedCritic, field string) {
			Expect(j.Validate()).To(MatchError(ContainSubstring(field)))
		},
		Entry(nil, &model.SimulatedCritic{}, "SimulatedCritic.Quality"),
		Entry(nil, &model.SimulatedCritic{Quality: constant(1), Noise: -1}, "SimulatedCritic.Noise"),
		Entry(nil, &model.SimulatedCritic{Quality: constant(1), Noise: math.NaN()}, "SimulatedCritic.Noise"),
		Entry(nil, &model.SimulatedCritic{Quality: constant(1), Threshold: 1.1}, "SimulatedCritic.Threshold"),
	)
})
