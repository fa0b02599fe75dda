package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
	"evalctl/eval/journal"
)

// recount is an independent count of a condition from its results: the values by metric name, and
// the number of missing values.
type recount struct {
	trials            int64
	list              map[string][]float64
	missing           map[string]int64
	sums              map[string]bool // metrics that are shown as a sum instead of a mean
	times             map[string]bool // metrics that also have quantiles
	labels            map[string]bool // labels that cases expect
	cases             map[string][]eval.Score
	confidences       []confidenceOutcome // confidences of the deciding model with their outcome
	withoutConfidence int64               // labeled turns without a confidence
	calledModel       bool                // a model was called in some trial
}

// confidenceOutcome is the confidence of the deciding model, and 1 if its decision was correct,
// else 0.
type confidenceOutcome struct{ confidence, right float64 }

// record adds a value of a metric. If known is false the value counts as missing.
func (c *recount) record(name string, known bool, value float64) {
	if !known {
		c.missing[name]++
		return
	}
	c.list[name] = append(c.list[name], value)
}

func (c *recount) recordBool(name string, known, ok bool) {
	c.record(name, known, map[bool]float64{true: 1}[ok])
}

func (c *recount) time(name string, known bool, ms eval.Millis) {
	c.times[name] = true
	c.record(name, known, float64(ms)/1e6)
}

func (c *recount) sum(name string, known bool, value float64) {
	c.sums[name] = true
	c.record(name, known, value)
}

// recountOf computes the metrics of all conditions of a run from its results alone.
func recountOf(dir string) map[string]*recount {
	GinkgoHelper()
	conditions := map[string]*recount{}
	for r, err := range journal.ReadRunResults(dir) {
		Expect(err).NotTo(HaveOccurred())
		name := r.Suite + "/" + r.Variant + "/" + r.Fault
		if conditions[name] == nil {
			conditions[name] = &recount{list: map[string][]float64{}, missing: map[string]int64{},
				sums: map[string]bool{}, times: map[string]bool{}, labels: map[string]bool{},
				cases: map[string][]eval.Score{}}
		}
		conditions[name].add(r)
	}
	for _, c := range conditions {
		c.classes()
		c.epochs()
		c.confidence()
	}
	return conditions
}

// epochs computes the metrics that compare the epochs of a case, such as pass^k.
func (c *recount) epochs() {
	for _, decisions := range c.cases {
		complete, right := true, true
		for i, a := range decisions {
			complete, right = complete && a.Verdict != "", right && a.Verdict == "pass"
			for _, b := range decisions[:i] {
				c.recordBool("route.consistency", isScored(a) && isScored(b), allOf(a) == allOf(b))
			}
		}
		c.recordBool("route.pass_k", complete, right)
	}
}

func isScored(s eval.Score) bool {
	return s.Verdict != "" && !slices.ContainsFunc(s.Turns, func(j eval.TurnScore) bool { return j.Verdict == "" })
}

// allOf joins the decisions of all turns of a trial.
func allOf(s eval.Score) (all string) {
	if s.Turns == nil {
		return s.Actual
	}
	for _, j := range s.Turns {
		all += j.Actual + ", "
	}
	return all
}

