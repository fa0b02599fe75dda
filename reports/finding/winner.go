package finding

import (
	"math"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
)

// winner returns the finding on the most accurate variant, and whether its advantage is
// significant. It returns nil if the cases were selected because they failed in a run. A variant
// that failed by chance in that run would look better here.
func winner(s suite) *Sentence {
	ranked := RankedByAccuracy(s.SuiteSummary)
	switch {
	case len(ranked) == 0:
		return nil
	case len(ranked) == 1 && len(ConditionsWithoutFault(s.SuiteSummary)) == 1:
		return s.alone(ranked[0])
	case len(ranked) == 1 || s.FailedInRun != "":
		return nil
	}
	best := ranked[0]
	identical, rest := []string{best.Variant}, []string(nil)
	for _, c := range ranked[1:] {
		if d, ok := Difference(s.SuiteSummary, c.Variant, best.Variant); ok && d.State == eval.Identical {
			identical = append(identical, c.Variant)
			continue
		}
		rest = append(rest, c.Variant)
	}
	if len(identical) > 1 {
		return s.identical(identical, rest, best)
	}
	return s.leader(best, rest)
}

// alone returns how often the variant is wrong, for a suite with only one variant.
func (s suite) alone(only eval.ConditionSummary) *Sentence {
	e := only.Metrics[accuracy]
	wrong, of := e.N-Numerator(e), metric.Plural(e.N, s.scoredUnit(e))
	out := &Sentence{Kind: KindMostAccurate}
	out.addVariants(only.Variant)
	if wrong == 0 {
		out.add(" is right in all " + of)
		return out
	}
	out.add(" is wrong in ")
	out.add(metric.FormatInteger(wrong) + " of " + of)
	out.linkCases(CaseFilter{Variant: only.Variant, Result: wrongCases}, 1)
	return out
}

// identical returns the finding that the most accurate variants decide identically, compared with
// the best of the other variants.
func (s suite) identical(leaders, rest []string, best eval.ConditionSummary) *Sentence {
	out := &Sentence{Kind: KindMostAccurate}
	out.addVariants(leaders...)
	out.add(" make identical decisions")
	if d, ok := Difference(s.SuiteSummary, leaders[1], leaders[0]); ok && d.Unpaired == 0 {
		out.add(" in all " + metric.Plural(d.Cases, "case"))
	}
	out.addDetail(", accuracy " + share(best.Metrics[accuracy]))
	if len(rest) == 0 {
		return out
	}
	d, ok := Difference(s.SuiteSummary, rest[0], leaders[0])
	switch {
	case !ok || d.State == eval.InsufficientData || !metric.IsKnown(d.Accuracy.Value):
	case d.State == eval.NotSignificant:
		out.add("; ")
		out.addVariants(rest[0])
		out.add(" is not significantly different (" + metric.FormatPoints(*d.Accuracy.Value) +
			" points" + intervalText(d) +
			")" + detectableText(d))
	default:
		isFirst := slices.Contains(leaders, BaselineVariant(s.SuiteSummary))
		same := slices.DeleteFunc(slices.Clone(rest), func(name string) bool {
			o, ok := Difference(s.SuiteSummary, name, leaders[0])
			return !ok || o.State != d.State || o.Fixed != d.Fixed || o.Broken != d.Broken
		})
		out.add("; ")
		out.addVariants(same...)
		s.addLosing(out, d, len(same) == 1, isFirst)
		out.addDetail(" (" + points(d.Accuracy) + ")")
	}
	return out
}

// addLosing states in how many cases other variants are worse than the leaders, and in how many
// they are better. It links these cases if the leaders include the baseline variant (isFirst).
func (s suite) addLosing(out *Sentence, d eval.Difference, single, isFirst bool) {
	lose, gain := " break ", " fix "
	switch {
	case s.Epochs > 1 && single:
		lose, gain = " is right less often in ", " more often in "
	case s.Epochs > 1:
		lose, gain = " are right less often in ", " more often in "
	case single:
		lose, gain = " breaks ", " fixes "
	}
	out.add(lose)
	out.add(metric.FormatInteger(d.Broken) + " of these")
	s.linkChange(out, d, brokenByVariant, isFirst)
	out.add(" and" + gain)
	out.add(metric.FormatInteger(d.Fixed))
	s.linkChange(out, d, fixedByVariant, isFirst)
}

