package finding

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"evalctl/agent/text"
	"evalctl/eval"
	"evalctl/eval/metric"
)

// BaselineVariant returns the variant that the other variants of a suite are compared with.
func BaselineVariant(s eval.SuiteSummary) string {
	if s.BaselineVariant == "" && len(s.Conditions) > 0 {
		return s.Conditions[0].Variant
	}
	return s.BaselineVariant
}

func hasFault(c eval.ConditionSummary) bool { return c.Fault != "" && c.Fault != eval.NoFault }

// ConditionsWithoutFault returns the conditions of a suite without a fault, in their order.
func ConditionsWithoutFault(s eval.SuiteSummary) (list []eval.ConditionSummary) {
	for _, c := range s.Conditions {
		if !hasFault(c) {
			list = append(list, c)
		}
	}
	return list
}

// RankedByAccuracy returns the conditions without a fault, most accurate first. It omits those in
// which more than half of the decisions are unscored. Among equally accurate ones, the baseline
// variant comes first.
func RankedByAccuracy(s eval.SuiteSummary) []eval.ConditionSummary {
	list := slices.DeleteFunc(ConditionsWithoutFault(s), func(c eval.ConditionSummary) bool {
		e := c.Metrics[accuracy]
		return !metric.IsKnown(e.Value) || e.Missing > e.N
	})
	first := BaselineVariant(s)
	slices.SortStableFunc(list, func(a, b eval.ConditionSummary) int {
		if by := cmp.Compare(*b.Metrics[accuracy].Value, *a.Metrics[accuracy].Value); by != 0 ||
			a.Variant == b.Variant {
			return by
		}
		switch first {
		case a.Variant:
			return -1
		case b.Variant:
			return 1
		}
		return 0
	})
	return list
}

const accuracy = "route.accuracy"

const p95 = "latency.p95"

// conditionOf returns the condition of the suite with this variant and fault, or false if there is
// none.
func conditionOf(s eval.SuiteSummary, variant, fault string) (eval.ConditionSummary, bool) {
	at := slices.IndexFunc(s.Conditions, func(c eval.ConditionSummary) bool {
		return c.Variant == variant && cmp.Or(c.Fault, eval.NoFault) == fault
	})
	if at < 0 {
		return eval.ConditionSummary{}, false
	}
	return s.Conditions[at], true
}

// Difference returns how a variant differs from the variant against, without a fault. The order of
// the two in the summary does not matter. It returns false if the summary does not compare them.
func Difference(s eval.SuiteSummary, variant, against string) (eval.Difference, bool) {
	for _, d := range s.Differences {
		if cmp.Or(d.Fault, eval.NoFault) != eval.NoFault {
			continue
		}
		switch {
		case d.Variant == variant && d.ComparedWith == against:
			return d, true
		case d.Variant == against && d.ComparedWith == variant:
			return reversed(d), true
		}
	}
	return eval.Difference{}, false
}

// reversed swaps the two variants of a comparison.
func reversed(d eval.Difference) eval.Difference {
	d.Variant, d.ComparedWith = d.ComparedWith, d.Variant
	d.Fixed, d.Broken = d.Broken, d.Fixed
	d.FixedCases, d.BrokenCases = d.BrokenCases, d.FixedCases
	d.State = opposite(d.State)
	d.Accuracy, d.MacroF1, d.Ratios = negative(d.Accuracy), negative(d.MacroF1), nil
	tags := make([]eval.TagDifference, len(d.SignificantTags))
	for i, t := range d.SignificantTags {
		t.State, t.Accuracy = opposite(t.State), negative(t.Accuracy)
		tags[i] = t
	}
	d.SignificantTags = tags
	measures := map[string]eval.Contrast{}
	for name, c := range d.Metrics {
		measures[name] = negative(c)
	}
	d.Metrics = measures
	return d
}

func opposite(s eval.ComparisonState) eval.ComparisonState {
	switch s {
	case eval.Better:
		return eval.Worse
	case eval.Worse:
		return eval.Better
	}
	return s
}

func negative(c eval.Contrast) eval.Contrast {
	minus := func(v *float64) *float64 {
		if v == nil {
			return nil
		}
		return new(0 - *v)
	}
	c.Value, c.Lo, c.Hi = minus(c.Value), minus(c.Hi), minus(c.Lo)
	return c
}

// unit returns the word for a trial of the suite. With one epoch, this is "case".
func unit(s eval.SuiteSummary) string {
	if s.Epochs > 1 {
		return "trial"
	}
	return "case"
}

// scoredUnit returns the word for what an accuracy counts: "decision" if cases have several
// decisions, otherwise the word for a trial.
func scoredUnit(s eval.SuiteSummary, e eval.Estimate) string {
	if e.N+e.Missing > s.Cases*int64(max(s.Epochs, 1)) {
		return "decision"
	}
	return unit(s)
}

// HasMultiTurnCases reports whether some cases have several turns, so that a turn's latency differs
// from the case's.
func HasMultiTurnCases(s eval.SuiteSummary) bool {
	return slices.ContainsFunc(s.Conditions, func(c eval.ConditionSummary) bool {
		turns, cases := c.Metrics[p95], c.Metrics["episode.p95"]
		return metric.IsKnown(cases.Value) && turns.N+turns.Missing > cases.N+cases.Missing
	})
}

// minPercentSample is the minimum number of trials for which a share is shown as a percentage.
const minPercentSample = 20

// IsSmallSample reports whether a share must be shown as counts, because it covers few trials or
// most trials are unscored.
func IsSmallSample(e eval.Estimate) bool {
	return max(e.Cases, 0) > 0 && e.Cases < minPercentSample || e.N < minPercentSample || e.Missing > e.N
}

