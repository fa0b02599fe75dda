package finding

import (
	"math"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/number"
)

// winner reports the most accurate variant and whether its advantage is significant. If the cases
// were selected because they failed in a run, there is no winner: a variant with bad luck in that
// run would look better here.
func winner(s suite) *Sentence {
	ranked := Ranked(s.SuiteSummary)
	switch {
	case len(ranked) == 0:
		return nil
	case len(ranked) == 1 && len(FaultFree(s.SuiteSummary)) == 1:
		return s.alone(ranked[0])
	case len(ranked) == 1 || s.FailedIn != "":
		return nil
	}
	best := ranked[0]
	alike, rest := []string{best.Name}, []string(nil)
	for _, c := range ranked[1:] {
		if d, ok := Difference(s.SuiteSummary, c.Name, best.Name); ok && d.State == eval.Identical {
			alike = append(alike, c.Name)
			continue
		}
		rest = append(rest, c.Name)
	}
	if len(alike) > 1 {
		return s.alike(alike, rest, best)
	}
	return s.leader(best, rest)
}

// alone reports how often the only variant is wrong.
func (s suite) alone(only eval.ConditionSummary) *Sentence {
	e := only.Metrics[accuracy]
	wrong, of := e.N-Count(e), number.Plural(e.N, s.judged(e))
	out := &Sentence{Kind: Winner}
	out.variants(only.Name)
	if wrong == 0 {
		out.say(" is right in all " + of)
		return out
	}
	out.say(" is wrong in ")
	out.say(number.Thousands(wrong) + " of " + of)
	out.of(Cases{Variant: only.Name, Result: wrongCases}, 1)
	return out
}

// alike reports leaders with identical decisions, and the next variant.
func (s suite) alike(leaders, rest []string, best eval.ConditionSummary) *Sentence {
	out := &Sentence{Kind: Winner}
	out.variants(leaders...)
	out.say(" make identical decisions")
	if d, ok := Difference(s.SuiteSummary, leaders[1], leaders[0]); ok && d.Unpaired == 0 {
		out.say(" in all " + number.Plural(d.Cases, "case"))
	}
	out.aside(", accuracy " + share(best.Metrics[accuracy]))
	if len(rest) == 0 {
		return out
	}
	d, ok := Difference(s.SuiteSummary, rest[0], leaders[0])
	switch {
	case !ok || d.State == eval.InsufficientData || !number.IsKnown(d.Accuracy.Value):
	case d.State == eval.NotSignificant:
		out.say("; ")
		out.variants(rest[0])
		out.say(" is not significantly different (" + number.Points(*d.Accuracy.Value) + " points" + span(d) + ")" + shows(d))
	default:
		isFirst := slices.Contains(leaders, BaselineVariant(s.SuiteSummary))
		same := slices.DeleteFunc(slices.Clone(rest), func(name string) bool {
			o, ok := Difference(s.SuiteSummary, name, leaders[0])
			return !ok || o.State != d.State || o.Fixed != d.Fixed || o.Broken != d.Broken
		})
		out.say("; ")
		out.variants(same...)
		s.losing(out, d, len(same) == 1, isFirst)
		out.aside(" (" + points(d.Accuracy) + ")")
	}
	return out
}

// losing reports in how many cases variants are worse and better than the leaders. The cases are
// linked if the leaders include the baseline variant (isFirst).
func (s suite) losing(out *Sentence, d eval.Difference, single, isFirst bool) {
	lose, gain := " break ", " fix "
	switch {
	case s.Epochs > 1 && single:
		lose, gain = " is right less often in ", " more often in "
	case s.Epochs > 1:
		lose, gain = " are right less often in ", " more often in "
	case single:
		lose, gain = " breaks ", " fixes "
	}
	out.say(lose)
	out.say(number.Thousands(d.Broken) + " of these")
	s.changed(out, d, lostCases, isFirst)
	out.say(" and" + gain)
	out.say(number.Thousands(d.Fixed))
	s.changed(out, d, gainedCases, isFirst)
}

