package reports_test

import (
	"fmt"
	"slices"

	"evalctl/eval"
	"evalctl/reports"
)

// tools returns a report in which the best variant is significantly better than the others, and the
// router falls back under faults.
func tools() reports.Report {
	plain := func(name string, right int64, f1, p50, p95, calls float64) eval.ConditionSummary {
		return eval.ConditionSummary{Variant: name, Fault: eval.NoFault, Trials: 466, Metrics: map[string]eval.Estimate{
			"route.accuracy": share(right, 466, 0), "route.macro_f1": between(f1, f1-0.04, f1+0.03),
			"error_reply.rate": share(0, 466, 0),
			"latency.p50":      of466(p50), "latency.p95": of466(p95), "ttft.p50": of466(p50 / 2),
			"calls.mean":     of466(calls),
			"cost.total_usd": {N: 466}, "missing.rate": share(0, 466, 0), "errors.harness": {Value: new(0.0), N: 466}}}
	}
	faulty := func(fault string, right, back int64, p95 float64) eval.ConditionSummary {
		c := plain("llm-first", right, 0.9, 2000, p95, 3)
		c.Fault, c.Metrics["fallback.rate"], c.Metrics["fallback.recovered"] = fault, share(back, 466, 0),
			share(back, back, 0)
		return c
	}
	s := eval.SuiteSummary{Name: "toolrouter", Target: "toolrouter", Dataset: "toolrouter", Cases: 466,
		Epochs: 1, Clock: "simulated",
		Models: []eval.ModelInfo{{Component: "router", Kind: "simulated"}},
		Conditions: []eval.ConditionSummary{plain("rules", 340, 0.735, 960, 10_800, 2.22),
			plain("llm", 431, 0.906, 1870, 11_724, 3.42), plain("llm-first", 445, 0.945, 1830, 11_699, 3.38),
			faulty("router:timeout", 340, 465, 21_087), faulty("router:malformed_json", 340, 465, 11_577),
			faulty("router:low_confidence", 340, 465, 11_577), faulty("router:server_error", 340, 465, 12_427),
			faulty("search:timeout", 445, 130, 41_648), faulty("search:empty_content", 445, 130, 11_699),
			faulty("image:server_error", 445, 107, 4_594), faulty("image:task_failed", 445, 107, 12_762)},
		Differences: []eval.Difference{
			differs("llm", "rules", eval.Better, 115, 24, 0.195, 0.148, 0.242, 466),
			differs("llm-first", "rules", eval.Better, 114, 9, 0.225, 0.183, 0.268, 466),
			differs("llm-first", "llm", eval.Better, 15, 1, 0.030, 0.013, 0.048, 466)},
	}
	for _, c := range s.Conditions[3:] {
		f := eval.FaultOutcome{Variant: c.Variant, Fault: c.Fault, Trials: 466, Scored: 466, Unchanged: 466}
		if c.Metrics["route.accuracy"].N == 466 && *c.Metrics["route.accuracy"].Value < 0.8 {
			f.NowWrong, f.Broken, f.Fixed, f.Unchanged = 114, 114, 9, 352
		}
		s.FaultOutcomes = append(s.FaultOutcomes, f)
	}
	mistaken(&s.Conditions[0], map[string]int64{"chat": 50})
	mistaken(&s.Conditions[2], map[string]int64{"chat": 4})
	return reports.Report{Summary: eval.Summary{Suites: []eval.SuiteSummary{s}}, Dir: "runs/1121-1843"}
}

// mistaken adds 116 trials to a condition that expect web_search but have another predicted label.
func mistaken(c *eval.ConditionSummary, predictions map[string]int64) {
	right := int64(116)
	for label, n := range predictions {
		right -= n
		c.ConfusedPairs = append(c.ConfusedPairs,
			eval.ConfusedPair{Expected: "web_search", Predicted: label, N: n, Cases: []string{"tr-en-043"}})
	}
	c.Confusion = &eval.Confusion{Labels: []string{"chat", "web_search"},
		Counts: [][]int64{{350, 0}, {predictions["chat"], right}}}
}

func of466(v float64) eval.Estimate { return eval.Estimate{Value: &v, N: 466} }

func differs(variant, against string, state eval.ComparisonState, fixed, broken int64, v, lo, hi float64,
	n int64) eval.Difference {
	return eval.Difference{Variant: variant, ComparedWith: against, Fault: eval.NoFault, State: state, Cases: n,
		Fixed: fixed, Broken: broken,
		Accuracy: eval.Contrast{Value: &v, Lo: &lo, Hi: &hi, N: n}, MinDetectableDifference: new(0.031)}
}

