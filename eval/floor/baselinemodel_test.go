package floor_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/system"
	"evalctl/eval/floor"
	"evalctl/eval/stats"
)

func train(kind floor.Kind, list []system.LabeledExample) floor.Model {
	GinkgoHelper()
	m, err := floor.Train(kind, list)
	Expect(err).NotTo(HaveOccurred())
	return m
}

// predictions returns the predicted label of every text with its exact confidence.
func predictions(m floor.Model, texts []system.LabeledExample) (list []string) {
	for _, e := range texts {
		label, confidence := m.Predict(e.Text)
		list = append(list, fmt.Sprintf("%s %x", label, confidence))
	}
	return list
}

// rightShare returns the accuracy and the calibration error of a model.
func rightShare(m floor.Model, texts []system.LabeledExample) (share, ece float64) {
	var c stats.Calibration
	right := 0
	for _, e := range texts {
		label, confidence := m.Predict(e.Text)
		c.Add(confidence, label == e.Label)
		if label == e.Label {
			right++
		}
	}
	ece, _ = c.ECE(10)
	return float64(right) / float64(len(texts)), ece
}

var weather = []system.LabeledExample{
	{Text: "will it rain tomorrow", Label: "weather"}, {Text: "how cold is it in Oslo", Label: "weather"},
	{Text: "明天会下雨吗", Label: "weather"}, {Text: "今天气温多少度", Label: "weather"},
	{Text: "draw a cat", Label: "image"}, {Text: "paint me a red house", Label: "image"},
	{Text: "画一只猫", Label: "image"}, {Text: "帮我画一座红房子", Label: "image"},
}

var _ = Describe("A baseline model", func() {
	It("learns words and characters in both languages, regardless of case and character width", func() {
		for _, kind := range []floor.Kind{floor.Linear, floor.NaiveBayes} {
			m := train(kind, weather)
			for text, want := range map[string]string{"Does it RAIN?": "weather", "ｄｒａｗ a dog": "image",
				"后天下雨": "weather", "画一匹马": "image"} {
				label, confidence := m.Predict(text)
				Expect(label).To(Equal(want), "%s: %s", kind, text)
				Expect(confidence).To(And(BeNumerically(">", 0.5), BeNumerically("<=", 1)))
			}
		}
	})

	It("of the kind majority predicts the most frequent label, with its share as confidence; equal frequencies are ordered by name", func() {
		label, confidence := train(floor.Majority,
			append(slices.Clone(weather), system.LabeledExample{Text: "x", Label: "weather"})).Predict("draw")
		Expect(label).To(Equal("weather"))
		Expect(confidence).To(Equal(5.0 / 9))
		label, _ = train(floor.Majority, weather).Predict("rain")
		Expect(label).To(Equal("image"))
	})

	It("is bit-identical for any order of the examples and any number of CPU cores", func() {
		list, asked := simulated(600, 12, 0.1, 1), simulated(200, 12, 0, 2)
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
		for _, kind := range floor.Kinds() {
			var first []string
			for _, cores := range []int{1, 2, 4} {
				runtime.GOMAXPROCS(cores)
				other := slices.Clone(list)
				rand.New(rand.NewPCG(uint64(cores), 0)).
					Shuffle(len(other), func(i, j int) { other[i], other[j] = other[j], other[i] })
				all := predictions(train(kind, other), asked)
				if first == nil {
					first = all
				}
				Expect(all).To(Equal(first), "%s on %d cores", kind, cores)
			}
		}
	})

	It("is calibrated, even if a fifth of the training labels are wrong", func() {
		for _, wrong := range []float64{0, 0.2} {
			list, asked := simulated(1_500, 6, wrong, 1), simulated(3_000, 6, wrong, 2)
			for _, kind := range floor.Kinds() {
				share, ece := rightShare(train(kind, list), asked)
				Expect(ece).To(BeNumerically("<", 0.04), "%s, %v wrong, %v right", kind, wrong, share)
			}
		}
	})

	It("gives a rare word more weight than a frequent one", func() {
		words := rand.New(rand.NewPCG(1, 5))
		for range 20 {
			frequent, rare := fmt.Sprintf("%06x", words.IntN(1<<24)), fmt.Sprintf("%06x", words.IntN(1<<24))
			list := slices.Concat(slices.Repeat([]system.LabeledExample{{Text: frequent, Label: "frequent"}}, 30),
				slices.Repeat([]system.LabeledExample{{Text: rare, Label: "rare"}}, 3))
			label, _ := train(floor.Linear, list).Predict(frequent + " " + rare)
			Expect(label).To(Equal("rare"))
		}
	})

	It("reports its size", func() {
		s := train(floor.Linear, weather).Size()
		Expect(s.Examples).To(Equal(8))
		Expect(s.Labels).To(Equal(2))
		Expect(s.Features).To(BeNumerically(">", 30))
		Expect(s.Bytes).To(BeNumerically(">=", 4*s.Features*s.Labels))
		Expect(train(floor.Majority, weather).Size()).To(Equal(floor.ModelSize{Examples: 8, Labels: 2}))
	})
})

