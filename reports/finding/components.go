package finding

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
)

// retrieval names the variant with the highest recall and the variants that it exceeds. It exceeds a variant
// if the confidence interval of the mean difference over common cases excludes 0. The interval is not
// corrected for several comparisons, so the sentence does not call the difference significant. Baseline
// models are not compared, because they use the same retrieval as the variants.
func retrieval(s eval.SuiteSummary) values {
	models := retrievalConditions(s, true)
	conditions := retrievalConditions(s, false)
	if len(conditions) < 2 {
		return nil
	}
	best, rest := conditions[0], conditions[1:]
	above, even := retrievalDifferences(s, best.Variant, rest, eval.RecallScore)
	if len(above)+len(even) == 0 {
		return nil
	}
	e := best.Metrics[eval.RecallScore]
	v := values{
		"best":   variants(best.Variant),
		"recall": metric.FormatShare(*e.Value),
		"cases":  e.N,
	}
	if len(models) > 0 && *models[0].Metrics[eval.RecallScore].Value >= *e.Value {
		v["model"] = variants(models[0].Variant)
		v["modelRecall"] = metric.FormatShare(*models[0].Metrics[eval.RecallScore].Value)
	}
	if len(above) > 0 {
		d := above[0].Metrics[eval.RecallScore]
		v["points"], v["below"] = unsignedPoints(*d.Value), variants(above[0].ComparedWith)
		v["interval"], v["more"] = interval(d.Lo, d.Hi, unsignedPoints), more(len(above)-1)
	}
	if len(even) > 0 {
		d := even[0].Metrics[eval.RecallScore]
		v["even"] = variants(even[0].ComparedWith)
		v["evenInterval"], v["evenMore"] = interval(d.Lo, d.Hi, metric.FormatPoints), more(len(even)-1)
	}
	mrr := best.Metrics[eval.MRRScore].Value
	higher, same := retrievalDifferences(s, best.Variant, rest, eval.MRRScore)
	if !metric.IsKnown(mrr) || len(higher)+len(same) == 0 {
		return v
	}
	v["mrr"], v["higher"] = metric.FormatScore(*mrr), "no 95 % interval of its differences is above 0"
	if len(higher) > 0 {
		var names []string
		for _, d := range higher {
			names = append(names, d.ComparedWith)
		}
		v["higher"] = fill("higher than {variants} (95 % {n:interval excludes|intervals exclude} 0)",
			values{"variants": someVariants(names), "n": len(names)})
	}
	return v
}

// retrievalConditions returns the conditions of baseline models, or of all other variants, without a
// fault and with enough cases for a recall, highest recall first.
func retrievalConditions(s eval.SuiteSummary, baselineModels bool) []eval.ConditionSummary {
	conditions := slices.DeleteFunc(ConditionsWithoutFault(s), func(c eval.ConditionSummary) bool {
		e := c.Metrics[eval.RecallScore]
		return !metric.IsKnown(e.Value) || IsSmallSample(e) || c.BaselineModel != baselineModels
	})
	slices.SortStableFunc(conditions, func(a, b eval.ConditionSummary) int {
		return cmp.Compare(*b.Metrics[eval.RecallScore].Value, *a.Metrics[eval.RecallScore].Value)
	})
	return conditions
}

// retrievalDifferences returns how the best variant differs from the others in a metric. above
// contains the differences whose interval is above 0, even those whose interval contains 0. It omits
// variants without any difference.
func retrievalDifferences(s eval.SuiteSummary, best string, rest []eval.ConditionSummary, measure string,
) (above, even []eval.Difference) {
	for _, c := range rest {
		d, ok := Difference(s, best, c.Variant)
		switch by := d.Metrics[measure]; {
		case !ok || !metric.IsKnown(by.Lo) || !metric.IsKnown(by.Hi) || *by.Lo == 0 && *by.Hi == 0:
		case *by.Lo > 0:
			above = append(above, d)
		case *by.Hi >= 0:
			even = append(even, d)
		}
	}
	return above, even
}

