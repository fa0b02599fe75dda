package finding

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/number"
)

// unscored says where so much lacks a verdict that numbers mislead.
func unscored(s suite) *Sentence {
	conditions := slices.DeleteFunc(slices.Clone(s.Conditions), func(c eval.ConditionSummary) bool { return !lacking(c) })
	if len(conditions) == 0 {
		return nil
	}
	worst := slices.MaxFunc(conditions, func(a, b eval.ConditionSummary) int {
		return cmp.Or(cmp.Compare(missing(a), missing(b)), cmp.Compare(sound(a), sound(b)))
	})
	lost, of := missingShare(worst)
	same := slices.DeleteFunc(slices.Clone(conditions), func(c eval.ConditionSummary) bool {
		l, o := missingShare(c)
		return c.Name != worst.Name || l != lost || o != of
	})
	out := &Sentence{Kind: Unscored}
	out.leave(same)
	out.say(": ")
	if lost == of {
		out.say("all " + number.Plural(of, s.unit()))
	} else {
		out.say(number.Thousands(lost) + " of " + number.Plural(of, s.unit()))
	}
	out.of(Cases{Variant: worst.Name, Fault: worst.Fault, Result: unscoredCases}, 1)
	out.say(" " + s.without() + reasons(same))
	if kept := of - lost; kept > 0 && lost > kept {
		out.aside("; its accuracy covers only " + number.Thousands(kept))
	}
	if more := len(conditions) - len(same); more > 0 {
		out.say("; also more than 5 % in " + number.Plural(int64(more), "other condition"))
	}
	return out
}

// sound is 1 of a cell without a fault: what it lacks no fault explains.
func sound(c eval.ConditionSummary) int {
	if faulty([]eval.ConditionSummary{c}) {
		return 0
	}
	return 1
}

func missing(c eval.ConditionSummary) float64 {
	lost, of := missingShare(c)
	return float64(lost) / float64(of)
}

// without is what a suite's trials lack: there may be no decision to judge.
func (s suite) without() string {
	for _, c := range s.Conditions {
		if e := c.Metrics[accuracy]; e.N+e.Missing > 0 {
			return "unscored"
		}
	}
	return "unanswered"
}

func faulty(conditions []eval.ConditionSummary) bool {
	return !slices.ContainsFunc(conditions, func(c eval.ConditionSummary) bool { return cmp.Or(c.Fault, eval.NoFault) == eval.NoFault })
}

// under says of the faults named from mark on that they stand for a variant's cases
// under them that came to a result.
func (out *Sentence) under(variant, result string, mark int) {
	for i, p := range out.Parts[mark:] {
		if p.Role == Name {
			out.Parts[mark+i].Cases = &Cases{Variant: variant, Fault: p.Text, Result: result}
		}
	}
}

// leave names who leaves trials without a verdict: the faults, or the variant
// itself.
func (out *Sentence) leave(conditions []eval.ConditionSummary) {
	var names []string
	for _, c := range conditions {
		names = append(names, c.Fault)
	}
	mark := len(out.Parts)
	switch {
	case !faulty(conditions):
		out.variants(conditions[0].Name)
	case len(names) > 3:
		out.variants(conditions[0].Name)
		out.say(" with ")
		out.name(names[0])
		out.say(" and " + number.Plural(int64(len(names)-1), "more fault"))
	default:
		out.variants(conditions[0].Name)
		out.say(" with ")
		out.list(Name, names, " and ")
	}
	out.under(conditions[0].Name, unscoredCases, mark)
}

// reasons says whose fault missing answers are, where all cells agree.
func reasons(conditions []eval.ConditionSummary) string {
	text := kinds(conditions[0])
	if text == "" || slices.ContainsFunc(conditions, func(c eval.ConditionSummary) bool { return kinds(c) != text }) {
		return ""
	}
	return " (" + text + ")"
}

// kinds counts the errors of a cell.
func kinds(c eval.ConditionSummary) string {
	var parts []string
	for _, k := range eval.ErrorKinds() {
		if e := c.Metrics["errors."+string(k)]; number.IsKnown(e.Value) && *e.Value > 0 {
			parts = append(parts, string(k)+" "+number.Round(*e.Value))
		}
	}
	return strings.Join(parts, ", ")
}

// breach says where a stream or a component is not as user interfaces need it.
func breach(s suite) *Sentence {
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
			if e := c.Metrics[b.metric]; number.IsKnown(e.Value) && *e.Value < 1 {
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
	out := &Sentence{Kind: ContractViolation}
	out.say(worst.text + " in " + number.Thousands(worst.wrong) + " of " + number.Plural(worst.of, s.unit()) + " of ")
	out.variants(worst.cell.Name)
	if faulty([]eval.ConditionSummary{worst.cell}) {
		out.say(" with ")
		out.name(worst.cell.Fault)
	}
	if more := len(list) - 1; more > 0 {
		out.say("; also in " + number.Plural(int64(more), "other condition"))
	}
	return out
}
