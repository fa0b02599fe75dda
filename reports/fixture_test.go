package reports_test

import (
	"time"

	"evalctl/eval"
	"evalctl/eval/stats"
	"evalctl/reports"
)

var labels = []string{"chat", "image_gen", "image_edit", "search", "time"}

// full returns a report on three variants and four faults, in which every table has values.
func full() reports.Report {
	s := eval.SuiteSummary{
		Name: "toolrouter", Target: "toolrouter", Dataset: "toolrouter", Split: "test", Cases: 412, Clock: "simulated",
		Models: []eval.ModelInfo{
			{Component: "router", Kind: "simulated", Note: "labelled, accuracy 0.93, seed 1"},
			{Component: "chat", Kind: "simulated", Note: "scripted"},
		},
	}
	for i, name := range []string{"glm-4-flash", "qwen-plus", "deepseek"} {
		k := int64(347 + 13*i)
		s.Conditions = append(s.Conditions, faultFree(name, k, labels),
			withFault(name, "router:timeout", k-31, 0), withFault(name, "router:rate_limited", k-35, 12),
			withFault(name, "image:task_failed", k-6, 0))
		for _, f := range []struct {
			fault       string
			wrong, lost int64
		}{{"router:timeout", 31, 0}, {"router:rate_limited", 23, 12}, {"image:task_failed", 6, 0}} {
			s.FaultOutcomes = append(s.FaultOutcomes,
				eval.FaultOutcome{Variant: name, Fault: f.fault, Trials: 412, Scored: 412 - f.lost, NowUnscored: f.lost,
					NowWrong: f.wrong, Broken: f.wrong, Unchanged: 412 - f.wrong - f.lost})
		}
	}
	return reports.Report{
		Summary: eval.Summary{Suites: []eval.SuiteSummary{s}, Gates: []eval.GateVerdict{
			{Rule: "route.accuracy >= 0.8", Passed: true,
				Reason: "lowest: glm-4-flash, router:rate_limited, 0.803 [0.761, 0.839]"},
			{Rule: "latency.p95 <= 2500", Reason: "highest: glm-4-flash, router:timeout, 5,980"},
			{Rule: "critic.pass_rate >= 0.5", Reason: "not measured by any cell"},
		}},
		Dir: "out/1", Duration: 2140 * time.Millisecond,
	}
}

// faultFree returns a condition without a fault.
func faultFree(name string, right int64, labels []string) eval.ConditionSummary {
	c := eval.ConditionSummary{Variant: name, Fault: eval.NoFault, Trials: 412, Metrics: map[string]eval.Estimate{
		"route.accuracy": share(right, 412, 0),
		"route.macro_f1": between(0.842, 0.801, 0.876),
		"fallback.rate":  share(0, 412, 0),
		"latency.p50":    between(1240, 1190, 1302), "latency.p95": between(2980, 2710, 3344),
		"ttft.p50":     between(412, 398, 431),
		"calls.mean":   {Value: new(1.94), N: 412},
		"missing.rate": share(0, 412, 0),
	}}
	for node, ms := range map[string]float64{"router": 310, "chat": 880, "image": 6200} {
		for i, q := range []string{"p50", "p95", "p99"} {
			v := ms * float64(1+i)
			c.Metrics["node."+node+"."+q] = eval.Estimate{Value: &v, Lo: new(v * 0.96), Hi: new(v * 1.05), N: 120}
		}
	}
	addConfusion(&c, labels)
	return c
}

// addConfusion adds a confusion matrix with these labels, and its metrics, to a condition.
func addConfusion(c *eval.ConditionSummary, labels []string) {
	c.Confusion = &eval.Confusion{Labels: labels}
	for i, l := range labels {
		row := make([]int64, len(labels))
		row[i] = 74
		row[(i+1)%len(labels)] += int64(i * 2)
		c.Confusion.Counts = append(c.Confusion.Counts, row)
		c.Metrics["route.precision."+l] = share(74, 80, 0)
		c.Metrics["route.recall."+l] = share(74, 74+int64(i*2), 0)
		c.Metrics["route.f1."+l] = eval.Estimate{Value: new(0.9 - float64(i)/50), N: 74 + int64(i*2)}
		if i > 0 {
			c.ConfusedPairs = append(
				[]eval.ConfusedPair{{Expected: l, Predicted: labels[(i+1)%len(labels)], N: int64(i * 2),
					Cases: []string{"tr-img-003", "tr-img-017"}}}, c.ConfusedPairs...)
		}
	}
}

// withFault returns a condition with a fault, in which some trials are unscored.
func withFault(name, fault string, right, unscored int64) eval.ConditionSummary {
	return eval.ConditionSummary{Variant: name, Fault: fault, Trials: 412, Metrics: map[string]eval.Estimate{
		"route.accuracy":     share(right, 412-unscored, unscored),
		"route.macro_f1":     between(0.761, 0.722, 0.803),
		"fallback.rate":      share(389, 412, 0),
		"fallback.correct":   share(371, 389, 0),
		"fallback.recovered": share(389-unscored, 389, 0),
		"latency.p50":        between(2240, 2190, 2302), "latency.p95": between(5980, 4710, 6344),
		"calls.mean":      {Value: new(2.9), N: 412},
		"missing.rate":    share(unscored, 412, 0),
		"errors.provider": {Value: new(float64(unscored)), N: 412},
	}}
}

// hostileReport returns a report with missing values, invalid numbers, and names that contain
// control characters or markup.
func hostileReport() reports.Report {
	hostile := eval.ConditionSummary{Variant: "=cmd|'/C calc'!A0", Fault: eval.NoFault, Trials: 3,
		Metrics: map[string]eval.Estimate{
			"route.accuracy": {Missing: 3, WorstCase: new(0.0), BestCase: new(1.0)},
			"missing.rate":   share(3, 3, 0), "errors.timeout": {Value: new(3.0), N: 3},
		}}
	cells := []eval.ConditionSummary{
		faultFree("提示词甲", 371, []string{"闲聊", "画图", "改图", "联网搜索", "时间"}),
		withFault("提示词甲", "router:超时", 330, 12),
		{Variant: "提示词乙", Fault: eval.NoFault, Metrics: map[string]eval.Estimate{}},
		hostile,
	}
	return reports.Report{
		Summary: eval.Summary{Partial: true, Suites: []eval.SuiteSummary{{
			Name: "中文路由", Target: "toolrouter", Dataset: "a|b\n<script>.jsonl", Cases: 500, Clock: "real",
			Models: []eval.ModelInfo{{Component: "router", Kind: "real",
				Note: "\x1b[31mhttps://example.org/v1\u009b2J"}},
			Conditions: cells,
		}}, Gates: []eval.GateVerdict{{Rule: "missing.rate <= 0.01",
			Reason: "最高:提示词甲 | router:超时,2.9 %,故障注入之后有十二个用例没有得到任何回答"}}},
		Title: "夜间评测", Notes: []string{"resumed after a crash: 210 trials were there already"},
	}
}

func share(k, n, missing int64) eval.Estimate {
	lo, hi := stats.Wilson(k, n, 0.95)
	e := eval.Estimate{Value: new(float64(k) / float64(n)), Lo: &lo, Hi: &hi, N: n, Missing: missing}
	if missing > 0 {
		e.WorstCase, e.BestCase = new(float64(k)/float64(n+missing)), new(float64(k+missing)/float64(n+missing))
	}
	return e
}

func between(v, lo, hi float64) eval.Estimate {
	return eval.Estimate{Value: &v, Lo: &lo, Hi: &hi, N: 412}
}
