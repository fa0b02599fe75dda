package metric_test

import (
	"fmt"
	"math/rand/v2"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/metric"
)

// inEpochs are the figures of results that come in so many epochs of a case.
func inEpochs(epochs int, results ...eval.Result) map[string]eval.Estimate {
	GinkgoHelper()
	t := metric.NewTable([]eval.SuiteSummary{{Name: "s", Epochs: epochs, Conditions: []eval.ConditionSummary{{Name: "v", Fault: eval.NoFault}}}})
	epoch := map[string]int{}
	for _, r := range results {
		epoch[r.Case]++
		r.Epoch = epoch[r.Case]
		Expect(t.Add(r)).To(Succeed())
	}
	return t.Close().Suites[0].Conditions[0].Metrics
}

// answersTo are the epochs of a case that wants chat; "" was lost.
func answersTo(id string, got ...string) (list []eval.Result) {
	for _, g := range got {
		if g == "" {
			list = append(list, lost(id, eval.ProviderError, "chat"))
			continue
		}
		list = append(list, judged(id, g, "chat"))
	}
	return list
}

func together(lists ...[]eval.Result) (all []eval.Result) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

var _ = Describe("The epochs of a case", Label("definition"), func() {
	It("are consistent as often as two of them have the same answer, right or wrong", func() {
		m := inEpochs(4, together(answersTo("a", "chat", "chat", "chat", "chat"), answersTo("b", "time", "time", "time", "time"),
			answersTo("c", "chat", "chat", "time", "web"), answersTo("d", "chat", "time", "web", "image"))...)
		expectRatio(m["route.consistency"], 6+6+1+0, 24, 0)
		Expect(m["route.consistency"].Cases).To(Equal(int64(4)))
	})

	It("pass where all of them are right", func() {
		m := inEpochs(3, together(answersTo("a", "chat", "chat", "chat"), answersTo("b", "chat", "chat", "time"), answersTo("c", "time", "time", "time"), answersTo("d", "chat", "chat", "chat"))...)
		expectShare(m["route.pass_k"], 2, 4, 0)
	})

	It("count what is missing: pairs that nobody can compare, and cases that were not judged in all", func() {
		m := inEpochs(3, together(answersTo("a", "chat", "chat", ""), answersTo("b", "chat", "time", ""), answersTo("c", "", "", ""), answersTo("d", "chat", "chat", "chat"))...)
		expectRatio(m["route.consistency"], 1+0+3, 5, 2+2+3)
		expectShare(m["route.pass_k"], 1, 1, 3)
	})

	It("15.17: pass over complete cases only, whatever is wrong in the others, and never lie outside worst and best", func() {
		e := inEpochs(2, together(answersTo("a", "chat", "chat"), answersTo("b", "time", ""), answersTo("c", "", "time"), answersTo("d", "chat", ""), answersTo("e", "time", "time"))...)["route.pass_k"]
		expectShare(e, 1, 2, 3)
		Expect([]float64{*e.WorstCase, *e.Value, *e.BestCase}).To(Equal([]float64{0.2, 0.5, 0.8}))
		e = inEpochs(2, together(answersTo("a", "time", ""), answersTo("b", "", "time"))...)["route.pass_k"]
		Expect(e.Value).To(BeNil())
		Expect(e.Missing).To(BeEquivalentTo(2))
		Expect(inEpochs(3, answersTo("a", "chat", "chat")...)["route.pass_k"].Missing).To(BeEquivalentTo(1), "an epoch has no row yet")
	})

	It("15.17: pass as often with lost epochs as without", func() {
		const cases, epochs = 4000, 3
		d := rand.New(rand.NewPCG(17, 1))
		var whole, lossy []eval.Result
		for i := range cases {
			odds := []float64{1, 0.7}[d.IntN(2)]
			var got, left []string
			for range epochs {
				answer := map[bool]string{true: "chat", false: "time"}[d.Float64() < odds]
				got = append(got, answer)
				if d.Float64() < 0.3 { // a timeout
					answer = ""
				}
				left = append(left, answer)
			}
			whole, lossy = append(whole, answersTo(fmt.Sprint(i), got...)...), append(lossy, answersTo(fmt.Sprint(i), left...)...)
		}
		want, e := inEpochs(epochs, whole...)["route.pass_k"], inEpochs(epochs, lossy...)["route.pass_k"]
		Expect(e.N + e.Missing).To(BeEquivalentTo(cases))
		Expect(float64(e.N)).To(BeNumerically("~", 0.343*cases, 100))
		Expect(*e.Value).To(BeNumerically("~", *want.Value, 0.03))
	})

	It("have no figure where all is missing, and say so", func() {
		m := inEpochs(2, answersTo("a", "", "")...)
		for _, name := range []string{"route.consistency", "route.pass_k"} {
			Expect(m[name].Value).To(BeNil(), name)
			Expect(m[name].Missing).To(Equal(int64(1)), name)
		}
	})

	It("are not spoken of where there is one", func() {
		Expect(inEpochs(1, answersTo("a", "chat")...)).NotTo(Or(HaveKey("route.consistency"), HaveKey("route.pass_k")))
	})

	It("of a conversation are alike where all its turns are", func() {
		m := inEpochs(2, talk("a", exchange{"image", "image"}, exchange{"chat", "chat"}), talk("a", exchange{"image", "image"}, exchange{"chat", "image"}),
			talk("b", exchange{"image", "chat"}, exchange{"chat", "chat"}), talk("b", exchange{"image", "chat"}, exchange{"chat", "chat"}),
			talk("c", exchange{"image", "image"}, exchange{"chat", ""}), talk("c", exchange{"image", "image"}, exchange{"chat", ""}),
			talk("d", exchange{"image", "image"}, exchange{"chat", "chat"}), talk("d", exchange{"image", "chat"}, exchange{"chat", "chat"}))
		expectRatio(m["route.consistency"], 1, 3, 1)
		expectShare(m["route.pass_k"], 0, 3, 1) // c misses a turn in both epochs
	})

	It("have intervals that hold the truth in 93 to 98 of 100 samples", func() {
		const samples, cases, epochs = 300, 100, 5
		d := rand.New(rand.NewPCG(1, 2))
		alike, passed := 0, 0
		for range samples {
			var rows []eval.Result
			for i := range cases { // some are always right, some in 7 of 10, some are guessed at

				odds := []float64{1, 0.7, 1.0 / 3}[d.IntN(3)]
				var got []string
				for range epochs {
					switch {
					case d.Float64() < odds:
						got = append(got, "chat")
					case d.IntN(2) == 0:
						got = append(got, "time")
					default:
						got = append(got, "web")
					}
				}
				rows = append(rows, answersTo(fmt.Sprint(i), got...)...)
			}
			m := inEpochs(epochs, rows...)
			if e := m["route.consistency"]; *e.Lo <= consistent && consistent <= *e.Hi {
				alike++
			}
			if e := m["route.pass_k"]; *e.Lo <= always && always <= *e.Hi {
				passed++
			}
		}
		Expect(float64(alike) / samples).To(And(BeNumerically(">=", 0.93), BeNumerically("<=", 0.98)))
		Expect(float64(passed) / samples).To(And(BeNumerically(">=", 0.93), BeNumerically("<=", 0.98)))
	})
})

// What is true of the cases above.
const (
	consistent = (1 + 0.49 + 2*0.15*0.15 + 1.0/3) / 3
	always     = (1 + 0.7*0.7*0.7*0.7*0.7 + 1.0/243) / 3
)
