package finding

import (
	"cmp"
	"math"
	"slices"

	"evalctl/eval"
	"evalctl/eval/metric"
)

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

// DeliveredGoodNote is a note that states which metric of a Critic loop matters to users.
const DeliveredGoodNote = "Use the difference between delivered good and first attempt good. Labels measure it, not the critic."

// HasLabeledAttempts reports whether the attempts of a variant's Critic loop are labeled good or
// bad, so that the note [DeliveredGoodNote] applies.
func HasLabeledAttempts(c eval.ConditionSummary) bool {
	return metric.IsKnown(c.Metrics[goodGain].Value)
}

// DeliveredText states how a Critic loop changes the share of good results that users get. It
// returns "" if the attempts are not labeled.
func DeliveredText(c eval.ConditionSummary) string {
	gain := c.Metrics[goodGain]
	if !HasLabeledAttempts(c) {
		return ""
	}
	text := "First attempt good " + FormatShare(c.Metrics[firstGood]) + ", delivered good " +
		FormatShare(c.Metrics[deliveredGood]) +
		": " + metric.FormatPoints(*gain.Value) + " points"
	if gain.Cases > 0 { // the mean is per case, although a case can have several turns
		text += " per case"
	}
	if metric.IsKnown(gain.Lo) && metric.IsKnown(gain.Hi) {
		text += " [" + metric.FormatPoints(*gain.Lo) + ", " + metric.FormatPoints(*gain.Hi) + "]"
	}
	return text
}

// delivered returns the finding on which variants' Critic loops significantly change the share of
// good images, largest gain first.
func delivered(s suite) *Sentence {
	var changed []eval.ConditionSummary
	var same []string
	for _, c := range ConditionsWithoutFault(s.SuiteSummary) {
		e := c.Metrics[goodGain]
		switch {
		case !metric.IsKnown(e.Value) || !metric.IsKnown(e.Lo) || !metric.IsKnown(e.Hi) || len(c.LoopRounds) < 2:
		case *e.Lo > 0 || *e.Hi < 0:
			changed = append(changed, c)
		default:
			same = append(same, c.Variant)
		}
	}
	if len(changed)+len(same) == 0 {
		return nil
	}
	slices.SortStableFunc(changed, func(a, b eval.ConditionSummary) int {
		return cmp.Compare(*b.Metrics[goodGain].Value, *a.Metrics[goodGain].Value)
	})
	out := &Sentence{Kind: KindDeliveredImages}
	out.add("Good images, first attempt to delivered: ")
	for i, c := range changed {
		gain := c.Metrics[goodGain]
		if i > 0 { // only -v shows the intervals of the other variants
			out.add(", ")
			out.addVariants(c.Variant)
			out.add(" " + metric.FormatPoints(*gain.Value))
			continue
		}
		out.addVariants(c.Variant)
		out.add(" " + metric.FormatPoints(*gain.Value) + " points")
		if gain.Cases > 0 { // the mean is per case, although a case can have several turns
			out.add(" per case")
		}
		out.add(" [" + metric.FormatPoints(*gain.Lo) + ", " + metric.FormatPoints(*gain.Hi) + "]")
		out.addDetail(", from " + FormatShare(c.Metrics[firstGood]) + " to " + FormatShare(c.Metrics[deliveredGood]))
	}
	if len(changed) == 0 {
		out.add("no significant change in ")
		out.addVariants(same...)
	}
	return out
}

// critics returns the finding on how many bad images each critic accepts. It returns nil if the
// critics do not differ significantly.
func critics(s suite) *Sentence {
	var conditions []eval.ConditionSummary
	for _, c := range ConditionsWithoutFault(s.SuiteSummary) {
		if e := c.Metrics[falseAccept]; metric.IsKnown(e.Value) && metric.IsKnown(e.Lo) && metric.IsKnown(e.Hi) {
			conditions = append(conditions, c)
		}
	}
	if len(conditions) < 2 {
		return nil
	}
	worst, best := conditions[0].Metrics[falseAccept], conditions[0].Metrics[falseAccept]
	for _, c := range conditions {
		e := c.Metrics[falseAccept]
		if *e.Value > *worst.Value {
			worst = e
		}
		if *e.Value < *best.Value {
			best = e
		}
	}
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
	out := &Sentence{Kind: KindCritic}
	out.add("Bad images that pass the critic: ")
	out.addFalseAccepts(bad)
	out.add(", ")
	out.addFalseAccepts(good)
	return out
}

const falseAccept = "critic.false_accept"

// addFalseAccepts states the share of bad images that the critics of these conditions accept.
func (out *Sentence) addFalseAccepts(conditions []eval.ConditionSummary) {
	var names []string
	for _, c := range conditions {
		names = append(names, c.Variant)
	}
	out.addVariants(names...)
	first := conditions[0].Metrics[falseAccept]
	lo, hi, same := *first.Value, *first.Value, true
	for _, c := range conditions {
		e := c.Metrics[falseAccept]
		lo, hi = min(lo, *e.Value), max(hi, *e.Value)
		same = same && FormatShare(e) == FormatShare(first) && e.N == first.N
	}
	if same {
		out.add(" " + FormatShare(first))
		if !IsSmallSample(first) {
			out.addDetail(" (" + FormatCounts(first) + ")")
		}
		return
	}
	out.add(" " + between(lo, hi) + " %")
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
