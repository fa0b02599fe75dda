package model_test

import (
	"fmt"
	"math"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/mocks/model"
)

// errorTable counts the correct and wrong answers of two models to the same cases.
type errorTable struct{ both, first, second, none float64 }

// phi returns the correlation of the errors of the two models.
func (t errorTable) phi() float64 {
	return (t.both*t.none - t.first*t.second) /
		math.Sqrt((t.both+t.first)*(t.second+t.none)*(t.both+t.second)*(t.first+t.none))
}

func (t *errorTable) add(first, second bool) {
	switch {
	case first && second:
		t.both++
	case first:
		t.first++
	case second:
		t.second++
	default:
		t.none++
	}
}

var _ = Describe("15.14: the difficulty of cases", func() {
	const n = 12_000
	text := func(i int) string { return fmt.Sprintf("%s %d", routes[i%4], i) }
	bound := func(p float64) float64 { return 4 * math.Sqrt(p*(1-p)/n) }

	pair := func(accuracy, correlation float64) (t errorTable) {
		one := &model.SimulatedRouter{CorrectLabel: labelOf, Labels: routes, Accuracy: accuracy, Seed: 1, CaseSeed: 9,
			Difficulty: model.Difficulty{Correlation: correlation}}
		other := &model.SimulatedRouter{CorrectLabel: labelOf, Labels: routes, Accuracy: accuracy, Seed: 2, CaseSeed: 9,
			Difficulty: model.Difficulty{Correlation: correlation}}
		for i := range n {
			t.add(first(predict(one, text(i))) == routes[i%4], first(predict(other, text(i))) == routes[i%4])
		}
		return t
	}

	DescribeTable("15.14: correlates the errors of two models without changing their accuracies",
		func(accuracy, correlation, both float64) {
			t := pair(accuracy, correlation)
			Expect((t.both + t.first) / n).To(BeNumerically("~", accuracy, bound(accuracy)))
			Expect((t.both + t.second) / n).To(BeNumerically("~", accuracy, bound(accuracy)))
			Expect(t.both / n).To(BeNumerically("~", both, bound(both)))
			want := (both - accuracy*accuracy) / (accuracy * (1 - accuracy))
			Expect(t.phi()).To(BeNumerically("~", want, 4/math.Sqrt(n)))
		},
		Entry("correlation 0", 0.93, 0.0, 0.93*0.93),
		// the integral of φ(z)·Φ((Φ⁻¹(0.93) + √½·z) / √½)², by midpoints
		Entry("correlation 0.5, the default", 0.93, 0.5, 0.87957),
		Entry("correlation 0.5 at accuracy 0.5, computed in closed form", 0.5, 0.5, 1.0/3), // 1/4 + asin(1/2)/2π
		// both models have the same draw
		Entry("correlation 1", 0.8, 1.0, 0.8),
	)

	It("15.14: does not change the calibration or the confusion", func() {
		l := &model.SimulatedRouter{CorrectLabel: labelOf, Labels: routes, Accuracy: 0.8,
			Calibration: mustCalibrate(overConfident, 0.8), Seed: 4, CaseSeed: 9,
			Confusion:  map[string]map[string]float64{"chat": {"web_search": 3, "image_gen": 1}},
			Difficulty: model.Difficulty{Correlation: 0.5}}
		var right, expected, variance, wrong, searched float64
		for i := range n {
			got, confidence := predict(l, text(i))
			r := accuracyAt(overConfident, confidence)
			if confidence < 0.6 {
				expected, variance = expected+r, variance+r*(1-r)
				if got == routes[i%4] {
					right++
				}
			}
			if routes[i%4] == "chat" && got != "chat" {
				wrong++
				if got == "web_search" {
					searched++
				}
			}
		}
		Expect(right).To(BeNumerically("~", expected, 4*math.Sqrt(variance)))
		Expect(searched / wrong).To(BeNumerically("~", 0.75, 4*math.Sqrt(0.75*0.25/wrong)))
	})

	It("15.14: permits a configured consistency, but rejects one below the agreement that the difficulty alone causes",
		func() {
			agreed := 0.0
			for i := range n {
				l := model.SimulatedRouter{CorrectLabel: labelOf, Labels: routes, Accuracy: 0.85,
					Consistency: 0.9, CaseSeed: 9,
					Difficulty: model.Difficulty{Correlation: 0.5}}
				l.Seed = 1
				one, _ := predict(&l, text(i))
				l.Seed = 2
				if other, _ := predict(&l, text(i)); one == other {
					agreed++
				}
			}
			Expect(agreed / n).To(BeNumerically("~", 0.9, bound(0.9)))
			low := model.SimulatedRouter{CorrectLabel: labelOf, Labels: routes, Accuracy: 0.85, Consistency: 0.75}
			Expect(low.Validate()).To(Succeed())
			low = model.SimulatedRouter{CorrectLabel: labelOf, Labels: routes, Accuracy: 0.85, Consistency: 0.75,
				Difficulty: model.Difficulty{Correlation: 0.5}}
			Expect(low.Validate()).To(MatchError(ContainSubstring("0.75 is not in 0.777")))
		})

	It("15.14: is greatest for texts with misleading words; the accuracy over all texts is as configured", func() {
		const accuracy, share = 0.9, 0.3
		isMisleading := func(i int) bool { return i%10 < 3 }
		l := &model.SimulatedRouter{Labels: routes, Accuracy: accuracy, Seed: 3, CaseSeed: 9}
		var misled bool
		l.CorrectLabel = labelOf
		l.Difficulty = model.Difficulty{Correlation: 0.5,
			IsMisleading: func(string) (bool, float64, bool) { return misled, share, true }}
		right := map[bool]float64{}
		for i := range n {
			misled = isMisleading(i)
			if first(predict(l, text(i))) == routes[i%4] {
				right[misled]++
			}
		}
		Expect((right[true] + right[false]) / n).To(BeNumerically("~", accuracy, bound(accuracy)))
		Expect(right[true] / (n * share)).To(BeNumerically("<", 0.76))
		Expect(right[false] / (n * (1 - share))).To(BeNumerically(">", 0.96))
	})
})