// profiles returns a report with Critic loops, identical best variants and many faults.
func profiles() reports.Report {
	r := studio()
	s := &r.Summary.Suites[0]
	s.Epochs = 1
	var sound, faulty []eval.ConditionSummary
	accepted := map[string]eval.Estimate{"v2": share(80, 83, 0), "v1": share(81, 83, 0), "v2-llm": share(16, 116, 0),
		"v1-llm": share(13, 34, 0), "v2-vision": share(16, 116, 0)}
	delivers := map[string]int64{"v2": 62, "v1": 62, "v2-llm": 88, "v1-llm": 85, "v2-vision": 122}
	for _, c := range s.Conditions {
		if c.Fault != eval.NoFault {
			continue
		}
		gain := float64(delivers[c.Variant]-62) / 144
		c.Metrics["critic.delivered_good"], c.Metrics["critic.good_gain"] = share(delivers[c.Variant], 144, 0),
			between(gain, gain-0.08, gain+0.07)
		c.Metrics["critic.false_accept"] = accepted[c.Variant]
		if c.Variant == "v1" || c.Variant == "v1-llm" {
			c.Metrics["route.accuracy"] = share(153, 185, 3)
		}
		if c.Variant == "v2-vision" {
			c.Metrics["cost.usd_per_1000"] = eval.Estimate{Value: new(44.35), N: 188}
		}
		sound = append(sound, c)
	}
	sound[0].ConfusedPairs = []eval.ConfusedPair{{Expected: "generate_image", Predicted: "inpainting", N: 4,
		Cases: []string{"st-dlg-003"}}}
	sound[0].Confusion = &eval.Confusion{Labels: []string{"generate_image", "inpainting"},
		Counts: [][]int64{{97, 4}, {0, 87}}}
	for _, f := range []struct {
		variant, fault                 string
		right, judged                  int64
		p95                            float64
		unjudged, apology, wrong, back int64
	}{
		{"v2", "router:timeout", 6, 6, 30_000, 30, 152, 0, 182},
		{"v2", "router:server_error", 6, 6, 4470, 30, 152, 0, 182},
		{"v2", "router:malformed_json", 176, 188, 12_200, 0, 0, 0, 182},
		{"v2", "router:empty_content", 48, 188, 3680, 0, 127, 7, 182},
		{"v2", "router:low_confidence", 176, 188, 2310, 0, 151, 0, 0},
		{"v2", "style_library:timeout", 176, 188, 17_600, 0, 0, 0, 162},
		{"v2", "image:server_error", 176, 188, 2240, 0, 152, 0, 159},
		{"v2", "image:timeout", 176, 188, 16_900, 0, 152, 0, 159},
		{"v2", "image:server_error@1", 176, 188, 9000, 0, 0, 0, 12},
		{"v1", "router:malformed_json", 130, 185, 12_100, 0, 0, 31, 182},
		{"v1", "image:server_error", 153, 185, 2100, 0, 168, 0, 172},
		{"v2-llm", "critic:timeout", 176, 188, 32_100, 0, 0, 0, 159},
	} {
		c := eval.ConditionSummary{Variant: f.variant, Fault: f.fault, Trials: 188, Metrics: map[string]eval.Estimate{
			"route.accuracy": share(f.right, f.judged, 188-f.judged), "latency.p95": {Value: new(f.p95), N: 188},
			"fallback.rate":      share(f.back, 188, 0),
			"fallback.recovered": share(max(f.back-f.apology, 1), max(f.back, 1), 0),
			"error_reply.rate":   share(f.apology, 188, 0)}}
		faulty = append(faulty, c)
		s.FaultOutcomes = append(s.FaultOutcomes,
			eval.FaultOutcome{Variant: f.variant, Fault: f.fault, Trials: 188, Scored: f.judged,
				NowUnscored: f.unjudged, NowErrorReply: f.apology, NowWrong: f.wrong, Broken: f.wrong,
				Unchanged: 188 - f.unjudged - f.apology - f.wrong})
	}
	s.Conditions = append(sound, faulty...)
	identical := func(a, b string) eval.Difference {
		return eval.Difference{Variant: a, ComparedWith: b, Fault: eval.NoFault, State: eval.Identical, Cases: 188,
			BothCorrect: 176, BothWrong: 12, Accuracy: eval.Contrast{Value: new(0.0), N: 188}}
	}
	s.Differences = []eval.Difference{identical("v2-llm", "v2"), identical("v2-vision", "v2"),
		differs("v1", "v2", eval.Worse, 0, 20, -0.108, -0.16, -0.064, 185),
		differs("v1-llm", "v2", eval.Worse, 0, 20, -0.108, -0.16, -0.064, 185)}
	r.Dir = "runs/1121-1843"
	return r
}