// mostAccurate returns the most accurate variant of the suite, or one without metrics if no variant
// has an accuracy.
func mostAccurate(s eval.SuiteSummary) eval.ConditionSummary {
	if ranked := RankedByAccuracy(s); len(ranked) > 0 {
		return ranked[0]
	}
	return eval.ConditionSummary{}
}

// episode describes episodes with several decisions: how often the best variant follows the labeled
// path exactly, in how many steps, and how long it takes.
func episode(s eval.SuiteSummary) values {
	best := mostAccurate(s)
	exact, steps, duration := best.Metrics["path.exact"], best.Metrics["supervisor.steps_mean"],
		best.Metrics["episode.p95"]
	if !metric.IsKnown(exact.Value) || !metric.IsKnown(steps.Value) {
		return nil
	}
	v := values{
		"variant":  variants(best.Variant),
		"exact":    share(exact),
		"steps":    metric.FormatMean(*steps.Value),
		"episodes": steps.N,
	}
	if metric.IsKnown(duration.Value) {
		v["p95"] = metric.FormatQuantile("p95", duration)
	}
	return v
}

// correction states how often the decisions of the best variant's supervisor were corrected, with the
// most frequent correction.
func correction(s eval.SuiteSummary) values {
	best := mostAccurate(s)
	e := best.Metrics["supervisor.correction_rate"]
	if Numerator(e) < minConfusions {
		return nil
	}
	v := values{"corrected": FormatCounts(e), "variant": variants(best.Variant)}
	if list := best.Corrections; len(list) == 1 || len(list) > 1 && list[0].N != list[1].N {
		v["n"], v["proposed"], v["executed"] = list[0].N, otherNames(list[0].Proposed), otherNames(list[0].Executed)
	}
	return v
}

// batch states how many messages the best variant answers in one reply. It compares the latency with
// that of replies to single messages.
func batch(s eval.SuiteSummary) values {
	best := mostAccurate(s)
	messages, several, single := best.Metrics["batch.messages_mean"], best.Metrics["latency.batch.p50"],
		best.Metrics["latency.single.p50"]
	if !metric.IsKnown(messages.Value) || !metric.IsKnown(several.Value) || !metric.IsKnown(single.Value) ||
		min(several.N, single.N) < minPercentSample {
		return nil
	}
	return values{
		"variant":  variants(best.Variant),
		"batches":  messages.N,
		"messages": metric.FormatMean(*messages.Value),
		"several":  metric.FormatTime(*several.Value),
		"single":   metric.FormatTime(*single.Value),
	}
}

// USDPer1000Cases returns the cost of 1,000 cases in US dollars. ok is false if the cost of some trials
// is unknown.
func USDPer1000Cases(c eval.ConditionSummary) (usd float64, ok bool) {
	e := c.Metrics["cost.usd_per_1000"]
	if !metric.IsKnown(e.Value) || e.Missing > 0 {
		return 0, false
	}
	return *e.Value, true
}

// cost reports that the most expensive variant costs at least twice as much as the cheapest. It
// ignores baseline models, because they cost nothing, and variants with trials of unknown cost.
func cost(s eval.SuiteSummary) values {
	var dear, cheap string
	var most, least float64
	n := 0
	for _, c := range ConditionsWithoutFault(s) {
		usd, ok := USDPer1000Cases(c)
		if !ok || c.BaselineModel {
			continue
		}
		if n == 0 || usd > most {
			dear, most = c.Variant, usd
		}
		if n == 0 || usd < least {
			cheap, least = c.Variant, usd
		}
		n++
	}
	if n < 2 || most == 0 || most < 2*least {
		return nil
	}
	v := values{"variant": variants(dear), "cost": metric.FormatUSD(most)}
	if least == 0 {
		v["free"] = variants(cheap)
		return v
	}
	v["times"], v["cheap"] = metric.FormatRounded(most/least), variants(cheap)
	if most/least < 9.95 {
		v["times"] = metric.FormatRatio(most / least)
	}
	return v
}

// Metrics that compare the images which a Critic loop delivers with its first attempts.
const (
	firstGood     = "critic.first_attempt_good"
	deliveredGood = "critic.delivered_good"
	goodGain      = "critic.good_gain"
)

