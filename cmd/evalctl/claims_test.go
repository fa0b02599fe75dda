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

// counting is a suite's results, by variant, fault and case, to be counted without
// any of the program's own code.
type counting map[string]map[string]map[string]eval.Result

// countings are those of suites.
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

func (n counting) cell(variant, fault string) map[string]eval.Result {
	GinkgoHelper()
	Expect(n[variant]).To(HaveKey(fault), variant)
	return n[variant][fault]
}

// verdict is 1 for right, 0 for wrong and -1 for neither.
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

func judgedIn(cell map[string]eval.Result) (right, n int) {
	for _, r := range cell {
		if v := verdict(r); v >= 0 {
			right += v
			n++
		}
	}
	return right, n
}

// difference is of b from a, in points, with Bonett and Price's interval.
func (n counting) difference(b, a string) (d, lo, hi string, gained, lost int) {
	cases := 0.0
	for id, before := range n.cell(a, "none") {
		x, y := verdict(before), verdict(n.cell(b, "none")[id])
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
	return fmt.Sprintf("%.1f", 100*float64(gained-lost)/cases), fmt.Sprintf("%.1f", 100*(mean-half)), fmt.Sprintf("%.1f", 100*(mean+half)), gained, lost
}

// mistakes counts what is taken for what, and how often each label is expected.
func mistakes(cell map[string]eval.Result) (pairs map[[2]string]int, expected map[string]int) {
	pairs, expected = map[[2]string]int{}, map[string]int{}
	for _, r := range cell {
		for _, s := range r.Scores {
			turns := s.Turns
			if turns == nil {
				turns = []eval.Judgement{{Want: s.Want, Got: s.Got, Verdict: s.Verdict}}
			}
			for _, t := range turns {
				if s.Name != "route" || t.Verdict == "" {
					continue
				}
				expected[t.Want[0]]++
				if t.Verdict == "fail" {
					pairs[[2]string{t.Want[0], t.Got}]++
				}
			}
		}
	}
	return pairs, expected
}

// fate counts what a fault does to a variant.
func (n counting) fate(variant, fault string) (wrong, mended, apologies, unanswered int) {
	for id, r := range n.cell(variant, fault) {
		before := n.cell(variant, "none")[id]
		if verdict(before) == 1 && verdict(r) == 0 && !(r.Failure != "" && before.Failure == "") {
			wrong++
		}
		if verdict(before) == 0 && verdict(r) == 1 {
			mended++
		}
		if r.Failure != "" && before.Failure == "" {
			apologies++
		}
		if len(r.Fallbacks) > 0 && (r.Error != nil || r.Failure != "") {
			unanswered++
		}
	}
	return wrong, mended, apologies, unanswered
}

// accepted counts bad pictures, and those of them that passed.
func accepted(cell map[string]eval.Result) (passed, bad int) {
	for _, r := range cell {
		for _, l := range r.Loops {
			if l.Good != nil && !*l.Good && l.By != "none" {
				bad++
				if l.Passed {
					passed++
				}
			}
		}
	}
	return passed, bad
}

// deliveries are the shares of turns whose first and whose last attempt is labeled good,
// and the mean difference by case.
func deliveries(cell map[string]eval.Result) (first, delivered, gain float64) {
	turns, cases := 0.0, 0.0
	for _, r := range cell {
		n, before, after := 0.0, 0.0, 0.0
		for i, l := range r.Loops {
			if l.Good == nil {
				continue
			}
			good := map[bool]float64{true: 1}[*l.Good]
			if l.Loop == 1 {
				n, before = n+1, before+good
			}
			if i+1 == len(r.Loops) || r.Loops[i+1].Turn != l.Turn {
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

// dollars is what 1,000 cases cost.
func dollars(cell map[string]eval.Result) (sum float64) {
	for _, r := range cell {
		sum += *r.Cost
	}
	return 1000 * sum / float64(len(cell))
}

// slowness is the 95th percentile of the turns that were answered.
func slowness(cell map[string]eval.Result) time.Duration {
	var all []time.Duration
	for _, r := range cell {
		for _, t := range r.Turns {
			if t.Answered && t.Failure == "" {
				all = append(all, time.Duration(t.Took))
			}
		}
	}
	slices.Sort(all)
	if len(all) == 0 {
		return 0
	}
	return all[int(math.Ceil(0.95*float64(len(all))))-1]
}
