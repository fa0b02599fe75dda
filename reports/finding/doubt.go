package finding

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/number"
)

// unjudged says where so much lacks a verdict that numbers mislead.
func unjudged(s suite) *Sentence {
	cells := slices.DeleteFunc(slices.Clone(s.Variants), func(c eval.CellSummary) bool { return !lacking(c) })
	if len(cells) == 0 {
		return nil
	}
	worst := slices.MaxFunc(cells, func(a, b eval.CellSummary) int {
		return cmp.Or(cmp.Compare(missing(a), missing(b)), cmp.Compare(sound(a), sound(b)))
	})
	lost, of := Lack(worst)
	same := slices.DeleteFunc(slices.Clone(cells), func(c eval.CellSummary) bool {
		l, o := Lack(c)
		return c.Name != worst.Name || l != lost || o != of
	})
	out := &Sentence{Kind: Unjudged}
	out.leave(same)
	out.say(": ")
	if lost == of {
		out.say("all " + number.Counted(of, s.unit()))
	} else {
		out.say(number.Grouped(lost) + " of " + number.Counted(of, s.unit()))
	}
	out.of(Cases{Variant: worst.Name, Fault: worst.Fault, Result: unjudgedCases}, 1)
	out.say(" " + s.without() + reasons(same))
	if kept := of - lost; kept > 0 && lost > kept {
		out.aside("; its accuracy covers only " + number.Grouped(kept))
	}
	if more := len(cells) - len(same); more > 0 {
		out.say("; also more than 5 % in " + number.Counted(int64(more), "other condition"))
	}
	return out
}

// sound is 1 of a cell without a fault: what it lacks no fault explains.
func sound(c eval.CellSummary) int {
	if faulty([]eval.CellSummary{c}) {
		return 0
	}
	return 1
}

func missing(c eval.CellSummary) float64 {
	lost, of := Lack(c)
	return float64(lost) / float64(of)
}

// without is what a suite's trials lack: there may be no decision to judge.
func (s suite) without() string {
	for _, c := range s.Variants {
		if e := c.Metrics[accuracy]; e.N+e.Missing > 0 {
			return "unscored"
		}
	}
	return "unanswered"
}

func faulty(cells []eval.CellSummary) bool {
	return !slices.ContainsFunc(cells, func(c eval.CellSummary) bool { return cmp.Or(c.Fault, eval.NoFault) == eval.NoFault })
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
func (out *Sentence) leave(cells []eval.CellSummary) {
	var names []string
	for _, c := range cells {
		names = append(names, c.Fault)
	}
	mark := len(out.Parts)
	switch {
	case !faulty(cells):
		out.variants(cells[0].Name)
	case len(names) > 3:
		out.variants(cells[0].Name)
		out.say(" with ")
		out.name(names[0])
		out.say(" and " + number.Counted(int64(len(names)-1), "more fault"))
	default:
		out.variants(cells[0].Name)
		out.say(" with ")
		out.list(Name, names, " and ")
	}
	out.under(cells[0].Name, unjudgedCases, mark)
}

// reasons says whose fault missing answers are, where all cells agree.
func reasons(cells []eval.CellSummary) string {
	text := kinds(cells[0])
	if text == "" || slices.ContainsFunc(cells, func(c eval.CellSummary) bool { return kinds(c) != text }) {
		return ""
	}
	return " (" + text + ")"
}

// kinds counts the errors of a cell.
func kinds(c eval.CellSummary) string {
	var parts []string
	for _, k := range eval.ErrorKinds() {
		if e := c.Metrics["errors."+string(k)]; number.Known(e.Value) && *e.Value > 0 {
			parts = append(parts, string(k)+" "+number.Whole(*e.Value))
		}
	}
	return strings.Join(parts, ", ")
}

// breach says where a stream or a component is not as user interfaces need it.
func breach(s suite) *Sentence {
	type found struct {
		cell  eval.CellSummary
		text  string
		wrong int64
		of    int64
	}
	var list []found
	for _, c := range s.Variants {
		for _, b := range []struct{ metric, text string }{
			{"events.in_order", "Events are out of order"}, {"genui.conform", "GenUI components are invalid"},
		} {
			if e := c.Metrics[b.metric]; number.Known(e.Value) && *e.Value < 1 {
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
	out := &Sentence{Kind: Breach}
	out.say(worst.text + " in " + number.Grouped(worst.wrong) + " of " + number.Counted(worst.of, s.unit()) + " of ")
	out.variants(worst.cell.Name)
	if faulty([]eval.CellSummary{worst.cell}) {
		out.say(" with ")
		out.name(worst.cell.Fault)
	}
	if more := len(list) - 1; more > 0 {
		out.say("; also in " + number.Counted(int64(more), "other condition"))
	}
	return out
}