// FormatShare formats a share as "95.5 %", or as "6 of 6" for a small sample.
func FormatShare(e eval.Estimate) string {
	switch {
	case !metric.IsKnown(e.Value):
		return metric.MissingText
	case IsSmallSample(e):
		return FormatCounts(e)
	}
	return metric.FormatShare(*e.Value)
}

// FormatCounts formats a share as counts, such as "6 of 6".
func FormatCounts(e eval.Estimate) string {
	return metric.FormatInteger(Numerator(e)) + " of " + metric.FormatInteger(e.N)
}

// Numerator returns the numerator of a share.
func Numerator(e eval.Estimate) int64 {
	if !metric.IsKnown(e.Value) {
		return 0
	}
	return int64(math.Round(*e.Value * float64(e.N)))
}

// share formats a share with its denominator. With several epochs it adds the number of cases.
func share(e eval.Estimate) string {
	text := FormatCounts(e)
	if !IsSmallSample(e) {
		text = metric.FormatShare(*e.Value) + " of " + metric.FormatInteger(e.N)
	}
	if e.Cases > 0 && e.Cases < e.N {
		text += " (" + metric.Plural(e.Cases, "case") + ")"
	}
	return text
}

// missingShare returns how many trials of a condition are unscored, and how many trials there are.
// If the suite scores no decisions, it counts trials without an answer.
func missingShare(c eval.ConditionSummary) (lost, of int64) {
	if e := c.Metrics[accuracy]; e.N+e.Missing > 0 {
		return e.Missing, e.N + e.Missing
	}
	e := c.Metrics["missing.rate"]
	return Numerator(e), e.N
}

// tolerableMissing is the share of unscored trials above which a finding warns that the metrics are
// unreliable.
const tolerableMissing = 0.05

func hasMissing(c eval.ConditionSummary) bool {
	lost, of := missingShare(c)
	return float64(lost) > tolerableMissing*float64(of)
}

// PlannedTrials returns how many trials each condition of a suite has if the run is complete.
func PlannedTrials(s eval.SuiteSummary) int64 { return s.Cases * int64(max(s.Epochs, 1)) }

// CompletedTrials returns how many trials ran in all conditions of a suite.
func CompletedTrials(s eval.SuiteSummary) (n int64) {
	for _, c := range s.Conditions {
		n += c.Trials
	}
	return n
}

// IncompleteNote returns the note that a run was interrupted. shown names what contains the note,
// such as "this report". If trials are missing, the note states how many ran.
func IncompleteNote(s eval.Summary, shown string) string {
	text := "the run did not end; " + shown + " covers only the trials that ran"
	var ran, planned int64
	for _, one := range s.Suites {
		ran, planned = ran+CompletedTrials(one), planned+PlannedTrials(one)*int64(len(one.Conditions))
	}
	if ran < planned {
		text += ": " + metric.FormatInteger(ran) + " of " + metric.Plural(planned, "trial") + ", not a random sample"
	}
	return text
}

// CaseSelection describes how many cases of a suite ran and how they were selected, such as "sample
// of 40 of 328 cases".
func CaseSelection(s eval.SuiteSummary) string {
	switch {
	case s.FailedInRun != "":
		return "only " + metric.Plural(s.Cases, "case") + " that failed"
	case s.Cases < s.AvailableCases && s.Sample > 0:
		return "sample of " + metric.FormatInteger(s.Cases) + " of " + metric.Plural(s.AvailableCases, "case")
	case s.Cases < s.AvailableCases:
		return "first " + metric.FormatInteger(s.Cases) + " of " + metric.Plural(s.AvailableCases, "case")
	}
	return metric.Plural(s.Cases, "case")
}

// DescribeSize returns texts with the number of variants, faults and trials of a suite. For a partial
// run, the last text includes the number of planned trials.
func DescribeSize(s eval.SuiteSummary, partial bool) []string {
	list := []string{metric.Plural(int64(len(ConditionsWithoutFault(s))), "variant")}
	faults := map[string]struct{}{}
	for _, c := range s.Conditions {
		faults[cmp.Or(c.Fault, eval.NoFault)] = struct{}{}
	}
	delete(faults, eval.NoFault)
	if len(faults) > 0 {
		list = append(list, metric.Plural(int64(len(faults)), "fault"))
	}
	n := CompletedTrials(s)
	if all := PlannedTrials(s) * int64(len(s.Conditions)); partial && n < all {
		return append(list, metric.FormatInteger(n)+" of "+metric.Plural(all, "trial"))
	}
	return append(list, metric.Plural(n, "trial"))
}

const namedVariants = 2

// MixedLatencyNote explains what the latencies of a suite include if some components are real and
// others are simulated. It returns "" if all are real or all are simulated.
func MixedLatencyNote(s eval.SuiteSummary) string {
	parts := map[eval.LatencyKind][]string{}
	for _, m := range s.Models {
		name := text.EscapeLabel(m.Component)
		switch n := len(m.Variants); {
		case n > namedVariants:
			name += fmt.Sprintf(" (in %d variants)", n)
		case n > 0:
			name += " (in " + text.EscapeLabel(strings.Join(m.Variants, ", ")) + ")"
		}
		if !slices.Contains(parts[m.Latency], name) {
			parts[m.Latency] = append(parts[m.Latency], name)
		}
	}
	left := parts[eval.LatencyOmitted]
	if len(left) == 0 {
		return ""
	}
	var texts []string
	for _, how := range []eval.LatencyKind{eval.LatencyMeasured, eval.LatencyRecorded} {
		if len(parts[how]) > 0 {
			texts = append(texts, fmt.Sprintf("%s for %s", how, strings.Join(parts[how], ", ")))
		}
	}
	return "Latency: " + strings.Join(append(texts,
		"not included for "+strings.Join(left, ", ")+" (simulated, no waiting)"), "; ")
}