// RawGainNote is a note that explains why raw changes of the critic's own score overstate the
// improvement.
const RawGainNote = "Raw changes of the critic's own score include regression to the mean. " +
	"Only low scores are repeated, and part of a low score is noise."

// DeliveredGoodNote is a note that states how the gain of a Critic loop is measured.
const DeliveredGoodNote = "Labels measure this gain, not the scores of the critic."

// HasLabeledAttempts reports whether the attempts of a variant's Critic loop are labeled good or
// bad, so that the note [DeliveredGoodNote] applies.
func HasLabeledAttempts(c eval.ConditionSummary) bool {
	return metric.IsKnown(c.Metrics[goodGain].Value)
}

// DeliveredText states how a Critic loop changes the share of good results that users get. It
// returns "" if the attempts are not labeled.
func DeliveredText(c eval.ConditionSummary) string {
	if !HasLabeledAttempts(c) {
		return ""
	}
	return "First attempt good " + FormatShare(c.Metrics[firstGood]) + ", delivered good " +
		FormatShare(c.Metrics[deliveredGood]) + ": " + gainText(c.Metrics[goodGain])
}

// gainText formats the change of the share of good results with its interval. It is a mean per case
// if a case can have several turns.
func gainText(gain eval.Estimate) string {
	text := metric.FormatPoints(*gain.Value) + " points" + interval(gain.Lo, gain.Hi, metric.FormatPoints)
	if gain.Cases > 0 {
		text += " (mean over cases)"
	}
	return text
}

// deliveredImages names the variants whose Critic loops significantly change the share of good
// images, largest gain first.
func deliveredImages(s eval.SuiteSummary) values {
	changed, _ := imageGains(s)
	if len(changed) == 0 {
		return nil
	}
	top := changed[0]
	var others []clause
	for _, c := range changed[1:] { // only -v shows their intervals
		others = append(others, fill("{variant} {gain}", values{
			"variant": variants(c.Variant),
			"gain":    metric.FormatPoints(*c.Metrics[goodGain].Value),
		}))
	}
	return values{
		"variant":   variants(top.Variant),
		"gain":      gainText(top.Metrics[goodGain]),
		"first":     FormatShare(top.Metrics[firstGood]),
		"delivered": FormatShare(top.Metrics[deliveredGood]),
		"others":    join(others, ", "),
	}
}

// unchangedImages names the variants with a Critic loop if all intervals of the change in the share of
// good images contain 0.
func unchangedImages(s eval.SuiteSummary) values {
	changed, same := imageGains(s)
	if len(changed) > 0 || len(same) == 0 {
		return nil
	}
	return values{"unchanged": variants(same...)}
}

// imageGains returns the conditions whose Critic loops change the share of good images by an amount whose
// interval excludes 0, largest gain first, and the names of the other variants with a Critic loop.
func imageGains(s eval.SuiteSummary) (changed []eval.ConditionSummary, same []string) {
	for _, c := range ConditionsWithoutFault(s) {
		e := c.Metrics[goodGain]
		switch {
		case !metric.IsKnown(e.Value) || !metric.IsKnown(e.Lo) || !metric.IsKnown(e.Hi) || len(c.LoopRounds) < 2:
		case *e.Lo > 0 || *e.Hi < 0:
			changed = append(changed, c)
		default:
			same = append(same, c.Variant)
		}
	}
	slices.SortStableFunc(changed, func(a, b eval.ConditionSummary) int {
		return cmp.Compare(*b.Metrics[goodGain].Value, *a.Metrics[goodGain].Value)
	})
	return changed, same
}

const falseAccept = "critic.false_accept"