func (c *recount) add(r eval.Result) {
	c.trials++
	c.recordBool("missing.rate", true, r.Error != nil)
	for _, k := range eval.ErrorKinds() {
		c.sum("errors."+string(k), true, map[bool]float64{true: 1}[r.Error != nil && r.Error.Kind == k])
	}
	c.recordBool("error_reply.rate", r.Error == nil, getsErrorReply(r))
	c.recordBool("fallback.rate", len(r.Fallbacks) > 0 || !r.HasUnreportedCalls(), len(r.Fallbacks) > 0)
	if len(r.Fallbacks) > 0 {
		c.recordBool("fallback.recovered", true, r.Error == nil && !getsErrorReply(r))
	}
	for _, source := range []string{"llm", "rules", "guard", "mode_type"} {
		c.recordBool("router.by."+source, r.DecidedBy != "", r.DecidedBy == source)
	}
	for _, s := range r.Scores {
		c.score(r, s)
	}
	c.turns(r)
	for _, j := range r.Decisions() {
		c.recordConfidence(r, j)
	}
	for _, n := range r.Nodes {
		c.calledModel = c.calledModel || decides(n.Node)
		c.time("step."+n.Node, true, n.Duration)
		for _, call := range n.CallDurations {
			c.time("node."+n.Node, true, call)
		}
		for range int(n.Calls) - len(n.CallDurations) { // failed
			c.time("node."+n.Node, false, 0)
		}
	}
	c.record("calls.mean", !r.HasUnreportedCalls(), float64(r.Calls))
	c.record("calls.peak_mean", r.PeakCalls > 0 || r.Error == nil && r.ExternalRequests == 0, float64(r.PeakCalls))
	c.recordExtras(r)
	if r.Calls+r.ExternalRequests > 0 {
		c.time("queue", true, r.QueueTime)
		c.time("backoff", true, r.Backoff)
	}
	counted := r.Error == nil || r.Tokens.In+r.Tokens.Out > 0
	c.record("tokens.in_mean", counted && r.Tokens.UnreportedCalls == 0, float64(r.Tokens.In))
	c.record("tokens.out_mean", counted && r.Tokens.UnreportedCalls == 0, float64(r.Tokens.Out))
	c.record("cost.usd_per_1000", r.Cost != nil && (counted || *r.Cost > 0), 1000*orZero(r.Cost))
	c.sum("tokens.in_total", r.Tokens.UnreportedCalls == 0, float64(r.Tokens.In))
	c.sum("tokens.out_total", r.Tokens.UnreportedCalls == 0, float64(r.Tokens.Out))
	c.sum("cost.total_usd", r.Cost != nil, orZero(r.Cost))
}

// getsErrorReply reports whether the user gets an error reply in some turn of a trial.
func getsErrorReply(r eval.Result) bool {
	return slices.ContainsFunc(r.Turns, func(t eval.TurnSummary) bool { return t.ErrorReply != "" })
}

// recordExtras records everything besides the answers.
func (c *recount) recordExtras(r eval.Result) {
	for i := range r.Cache.Hits + r.Cache.Misses {
		c.recordBool("cache.hit_rate", true, i < r.Cache.Hits)
	}
	c.record("cache.calls_saved", true, float64(r.Cache.Hits))
	c.sum("cache.errors", true, float64(r.Cache.Errors))
	for _, ended := range r.Compressions {
		c.record("compression.ratio", true, float64(ended.TokensAfter)/float64(ended.TokensBefore))
	}
}

func (c *recount) score(r eval.Result, s eval.Score) {
	judged, passed := s.Verdict != "", s.Verdict == "pass"
	wanted := slices.ContainsFunc(s.Expected, func(w string) bool { return w != "" })
	slot := strings.HasPrefix(s.Name, "slots.")
	switch {
	case s.Name == "route" && len(s.Expected) == 0:
	case s.Name == "route":
		c.cases[r.Case] = append(c.cases[r.Case], s)
		c.recordBool("route.accuracy", judged, passed)
		c.recordBool("route.primary", judged,
			!slices.ContainsFunc(r.Decisions(),
				func(j eval.TurnScore) bool { return j.Actual != j.Expected.Primary() }))
		c.recordBool("unscored.rate", true, !judged)
		for _, t := range s.Turns {
			c.decision(t.Expected[0], t.Actual, t.Verdict != "", t.Verdict == "pass")
		}
		if s.Turns == nil { // recordExtras records all values of a trial that are not about its answers.
			c.decision(s.Expected[0], s.Actual, judged, passed)
		}
	case s.Name == "fallback":
		c.recordBool("answered_by.correct", judged, passed)
		if r.Fault != "none" && len(r.Fallbacks) > 0 {
			c.recordBool("fallback.correct", judged, passed)
		}
	case slot && !wanted:
		c.recordBool(s.Name+".false_hits", judged, !passed)
	case s.Name == "retrieval.hit_rate" && !wanted:
		c.recordBool("retrieval.false_hits", judged, !passed)
	case strings.HasPrefix(s.Name, "retrieval.recall_at_"), s.Name == "retrieval.mrr",
		strings.HasPrefix(s.Name, "facts."), s.Name == "compression.facts_kept":
		c.record(s.Name, judged, s.Value)
	default:
		c.recordBool(s.Name, judged, passed)
	}
}

