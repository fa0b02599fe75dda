package curve_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/system"
	"evalctl/eval"
	"evalctl/eval/curve"
	"evalctl/eval/stats"
	"evalctl/eval/suite"
)

func TestCurve(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Curve")
}

// texts returns n training texts, three in four with the label a.
func texts(n int) (list []system.LabeledExample) {
	for i := range n {
		list = append(list, system.LabeledExample{Text: fmt.Sprint("t", i), Label: string("aaab"[i%4])})
	}
	return list
}

// each returns one test case for every text.
func each(list []system.LabeledExample) (asked []curve.TestCase) {
	for _, e := range list {
		asked = append(asked, curve.TestCase{{Text: e.Text, Expected: eval.OneOf{e.Label}}})
	}
	return asked
}

// memorizer trains a classifier that predicts a label only for its training texts.
func memorizer(list []system.LabeledExample) (func(string) string, error) {
	known := map[string]string{}
	for _, e := range list {
		known[e.Text] = e.Label
	}
	return func(text string) string { return known[text] }, nil
}

var _ = Describe("A learning curve", func() {
	It("shows the share of memorized texts as the accuracy of a model that memorizes, with an interval over cases",
		func() {
			all := texts(32)
			points, err := curve.LearningCurve{Train: memorizer}.Run(all, each(all))
			Expect(err).NotTo(HaveOccurred())
			Expect(points).To(HaveLen(5))
			for i, want := range []struct {
				at    float64
				draws int
			}{{2, 8}, {4, 8}, {8, 8}, {16, 4}, {32, 1}} {
				p := points[i]
				Expect([]any{p.X, p.TrainingSamples}).To(Equal([]any{want.at, want.draws}))
				Expect(*p.Accuracy.Value).To(BeNumerically("~", want.at/32, 1e-12))
				Expect(p.Accuracy.N).To(BeEquivalentTo(32))
				if i > 0 {
					Expect(*p.VersusPrevious.Value).To(BeNumerically("~", (want.at-points[i-1].X)/32, 1e-12))
					Expect(*p.VersusFirst.Value).To(BeNumerically("~", (want.at-2)/32, 1e-12))
				}
			}
			Expect(points[0].VersusPrevious).To(BeNil())
			Expect([]float64{*points[3].LowestAccuracy, *points[3].HighestAccuracy}).To(Equal([]float64{0.5, 0.5}),
				"each draw of a half knows a half")
			Expect(points[4].LowestAccuracy).To(BeNil(), "all are drawn once")
			lo, hi := stats.Wilson(32, 32, 0.95)
			Expect([]float64{*points[4].Accuracy.Lo, *points[4].Accuracy.Hi}).To(Equal([]float64{lo, hi}))
		})

	It("compares each point with the previous one case by case", func() {
		all := texts(32)
		asked := each(all)
		knows := func(n int) curve.LearningCurve {
			return curve.LearningCurve{Sizes: []int{31, 32},
				Train: func(list []system.LabeledExample) (func(string) string, error) {
					return func(text string) string {
						at := slices.IndexFunc(all, func(e system.LabeledExample) bool { return e.Text == text })
						if at < n || len(list) == 32 && at < n+9 {
							return all[at].Label
						}
						return ""
					}, nil
				}}
		}
		points, err := knows(20).Run(all, asked)
		Expect(err).NotTo(HaveOccurred())
		var want stats.PairedAccuracy
		for i := range int64(32) {
			want.Add(4*min(max(20-i, 0), 1), 4, min(max(29-i, 0), 1), 1)
		}
		lo, hi, _ := want.Interval(0.95)
		Expect([]float64{*points[1].VersusPrevious.Value, *points[1].VersusPrevious.Lo, *points[1].VersusPrevious.Hi}).
			To(Equal([]float64{9.0 / 32, lo, hi}))
	})

	It("uses samples that contain the smaller samples of the same draw, with the label proportions of all texts",
		func() {
			var learned [][]system.LabeledExample
			all := texts(64)
			_, err := curve.LearningCurve{Train: func(list []system.LabeledExample) (func(string) string, error) {
				learned = append(learned, slices.Clone(list))
				return memorizer(list)
			}}.Run(all, each(all))
			Expect(err).NotTo(HaveOccurred())
			Expect(learned).To(HaveLen(8*3 + 4 + 1))
			for i, list := range learned {
				a := 0
				for _, e := range list {
					if e.Label == "a" {
						a++
					}
				}
				Expect(a).To(BeNumerically("~", len(list)*3/4, 1))
				if i > 0 && len(learned[i-1]) < len(list) {
					Expect(list).To(ContainElements(learned[i-1]))
				}
			}
			Expect(learned[0]).NotTo(ConsistOf(learned[5]), "another draw")
		})

	It("does not depend on the order of the texts, but on the seed", func() {
		all, asked := texts(40), each(texts(40))
		guess := func(list []system.LabeledExample) (func(string) string, error) {
			return func(text string) string {
				if slices.Contains(list, system.LabeledExample{Text: text, Label: "b"}) {
					return "b"
				}
				return "a"
			}, nil
		}
		of := func(seed uint64, list []system.LabeledExample) []curve.Point {
			points, err := curve.LearningCurve{Train: guess, Seed: seed}.Run(list, asked)
			Expect(err).NotTo(HaveOccurred())
			return points
		}
		want := of(1, all)
		shuffled := slices.Clone(all)
		rand.New(rand.NewPCG(1, 1)).
			Shuffle(len(all), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		Expect(of(1, shuffled)).To(Equal(want))
		Expect(of(2, all)).NotTo(Equal(want))
	})

	It("counts a conversation as correct if all its turns are correct", func() {
		all := texts(4)
		asked := []curve.TestCase{
			{{Text: "t0", Expected: eval.OneOf{"a"}}, {Text: "t3", Expected: eval.OneOf{"x", "b"}}},
			{{Text: "t0", Expected: eval.OneOf{"a"}}, {Text: "t1", Expected: eval.OneOf{"b"}}},
		}
		points, err := curve.LearningCurve{Train: memorizer, Sizes: []int{4}}.Run(all, asked)
		Expect(err).NotTo(HaveOccurred())
		Expect(*points[0].Accuracy.Value).To(Equal(0.5))
	})

	DescribeTable("returns an error for invalid input",
		func(want string, l curve.LearningCurve, n int, asked []curve.TestCase) {
			_, err := l.Run(texts(n), asked)
			Expect(err).To(MatchError(want))
		},
		Entry("no test cases", "there is no labeled case", curve.LearningCurve{Train: memorizer}, 8, nil),
		Entry("no training texts", "0 texts are too few to learn from", curve.LearningCurve{Train: memorizer},
			0, each(texts(1))),
		Entry("a size above the number of texts", "9 are more than the 8 texts that there are to learn",
			curve.LearningCurve{Train: memorizer, Sizes: []int{2, 9}}, 8, each(texts(1))),
		Entry("a sample that cannot be trained", "2 of 8 texts: nothing to learn",
			curve.LearningCurve{Train: func([]system.LabeledExample) (func(string) string, error) {
				return nil, errors.New("nothing to learn")
			}, Sizes: []int{2}}, 8, each(texts(1))),
	)
})

// examplesSuite returns a suite whose variants have different numbers of examples in the prompt,
// with its summary.
func examplesSuite(variants ...map[string]string) (s suite.Suite, found eval.SuiteSummary) {
	s = suite.Suite{Name: "mine", Target: "prompt"}
	found = eval.SuiteSummary{Name: "mine",
		Models: []eval.ModelInfo{{Component: "model", Kind: "simulated"}, {Component: "other", Kind: "real"},
			{Component: "model", Kind: "real", Variants: []string{"v9"}}}}
	for i, settings := range variants {
		name := fmt.Sprint("v", i)
		s.Variants = append(s.Variants, suite.Variant{Name: name, Settings: settings})
		accuracy := float64(i) / 10
		found.Conditions = append(found.Conditions,
			eval.ConditionSummary{Variant: name, Fault: eval.NoFault,
				Metrics: map[string]eval.Estimate{"route.accuracy": {Value: &accuracy, N: 50}}})
	}
	return s, found
}

func examples(k string) map[string]string { return map[string]string{"examples": k} }

var _ = Describe("The accuracy curve of a run", func() {
	It("has a point for each value of the setting that distinguishes the variants, lowest value first", func() {
		s, found := examplesSuite(examples("4"), examples("0"), examples("1"))
		lo, hi := 0.1, 0.4
		found.Differences = []eval.Difference{
			{Variant: "v1", ComparedWith: "v0", Fault: eval.NoFault, State: eval.NotSignificant,
				Accuracy: eval.Contrast{Value: new(0.3), Lo: &lo, Hi: &hi}},
			{Variant: "v2", ComparedWith: "v1", Fault: eval.NoFault, State: eval.InsufficientData,
				Accuracy: eval.Contrast{Value: new(0.9)}},
		}
		list, err := curve.FromRun(s, found, "")
		Expect(err).NotTo(HaveOccurred())
		Expect(list).To(HaveLen(1))
		c := list[0]
		Expect([]any{c.Suite, c.Name, c.Axis}).To(Equal([]any{"mine", "", "examples"}))
		Expect(c.Models).To(HaveLen(1), "of who decides here")
		Expect(c.Points).To(HaveLen(3))
		Expect([]float64{c.Points[0].X, c.Points[1].X, c.Points[2].X}).To(Equal([]float64{0, 1, 4}))
		Expect([]float64{*c.Points[0].Accuracy.Value, *c.Points[2].Accuracy.Value}).To(Equal([]float64{0.1, 0}))
		Expect(c.Points[1].VersusPrevious).To(BeNil(), "too little is known of it")
		last := c.Points[2].VersusFirst
		Expect([]float64{*last.Value, *last.Lo, *last.Hi}).To(Equal([]float64{-0.3, -0.4, -0.1}),
			"reported for the pair in reverse order")
	})

	DescribeTable("is marked as identical if neighboring points always make the same decisions",
		func(first, second eval.ComparisonState, want bool) {
			s, found := examplesSuite(examples("0"), examples("1"), examples("2"))
			of := func(a, b string, state eval.ComparisonState) eval.Difference {
				return eval.Difference{Variant: b, ComparedWith: a, Fault: eval.NoFault, State: state,
					Accuracy: eval.Contrast{Value: new(0.0)}}
			}
			under := of("v1", "v2", eval.Identical)
			under.Fault = "model:timeout"
			found.Differences = []eval.Difference{of("v0", "v1", first), under, of("v2", "v1", second)}
			list, err := curve.FromRun(s, found, "")
			Expect(err).NotTo(HaveOccurred())
			Expect(list[0].Identical).To(Equal(want))
		},
		Entry(nil, eval.Identical, eval.Identical, true),
		Entry("neighbors with the same accuracy but different decisions: not marked", eval.Identical,
			eval.NotSignificant, false),
		Entry(nil, eval.Better, eval.Identical, false),
		Entry("neighbors with insufficient data: not marked", eval.Identical, eval.InsufficientData, false),
	)

	It("is drawn once for each group of variants with equal values in all other settings that they use", func() {
		nearest := func(k string) map[string]string {
			return map[string]string{"examples": k, "example-selection": "nearest"}
		}
		s, found := examplesSuite(examples("0"), examples("2"), nearest("2"), nearest("8"))
		list, err := curve.FromRun(s, found, "")
		Expect(err).NotTo(HaveOccurred())
		var of [][]string
		for _, c := range list {
			var names []string
			for _, p := range c.Points {
				names = append(names, p.Variant)
			}
			of = append(of, names)
		}
		Expect(of).To(ConsistOf([]string{"v0", "v1"}, []string{"v0", "v2", "v3"}),
			"without examples it does not matter how they are picked")
	})

	It("requires the name of the setting if variants differ in several settings", func() {
		s, found := examplesSuite(examples("1"), examples("2"),
			map[string]string{"examples": "2", "examples-seed": "7"})
		_, err := curve.FromRun(s, found, "")
		Expect(err).To(MatchError("suite mine: variants differ in examples, examples-seed: choose one with --setting"))
		list, err := curve.FromRun(s, found, "examples-seed")
		Expect(err).NotTo(HaveOccurred())
		Expect(list).To(HaveLen(1))
		_, err = curve.FromRun(s, found, "exampels")
		Expect(err).To(MatchError(`unknown setting "exampels", did you mean "examples"?`))
	})

	It("returns an error that lists the settings in which variants differ if another one is requested", func() {
		s, found := examplesSuite(examples("1"), examples("2"))
		_, err := curve.FromRun(s, found, "temperature")
		Expect(err).To(MatchError("suite mine: no variants differ in temperature alone, but in examples"))
	})

	It("needs one variant from each group that differs only in the drawn settings, and no baseline models", func() {
		s, _ := examplesSuite(examples("0"), map[string]string{"examples": "8", "example-selection": "nearest"},
			map[string]string{"temperature": "1"})
		s.Variants = append(s.Variants, suite.Variant{Name: "linear", Model: "baseline:linear"})
		names := func(settings ...string) (list []string) {
			for _, v := range curve.BaseVariants(s, settings...) {
				list = append(list, v.Name)
			}
			return list
		}
		Expect(names("examples")).To(Equal([]string{"v0", "v2"}))
		Expect(names("examples", "temperature")).To(Equal([]string{""}), "settings alone tell variants apart")
		Expect(names("threshold")).To(Equal([]string{"v0", "v1", "v2"}))
	})

	It("does not exist if variants differ in no setting or in several at once", func() {
		s, found := examplesSuite(examples("1"), map[string]string{"examples": "2", "example-selection": "nearest"})
		_, err := curve.FromRun(s, found, "")
		Expect(err).To(MatchError(curve.ErrNoCurve))
		s, found = examplesSuite(examples("1"))
		_, err = curve.FromRun(s, found, "examples")
		Expect(err).To(MatchError(curve.ErrNoCurve))
	})
})

var _ = DescribeTable("Curve.LastDoubling returns the last two points if the second value is about twice the first",
	func(from, to float64, want bool) {
		c := curve.Curve{Points: []curve.Point{{X: from},
			{X: to, VersusPrevious: &eval.Contrast{Value: new(0.1)}}}}
		_, _, ok := c.LastDoubling()
		Expect(ok).To(Equal(want))
	}, Entry(nil, 8.0, 16.0, true), Entry(nil, 251.0, 502.0, true), Entry(nil, 125.0, 251.0, true),
	Entry(nil, 0.0, 1.0, false), Entry(nil, 4.0, 16.0, false), Entry(nil, -1.0, -2.0, false))
