package model_test

import (
	"fmt"
	"math"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/mocks/model"
)

// mustCalibrate returns the calibration for a curve that must be valid.
func mustCalibrate(curve []model.CurvePoint, accuracy float64) *model.Calibration {
	c, err := model.NewCalibration(curve, accuracy)
	if err != nil {
		panic(err)
	}
	return c
}

var overConfident = []model.CurvePoint{{Confidence: 0.3, Accuracy: 0.1}, {Confidence: 0.6, Accuracy: 0.35},
	{Confidence: 0.9, Accuracy: 0.93}, {Confidence: 0.99, Accuracy: 0.97}}

// accuracyAt returns the accuracy of a curve at a confidence.
func accuracyAt(curve []model.CurvePoint, confidence float64) float64 {
	for i, p := range curve[1:] {
		if from := curve[i]; confidence <= p.Confidence {
			return from.Accuracy + (p.Accuracy-from.Accuracy)*(confidence-from.Confidence)/(p.Confidence-from.Confidence)
		}
	}
	return math.NaN()
}

var _ = Describe("A simulated model with a calibration curve", func() {
	const n = 1000
	text := func(i int) string { return fmt.Sprintf("%s %d", routes[i%4], i) }

	DescribeTable("has the configured total accuracy, and at each confidence the accuracy of the curve (in 92 to 98 % of the 95 % intervals)", Label("long"),
		func(curve []model.CurvePoint, accuracy float64) {
			const seeds = 80
			covered, intervals, within := 0, 0, 0
			for seed := range uint64(seeds) {
				l := &model.SimulatedRouter{CorrectLabel: labelOf, Labels: routes, Accuracy: accuracy,
					Calibration: mustCalibrate(curve, accuracy), Seed: seed}
				var right, count, expected, variance [10]float64
				all := 0.0
				for i := range n {
					got, confidence := predict(l, text(i))
					bin := min(int(confidence*10), 9)
					r := accuracyAt(curve, confidence)
					count[bin]++
					expected[bin] += r
					variance[bin] += r * (1 - r)
					if got == routes[i%4] {
						right[bin]++
						all++
					}
				}
				for bin := range count {
					if variance[bin] < 5 { // too few answers for the normal distribution
						continue
					}
					intervals++
					if math.Abs(right[bin]-expected[bin]) <= 1.96*math.Sqrt(variance[bin]) {
						covered++
					}
				}
				if math.Abs(all/n-accuracy) <= 1.96*math.Sqrt(accuracy*(1-accuracy)/n) {
					within++
				}
			}
			Expect(intervals).To(BeNumerically(">=", 2*seeds))
			Expect(float64(covered) / float64(intervals)).To(And(BeNumerically(">=", 0.92), BeNumerically("<=", 0.98)))
			Expect(float64(within) / seeds).To(BeNumerically(">=", 0.88))
		},
		Entry("an over-confident curve", overConfident, 0.8),
		Entry("a perfect curve", model.PerfectCurve(0.7), 0.7),
		Entry("a curve with falling accuracy",
			[]model.CurvePoint{{Confidence: 0.5, Accuracy: 0.9}, {Confidence: 1, Accuracy: 0.3}}, 0.6),
	)

	It("returns many confidences within its curve, with three decimals", func() {
		l := &model.SimulatedRouter{CorrectLabel: labelOf, Labels: routes, Accuracy: 0.8,
			Calibration: mustCalibrate(overConfident, 0.8)}
		stated := map[float64]bool{}
		for i := range n {
			_, confidence := predict(l, text(i))
			Expect(confidence).To(And(BeNumerically(">=", 0.3), BeNumerically("<=", 0.99)))
			Expect(confidence * 1000).To(BeNumerically("~", math.Round(confidence*1000), 1e-9))
			stated[confidence] = true
		}
		Expect(len(stated)).To(BeNumerically(">", 300))
	})

	It("is correct wherever a model of lower accuracy is, even if their curves differ", func() {
		low := &model.SimulatedRouter{CorrectLabel: labelOf, Labels: routes, Accuracy: 0.6,
			Calibration: mustCalibrate(overConfident, 0.6), Seed: 3}
		high := &model.SimulatedRouter{CorrectLabel: labelOf, Labels: routes, Accuracy: 0.8,
			Calibration: mustCalibrate(model.PerfectCurve(0.8), 0.8), Seed: 3}
		for i := range n {
			if got, _ := predict(low, text(i)); got == routes[i%4] {
				Expect(first(predict(high, text(i)))).To(Equal(got))
			}
		}
	})

	It("always returns the confidence of a curve with one point", func() {
		l := &model.SimulatedRouter{CorrectLabel: labelOf, Labels: routes, Accuracy: 1,
			Calibration: mustCalibrate([]model.CurvePoint{{Confidence: 0.6, Accuracy: 1}}, 1)}
		for i := range 20 {
			_, confidence := predict(l, text(i))
			Expect(confidence).To(Equal(0.6))
		}
	})

	DescribeTable("is not created from an invalid curve",
		func(accuracy float64, message string, curve ...model.CurvePoint) {
			_, err := model.NewCalibration(curve, accuracy)
			Expect(err).To(MatchError(message))
		},
		Entry("no point", 0.9, "calibration: has no point"),
		Entry("a confidence above 1", 0.9, "calibration[0].confidence: 1.2 is not in 0..1",
			model.CurvePoint{Confidence: 1.2, Accuracy: 0.5}),
		Entry("a confidence that is not a number", 0.9, "calibration[0].confidence: NaN is not in 0..1",
			model.CurvePoint{Confidence: math.NaN(), Accuracy: 0.5}),
		Entry("a confidence with too many decimals", 0.9,
			"calibration[0].confidence: 0.12345 has more than three decimals",
			model.CurvePoint{Confidence: 0.12345, Accuracy: 0.5}),
		Entry("confidences that do not increase", 0.9, "calibration[1].confidence: 0.5 is not above the one before",
			model.CurvePoint{Confidence: 0.5, Accuracy: 0.5}, model.CurvePoint{Confidence: 0.5, Accuracy: 1}),
		Entry("a negative accuracy", 0.9, "calibration[0].accuracy: -1 is not in 0..1",
			model.CurvePoint{Confidence: 0.5, Accuracy: -1}),
		Entry("a total accuracy that equals the highest accuracy of the curve", 0.9,
			"calibration: between 0.5 and 0.9 are right, an accuracy of 0.9 does not lie within",
			model.CurvePoint{Confidence: 0.5, Accuracy: 0.5}, model.CurvePoint{Confidence: 0.6, Accuracy: 0.9}),
		Entry("a total accuracy outside the curve", 0.4,
			"calibration: between 0.5 and 0.5 are right, an accuracy of 0.4 does not lie within",
			model.CurvePoint{Confidence: 0.5, Accuracy: 0.5}),
	)
})

