package gate

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
	"evalctl/eval/stats"
)

// compareCondition evaluates the rule in one condition, by comparing the run with the baseline run.
func (p *ruleComparison) compareCondition(at Condition) conditionResult {
	list, gaps := p.conditions[at].match()
	apart := gaps.notCommon()
	if !p.rule.CommonCases || apart.total == 0 {
		return p.compare(list, gaps, at)
	}
	if apart.total == gaps.total {
		f := undecidedWithoutCommon("no case in common with the baseline run: " + apart.list())
		f.locate(at)
		return f
	}
	f := p.compare(list, gaps.common(), at)
	f.partial, f.tooFewCases = true, false
	f.explain("left out: " + apart.list())
	return f
}

// undecidedWithoutCommon returns the undecided result of a rule with common_cases if the two runs
// have nothing in common.
func undecidedWithoutCommon(text string) conditionResult {
	return conditionResult{verdict: eval.GateUndecided, margin: math.Inf(-1), text: text}
}

// compare evaluates the rule on the cases that can be compared. gaps counts the trials that cannot.
func (p *ruleComparison) compare(list []comparableCase, gaps incomparable, at Condition) (f conditionResult) {
	defer func() {
		f.locate(at)
		f.cases = int64(len(list))
	}()
	switch {
	case gaps.total == 0:
		return failedWithoutData("no trial has a value to compare")
	case gaps.onlyRun == gaps.total:
		return failedWithoutData("the baseline run has none of the trials")
	case gaps.share() > p.rule.MaxMissing:
		return failedWithoutData(gaps.words() + p.rule.permittedMissingText())
	case len(list) == 0:
		return failedWithoutData("no trial can be compared")
	}
	if p.rule.Comparison == NewFailures {
		return p.rule.failures(list)
	}
	proof, ok := p.rule.prove(list)
	if !ok {
		return conditionResult{
			verdict:     eval.GateUndecided,
			tooFewCases: true,
			margin:      math.Inf(-1),
			text: fmt.Sprintf("%s are too few for an interval of %s", metric.Plural(int64(len(list)), "case"),
				p.rule.figure()),
		}
	}
	return conditionResult{
		proof:  &proof,
		margin: -proof.value,
		text:   proof.text(),
		value:  proof.valueText(),
	}
}

// shownFailures is the maximum number of case IDs in a reason.
const shownFailures = 5

// failures evaluates a rule on new failures: it counts the cases that were correct in an epoch of
// the baseline run and are wrong in the same epoch now.
func (r Rule) failures(list []comparableCase) conditionResult {
	var failed []string
	var first []eval.NewFailure
	for _, c := range list {
		before, now, fails := c.newFailure()
		if !fails {
			continue
		}
		failed = append(failed, c.id)
		if len(first) < eval.MaxListedNewFailures {
			first = append(first, eval.NewFailure{
				Case:   c.id,
				Text:   now.text,
				Before: before.predicted,
				After:  now.predicted,
			})
		}
	}
	n := float64(len(failed))
	text := fmt.Sprintf("%s of %s", metric.Plural(int64(len(failed)), "new failure"),
		metric.Plural(int64(len(list)), "case"))
	if len(failed) > shownFailures {
		failed = append(failed[:shownFailures], "…")
	}
	if len(failed) > 0 {
		text += ": " + strings.Join(failed, ", ")
	}
	value := fmt.Sprintf("%s of %s", metric.Plural(int64(n), "new failure"), metric.FormatInteger(int64(len(list))))
	return conditionResult{
		verdict:  passIf(r.Op.isSatisfied(n, r.Limit)),
		margin:   -n,
		text:     text,
		value:    value,
		failures: first,
		failed:   int64(n),
	}
}

// newFailure returns the first epoch in which the case was correct in the baseline run and is wrong
// now, with both results.
func (c comparableCase) newFailure() (before, now contribution, ok bool) {
	for _, now := range c.now {
		at := slices.IndexFunc(c.before, func(b contribution) bool { return b.epoch == now.epoch && b.right })
		if !now.right && at >= 0 {
			return c.before[at], now, true
		}
	}
	return contribution{}, contribution{}, false
}

// prove runs the significance test of the rule on these cases. ok is false if the rule has no test,
// or if there are too few cases for an interval.
func (r Rule) prove(list []comparableCase) (proof, bool) {
	switch {
	case r.Comparison == Drop && r.Metric == macroF1:
		return r.dropOfF1(list)
	case r.Comparison == Drop && r.figureOf().Kind == metric.Mean:
		return r.dropOfMean(list)
	case r.Comparison == Drop:
		return r.dropOfShare(list)
	case r.Comparison == Ratio:
		return r.ratio(list)
	}
	return proof{}, false
}

