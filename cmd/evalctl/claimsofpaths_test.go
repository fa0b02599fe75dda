package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/agent"
	"evalctl/cmd/evalctl/exit"
	"evalctl/eval"
	"evalctl/eval/journal"
	"evalctl/eval/metric"
	"evalctl/reports/finding"
)

// pathCounts counts the trials that have a labeled path of decisions, and those that followed
// exactly this path.
func pathCounts(condition map[string]eval.Result) (exact, labeled int) {
	for _, r := range condition {
		for _, s := range r.Scores {
			if s.Name == "path.exact" && s.Verdict != "" {
				labeled++
				exact += int(s.Value)
			}
		}
	}
	return exact, labeled
}

// episodeSteps counts completed requests and the decisions that they took. A clarifying question
// and the turn that answers it belong to one request.
func episodeSteps(condition map[string]eval.Result) (steps, ended int) {
	for _, r := range condition {
		for i, t := range r.Turns {
			answers := func(o eval.TurnSummary) bool { return o.ResumesTurn == i+1 }
			if t.AsksUser || !t.Answered || t.ErrorReplyCause != "" || slices.ContainsFunc(r.Turns[i+1:], answers) {
				continue
			}
			n, is := len(t.Steps), t.HasDecisionSequence
			for at := t.ResumesTurn; at > 0; at = r.Turns[at-1].ResumesTurn {
				n += len(r.Turns[at-1].Steps)
				is = is || r.Turns[at-1].HasDecisionSequence
			}
			if is || n > 1 {
				steps, ended = steps+n, ended+1
			}
		}
	}
	return steps, ended
}

// correctionsIn counts the decisions that named an agent, and those that the guards corrected, by
// proposed and executed agent.
func correctionsIn(condition map[string]eval.Result) (by map[[2]string]int, all, named int) {
	by = map[[2]string]int{}
	for _, r := range condition {
		for _, t := range r.Turns {
			for _, s := range t.Steps {
				if s.Proposed == "" {
					continue
				}
				named++
				if s.Executed != "" && s.Executed != s.Proposed && s.DecidedBy != agent.DecidedByMaxIterations &&
					s.DecidedBy != agent.DecidedByReview {
					by[[2]string{s.Proposed, s.Executed}]++
					all++
				}
			}
		}
	}
	return by, all, named
}

// repliesTo returns the latencies of replies to batches of several messages and to single messages,
// and the number of messages in the batches.
func repliesTo(condition map[string]eval.Result) (several, one []time.Duration, messages int) {
	for _, r := range condition {
		waiting := 0
		for _, t := range r.Turns {
			switch {
			case t.IsDeferred:
				waiting++
				continue
			case waiting > 0:
				messages += waiting + 1
				several = append(several, time.Duration(t.Duration))
			case t.Answered && t.ErrorReply == "":
				one = append(one, time.Duration(t.Duration))
			}
			waiting = 0
		}
	}
	return several, one, messages
}

// atRank returns the q-quantile of durations as the report formats it.
func atRank(q float64, times []time.Duration) string {
	slices.Sort(times)
	return metric.FormatDuration(times[int(math.Ceil(q*float64(len(times))))-1])
}

func scoresByCase(condition map[string]eval.Result, name string) map[string]float64 {
	by := map[string]float64{}
	for id, r := range condition {
		for _, s := range r.Scores {
			if s.Name == name && s.Verdict != "" {
				by[id] = s.Value
			}
		}
	}
	return by
}

// meanDifference returns the mean of b minus a over the cases, and half the width of its t
// interval.
func meanDifference(b, a map[string]float64) (mean, half float64) {
	var all []float64
	for id, v := range b {
		if was, ok := a[id]; ok {
			all = append(all, v-was)
			mean += v - was
		}
	}
	n := float64(len(all))
	mean /= n
	squares := 0.0
	for _, v := range all {
		squares += (v - mean) * (v - mean)
	}
	// Student's t by the Cornish-Fisher expansion.
	z, df := 1.959964, n-1
	t := z + (z*z*z+z)/4/df + (5*math.Pow(z, 5)+16*z*z*z+3*z)/96/df/df
	return mean, t * math.Sqrt(squares/df/n)
}

func mean(of map[string]float64) float64 {
	sum := 0.0
	for _, v := range of {
		sum += v
	}
	return sum / float64(len(of))
}