// decision counts a decision by class, for precision, recall and F1.
func (c *recount) decision(want, got string, judged, passed bool) {
	c.labels[want] = true
	c.recordBool("decided", judged, passed)
	c.recordBool("route.recall."+want, judged, passed)
	if judged {
		label := map[bool]string{true: want, false: got}[passed]
		c.recordBool("predicted."+label, true, passed)
	}
}

// classes computes the F1 of each class that cases expect, and their mean.
func (c *recount) classes() {
	total, n := 0.0, 0
	for label := range c.labels {
		right, hits, predicted := 0.0, c.list["route.recall."+label], c.list["predicted."+label]
		for _, v := range hits {
			right += v
		}
		f1 := 2 * right / float64(len(hits)+len(predicted))
		c.list["route.f1."+label] = slices.Repeat([]float64{f1}, len(hits)) // the same value for each trial
		c.missing["route.f1."+label] = c.missing["route.recall."+label]
		c.list["route.precision."+label], c.missing["route.precision."+label] = predicted, c.missing["decided"]
		if len(hits) > 0 {
			total, n = total+f1, n+1
		}
	}
	c.list["route.macro_f1"] = slices.Repeat([]float64{total / float64(n)}, len(c.list["decided"]))
	c.missing["route.macro_f1"] = c.missing["decided"]
}

// decides reports whether a node of a trace belongs to the deciding model.
func decides(node string) bool {
	return slices.Contains([]string{"router", "planner", "intent_recognition"}, node)
}

// recordConfidence records the confidence of the deciding model in a labeled turn.
func (c *recount) recordConfidence(r eval.Result, j eval.TurnScore) {
	if j.Turn > len(r.Turns) || r.Turns[j.Turn-1].ModelDecision == nil {
		asked := slices.ContainsFunc(r.Nodes,
			func(n eval.NodeVisit) bool { return n.Turn == j.Turn && decides(n.Node) })
		if asked || j.Turn > len(r.Turns) || r.Turns[j.Turn-1].DecidedBy == "" { // otherwise no model is called
			c.withoutConfidence++
		}
		return
	}
	o := r.Turns[j.Turn-1].ModelDecision
	switch {
	case o.DecisionIfAccepted != "":
	case o.Confidence == nil:
		c.withoutConfidence++
	default:
		right := map[bool]float64{true: 1}[slices.Contains(j.Expected, o.Label)]
		c.confidences = append(c.confidences, confidenceOutcome{confidence: *o.Confidence, right: right})
	}
}

// confidence computes the confidence metrics by their definitions: from squares, over all pairs of
// a correct and a wrong answer, and over tenths of the sorted answers.
func (c *recount) confidence() {
	if !c.calledModel {
		return
	}
	slices.SortFunc(c.confidences, func(a, b confidenceOutcome) int { return cmp.Compare(a.confidence, b.confidence) })
	var squares []float64
	var ordered, pairs float64
	gaps := make([]float64, 10)
	for i, s := range c.confidences {
		squares = append(squares, (s.confidence-s.right)*(s.confidence-s.right))
		below, upTo := i, i
		for below > 0 && c.confidences[below-1].confidence == s.confidence {
			below--
		}
		for upTo < len(c.confidences) && c.confidences[upTo].confidence == s.confidence {
			upTo++
		}
		gaps[10*(below+upTo)/2/len(c.confidences)] += s.confidence - s.right
		for _, other := range c.confidences {
			if s.right > other.right {
				pairs++
				ordered += map[int]float64{1: 1, 0: 0.5}[cmp.Compare(s.confidence, other.confidence)]
			}
		}
	}
	ece := 0.0
	for _, g := range gaps {
		ece += math.Abs(g) / float64(len(c.confidences))
	}
	n := len(c.confidences)
	c.list["confidence.brier"], c.list["confidence.ece"], c.list["confidence.auroc"] = squares,
		slices.Repeat([]float64{ece}, n), slices.Repeat([]float64{ordered / pairs}, n)
	for _, name := range []string{"ece", "brier", "auroc"} {
		c.missing["confidence."+name] = c.withoutConfidence
	}
}