func first(label string, _ float64) string { return label }

var _ = Describe("A simulated model with a consistency", func() {
	const texts, epochs = 150, 4
	lopsided := map[string]map[string]float64{"image_gen": {"chat": 1}, "chat": {"web_search": 3, "image_gen": 1}}

	// agreed returns the share of pairs of epochs with the same answer, and the share of correct
	// answers. Both are means over independent texts.
	agreed := func(l model.SimulatedRouter, seed uint64) (agreeing, right mean) {
		for i := range texts {
			text := fmt.Sprintf("%s %d", routes[i%4], i)
			count := map[string]float64{}
			for epoch := range uint64(epochs) {
				l.Seed, l.CaseSeed = seed*1000+epoch, seed+1e9
				count[first(predict(&l, text))]++
			}
			pairs := 0.0
			for _, k := range count {
				pairs += k * (k - 1) / 2
			}
			agreeing.add(pairs / (epochs * (epochs - 1) / 2))
			right.add(count[routes[i%4]] / epochs)
		}
		return agreeing, right
	}

	DescribeTable("gives two epochs of a text the same answer with the configured probability, at the configured accuracy",
		Label("long"),
		func(accuracy, consistency, agrees float64, confusion map[string]map[string]float64) {
			const seeds = 60
			covered, within := 0, 0
			for seed := range uint64(seeds) {
				agreeing, right := agreed(model.SimulatedRouter{CorrectLabel: labelOf, Labels: routes,
					Accuracy:    accuracy,
					Consistency: consistency, Confusion: confusion}, seed)
				if agreeing.covers(agrees) {
					covered++
				}
				if right.covers(accuracy) {
					within++
				}
			}
			Expect(covered).To(BeNumerically(">=", 52))
			Expect(within).To(BeNumerically(">=", 52))
		},
		Entry("a low consistency", 0.85, 0.75, 0.75, nil),
		Entry("a high consistency", 0.7, 0.95, 0.95, nil),
		Entry("a consistency with a confusion", 0.6, 0.8, 0.8, lopsided),
		Entry("no consistency: as consistent as independent answers", 0.7, 0.0, 0.49+0.09/3, nil),
	)

	It("always gives a text the same answer if the consistency is 1", func() {
		agreeing, _ := agreed(model.SimulatedRouter{CorrectLabel: labelOf, Labels: routes, Accuracy: 0.7,
			Consistency: 1}, 1)
		Expect(agreeing.value()).To(Equal(1.0))
	})

	It("chooses its wrong answers by the confusion in every epoch", func() {
		l := &model.SimulatedRouter{CorrectLabel: labelOf, Labels: routes, Accuracy: 0.5, Consistency: 0.9,
			Confusion: lopsided}
		count := map[string]float64{}
		for i := range 4000 {
			l.Seed, l.CaseSeed = uint64(i), uint64(i)+7
			count[first(predict(l, "chat 1"))]++
		}
		Expect(count["web_search"] / 4000).To(BeNumerically("~", 0.375, 0.031))
		Expect(count["image_gen"] / 4000).To(BeNumerically("~", 0.125, 0.021))
	})
})