var claimsOfPaths = []claim{
	{`(\S+) follows the labeled path exactly in (\S+) % of (\d+); (\S+) steps per episode \(mean of (\d+)\); p95 (\S+ s) per case`, func(n counting, m []string) {
		condition := n.condition(m[1], "none")
		exact, labeled := pathCounts(condition)
		Expect(m[2:4]).To(Equal([]string{fmt.Sprintf("%.1f", 100*float64(exact)/float64(labeled)),
			fmt.Sprint(labeled)}))
		steps, ended := episodeSteps(condition)
		Expect(m[4:6]).To(Equal([]string{fmt.Sprintf("%.2f", float64(steps)/float64(ended)), fmt.Sprint(ended)}))
		var duration []time.Duration
		for _, r := range condition {
			duration = append(duration, time.Duration(r.Duration))
		}
		Expect(m[6]).To(Equal(atRank(0.95, duration)))
	}},
	{`(\d+) of (\d+) decisions of (\S+) that name an agent are corrected(?:, (\d+) of them (\S+) → (\S+))?`,
		func(n counting, m []string) {
			by, all, named := correctionsIn(n.condition(m[3], "none"))
			Expect(m[1:3]).To(Equal([]string{fmt.Sprint(all), fmt.Sprint(named)}))
			most := 0
			for _, times := range by {
				most = max(most, times)
			}
			if m[4] != "" {
				Expect([]int{by[[2]string{m[5], m[6]}], most}).To(HaveEach(Equal(atoi(m[4]))))
			}
		}},
	{`(\S+) answers (\d+) batches with (\S+) messages on average; reply p50 (\S+ s) after the last message of a batch, (\S+ s) after a single message`, func(n counting, m []string) {
		several, one, messages := repliesTo(n.condition(m[1], "none"))
		Expect(m[2:]).To(Equal([]string{fmt.Sprint(len(several)),
			fmt.Sprintf("%.2f", float64(messages)/float64(len(several))), atRank(0.5, several), atRank(0.5, one)}))
	}},
	{`(\S+) has the highest recall@5: \S+ % of \d+ \(baseline model (\S+): (\S+) %\).*`, func(n counting, m []string) {
		baselineModel, best := scoresByCase(n.condition(m[2], "none"), "retrieval.recall_at_5"),
			scoresByCase(n.condition(m[1], "none"), "retrieval.recall_at_5")
		Expect(m[3]).To(Equal(fmt.Sprintf("%.1f", 100*mean(baselineModel))))
		Expect(mean(baselineModel)).To(BeNumerically(">=", mean(best)))
	}},
	{`(\S+) has the highest recall@5: (\S+) % of (\d+)(?: \(baseline model \S+: \S+ %\))?(?:, (\S+) points above (\S+) \[(\S+), (\S+)\](?: and (\d+) more)?)?(?:; the difference from (\S+) \[(\S+), (\S+)\](?: and (\d+) more)? has a 95 % interval that contains 0)?; MRR (\S+), (no 95 % interval of its differences is above 0|higher than .+?)(?: \(95 % intervals? excludes? 0\))?`, func(n counting, m []string) {
		best := scoresByCase(n.condition(m[1], "none"), "retrieval.recall_at_5")
		Expect(m[2:4]).To(Equal([]string{fmt.Sprintf("%.1f", 100*mean(best)), fmt.Sprint(len(best))}))
		ranks := scoresByCase(n.condition(m[1], "none"), "retrieval.mrr")
		Expect(m[13]).To(Equal(fmt.Sprintf("%.3f", mean(ranks))))
		var apart []string
		above, even := 0, 0
		for v := range n {
			if v == m[1] || v == "linear" {
				continue
			}
			Expect(mean(scoresByCase(n.condition(v, "none"), "retrieval.recall_at_5"))).
				To(BeNumerically("<=", mean(best)+1e-9), v)
			switch d, half := meanDifference(best, scoresByCase(n.condition(v, "none"), "retrieval.recall_at_5")); {
			case d-half > 0:
				above++
			case half > 0:
				even++
			}
			if d, half := meanDifference(ranks, scoresByCase(n.condition(v, "none"), "retrieval.mrr")); d-half > 0 {
				apart = append(apart, v)
			}
		}
		Expect([]int{above, even}).To(Equal([]int{countNamed(m[5], m[8]), countNamed(m[9], m[12])}))
		if m[5] != "" {
			d, half := meanDifference(best, scoresByCase(n.condition(m[5], "none"), "retrieval.recall_at_5"))
			Expect([]string{m[4], m[6], m[7]}).To(Equal([]string{inPoints(d), inPoints(d - half), inPoints(d + half)}))
		}
		if m[9] != "" {
			d, half := meanDifference(best, scoresByCase(n.condition(m[9], "none"), "retrieval.recall_at_5"))
			Expect(m[10:12]).To(Equal([]string{signed(d - half), signed(d + half)}))
		}
		if strings.HasPrefix(m[14], "no ") {
			Expect(apart).To(BeEmpty())
		} else {
			Expect(listed(strings.TrimPrefix(m[14], "higher than "))).To(ConsistOf(apart))
		}
	}},
}

func atoi(text string) (n int) {
	fmt.Sscan(text, &n)
	return n
}

// countNamed returns the number in "N more", or 1 for a name.
func countNamed(name, more string) int {
	if name == "" {
		return 0
	}
	return 1 + atoi(more)
}

func inPoints(v float64) string { return fmt.Sprintf("%.1f", 100*v) }
func signed(v float64) string   { return strings.Replace(fmt.Sprintf("%+.1f", 100*v), "-", "−", 1) }

var _ = Describe("the sentences of a report about paths, corrections, batches and retrieval", Label("long"), func() {
	It("have the numbers that a recount of results.jsonl gives", func() {
		recounted := map[finding.Kind]int{}
		// cases of the scholar with other tags retrieve nothing
		for name, more := range map[string][]string{"newsroom": nil, "companion": nil, "scholar": {"--tags", "qa"}} {
			dir, file := newRunDir(), fileOf(name+".yaml", withoutFaults(read("../../datasets/"+name+"/suite.yaml")))
			Expect(evalctl(append([]string{"run", file, "--out", dir, "-q"}, more...)...).code).To(Equal(exit.Passed))
			rows := counting{}
			for r, err := range journal.ReadRunResults(dir) {
				Expect(err).NotTo(HaveOccurred())
				rows.add(r)
			}
			for _, f := range finding.Findings(summaryOf(dir).Suites[0]) {
				for _, c := range claimsOfPaths {
					if m := c.match(f.String()); m != nil {
						By(f.String())
						c.holds(rows, m)
						recounted[f.Kind]++
					}
				}
			}
		}
		Expect(recounted).To(Equal(map[finding.Kind]int{finding.KindEpisode: 1, finding.KindCorrection: 1,
			finding.KindBatch:     1,
			finding.KindRetrieval: 2}))
	})
})
