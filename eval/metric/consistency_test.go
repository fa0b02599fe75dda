package metric_test

import (
	"fmt"
	"math/rand/v2"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/metric"
)

// inEpochs returns the metrics of results. Results of the same case are its epochs.
func inEpochs(epochs int, results ...eval.Result) map[string]eval.Estimate {
	GinkgoHelper()
	t := metric.NewCollector([]eval.SuiteSummary{{Name: "s", Epochs: epochs,
		Conditions: []eval.ConditionSummary{{Variant: "v", Fault: eval.NoFault}}}})
	epoch := map[string]int{}
	for _, r := range results {
		epoch[r.Case]++
		r.Epoch = epoch[r.Case]
		Expect(t.Add(r)).To(Succeed())
	}
	return t.Close().Suites[0].Conditions[0].Metrics
}

// epochsAnswering returns the epochs of a case that expects the label chat, with the given
// predicted labels; "": the epoch failed.
func epochsAnswering(id string, got ...string) (list []eval.Result) {
	for _, g := range got {
		if g == "" {
			list = append(list, lost(id, eval.ProviderError, "chat"))
			continue
		}
		list = append(list, scoredTrial(id, g, "chat"))
	}
	return list
}

func together(lists ...[]eval.Result) (all []eval.Result) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

var _ = Describe("The metrics over the epochs of a case", Label("definition"), func() {
	It("contain the share of pairs of epochs with the same answer, right or wrong", func() {
		m := inEpochs(4, together(epochsAnswering("a", "chat", "chat", "chat", "chat"),
			epochsAnswering("b", "time", "time", "time", "time"),
			epochsAnswering("c", "chat", "chat", "time", "web"),
			epochsAnswering("d", "chat", "time", "web", "image"))...)
		expectRatio(m["route.consistency"], 6+6+1+0, 24, 0)
		Expect(m["route.consistency"].Cases).To(Equal(int64(4)))
	})

	It("contain the share of cases that are right in all epochs (pass^k)", func() {
		m := inEpochs(3, together(epochsAnswering("a", "chat", "chat", "chat"),
			epochsAnswering("b", "chat", "chat", "time"), epochsAnswering("c", "time", "time", "time"),
			epochsAnswering("d", "chat", "chat", "chat"))...)
		expectShare(m["route.pass_k"], 2, 4, 0)
	})

	It("count as missing pairs of epochs that cannot be compared, and in pass^k cases with an unscored epoch", func() {
		m := inEpochs(3, together(epochsAnswering("a", "chat", "chat", ""), epochsAnswering("b", "chat", "time", ""),
			epochsAnswering("c", "", "", ""), epochsAnswering("d", "chat", "chat", "chat"))...)
		expectRatio(m["route.consistency"], 1+0+3, 5, 2+2+3)
		expectShare(m["route.pass_k"], 1, 1, 3)
	})

	It("15.17: count only complete cases in pass^k, and its value is between its worst and best case",
		func() {
			e := inEpochs(2, together(epochsAnswering("a", "chat", "chat"), epochsAnswering("b", "time", ""),
				epochsAnswering("c", "", "time"), epochsAnswering("d", "chat", ""),
				epochsAnswering("e", "time", "time"))...)["route.pass_k"]
			expectShare(e, 1, 2, 3)
			Expect([]float64{*e.WorstCase, *e.Value, *e.BestCase}).To(Equal([]float64{0.2, 0.5, 0.8}))
			e = inEpochs(2, together(epochsAnswering("a", "time", ""),
				epochsAnswering("b", "", "time"))...)["route.pass_k"]
			Expect(e.Value).To(BeNil())
			Expect(e.Missing).To(BeEquivalentTo(2))
			Expect(inEpochs(3, epochsAnswering("a", "chat", "chat")...)["route.pass_k"].Missing).
				To(BeEquivalentTo(1), "an epoch has no row yet")
		})

	It("15.17: have the same expected pass^k with failed epochs as without", func() {
		const cases, epochs = 4000, 3
		d := rand.New(rand.NewPCG(17, 1))
		var whole, lossy []eval.Result
		for i := range cases {
			odds := []float64{1, 0.7}[d.IntN(2)]
			var got, left []string
			for range epochs {
				answer := map[bool]string{true: "chat", false: "time"}[d.Float64() < odds]
				got = append(got, answer)
				if d.Float64() < 0.3 { // the epoch fails
					answer = ""
				}
				left = append(left, answer)
			}
			whole, lossy = append(whole, epochsAnswering(fmt.Sprint(i), got...)...),
				append(lossy, epochsAnswering(fmt.Sprint(i), left...)...)
		}
		want, e := inEpochs(epochs, whole...)["route.pass_k"], inEpochs(epochs, lossy...)["route.pass_k"]
		Expect(e.N + e.Missing).To(BeEquivalentTo(cases))
		Expect(float64(e.N)).To(BeNumerically("~", 0.343*cases, 100))
		Expect(*e.Value).To(BeNumerically("~", *want.Value, 0.03))
	})

	It("have no value if all epochs failed, but report how many items are missing", func() {
		m := inEpochs(2, epochsAnswering("a", "", "")...)
		for _, name := range []string{"route.consistency", "route.pass_k"} {
			Expect(m[name].Value).To(BeNil(), name)
			Expect(m[name].Missing).To(Equal(int64(1)), name)
		}
	})

	It("are absent if there is only one epoch", func() {
		Expect(inEpochs(1, epochsAnswering("a", "chat")...)).
			NotTo(Or(HaveKey("route.consistency"), HaveKey("route.pass_k")))
	})

	It("compare conversations by the answers in all turns", func() {
		m := inEpochs(2, conversation("a", exchange{"image", "image"}, exchange{"chat", "chat"}),
			conversation("a", exchange{"image", "image"}, exchange{"chat", "image"}),
			conversation("b", exchange{"image", "chat"}, exchange{"chat", "chat"}),
			conversation("b", exchange{"image", "chat"}, exchange{"chat", "chat"}),
			conversation("c", exchange{"image", "image"}, exchange{"chat", ""}),
			conversation("c", exchange{"image", "image"}, exchange{"chat", ""}),
			conversation("d", exchange{"image", "image"}, exchange{"chat", "chat"}),
			conversation("d", exchange{"image", "chat"}, exchange{"chat", "chat"}))
		expectRatio(m["route.consistency"], 1, 3, 1)
		expectShare(m["route.pass_k"], 0, 3, 1) // case c lacks a turn in both epochs
	})

	It("have 95 % intervals that contain the true value in 93 to 98 % of samples", func() {
		const samples, cases, epochs = 300, 100, 5
		d := rand.New(rand.NewPCG(1, 2))
		identical, passed := 0, 0
		for range samples {
			var rows []eval.Result
			for i := range cases { // some cases are always right, some in 7 of 10 epochs, some are guessed

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
				rows = append(rows, epochsAnswering(fmt.Sprint(i), got...)...)
			}
			m := inEpochs(epochs, rows...)
			if e := m["route.consistency"]; *e.Lo <= consistent && consistent <= *e.Hi {
				identical++
			}
			if e := m["route.pass_k"]; *e.Lo <= always && always <= *e.Hi {
				passed++
			}
		}
		Expect(float64(identical) / samples).To(And(BeNumerically(">=", 0.93), BeNumerically("<=", 0.98)))
		Expect(float64(passed) / samples).To(And(BeNumerically(">=", 0.93), BeNumerically("<=", 0.98)))
	})
})

// The true values of consistency and pass^k for the generated cases.
const (
	consistent = (1 + 0.49 + 2*0.15*0.15 + 1.0/3) / 3
	always     = (1 + 0.7*0.7*0.7*0.7*0.7 + 1.0/243) / 3
)