// mean computes the mean of independent values.
type mean struct{ n, sum, squares float64 }

func (m *mean) add(v float64) { m.n, m.sum, m.squares = m.n+1, m.sum+v, m.squares+v*v }

func (m *mean) value() float64 { return m.sum / m.n }

// covers reports whether the 95 % interval of the mean contains the true value.
func (m *mean) covers(truth float64) bool {
	variance := m.squares/m.n - m.value()*m.value()
	return math.Abs(m.value()-truth) <= 1.96*math.Sqrt(variance/m.n)
}

var _ = Describe("The labels of a simulated model", func() {
	It("can have other names in answers, and a label with the correct name is not a wrong answer", func() {
		l := &model.SimulatedRouter{CorrectLabel: labelOf, Labels: routes, Accuracy: 0.5,
			LabelName: func(label string) string {
				if label == "web_search" {
					return "chat"
				}
				return "x_" + label
			}, Confusion: map[string]map[string]float64{"web_search": {"chat": 1, "time_query": 3}}}
		count := map[string]int{}
		for i := range 2000 {
			count[first(predict(l, fmt.Sprintf("web_search %d", i)))]++
		}
		Expect(count).To(And(HaveLen(3), HaveKey("chat"), HaveKey("x_time_query"), HaveKey("x_chat")))
		Expect(float64(count["x_time_query"]) / float64(count["x_chat"])).To(BeNumerically("~", 3, 0.6))
	})

	It("are never wrong answers to a text that accepts them", func() {
		l := &model.SimulatedRouter{CorrectLabel: labelOf, Labels: routes, Accuracy: 0.5,
			AcceptedLabels: func(string) []string { return []string{"chat", "image_gen", "web_search"} }}
		all := *l
		all.AcceptedLabels = func(string) []string { return routes }
		count := map[string]int{}
		for i := range 1000 {
			text := fmt.Sprintf("chat %d", i)
			count[first(predict(l, text))]++
			Expect(first(predict(&all, text))).To(Equal("chat"))
		}
		Expect(count).To(HaveLen(2))
		Expect(float64(count["time_query"]) / 1000).To(BeNumerically("~", 0.5, 0.063))
	})
})