// critics states how many bad images each critic accepts. It returns nil if the critics do not differ
// significantly.
func critics(s eval.SuiteSummary) values {
	conditions := slices.DeleteFunc(ConditionsWithoutFault(s), func(c eval.ConditionSummary) bool {
		e := c.Metrics[falseAccept]
		return !metric.IsKnown(e.Value) || !metric.IsKnown(e.Lo) || !metric.IsKnown(e.Hi)
	})
	if len(conditions) < 2 {
		return nil
	}
	byShare := func(a, b eval.ConditionSummary) int {
		return cmp.Compare(*a.Metrics[falseAccept].Value, *b.Metrics[falseAccept].Value)
	}
	worst := slices.MaxFunc(conditions, byShare).Metrics[falseAccept]
	best := slices.MinFunc(conditions, byShare).Metrics[falseAccept]
	if *worst.Lo <= *best.Hi {
		return nil
	}
	var bad, good []eval.ConditionSummary
	for _, c := range conditions {
		e := c.Metrics[falseAccept]
		lax, strict := *e.Hi >= *worst.Lo, *e.Lo <= *best.Hi
		switch {
		case lax && !strict:
			bad = append(bad, c)
		case strict && !lax:
			good = append(good, c)
		}
	}
	return values{"lax": falseAccepts(bad), "strict": falseAccepts(good)}
}

// falseAccepts states the share of bad images that the critics of these conditions accept.
func falseAccepts(conditions []eval.ConditionSummary) clause {
	first := conditions[0].Metrics[falseAccept]
	lo, hi, same := *first.Value, *first.Value, true
	var names []string
	for _, c := range conditions {
		e := c.Metrics[falseAccept]
		names = append(names, c.Variant)
		lo, hi = min(lo, *e.Value), max(hi, *e.Value)
		same = same && FormatShare(e) == FormatShare(first) && e.N == first.N
	}
	if !same {
		return fill("{variants} {range} %", values{"variants": variants(names...), "range": between(lo, hi)})
	}
	v := values{"variants": variants(names...), "share": FormatShare(first)}
	if !IsSmallSample(first) {
		v["counts"] = FormatCounts(first)
	}
	return fill("{variants} {share}[< ({counts})>]", v)
}

// between formats a range of shares in whole percent. If both ends would be equal, it adds
// decimals.
func between(lo, hi float64) string {
	a, b := metric.FormatRounded(math.Round(100*lo)), metric.FormatRounded(math.Round(100*hi))
	if a == b {
		a, b = metric.FormatPercent(lo), metric.FormatPercent(hi)
	}
	if a == b {
		return a
	}
	return a + "–" + b
}

// NodeVisits describes the visits to one node (component) of an agent in one condition. A visit
// lasts from the start of its first call to the end of its last call, including polling and
// waiting.
type NodeVisits struct {
	Node        string  // name of the node
	Calls       int64   // number of calls in all visits
	TotalMillis float64 // total duration of all visits in milliseconds, including visits whose calls all failed
	TimeShare   float64 // share of the total time of all nodes in the condition
}

// Quantile returns a quantile of the duration of a visit, in milliseconds; q is its name, such as
// "p95".
func (v NodeVisits) Quantile(c eval.ConditionSummary, q string) eval.Estimate {
	return c.Metrics["step."+v.Node+"."+q]
}

// VisitedNodes returns the nodes that a condition visited, longest total time first.
func VisitedNodes(c eval.ConditionSummary) (list []NodeVisits) {
	whole := 0.0
	for key, calls := range c.Metrics {
		name, is := strings.CutPrefix(key, "node.")
		name, counts := strings.CutSuffix(name, ".calls")
		if !is || !counts || !metric.IsKnown(calls.Value) {
			continue
		}
		v := NodeVisits{Node: name, Calls: int64(*calls.Value)}
		if mean := c.Metrics["step."+name+".mean"]; metric.IsKnown(mean.Value) {
			v.TotalMillis = *mean.Value * float64(mean.N)
		}
		list = append(list, v)
	}
	slices.SortFunc(list, func(a, b NodeVisits) int {
		return cmp.Or(cmp.Compare(b.TotalMillis, a.TotalMillis), cmp.Compare(a.Node, b.Node))
	})
	for _, v := range list { // summed in sorted order, so that the floating-point result is reproducible
		whole += v.TotalMillis
	}
	for i := range list {
		if whole > 0 {
			list[i].TimeShare = list[i].TotalMillis / whole
		}
	}
	return list
}