// changed links the last part to the cases that a variant fixes or breaks compared with the
// baseline variant. With several epochs a case has no such change.
func (s suite) changed(out *Sentence, d eval.Difference, change string, isFirst bool) {
	if isFirst && s.Epochs <= 1 {
		out.of(Cases{Variant: d.Variant, Change: change}, 1)
	}
}

// leader compares the most accurate variant with the baseline variant and the runner-up.
func (s suite) leader(best eval.ConditionSummary, rest []string) *Sentence {
	if equal := s.equal(best.Name, rest); len(equal) > 0 {
		return s.tie(best, equal, slices.DeleteFunc(slices.Clone(rest), func(name string) bool {
			return slices.ContainsFunc(equal, func(d eval.Difference) bool { return d.ComparedWith == name })
		}))
	}
	above, even := s.held(best.Name, rest)
	if len(above)+len(even) == 0 {
		return nil
	}
	out := &Sentence{Kind: Winner}
	out.variants(best.Name)
	if best.BaselineModel {
		out.Kind = BaselineModel
		out.say(", a baseline model,")
	}
	out.say(" has the highest accuracy: ")
	out.aside(share(best.Metrics[accuracy]) + ", ")
	s.rest(out, above, even)
	return out
}

// rest reports the variants that the best one significantly exceeds, and those that it does not.
func (s suite) rest(out *Sentence, above, even []eval.Difference) {
	for i, d := range above {
		if i > 0 {
			out.say(", ")
		}
		s.above(out, d, i == 0)
	}
	if len(even) > 0 {
		if len(above) > 0 {
			out.say(", ")
		}
		out.say("not significantly above ")
		out.variants(even[0].ComparedWith)
		out.say(" (" + number.Points(*even[0].Accuracy.Value) + " points" + span(even[0]) + ")")
		if more := int64(len(even) - 1); more > 0 {
			out.say(" and " + number.Thousands(more) + " more")
		}
		out.say(shows(even[0]))
	}
}

// equal returns the differences between the best and the variants with the same accuracy over the
// common cases.
func (s suite) equal(best string, rest []string) (equal []eval.Difference) {
	for _, name := range rest {
		d, ok := Difference(s.SuiteSummary, best, name)
		if ok && d.State == eval.NotSignificant && number.IsKnown(d.Accuracy.Value) && math.Abs(*d.Accuracy.Value) < noDifference {
			equal = append(equal, d)
		}
	}
	return equal
}

// noDifference is the maximum rounding error of a zero difference, because shares of epochs are
// added as floats.
const noDifference = 1e-12

// tie reports variants with equal accuracy, and in how many cases they differ.
func (s suite) tie(best eval.ConditionSummary, equal []eval.Difference, rest []string) *Sentence {
	out := &Sentence{Kind: Winner}
	names := []string{best.Name}
	for _, d := range equal {
		names = append(names, d.ComparedWith)
	}
	d := equal[0]
	if more := int64(len(names) - 2); more > 0 {
		out.variants(names[0])
		out.say(", ")
		out.variants(names[1])
		out.say(" and " + number.Thousands(more) + " more")
	} else {
		out.variants(names...)
	}
	out.say(" have equal accuracy")
	if d.Unpaired > 0 {
		out.say(" over the " + number.Plural(d.Cases, "case") + " that both score")
	} else {
		out.say(": " + share(best.Metrics[accuracy]))
	}
	out.say("; ")
	if len(names) > 2 {
		out.variants(names[:2]...)
	} else {
		out.say("they")
	}
	out.say(" differ in " + number.Plural(d.Fixed+d.Broken, "case"))
	above, even := s.held(best.Name, rest)
	if len(even) == 0 {
		out.say(shows(d))
	}
	if len(above)+len(even) > 0 {
		out.say(". ")
		out.variants(best.Name)
		out.say(" is ")
		s.rest(out, above, even)
	}
	return out
}