// linkChange links the last part of the sentence to the cases that a variant fixes or breaks
// compared with the baseline variant. With several epochs there is no link, because a case can be
// right in only some of them.
func (s suite) linkChange(out *Sentence, d eval.Difference, change string, isFirst bool) {
	if isFirst && s.Epochs <= 1 {
		out.linkCases(CaseFilter{Variant: d.Variant, Change: change}, 1)
	}
}

// leader returns the finding that compares the most accurate variant with the baseline variant and
// the runner-up.
func (s suite) leader(best eval.ConditionSummary, rest []string) *Sentence {
	if equal := s.equal(best.Variant, rest); len(equal) > 0 {
		return s.tie(best, equal, slices.DeleteFunc(slices.Clone(rest), func(name string) bool {
			return slices.ContainsFunc(equal, func(d eval.Difference) bool { return d.ComparedWith == name })
		}))
	}
	above, even := s.compared(best.Variant, rest)
	if len(above)+len(even) == 0 {
		return nil
	}
	out := &Sentence{Kind: KindMostAccurate}
	out.addVariants(best.Variant)
	if best.BaselineModel {
		out.Kind = KindBaselineModel
		out.add(", a baseline model,")
	}
	out.add(" has the highest accuracy: ")
	out.addDetail(share(best.Metrics[accuracy]) + ", ")
	s.addRest(out, above, even)
	return out
}

// addRest names the variants that the best one exceeds significantly, and those that it does not.
func (s suite) addRest(out *Sentence, above, even []eval.Difference) {
	for i, d := range above {
		if i > 0 {
			out.add(", ")
		}
		s.addAbove(out, d, i == 0)
	}
	if len(even) > 0 {
		if len(above) > 0 {
			out.add(", ")
		}
		out.add("not significantly above ")
		out.addVariants(even[0].ComparedWith)
		out.add(" (" + metric.FormatPoints(*even[0].Accuracy.Value) + " points" + intervalText(even[0]) + ")")
		if more := int64(len(even) - 1); more > 0 {
			out.add(" and " + metric.FormatInteger(more) + " more")
		}
		out.add(detectableText(even[0]))
	}
}

// equal returns the comparisons of the best variant with those variants that have the same accuracy
// over the common cases.
func (s suite) equal(best string, rest []string) (equal []eval.Difference) {
	for _, name := range rest {
		d, ok := Difference(s.SuiteSummary, best, name)
		if ok && d.State == eval.NotSignificant && metric.IsKnown(d.Accuracy.Value) &&
			math.Abs(*d.Accuracy.Value) < zeroTolerance {
			equal = append(equal, d)
		}
	}
	return equal
}

// zeroTolerance is the maximum absolute value of a difference that counts as 0. Sums of
// floating-point shares have rounding errors.
const zeroTolerance = 1e-12

// tie returns the finding that variants have equal accuracy, and in how many cases they differ.
func (s suite) tie(best eval.ConditionSummary, equal []eval.Difference, rest []string) *Sentence {
	out := &Sentence{Kind: KindMostAccurate}
	names := []string{best.Variant}
	for _, d := range equal {
		names = append(names, d.ComparedWith)
	}
	d := equal[0]
	if more := int64(len(names) - 2); more > 0 {
		out.addVariants(names[0])
		out.add(", ")
		out.addVariants(names[1])
		out.add(" and " + metric.FormatInteger(more) + " more")
	} else {
		out.addVariants(names...)
	}
	out.add(" have equal accuracy")
	if d.Unpaired > 0 {
		out.add(" over the " + metric.Plural(d.Cases, "case") + " that both score")
	} else {
		out.add(": " + share(best.Metrics[accuracy]))
	}
	out.add("; ")
	if len(names) > 2 {
		out.addVariants(names[:2]...)
	} else {
		out.add("they")
	}
	out.add(" differ in " + metric.Plural(d.Fixed+d.Broken, "case"))
	above, even := s.compared(best.Variant, rest)
	if len(even) == 0 {
		out.add(detectableText(d))
	}
	if len(above)+len(even) > 0 {
		out.add(". ")
		out.addVariants(best.Variant)
		out.add(" is ")
		s.addRest(out, above, even)
	}
	return out
}

