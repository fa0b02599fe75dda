package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent/trace"
	"evalctl/eval"
)

// turnLabels are the expectations of the dataset for one turn of a scholar case.
type turnLabels struct {
	Strategy, Targets string
	Evidence          []string
}

// labelsOf reads the expectations from dataset files, by case and turn.
func labelsOf(pattern string) map[string][]turnLabels {
	GinkgoHelper()
	files, err := filepath.Glob(pattern)
	Expect(err).NotTo(HaveOccurred())
	list := map[string][]turnLabels{}
	for _, name := range files {
		b, err := os.ReadFile(name)
		Expect(err).NotTo(HaveOccurred())
		for line := range strings.Lines(string(b)) {
			var c struct {
				ID     string
				Expect turnLabels
				Turns  []struct{ Expect turnLabels }
			}
			Expect(json.Unmarshal([]byte(line), &c)).To(Succeed())
			for _, t := range c.Turns {
				list[c.ID] = append(list[c.ID], t.Expect)
			}
			if c.Turns == nil {
				list[c.ID] = []turnLabels{c.Expect}
			}
		}
	}
	return list
}

// traceMetrics has the values that the traces of a condition give for each metric.
type traceMetrics map[string][]float64

func (r traceMetrics) recordBool(name string, ok bool) {
	r[name] = append(r[name], map[bool]float64{true: 1}[ok])
}

// turns records the values that result from comparing a trial with its labels. Trials with an error
// reply are skipped.
func (r traceMetrics) turns(turns []eval.TurnResult, want []turnLabels) {
	if slices.ContainsFunc(turns, func(p eval.TurnResult) bool { return p.HasError || p.Reply.ErrorReply != nil }) {
		return
	}
	same, requested := map[string]bool{"strategy": true, "targets": true}, map[string]bool{}
	var first, five []float64
	for i, w := range want {
		for name, label := range map[string]string{"strategy": w.Strategy, "targets": w.Targets} {
			if label != "" {
				requested[name] = true
				same[name] = same[name] && turns[i].Reply.Attributes[name] == label
			}
		}
		if len(w.Evidence) == 0 {
			continue
		}
		rank, among := 0.0, 0.0
		for at, hit := range turns[i].Reply.Retrieved {
			document, passage, _ := strings.Cut(hit.ID, "#")
			whole, _, _ := strings.Cut(passage, ".") // a chunk of a passage counts as the passage
			if !slices.Contains(w.Evidence, document+"#"+whole) {
				continue
			}
			if rank == 0 {
				rank = 1 / float64(at+1)
			}
			if at < 5 {
				among++
			}
		}
		first, five = append(first, rank), append(five, among/float64(len(w.Evidence)))
	}
	for name := range requested {
		r.recordBool(name+".accuracy", same[name])
	}
	if first != nil {
		r["retrieval.mrr"] = append(r["retrieval.mrr"], meanOf(first))
		r["retrieval.recall_at_5"] = append(r["retrieval.recall_at_5"], meanOf(five))
	}
}

// events records the values that result from the events of a trial.
func (r traceMetrics) events(turns []eval.TurnResult) {
	most := 0.0
	for _, p := range turns {
		for _, e := range p.Events {
			switch e.Kind {
			case trace.KindCacheHit, trace.KindCacheMiss:
				r.recordBool("cache.hit_rate", e.Kind == trace.KindCacheHit)
			case trace.KindCompression:
				var done struct {
					Before float64 `json:"tokens_before"`
					After  float64 `json:"tokens_after"`
				}
				Expect(json.Unmarshal(e.Data, &done)).To(Succeed())
				r["compression.ratio"] = append(r["compression.ratio"], done.After/done.Before)
			case trace.KindSpan:
				most = max(most, float64(parallelCalls(p.Events, e)))
			}
		}
	}
	if most > 0 {
		r["calls.peak"] = []float64{max(most, slices.Max(append(r["calls.peak"], 0)))}
	}
}

// parallelCalls returns how many model calls are in progress when a call starts, including itself.
// It returns 0 if the event is not a model call.
func parallelCalls(events []trace.Event, begun trace.Event) (n int) {
	isModel := func(e trace.Event) bool {
		return e.Kind == trace.KindSpan && !slices.Contains([]string{"retrieval", "search", "cache"}, e.Node)
	}
	if !isModel(begun) {
		return 0
	}
	for _, e := range events {
		if isModel(e) && e.Span.Start <= begun.Span.Start &&
			begun.Span.Start < e.Span.Start+max(e.Span.Duration, time.Duration(1)) {
			n++
		}
	}
	return max(n, 1)
}

func meanOf(list []float64) float64 {
	sum := 0.0
	for _, v := range list {
		sum += v
	}
	return sum / float64(len(list))
}

var _ = Describe("The metrics of the scholar", Label("definition"), func() {
	It("L3, L4, L6, L7: equal an independent count from the traces and the labels of the dataset", func() {
		dir, want := sharedRunOf("run", "scholar", "--sample", "24", "--tags", "fault").dir,
			labelsOf("../../datasets/scholar/*.jsonl")
		conditions, seen := map[string]traceMetrics{}, map[string]bool{}
		for _, t := range tracesIn(dir) {
			if conditions[t.Variant] == nil {
				conditions[t.Variant] = traceMetrics{}
			}
			if t.Fault == eval.NoFault {
				conditions[t.Variant].turns(t.Outcome.Turns, want[t.Case])
				conditions[t.Variant].events(t.Outcome.Turns)
			}
		}
		for _, v := range summaryOf(dir).Suites[0].Conditions {
			if v.Fault != eval.NoFault {
				continue
			}
			for name, list := range conditions[v.Variant] {
				Expect(v.Metrics[name].Value).To(HaveValue(BeNumerically("~", meanOf(list), 1e-9)),
					fmt.Sprint(v.Variant, " ", name))
				seen[name] = true
			}
		}
		Expect(seen).To(HaveLen(7), "strategy, targets, MRR, recall, cache, compression, calls at once")
	})
})