// changes counts the cases in which the best variant differs from the baseline variant.
func (s suite) changes(out *Sentence, d eval.Difference) {
	gained, lost := " fixed", " broken"
	if s.Epochs > 1 {
		gained, lost = " right more often", " less often"
	}
	out.aside(number.Plural(d.Fixed, "case") + gained)
	s.changed(out, d, gainedCases, true)
	out.aside(", ")
	out.aside(number.Thousands(d.Broken) + lost)
	s.changed(out, d, lostCases, true)
}

// held returns the differences between the best variant and the others. above are significant,
// limited to the baseline variant and the runner-up, in this order. even are not significant.
func (s suite) held(best string, rest []string) (above, even []eval.Difference) {
	first := BaselineVariant(s.SuiteSummary)
	for i, name := range rest {
		d, ok := Difference(s.SuiteSummary, best, name)
		switch {
		case !ok || !number.IsKnown(d.Accuracy.Value):
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

// above reports one significant difference. The table shows the interval of the comparison with the
// baseline variant.
func (s suite) above(out *Sentence, d eval.Difference, isFirst bool) {
	text := plain(*d.Accuracy.Value) + " above "
	if isFirst {
		text = plain(*d.Accuracy.Value) + " points above "
	}
	out.say(text)
	out.variants(d.ComparedWith)
	switch c := d.Accuracy; {
	case !number.IsKnown(c.Lo) || !number.IsKnown(c.Hi):
	case d.ComparedWith == BaselineVariant(s.SuiteSummary):
		out.aside(" [" + plain(*c.Lo) + ", " + plain(*c.Hi) + "] (")
		s.changes(out, d)
		out.aside(")")
	default:
		out.say(" [" + plain(*c.Lo) + ", " + plain(*c.Hi) + "]")
	}
}

// plain formats points without a plus sign.
func plain(v float64) string { return strings.TrimPrefix(number.Points(v), "+") }

// span formats the interval of a difference. It is "" if the interval contradicts the state,
// because it is not corrected for multiple comparisons. [shows] then explains that.
func span(d eval.Difference) string {
	c := d.Accuracy
	if proven := d.State == eval.Better || d.State == eval.Worse; !number.IsKnown(c.Lo) || !number.IsKnown(c.Hi) || isApart(c) != proven {
		return ""
	}
	return " [" + number.Points(*c.Lo) + ", " + number.Points(*c.Hi) + "]"
}

// points formats a difference with its interval.
func points(c eval.Contrast) string {
	text := number.Points(*c.Value) + " points"
	if number.IsKnown(c.Lo) && number.IsKnown(c.Hi) {
		text += " [" + number.Points(*c.Lo) + ", " + number.Points(*c.Hi) + "]"
	}
	return text
}

// isApart reports whether an interval excludes 0.
func isApart(c eval.Contrast) bool {
	return number.IsKnown(c.Lo) && number.IsKnown(c.Hi) && *c.Lo**c.Hi > 0
}

// Detectable describes the minimum detectable difference of a pair that has a
// [eval.Difference.MinDetectableDifference].
func Detectable(d eval.Difference) string {
	text := "These " + number.Plural(d.Cases, "case")
	if d.Cases == 1 {
		text = "This case"
	}
	text += " can detect a difference of " + plain(*d.MinDetectableDifference) + " points with 80 % power"
	if number.IsKnown(d.MinDetectableDifferenceAllEpochs) {
		text += " (" + plain(*d.MinDetectableDifferenceAllEpochs) + " points if a case that changes does so in every epoch)"
	}
	return text
}

// shows explains why an interval that excludes 0 is not significant, and what the pair can detect.
func shows(d eval.Difference) string {
	text := ""
	if isApart(d.Accuracy) && d.FamilySize > 1 {
		text = ", corrected for " + number.Plural(d.FamilySize, "comparison")
	}
	if !number.IsKnown(d.MinDetectableDifference) {
		return text
	}
	return text + ". " + Detectable(d)
}