func (c *recount) turns(r eval.Result) {
	whole, apologised := true, false
	for _, t := range r.Turns {
		if t.Answered && t.ErrorReply != "" {
			c.time("latency.error_reply", true, t.Duration)
			apologised = true
		}
		lost := !t.Answered || t.ErrorReplyCause != ""
		whole = whole && !lost
		if lost || t.ErrorReply == "" {
			c.time("latency", !lost, t.Duration)
			if lost || t.TTFT != nil {
				c.time("ttft", !lost, orZero(t.TTFT))
			}
		}
	}
	if !whole || !apologised {
		c.time("episode", whole, r.Duration)
	}
}

func orZero[T any](v *T) T {
	if v == nil {
		return *new(T)
	}
	return *v
}

// figure returns a metric by name with its number of values and of missing values. ok is false if
// nothing was recorded.
func (c *recount) figure(name string) (value float64, n, missing int64, ok bool) {
	if node, is := strings.CutSuffix(name, ".calls"); is {
		return float64(len(c.list[node])) + float64(c.missing[node]), c.trials, 0, true
	}
	of, q := name, 0.0
	if name == "calls.peak" { // the maximum
		of, q = "calls.peak_mean", 100
	}
	if base, is := strings.CutSuffix(name, ".max"); is {
		of, q = base, 100
	}
	for _, p := range []string{"p50", "p90", "p95", "p99", "mean"} {
		if base, is := strings.CutSuffix(name, "."+p); is && c.times[base] {
			of = base
			_, _ = fmt.Sscanf(p, "p%g", &q)
		}
	}
	list := slices.Sorted(slices.Values(c.list[of]))
	sum := 0.0
	for _, v := range list {
		sum += v
	}
	n, missing = int64(len(list)), c.missing[of]
	switch {
	case q > 0 && n > 0:
		value = list[int(math.Ceil(q*float64(n)/100))-1]
	case c.sums[of] && missing == 0:
		value = sum
	case c.sums[of]: // a sum with missing values is unknown
	default:
		value = sum / float64(n)
	}
	return value, n, missing, n+missing > 0
}

var _ = Describe("The metrics of a summary", func() {
	// Other examples cover these metrics: those of the critic (per attempt and turn), of unused
	// answers (per step and failed call), and calls.retried (per request).
	notHere := func(name string) bool {
		return strings.HasPrefix(name, "critic.") || strings.HasPrefix(name, "error_reply.") &&
			name != "error_reply.rate" ||
			strings.HasPrefix(name, "router.answer_") || strings.HasPrefix(name, "router.decided_instead.") ||
			name == "calls.retried"
	}

	DescribeTable("equal an independent count from the results, by their definitions,", Label("definition"),
		func(figures int, args ...string) {
			dir, seen := newRunDir(), 0
			got := evalctl(append([]string{"run", "--out", dir, "-q"}, args...)...)
			Expect(got.stdout).NotTo(BeEmpty(), got.stderr)
			conditions := recountOf(dir)
			for _, s := range summaryOf(dir).Suites {
				for _, v := range s.Conditions {
					c := conditions[s.Name+"/"+v.Variant+"/"+v.Fault]
					for name, e := range v.Metrics {
						if notHere(name) {
							continue
						}
						seen++
						what := fmt.Sprint(v.Variant, "/", v.Fault, " ", name)
						value, n, missing, ok := c.figure(name)
						Expect([]int64{e.N, e.Missing}).To(Equal([]int64{n, missing}), what)
						if !ok || n == 0 || math.IsNaN(value) || c.sums[name] && missing > 0 {
							Expect(e.Value).To(BeNil(), what)
							continue
						}
						Expect(e.Value).To(HaveValue(BeNumerically("~", value, 1e-9*max(1, math.Abs(value)))), what)
					}
				}
			}
			Expect(seen).To(BeNumerically(">", figures))
		},
		Entry("for a router", 600, "toolrouter", "--sample", "15", "--epochs", "2"),
		Entry("for a studio", 900, "studio", "--sample", "10", "--epochs", "2"),
		Entry("for a scholar", 400, "scholar", "--sample", "12", "--tags", "fault"),
		Entry("15.17, 15.18: for epochs that time out, including pass^k and the calibration error", 100,
			"--target", "toolrouter",
			"--router", "llm",
			"--fault", "router:timeout%30", "--epochs", "3", "--sample", "30"),
		Entry("for a run with many lost trials", 100, "--target", "toolrouter", "--router", "llm", "--fault",
			"chat:server_error",
			"--fault", "router:empty_content", "--sample", "30"),
	)
})
