package main

import (
	"fmt"
	"math"
	"slices"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"evalctl/eval"
)

// counting has the results of a suite by variant, fault and case. Tests recompute numbers of the
// report from it, without code of the program.
type counting map[string]map[string]map[string]eval.Result

type countings map[string]counting

func (n countings) add(r eval.Result) {
	if n[r.Suite] == nil {
		n[r.Suite] = counting{}
	}
	n[r.Suite].add(r)
}

func (n counting) add(r eval.Result) {
	if n[r.Variant] == nil {
		n[r.Variant] = map[string]map[string]eval.Result{}
	}
	if n[r.Variant][r.Fault] == nil {
		n[r.Variant][r.Fault] = map[string]eval.Result{}
	}
	n[r.Variant][r.Fault][r.Case] = r
}

func (n counting) condition(variant, fault string) map[string]eval.Result {
	GinkgoHelper()
	Expect(n[variant]).To(HaveKey(fault), variant)
	return n[variant][fault]
}

// verdict returns 1 if the routing decision of a trial is correct, 0 if it is wrong and -1 if it is
// unscored.
func verdict(r eval.Result) int {
	for _, s := range r.Scores {
		if s.Name == "route" && s.Verdict == "pass" {
			return 1
		}
		if s.Name == "route" && s.Verdict == "fail" {
			return 0
		}
	}
	return -1
}

func judgedIn(condition map[string]eval.Result) (right, n int) {
	for _, r := range condition {
		if v := verdict(r); v >= 0 {
			right += v
			n++
		}
	}
	return right, n
}

// difference returns the accuracy of variant b minus that of a in points, with the Bonett-Price
// interval, and the numbers of fixed and broken cases.
func (n counting) difference(b, a string) (d, lo, hi string, gained, lost int) {
	cases := 0.0
	for id, before := range n.condition(a, "none") {
		x, y := verdict(before), verdict(n.condition(b, "none")[id])
		switch {
		case x < 0 || y < 0:
			continue
		case y > x:
			gained++
		case y < x:
			lost++
		}
		cases++
	}
	mean := float64(gained-lost) / (cases + 2)
	v := float64(gained+lost+2)/(cases+2) - mean*mean
	half := 1.959964 * math.Sqrt(v/(cases+2))
	return fmt.Sprintf("%.1f", 100*float64(gained-lost)/cases), fmt.Sprintf("%.1f", 100*(mean-half)),
		fmt.Sprintf("%.1f", 100*(mean+half)), gained, lost
}

// mistakes counts the wrong decisions by expected and predicted label, and the cases by expected
// label.
func mistakes(condition map[string]eval.Result) (pairs map[[2]string]int, expected map[string]int) {
	pairs, expected = map[[2]string]int{}, map[string]int{}
	for _, r := range condition {
		for _, s := range r.Scores {
			turns := s.Turns
			if turns == nil {
				turns = []eval.TurnScore{{Expected: s.Expected, Actual: s.Actual, Verdict: s.Verdict}}
			}
			for _, t := range turns {
				if s.Name != "route" || t.Verdict == "" {
					continue
				}
				expected[t.Expected[0]]++
				if t.Verdict == "fail" {
					pairs[[2]string{t.Expected[0], t.Actual}]++
				}
			}
		}
	}
	return pairs, expected
}

// faultEffects counts the effects of a fault on the trials of a variant.
func (n counting) faultEffects(variant, fault string) (wrong, recovered, errorReplies, unanswered int) {
	for id, r := range n.condition(variant, fault) {
		before := n.condition(variant, "none")[id]
		if verdict(before) == 1 && verdict(r) == 0 && !(getsErrorReply(r) && !getsErrorReply(before)) {
			wrong++
		}
		if verdict(before) == 0 && verdict(r) == 1 {
			recovered++
		}
		if getsErrorReply(r) && !getsErrorReply(before) {
			errorReplies++
		}
		if len(r.Fallbacks) > 0 && (r.Error != nil || getsErrorReply(r)) {
			unanswered++
		}
	}
	return wrong, recovered, errorReplies, unanswered
}

// failedOrUnscored counts the trials of a variant that fail under a fault, or that only the trial without
// it has a score for. Error replies do not count.
func (n counting) failedOrUnscored(variant, fault string) (lost int) {
	for id, r := range n.condition(variant, fault) {
		before := n.condition(variant, "none")[id]
		isErrorReply := getsErrorReply(r) && !getsErrorReply(before)
		if r.Error != nil || !isErrorReply && verdict(r) < 0 && verdict(before) >= 0 {
			lost++
		}
	}
	return lost
}

// accepted counts the bad images in a condition, and how many of them the critic accepted.
func accepted(condition map[string]eval.Result) (passed, bad int) {
	for _, r := range condition {
		for _, l := range r.LoopRounds {
			if l.Acceptable != nil && !*l.Acceptable && l.Reviewer != "none" {
				bad++
				if l.Passed {
					passed++
				}
			}
		}
	}
	return passed, bad
}

// qualityShares returns the shares of turns whose first and whose last attempt is labeled good, and
// the mean difference of both by case.
func qualityShares(condition map[string]eval.Result) (first, delivered, gain float64) {
	turns, cases := 0.0, 0.0
	for _, r := range condition {
		n, before, after := 0.0, 0.0, 0.0
		for i, l := range r.LoopRounds {
			if l.Acceptable == nil {
				continue
			}
			good := map[bool]float64{true: 1}[*l.Acceptable]
			if l.Round == 1 {
				n, before = n+1, before+good
			}
			if i+1 == len(r.LoopRounds) || r.LoopRounds[i+1].Turn != l.Turn {
				after += good
			}
		}
		if n > 0 {
			turns, cases = turns+n, cases+1
			first, delivered, gain = first+before, delivered+after, gain+(after-before)/n
		}
	}
	return first / turns, delivered / turns, gain / cases
}

// usd returns the cost of 1,000 cases.
func usd(condition map[string]eval.Result) (sum float64) {
	for _, r := range condition {
		sum += *r.Cost
	}
	return 1000 * sum / float64(len(condition))
}

func p95Latency(condition map[string]eval.Result) time.Duration {
	var all []time.Duration
	for _, r := range condition {
		for _, t := range r.Turns {
			if t.Answered && t.ErrorReply == "" {
				all = append(all, time.Duration(t.Duration))
			}
		}
	}
	slices.Sort(all)
	if len(all) == 0 {
		return 0
	}
	return all[int(math.Ceil(0.95*float64(len(all))))-1]
}