// equalVariants returns a report with n variants that do not differ significantly.
func equalVariants(n int) reports.Report {
	r := tools()
	s := &r.Summary.Suites[0]
	first := s.Conditions[2]
	s.Conditions, s.Differences, s.FaultOutcomes = nil, nil, nil
	for i := range n {
		c := first
		c.Variant, c.Metrics = fmt.Sprintf("prompt=p%d.md", i), map[string]eval.Estimate{}
		for name, e := range first.Metrics {
			c.Metrics[name] = e
		}
		c.Metrics["route.accuracy"] = share(440+int64(i%5), 466, 0)
		s.Conditions = append(s.Conditions, c)
		for j := range i {
			fixed := int64(i%5 - j%5)
			v := float64(fixed) / 466
			s.Differences = append(s.Differences,
				differs(c.Variant, s.Conditions[j].Variant, eval.NotSignificant, max(fixed, 0)+7, 7-min(fixed, 0), v,
					v-0.019, v+0.021, 466))
		}
	}
	return r
}

func singleVariant() reports.Report {
	r := equalVariants(1)
	r.Summary.Suites[0].Conditions[0].Variant = "default"
	return r
}

// labels150 returns a report with 150 labels, which include the out-of-scope label.
func labels150() reports.Report {
	r := singleVariant()
	s := &r.Summary.Suites[0]
	c := &s.Conditions[0]
	c.ConfusedPairs, c.Confusion = nil, nil
	var many []string
	for i := range 150 {
		many = append(many, fmt.Sprintf("class-%03d", i))
	}
	addConfusion(c, many)
	slices.SortStableFunc(c.ConfusedPairs, func(a, b eval.ConfusedPair) int { return int(b.N - a.N) })
	s.OOSLabel = "class-149"
	c.Metrics["oos.recall"], c.Metrics["oos.false_rejection"] = share(51, 60, 0), share(2, 482, 0)
	return r
}

func epochs() reports.Report {
	r := equalVariants(2)
	s := &r.Summary.Suites[0]
	s.Epochs = 3
	for i := range s.Conditions {
		e := share(1320+int64(i)*8, 1398, 0)
		e.Cases = 466
		s.Conditions[i].Metrics["route.accuracy"], s.Conditions[i].Trials = e, 1398
	}
	return r
}

func splitAtWidth() reports.Report {
	r := tools()
	r.Summary.Partial = true
	for i := range r.Summary.Suites[0].Conditions {
		c := &r.Summary.Suites[0].Conditions[i]
		c.Trials, c.Metrics["route.accuracy"] = 12, share(11, 12, 0)
	}
	r.Summary.Suites[0].Conditions[10].Trials = 0
	r.Summary.Suites[0].Conditions[10].Metrics = map[string]eval.Estimate{}
	r.Summary.Suites[0].Differences, r.Summary.Suites[0].FaultOutcomes = nil, nil
	return r
}

// unscoredReport returns a report in which only the variant with rules gave answers.
func unscoredReport() reports.Report {
	r := tools()
	s := &r.Summary.Suites[0]
	for i := range s.Conditions {
		if c := &s.Conditions[i]; c.Variant != "rules" {
			c.Metrics = map[string]eval.Estimate{"route.accuracy": unscored(466), "missing.rate": share(466, 466, 0),
				"errors.provider": {Value: new(466.0), N: 466}}
			c.ConfusedPairs, c.Confusion = nil, nil
		}
	}
	for i := range s.Differences {
		s.Differences[i] = eval.Difference{Variant: s.Differences[i].Variant,
			ComparedWith: s.Differences[i].ComparedWith, Fault: eval.NoFault, Unpaired: 466}
	}
	for i := range s.FaultOutcomes {
		s.FaultOutcomes[i] = eval.FaultOutcome{Variant: s.FaultOutcomes[i].Variant, Fault: s.FaultOutcomes[i].Fault,
			Trials: 466, NowUnscored: 466}
	}
	r.Summary.Gates = []eval.GateVerdict{
		{Rule: "route.accuracy >= 0.7", Verdict: eval.GateFailed,
			Reason: "llm: nothing was judged, 466 of 466 missing"},
		{Rule: "drop(route.accuracy) <= 1pp", Verdict: eval.GateUndecided,
			Reason: "−0.2 points, 3,124 cases would decide it with 80 % power", CasesNeeded: 3124},
		{Rule: "missing.rate{variant=rules} <= 1%", Verdict: eval.GatePassed, Passed: true, Reason: "0 %"}}
	return r
}

// reportWithoutDecisions returns a report on a suite that scores no decisions.
func reportWithoutDecisions() reports.Report {
	r := equalVariants(2)
	s := &r.Summary.Suites[0]
	s.Name, s.Dataset, s.Models = "answers", "answers.jsonl", nil
	for i := range s.Conditions {
		c := &s.Conditions[i]
		delete(c.Metrics, "route.accuracy")
		delete(c.Metrics, "route.macro_f1")
		c.ConfusedPairs, c.Confusion = nil, nil
		c.Metrics["missing.rate"], c.Metrics["cost.usd_per_1000"] = share(int64(30*i), 466, 0),
			eval.Estimate{Value: new(1000 * (0.2 + float64(i)) / 466), N: 466}
	}
	s.Differences = nil
	return r
}