var _ = Describe("A cross-fitted baseline model", func() {
	It("labels a text without what it learned from the same text, also with other spaces and letter case",
		func() {
			var list, typed []system.LabeledExample
			for i, e := range simulated(400, 2, 0, 1) { // the labels do not depend on the words
				e.Label = []string{"heads", "tails"}[rand.New(rand.NewPCG(uint64(i), 7)).IntN(2)]
				list = append(list, e, e)
				typed = append(typed, system.LabeledExample{Text: "  " + strings.ToUpper(e.Text), Label: e.Label})
			}
			share, _ := rightShare(train(floor.Linear, list), list)
			Expect(share).To(BeNumerically(">", 0.95))
			m, err := floor.CrossFit(floor.Linear, list)
			Expect(err).NotTo(HaveOccurred())
			for _, asked := range [][]system.LabeledExample{list, typed} {
				share, _ = rightShare(m, asked)
				Expect(share).To(BeNumerically("~", 0.5, 0.08))
			}
		})

	It("predicts the label of other texts like a model that was trained on all examples", func() {
		list, asked := simulated(300, 3, 0, 1), simulated(50, 3, 0, 2)
		for _, kind := range floor.Kinds() {
			m, err := floor.CrossFit(kind, list)
			Expect(err).NotTo(HaveOccurred())
			Expect(predictions(m, asked)).To(Equal(predictions(train(kind, list), asked)))
		}
	})

	It("works with a single text, and returns an error for examples that cannot train a model", func() {
		m, err := floor.CrossFit(floor.Linear,
			[]system.LabeledExample{{Text: "same", Label: "x"}, {Text: "same", Label: "y"}})
		Expect(err).NotTo(HaveOccurred())
		label, _ := m.Predict("same")
		Expect(label).To(Equal("x"))
		_, err = floor.CrossFit(floor.Linear, nil)
		Expect(err).To(MatchError(floor.ErrTooFewLabels))
	})
})

var _ = Describe("Training examples of a baseline model", func() {
	It("must have at least two labels and at most 500", func() {
		for _, kind := range floor.Kinds() {
			for _, list := range [][]system.LabeledExample{nil, {{Text: "a", Label: "x"}},
				{{Text: "a", Label: "x"}, {Text: "b", Label: "x"}}} {
				_, err := floor.Train(kind, list)
				Expect(err).To(MatchError(floor.ErrTooFewLabels))
			}
		}
		var many []system.LabeledExample
		for i := range 100_000 {
			many = append(many, system.LabeledExample{Text: "a", Label: fmt.Sprint(i)})
		}
		_, err := floor.Train(floor.Linear, many)
		Expect(err).To(MatchError("20000 labels are more than 500"))
	})

	It("can train only a known kind of model", func() {
		_, err := floor.Train("linaer", weather)
		Expect(err).To(MatchError(ContainSubstring(`did you mean "linear"`)))
	})

	It("may be empty, invalid UTF-8, very long, or contradictory", func() {
		for _, kind := range floor.Kinds() {
			for _, list := range [][]system.LabeledExample{
				{{Text: "", Label: "x"}, {Text: " \t", Label: "y"}},
				{{Text: "\xff\xfe", Label: "x"}, {Text: "\xf0\x9f", Label: "y\xff"}},
				{{Text: strings.Repeat("数", 100_000), Label: "x"}, {Text: strings.Repeat("ﷺ", 10_000), Label: "y"}},
				{{Text: "same", Label: "x"}, {Text: "same", Label: "y"}, {Text: "same", Label: "y"}},
			} {
				m := train(kind, list)
				for _, text := range []string{"", "same", "\xff", strings.Repeat("a", 1<<20)} {
					label, confidence := m.Predict(text)
					Expect(label).To(HavePrefix([]string{"x", "y"}[min(1, strings.Count(label, "y"))]))
					Expect(confidence).To(And(BeNumerically(">=", 0.5), BeNumerically("<=", 1)))
				}
			}
		}
		label, confidence := train(floor.Linear,
			[]system.LabeledExample{{Text: "same", Label: "x"}, {Text: "same", Label: "y"},
				{Text: "same", Label: "y"}}).
			Predict("same")
		Expect(label).To(Equal("y"))
		Expect(confidence).To(BeNumerically("~", 2.0/3, 0.1))
	})

	It("take a limited number of training steps", func() {
		Expect(floor.StepsOf(8, 1_000)).To(Equal(10_000))
		Expect(floor.StepsOf(12_000, 110_000_000)).To(Equal(60_000), "short texts have five epochs")
		Expect(floor.StepsOf(500, 75_000_000)).To(Equal(4473), "long texts have fewer")
		Expect(floor.StepsOf(20_000, floor.MaxWork)).To(Equal(20_000))
		for pass := 1; pass <= floor.MaxWork; pass *= 3 {
			for rows := 1; rows <= floor.MaxExamples; rows *= 7 {
				Expect(floor.StepsOf(rows, pass) * pass / rows).To(BeNumerically("<=", floor.MaxWork))
			}
		}
	})

	It("are used only up to their first thousand characters, even if normalization makes them longer", func() {
		m, long := train(floor.Linear, weather), strings.Repeat("ﷺ", 100)
		label, confidence := m.Predict(long)
		again, same := m.Predict(long + strings.Repeat(" draw a cat", 50))
		Expect(again).To(Equal(label))
		Expect(same).To(Equal(confidence))
	})

	It("are sampled if there are too many, regardless of their order", func() {
		list := simulated(3*floor.MaxExamples, 3, 0, 1)
		take := func(list []system.LabeledExample) []system.LabeledExample {
			kept, err := floor.Subsample(func(yield func(system.LabeledExample, error) bool) {
				for _, e := range list {
					if !yield(e, nil) {
						return
					}
				}
			})
			Expect(err).NotTo(HaveOccurred())
			return kept
		}
		kept := take(list)
		Expect(kept).To(HaveLen(floor.MaxExamples))
		slices.Reverse(list)
		Expect(take(list)).To(Equal(kept))
		Expect(train(floor.Majority, list).Size().Examples).To(Equal(floor.MaxExamples))
	})
})
