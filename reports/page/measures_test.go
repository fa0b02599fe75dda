package page_test

import (
	"encoding/json"
	"regexp"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/reports/page"
)

var _ = Describe("The figure of confidence", func() {
	believed := func(name string, n int64) eval.ConditionSummary {
		return eval.ConditionSummary{Variant: name,
			Metrics: map[string]eval.Estimate{"confidence.ece": {Value: new(0.05), Missing: 2}},
			Confidence: &eval.ConfidenceSummary{
				MeanConfidence: 0.8, Accuracy: share(n*3/4, n), ECEIfCalibrated: 0.02,
				Bins: []eval.ConfidenceBin{{Lo: 0.3, Hi: 0.69, MeanConfidence: 0.6, Accuracy: share(10, 50)},
					{Lo: 0.9, Hi: 0.9, MeanConfidence: 0.9, Accuracy: share(48, 50)},
					{Lo: 0.91, Hi: 1, MeanConfidence: 0.7, Accuracy: share(50, 50)}},
				RiskCoverage: []eval.RiskPoint{{Threshold: 0.9, Coverage: 0.5, Risk: share(2, 50)},
					{Threshold: 0.3, Coverage: 1, Risk: share(25, 100)}}}}
	}

	It("shows the mean confidence as a line and the accuracy as a dot, in another color if the line is outside the interval", func() {
		got := page.Confidence(eval.SuiteSummary{Name: "s",
			Conditions: []eval.ConditionSummary{believed("v", 100), believed("w", 100)}})
		Expect(count(got, "line", "says")).To(Equal(3))
		Expect(count(got, "circle", "worse")).To(Equal(2))
		Expect(count(got, "circle", "better")).To(Equal(1))
		Expect(words(got)).To(And(
			ContainSubstring("v and w 100 decisions of the model: mean confidence 0.80, accuracy 75.0 % [65.0, 85.0]. Calibration error (ECE) 0.050, by chance alone 0.020."),
			ContainSubstring("No confidence for 2 more labeled turns."),
			ContainSubstring("0.30–0.69 mean 0.60, accuracy 20.0 % of 50 , over"),
			ContainSubstring("0.90 mean 0.90, accuracy 96.0 % of 50 0.91"),
			ContainSubstring("accuracy 100 % of 50 , under")))
	})

	It("has one axis for all variants, so that they can be compared", func() {
		sure := believed("w", 100)
		sure.Confidence.Bins = []eval.ConfidenceBin{{Lo: 0.9, Hi: 1, MeanConfidence: 0.95, Accuracy: share(50, 50)}}
		got := string(page.Confidence(eval.SuiteSummary{Name: "s",
			Conditions: []eval.ConditionSummary{believed("v", 100), sure}}))
		Expect(regexp.MustCompile(`anchor="start">([^<]*)</text>`).FindAllString(got, -1)).
			To(HaveExactElements(`anchor="start">0 %</text>`, `anchor="start">0 %</text>`))
	})

	It("shows the effect of confidence thresholds", func() {
		Expect(words(page.Confidence(eval.SuiteSummary{Conditions: []eval.ConditionSummary{believed("v", 100)}}))).
			To(ContainSubstring("0.90 50.0 % 4.0 % [0, 14.0] 50"))
	})

	It("is empty for a small sample", func() {
		Expect(page.Confidence(eval.SuiteSummary{Conditions: []eval.ConditionSummary{believed("v", 19)}})).
			To(BeEmpty())
	})
})

var _ = Describe("The figure of retrieval", func() {
	condition := func(name string, recall, mrr float64) eval.ConditionSummary {
		return eval.ConditionSummary{Variant: name,
			Metrics: map[string]eval.Estimate{"retrieval.recall_at_5": value(recall, 55),
				"retrieval.mrr": value(mrr, 55), "retrieval.hit_rate": share(6, 8)}}
	}

	It("shows each metric with its interval and the difference from the first variant", func() {
		got := page.Retrieval(eval.SuiteSummary{Name: "s",
			Conditions: []eval.ConditionSummary{condition("hybrid", 0.75, 0.7), condition("words", 0.65, 0.675),
				condition("same", 0.75, 0.7), under(condition("hybrid", 0.1, 0.1), "x")}})
		Expect(words(got)).To(And(ContainSubstring("recall@5 of 55"),
			ContainSubstring("hybrid and same 75.0 % [67.5, 82.5]"),
			ContainSubstring("words 65.0 % [58.5, 71.5] −10.0"),
			ContainSubstring("words 0.675 [0.608, 0.743] −0.025"), ContainSubstring("6 of 8"),
			Not(ContainSubstring("facts"))))
		Expect(count(got, "rect", "band")).To(Equal(5), "in each row")
	})

	It("shows the number of cases if it differs between variants, and the number of missing values", func() {
		other := condition("words", 0.65, 0.6)
		lacking := value(0.65, 50)
		lacking.Missing = 5
		other.Metrics["retrieval.recall_at_5"] = lacking
		Expect(words(page.Retrieval(
			eval.SuiteSummary{Conditions: []eval.ConditionSummary{condition("hybrid", 0.75, 0.7), other}}))).
			To(ContainSubstring("65.0 % [58.5, 71.5] −10.0 of 50 , 5 unscored"))
		Expect(page.Retrieval(eval.SuiteSummary{Conditions: []eval.ConditionSummary{variant("v", 1, 1, 1, 1)}})).
			To(BeEmpty())
	})
})

