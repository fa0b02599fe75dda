package finding

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/metric"
)

// unscored returns the finding that some conditions have so many unscored trials that their metrics
// are unreliable.
func unscored(s suite) *Sentence {
	conditions := slices.DeleteFunc(slices.Clone(s.Conditions),
		func(c eval.ConditionSummary) bool { return !hasMissing(c) })
	if len(conditions) == 0 {
		return nil
	}
	worst := slices.MaxFunc(conditions, func(a, b eval.ConditionSummary) int {
		return cmp.Or(cmp.Compare(missing(a), missing(b)), cmp.Compare(faultFreeRank(a), faultFreeRank(b)))
	})
	lost, of := missingShare(worst)
	same := slices.DeleteFunc(slices.Clone(conditions), func(c eval.ConditionSummary) bool {
		l, o := missingShare(c)
		return c.Variant != worst.Variant || l != lost || o != of
	})
	out := &Sentence{Kind: KindUnscored}
	out.addUnscored(same)
	out.add(": ")
	if lost == of {
		out.add("all " + metric.Plural(of, s.unit()))
	} else {
		out.add(metric.FormatInteger(lost) + " of " + metric.Plural(of, s.unit()))
	}
	out.linkCases(CaseFilter{Variant: worst.Variant, Fault: worst.Fault, Result: unscoredCases}, 1)
	out.add(" " + s.unscoredWord() + reasons(same))
	if scored := of - lost; scored > 0 && lost > scored {
		out.addDetail("; its accuracy covers only " + metric.FormatInteger(scored))
	}
	if more := len(conditions) - len(same); more > 0 {
		out.add("; also more than 5 % in " + metric.Plural(int64(more), "other condition"))
	}
	return out
}

func faultFreeRank(c eval.ConditionSummary) int {
	if isAllFaulty([]eval.ConditionSummary{c}) {
		return 0
	}
	return 1
}

func missing(c eval.ConditionSummary) float64 {
	lost, of := missingShare(c)
	return float64(lost) / float64(of)
}

// unscoredWord returns the word for trials without a result: "unscored", or "unanswered" if the
// suite scores no decisions.
func (s suite) unscoredWord() string {
	for _, c := range s.Conditions {
		if e := c.Metrics[accuracy]; e.N+e.Missing > 0 {
			return "unscored"
		}
	}
	return "unanswered"
}

func isAllFaulty(conditions []eval.ConditionSummary) bool {
	return !slices.ContainsFunc(conditions,
		func(c eval.ConditionSummary) bool { return cmp.Or(c.Fault, eval.NoFault) == eval.NoFault })
}

// linkFaults links each fault name in the sentence, from part mark on, to the variant's cases with
// the given result under this fault.
func (out *Sentence) linkFaults(variant, result string, mark int) {
	for i, p := range out.Parts[mark:] {
		if p.Role == OtherName {
			out.Parts[mark+i].Link = &CaseFilter{Variant: variant, Fault: p.Text, Result: result}
		}
	}
}

// addUnscored names the variant with unscored trials. It also names the faults if all conditions
// have one.
func (out *Sentence) addUnscored(conditions []eval.ConditionSummary) {
	var names []string
	for _, c := range conditions {
		names = append(names, c.Fault)
	}
	mark := len(out.Parts)
	switch {
	case !isAllFaulty(conditions):
		out.addVariants(conditions[0].Variant)
	case len(names) > 3:
		out.addVariants(conditions[0].Variant)
		out.add(" with ")
		out.addName(names[0])
		out.add(" and " + metric.Plural(int64(len(names)-1), "more fault"))
	default:
		out.addVariants(conditions[0].Variant)
		out.add(" with ")
		out.addList(OtherName, names, " and ")
	}
	out.linkFaults(conditions[0].Variant, unscoredCases, mark)
}

// reasons returns the error counts in parentheses if they are equal in all conditions, otherwise
// "".
func reasons(conditions []eval.ConditionSummary) string {
	text := kinds(conditions[0])
	if text == "" || slices.ContainsFunc(conditions, func(c eval.ConditionSummary) bool { return kinds(c) != text }) {
		return ""
	}
	return " (" + text + ")"
}

func kinds(c eval.ConditionSummary) string {
	var parts []string
	for _, k := range eval.ErrorKinds() {
		if e := c.Metrics["errors."+string(k)]; metric.IsKnown(e.Value) && *e.Value > 0 {
			parts = append(parts, string(k)+" "+metric.FormatRounded(*e.Value))
		}
	}
	return strings.Join(parts, ", ")
}

// contractViolation returns the finding on event streams or components that a user interface cannot
// use, because they violate the output contract.
func contractViolation(s suite) *Sentence {
	type found struct {
		cell  eval.ConditionSummary
		text  string
		wrong int64
		of    int64
	}
	var list []found
	for _, c := range s.Conditions {
		for _, b := range []struct{ metric, text string }{
			{"events.in_order", "Events are out of order"}, {"genui.conform", "GenUI components are invalid"},
		} {
			if e := c.Metrics[b.metric]; metric.IsKnown(e.Value) && *e.Value < 1 {
				list = append(list, found{c, b.text, int64(math.Round((1 - *e.Value) * float64(e.N))), e.N})
			}
		}
	}
	if len(list) == 0 {
		return nil
	}
	worst := slices.MaxFunc(list, func(a, b found) int {
		return cmp.Compare(float64(a.wrong)/float64(a.of), float64(b.wrong)/float64(b.of))
	})
	out := &Sentence{Kind: KindContractViolation}
	out.add(worst.text + " in " + metric.FormatInteger(worst.wrong) + " of " + metric.Plural(worst.of,
		s.unit()) + " of ")
	out.addVariants(worst.cell.Variant)
	if isAllFaulty([]eval.ConditionSummary{worst.cell}) {
		out.add(" with ")
		out.addName(worst.cell.Fault)
	}
	if more := len(list) - 1; more > 0 {
		out.add("; also in " + metric.Plural(int64(more), "other condition"))
	}
	return out
}