// addChanges states in how many cases the best variant fixes or breaks the result of the baseline
// variant.
func (s suite) addChanges(out *Sentence, d eval.Difference) {
	gained, lost := " fixed", " broken"
	if s.Epochs > 1 {
		gained, lost = " right more often", " less often"
	}
	out.addDetail(metric.Plural(d.Fixed, "case") + gained)
	s.linkChange(out, d, fixedByVariant, true)
	out.addDetail(", ")
	out.addDetail(metric.FormatInteger(d.Broken) + lost)
	s.linkChange(out, d, brokenByVariant, true)
}

// compared returns the comparisons of the best variant with the others. above contains significant
// ones, but only with the baseline variant and the runner-up, in this order. even contains those
// that are not significant.
func (s suite) compared(best string, rest []string) (above, even []eval.Difference) {
	first := BaselineVariant(s.SuiteSummary)
	for i, name := range rest {
		d, ok := Difference(s.SuiteSummary, best, name)
		switch {
		case !ok || !metric.IsKnown(d.Accuracy.Value):
		case d.State == eval.NotSignificant:
			even = append(even, d)
		case d.State == eval.Better && name == first:
			above = slices.Insert(above, 0, d)
		case d.State == eval.Better && i == 0:
			above = append(above, d)
		}
	}
	return above, even
}

// addAbove states one significant difference. For the baseline variant, it omits the interval next
// to a table that contains it.
func (s suite) addAbove(out *Sentence, d eval.Difference, isFirst bool) {
	text := unsignedPoints(*d.Accuracy.Value) + " above "
	if isFirst {
		text = unsignedPoints(*d.Accuracy.Value) + " points above "
	}
	out.add(text)
	out.addVariants(d.ComparedWith)
	switch c := d.Accuracy; {
	case !metric.IsKnown(c.Lo) || !metric.IsKnown(c.Hi):
	case d.ComparedWith == BaselineVariant(s.SuiteSummary):
		out.addDetail(" [" + unsignedPoints(*c.Lo) + ", " + unsignedPoints(*c.Hi) + "] (")
		s.addChanges(out, d)
		out.addDetail(")")
	default:
		out.add(" [" + unsignedPoints(*c.Lo) + ", " + unsignedPoints(*c.Hi) + "]")
	}
}

func unsignedPoints(v float64) string { return strings.TrimPrefix(metric.FormatPoints(v), "+") }

// intervalText formats the confidence interval of a difference. It returns "" if the interval
// contradicts the significance, because only the latter is corrected for multiple comparisons;
// [detectableText] explains that.
func intervalText(d eval.Difference) string {
	c := d.Accuracy
	if proven := d.State == eval.Better || d.State == eval.Worse; !metric.IsKnown(c.Lo) || !metric.IsKnown(c.Hi) ||
		excludesZero(c) != proven {
		return ""
	}
	return " [" + metric.FormatPoints(*c.Lo) + ", " + metric.FormatPoints(*c.Hi) + "]"
}

func points(c eval.Contrast) string {
	text := metric.FormatPoints(*c.Value) + " points"
	if metric.IsKnown(c.Lo) && metric.IsKnown(c.Hi) {
		text += " [" + metric.FormatPoints(*c.Lo) + ", " + metric.FormatPoints(*c.Hi) + "]"
	}
	return text
}

func excludesZero(c eval.Contrast) bool {
	return metric.IsKnown(c.Lo) && metric.IsKnown(c.Hi) && *c.Lo**c.Hi > 0
}

// DetectableDifferenceText states which difference a comparison can detect. The comparison must
// have a [eval.Difference.MinDetectableDifference].
func DetectableDifferenceText(d eval.Difference) string {
	text := "These " + metric.Plural(d.Cases, "case")
	if d.Cases == 1 {
		text = "This case"
	}
	text += " can detect a difference of " + unsignedPoints(*d.MinDetectableDifference) + " points with 80 % power"
	if metric.IsKnown(d.MinDetectableDifferenceAllEpochs) {
		text += " (" + unsignedPoints(*d.MinDetectableDifferenceAllEpochs) +
			" points if a case that changes does so in every epoch)"
	}
	return text
}

// detectableText states which difference a comparison can detect. If the interval excludes 0, it
// first explains why the difference is not significant.
func detectableText(d eval.Difference) string {
	text := ""
	if excludesZero(d.Accuracy) && d.FamilySize > 1 {
		text = ", corrected for " + metric.Plural(d.FamilySize, "comparison")
	}
	if !metric.IsKnown(d.MinDetectableDifference) {
		return text
	}
	return text + ". " + DetectableDifferenceText(d)
}