var _ = Describe("The figure of epochs", func() {
	It("shows how many cases are right in how many epochs", func() {
		incomplete := share(30, 60)
		incomplete.Missing = 7
		suite := eval.SuiteSummary{Name: "s", Epochs: 3,
			Conditions: []eval.ConditionSummary{{Variant: "v",
				Metrics: map[string]eval.Estimate{"route.pass_k": incomplete}}, {Variant: "w"}}}
		var list []eval.Result
		for n, right := range []int{0, 1, 2, 2, 3, 3, 3} {
			for epoch := 1; epoch <= 3; epoch++ {
				r := trial("v", n, 5)
				r.Epoch, r.Scores[0].Verdict = epoch, eval.PassIf(epoch <= right)
				list = append(list, r)
			}
		}
		got := page.Epochs(suite, spreadOf(suite, list...))
		Expect(words(got)).To(And(ContainSubstring("v 3 always right, 3 sometimes, 1 never"),
			ContainSubstring("0 of 3 1 of 3 2 of 3 3 of 3 always right v 1 1 2 3 50.0 % [40.0, 60.0] of 60 , 7 incomplete"), Not(MatchRegexp(`\bw\b`))))
		Expect(string(got)).To(ContainSubstring(
			`<rect class="found" x="0%" y="5" width="42.86%" height="20"/><rect class="mostly" x="42.86%" y="5" width="28.57%" height="20"/><rect class="seldom" x="71.43%" y="5" width="14.29%" height="20"/><rect class="never" x="85.71%"`))
	})

	It("groups many epochs into at most ten ranges, and is empty for one epoch", func() {
		suite := eval.SuiteSummary{Name: "s", Epochs: 50, Conditions: []eval.ConditionSummary{{Variant: "v"}}}
		var list []eval.Result
		for epoch := 1; epoch <= 50; epoch++ {
			r := trial("v", 1, 5)
			r.Epoch, r.Scores[0].Verdict = epoch, eval.PassIf(epoch <= 9)
			list = append(list, r)
		}
		got := words(page.Epochs(suite, spreadOf(suite, list...)))
		Expect(got).To(ContainSubstring(
			"0 of 50 1–7 of 50 8–14 of 50 15–21 of 50 22–28 of 50 29–35 of 50 36–42 of 50 43–49 of 50 50 of 50 v 0 0 1 0"))
		suite.Epochs = 1
		Expect(page.Epochs(suite, spreadOf(suite, list[0]))).To(BeEmpty())
	})
})

var _ = Describe("The table of costs", func() {
	condition := func(name string, usd *float64) eval.ConditionSummary {
		return eval.ConditionSummary{Variant: name, Trials: 200,
			Metrics: map[string]eval.Estimate{"cost.total_usd": {Value: usd, N: 200, Missing: 3},
				"tokens.in_total": {Value: new(20_000.0), N: 200}, "calls.mean": value(2, 200),
				"cache.hit_rate": share(10, 100)}}
	}

	It("shows costs per case, marks missing prices, and summarizes metrics that are equal for all variants", func() {
		got := words(page.Cost(
			eval.SuiteSummary{Conditions: []eval.ConditionSummary{condition("v", new(0.5)), condition("w", nil)}}))
		Expect(got).To(And(ContainSubstring("USD per 1,000 cases 2.50 no price for 3 trials"),
			ContainSubstring("In all variants: tokens in 100 · calls 2.00 [1.80, 2.20] · cache hits 10.0 % [0, 20.0]."),
			Not(ContainSubstring("compression"))))
		Expect(page.Cost(eval.SuiteSummary{Conditions: []eval.ConditionSummary{{Variant: "v"}}})).To(BeEmpty())
	})
})

var _ = Describe("The description of how a suite was run", func() {
	suite := eval.SuiteSummary{Name: "s", Dataset: "data", Split: "test", Cases: 10, AvailableCases: 40,
		TrainingCases: 4, Clock: "simulated",
		Conditions: []eval.ConditionSummary{{Variant: "v"}, {Variant: "floor", BaselineModel: true}},
		Models: []eval.ModelInfo{{Component: "router", Kind: "simulated", Note: "accuracy 0.93",
			Variants: []string{"v"}}}}

	It("contains the models and everything that is required to reproduce the run", func() {
		got := words(page.Setup(suite,
			&journal.Manifest{Version: "v1.2", Toolchain: "go1.26", Seed: 7, Args: []string{"run", "s"},
				Datasets: []journal.DatasetInfo{{Hash: "9b34"}, {Hash: "8a23"}},
				Suites: []json.RawMessage{json.RawMessage(`{"name":"t"}`),
					json.RawMessage(`{"name":"s","variants":[{"name":"v","router":"llm","threshold":0.6,"faults":["a","b"]}]}`)}}, nil))
		Expect(got).To(And(ContainSubstring("router simulated accuracy 0.93 (in v)"),
			ContainSubstring("v faults a, b · router llm · threshold 0.6"),
			ContainSubstring("dataset data, split test"),
			ContainSubstring("cases 10, the first of 40"), ContainSubstring("4 cases in the train split"),
			ContainSubstring("baseline model floor: trained in this run, for comparison"),
			ContainSubstring("hash of the data 8a23"), ContainSubstring("seed 7"),
			ContainSubstring("evalctl v1.2, go1.26"), ContainSubstring("command evalctl run s"),
			Not(ContainSubstring("9b34"))))
	})

	It("works without a manifest", func() {
		Expect(words(page.Setup(suite, nil, nil))).
			To(And(ContainSubstring("clock simulated"), Not(ContainSubstring("seed"))))
	})
})