func (r Rule) ratio(list []comparableCase) (proof, bool) {
	n := int64(len(list))
	f := r.figureOf()
	if !f.isTime() || f.Kind == metric.Mean {
		var means stats.MeanRatio
		for _, c := range list {
			means.Add(mean(c.before), mean(c.now))
		}
		v, _ := means.Value()
		lo, hi, ok := means.Interval(1 - 2*alpha)
		return ratioProof(r, n, v, lo, hi), ok
	}
	q, err := strconv.ParseFloat("0."+strings.TrimPrefix(f.Statistic, "p"), 64)
	if err != nil {
		return proof{}, false
	}
	var times stats.PairedQuantiles
	for _, c := range list {
		times.Add(keyOf(c.id), whole(c.before), whole(c.now))
	}
	span, ok := times.Ratio(q, 1-2*alpha)
	return ratioProof(r, n, span.Value, span.Lo, span.Hi), ok && span.Lo > 0
}

func (r Rule) dropOfShare(list []comparableCase) (proof, bool) {
	var share stats.PairedAccuracy
	for _, c := range list {
		rightBefore, scoredBefore := countCorrect(c.before)
		rightNow, scoredNow := countCorrect(c.now)
		share.Add(rightBefore, scoredBefore, rightNow, scoredNow)
	}
	return dropOf(r, &share)
}

// wholeMeasure is the denominator to which values from 0 to 1 are rounded. It makes shares of up to
// 16 items exact.
const wholeMeasure = 720_720

// dropOfMean tests the drop of a mean of values from 0 to 1. A case can change by less than 1, like
// a case with several epochs.
func (r Rule) dropOfMean(list []comparableCase) (proof, bool) {
	var share stats.PairedAccuracy
	for _, c := range list {
		share.Add(parts(mean(c.before)), wholeMeasure, parts(mean(c.now)), wholeMeasure)
	}
	return dropOf(r, &share)
}

func parts(v float64) int64 { return int64(math.Round(v * wholeMeasure)) }

func dropOf(r Rule, share *stats.PairedAccuracy) (proof, bool) {
	v, _ := share.Value()
	lo, hi, ok := share.OneSidedBounds(alpha)
	p := dropProof(r, share.N(), v, lo, hi, share.Variance())
	p.share = share
	p.pWithin, p.pBeyond = share.DropBelowPValue(r.Limit), share.DropAbovePValue(r.Limit)
	return p, ok
}

func (r Rule) dropOfF1(list []comparableCase) (proof, bool) {
	var f1 stats.PairedF1
	for _, c := range list {
		f1.Add(rows(c.before), rows(c.now))
	}
	v, _ := f1.Value()
	lo, hi, ok := f1.Interval(1 - 2*alpha)
	p := dropProof(r, int64(len(list)), v, lo, hi, 0)
	p.variance = p.error() * p.error() * float64(p.cases)
	return p.normal(), ok
}

func rows(facts []contribution) (list []stats.ConfusionRow) {
	for _, f := range facts {
		for _, j := range f.turns {
			list = append(list, stats.ConfusionRow{
				Gold:      j.Expected.Primary(),
				Predicted: j.Actual,
				Correct:   j.Verdict == eval.Pass,
				Trials:    1,
			})
		}
	}
	return list
}

// countCorrect counts correct decisions (k) and all decisions (n), turn by turn for a recall.
func countCorrect(facts []contribution) (k, n int64) {
	for _, f := range facts {
		list := []bool{f.right}
		if f.turns != nil {
			list = list[:0]
			for _, j := range f.turns {
				list = append(list, j.Verdict == eval.Pass)
			}
		}
		for _, right := range list {
			if n++; right {
				k++
			}
		}
	}
	return k, n
}

// mean returns the mean of all values of a case. The order of the epochs has no effect.
func mean(facts []contribution) (sum float64) {
	var all []float64
	for _, f := range facts {
		all = append(all, f.values...)
	}
	slices.Sort(all)
	for _, v := range all {
		sum += v
	}
	return sum / float64(len(all))
}

func whole(facts []contribution) (list []int64) {
	for _, f := range facts {
		for _, v := range f.values {
			list = append(list, int64(v))
		}
	}
	return list
}
