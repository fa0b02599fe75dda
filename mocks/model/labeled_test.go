package model_test

import (
	"fmt"
	"math"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/mocks/component"
	"evalctl/mocks/model"
)

var routes = []string{"image_gen", "web_search", "time_query", "chat"}

// predict returns the label and the confidence in the answer to a router's request.
func predict(l *model.SimulatedRouter, text string) (label string, confidence float64) {
	GinkgoHelper()
	var v struct {
		Route      string
		Confidence float64
	}
	decode(l.Answer(model.Request{Role: component.Router, Text: text}).Content, &v)
	return v.Route, v.Confidence
}

var _ = Describe("a simulated router", func() {
	const n = 20000
	text := func(i int) string { return fmt.Sprintf("%s %d", routes[i%4], i) }

	// within returns four standard deviations of a proportion of n items.
	within := func(p float64, n int) float64 { return 4 * math.Sqrt(p*(1-p)/float64(n)) }

	for _, accuracy := range []float64{0, 0.5, 0.87, 1} {
		It(fmt.Sprintf("has the configured accuracy %v", accuracy), func() {
			l := &model.SimulatedRouter{CorrectLabel: labelOf, Labels: routes, Accuracy: accuracy, Seed: 11}
			right := 0
			for i := range n {
				if got, _ := predict(l, text(i)); got == routes[i%4] {
					right++
				}
			}
			Expect(float64(right) / n).To(BeNumerically("~", accuracy, within(accuracy, n)))
		})
	}

	It("chooses wrong labels by its confusion, or uniformly without one", func() {
		l := &model.SimulatedRouter{CorrectLabel: labelOf, Labels: routes, Confusion: map[string]map[string]float64{
			"image_gen": {"chat": 3, "web_search": 1},
		}}
		count := map[string]int{}
		even := map[string]int{}
		for i := range n {
			got, _ := predict(l, fmt.Sprintf("image_gen %d", i))
			count[got]++
			got, _ = predict(l, fmt.Sprintf("chat %d", i))
			even[got]++
		}
		Expect(count).To(HaveLen(2))
		Expect(float64(count["chat"]) / n).To(BeNumerically("~", 0.75, within(0.75, n)))
		Expect(even).To(HaveLen(3))
		for _, k := range even {
			Expect(float64(k) / n).To(BeNumerically("~", 1.0/3, within(1.0/3, n)))
		}
	})

	It("answers depending only on the text and the seed", func() {
		ask := func(seed uint64, i int) string {
			l := &model.SimulatedRouter{CorrectLabel: labelOf, Labels: routes, Accuracy: 0.5, Seed: seed}
			return l.Answer(model.Request{Role: component.Router, Text: text(i)}).Content
		}
		differ := 0
		for i := range 100 {
			Expect(ask(1, i)).To(Equal(ask(1, i)))
			if ask(1, i) != ask(2, i) {
				differ++
			}
		}
		Expect(differ).To(BeNumerically(">", 50))
		Expect(ask(1, 0)).To(Equal(
			`{"route":"image_gen","confidence":0.5,"reason":"the message shows a clear intent"}`),
			"frozen: another process agrees")
	})

	It("returns the fallback label with low confidence for an unknown text", func() {
		l := &model.SimulatedRouter{CorrectLabel: labelOf, Labels: routes, Accuracy: 1}
		got, confidence := predict(l, "nonsense")
		Expect(got).To(Equal("chat"))
		Expect(confidence).To(BeNumerically("<", 0.5))
	})

	It("15.13: answers depending only on the position of the call in its trial, not on the text", func() {
		l := &model.SimulatedRouter{CorrectLabel: func(string) (string, bool) { return "chat", true }, Labels: routes,
			Accuracy: 0.5, Seed: 1}
		at := func(p model.CallPosition, text string) string {
			return l.Answer(model.Request{ComponentName: "router", Role: component.Router, Text: text, Position: p}).
				Content
		}
		differ := map[string]int{}
		for i := 1; i <= n; i++ {
			first := at(model.CallPosition{Turn: i, CallNumber: 1, Attempt: 1}, "a prompt")
			Expect(at(model.CallPosition{Turn: i, CallNumber: 1, Attempt: 1}, "another prompt")).To(Equal(first))
			for what, p := range map[string]model.CallPosition{
				"loop":    {Turn: i, CallNumber: 2, Attempt: 1},
				"attempt": {Turn: i, CallNumber: 1, Attempt: 2},
				"turn":    {Turn: n + i, CallNumber: 1, Attempt: 1},
				"branch":  {Turn: i, CallNumber: 1, Attempt: 1, Branch: "/0"},
			} {
				if at(p, "a prompt") != first {
					differ[what]++
				}
			}
		}
		const independent = 1 - (0.25 + 0.25/3) // half of the answers are correct, the others are one of three labels
		for _, what := range []string{"loop", "attempt", "turn", "branch"} {
			Expect(float64(differ[what])/n).To(BeNumerically("~", independent, within(independent, n)), what)
		}
	})

	It("returns the fallback label if the request requires it, with the usual confidence and reason", func() {
		l := &model.SimulatedRouter{CorrectLabel: labelOf, Labels: routes, Accuracy: 0.5, Seed: 1,
			Calibration: mustCalibrate(model.PerfectCurve(0.5), 0.5)}
		for i := range 100 {
			r := model.Request{Role: component.Router, Text: text(i)}
			var defaultValue, residual struct {
				Route, Reason string
				Confidence    float64
			}
			decode(l.Answer(r).Content, &defaultValue)
			r.ForceFallbackLabel = true
			decode(l.Answer(r).Content, &residual)
			Expect(residual.Route).To(Equal("chat"))
			defaultValue.Route = "chat"
			Expect(residual).To(Equal(defaultValue))
		}
		r := model.Request{Role: component.Chat, Text: text(0), ForceFallbackLabel: true, Tools: routes,
			Messages: []model.Message{{Role: "user"}}}
		Expect(l.Answer(r).ToolCalls).NotTo(ContainElement(HaveField("Name", "chat")), "who talks decides nothing")
	})

	It("returns text if it has no labels, even if the request offers tools", func() {
		Expect((&model.SimulatedRouter{}).Answer(model.Request{Role: component.Chat, Text: "hi", Tools: []string{"x"}}).
			Content).To(ContainSubstring("hi"))
	})

	It("returns a list of facts to a search request", func() {
		l := &model.SimulatedRouter{CorrectLabel: labelOf, Labels: routes, Accuracy: 1}
		r := model.Request{Role: component.Search, Text: "金价"}
		Expect(l.Answer(r).Content).To(And(HavePrefix("1. "), ContainSubstring("金价")))
		r.Text = "gold price"
		Expect(l.Answer(r).Content).To(And(HavePrefix("1. "), ContainSubstring("gold price")))
	})

	DescribeTable("rejects an invalid configuration, and the error names the field",
		func(l model.SimulatedRouter, field string) {
			Expect(l.Validate()).To(MatchError(ContainSubstring(field)))
		},
		Entry(nil, model.SimulatedRouter{Labels: routes}, "SimulatedRouter.Label: "),
		Entry(nil, model.SimulatedRouter{CorrectLabel: labelOf}, "SimulatedRouter.Labels"),
		Entry(nil, model.SimulatedRouter{CorrectLabel: labelOf, Labels: routes, Accuracy: 1.1},
			"SimulatedRouter.Accuracy"),
		Entry(nil, model.SimulatedRouter{CorrectLabel: labelOf, Labels: routes, Accuracy: math.NaN()},
			"SimulatedRouter.Accuracy"),
		Entry(nil, model.SimulatedRouter{CorrectLabel: labelOf, Labels: routes[:1], Accuracy: 0.9},
			"SimulatedRouter.Labels"),
		Entry(nil, model.SimulatedRouter{CorrectLabel: labelOf, Labels: routes,
			Confusion: map[string]map[string]float64{"x": {}}},
			"SimulatedRouter.Confusion[x]"),
		Entry(nil, model.SimulatedRouter{CorrectLabel: labelOf, Labels: routes,
			Confusion: map[string]map[string]float64{"chat": {"chat": 1}}}, "SimulatedRouter.Confusion[chat]"),
		Entry(nil, model.SimulatedRouter{CorrectLabel: labelOf, Labels: routes,
			Confusion: map[string]map[string]float64{"chat": {"image_gen": 0}}}, "SimulatedRouter.Confusion[chat]"),
		Entry(nil, model.SimulatedRouter{CorrectLabel: labelOf, Labels: routes, Accuracy: 0.9,
			Calibration: mustCalibrate(model.PerfectCurve(0.8), 0.8)},
			"SimulatedRouter.Calibration: is for an accuracy of 0.8, not of 0.9"),
		Entry(nil, model.SimulatedRouter{CorrectLabel: labelOf, Labels: routes, Accuracy: 0.8, Consistency: 0.6},
			"SimulatedRouter.Consistency: 0.6 is not in 0.6534..1"),
		Entry(nil, model.SimulatedRouter{CorrectLabel: labelOf, Labels: routes, Accuracy: 0.8, Consistency: 1.1},
			"SimulatedRouter.Consistency: 1.1 is not in 0.6534..1"),
		Entry("a consistency that is high enough for most labels, but too low for one",
			model.SimulatedRouter{CorrectLabel: labelOf, Labels: routes, Accuracy: 0.8, Consistency: 0.67,
				Confusion: map[string]map[string]float64{"chat": {"image_gen": 1}}},
			"SimulatedRouter.Consistency: 0.67 is not in 0.68"),
	)
})

var _ = Describe("the plausible answer to a search request", func() {
	It("is about the question at the end of the message, not about the instructions", func() {
		l := &model.SimulatedRouter{CorrectLabel: func(string) (string, bool) { return "", false },
			Labels:   []string{"chat"},
			Accuracy: 1}
		for seed := range uint64(12) {
			l.Seed = seed
			a := l.Answer(model.Request{Role: component.Search, Text: "你是检索助手，只提取事实。\n\n问题：上海明天几度"})
			Expect(a.Content).NotTo(ContainSubstring("检索助手"))
			Expect(a.Content).NotTo(BeEmpty())
		}
	})
})
