package finding

import (
	"slices"
	"strings"

	"evalctl/eval"
	"evalctl/eval/number"
)

// winner says which variant decides best, and whether that is proven.
func winner(s suite) *Sentence {
	ranked := Ranked(s.SuiteSummary)
	if len(ranked) < 2 {
		return nil
	}
	best := ranked[0]
	alike, rest := []string{best.Name}, []string(nil)
	for _, c := range ranked[1:] {
		if d, ok := Difference(s.SuiteSummary, c.Name, best.Name); ok && d.State == eval.Alike {
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

// alike are the leaders that decide the same in every case.
func (s suite) alike(leaders, rest []string, best eval.CellSummary) *Sentence {
	out := &Sentence{Kind: Winner}
	out.variants(leaders...)
	out.say(" decide alike")
	if d, ok := Difference(s.SuiteSummary, leaders[1], leaders[0]); ok && d.Unpaired == 0 {
		out.say(" on all " + number.Counted(d.Cases, "case"))
	}
	out.aside(", " + share(best.Metrics[accuracy]) + " right")
	if len(rest) == 0 {
		return out
	}
	d, ok := Difference(s.SuiteSummary, rest[0], leaders[0])
	switch {
	case !ok || d.State == eval.Unknown || !number.Known(d.Accuracy.Value):
	case d.State == eval.Even:
		out.say("; ")
		out.variants(rest[0])
		out.say(" is not told apart from them" + span(d.Accuracy) + shows(d))
	default:
		same := slices.DeleteFunc(slices.Clone(rest), func(name string) bool {
			o, ok := Difference(s.SuiteSummary, name, leaders[0])
			return !ok || o.State != d.State || o.Gained != d.Gained || o.Lost != d.Lost
		})
		out.say("; ")
		out.variants(same...)
		lose, gain := " lose ", "gain "
		if len(same) == 1 {
			lose, gain = " loses ", "gains "
		}
		out.say(lose + number.Grouped(d.Lost) + " of these and " + gain + number.Grouped(d.Gained))
		out.aside(" (" + points(d.Accuracy) + ")")
	}
	return out
}

// leader is the most accurate one, held against the first and the runner-up.
func (s suite) leader(best eval.CellSummary, rest []string) *Sentence {
	above, even := s.held(best.Name, rest)
	if len(above)+len(even) == 0 {
		return nil
	}
	out := &Sentence{Kind: Winner}
	out.variants(best.Name)
	if len(even) == 0 {
		out.say(" decides best: ")
	} else {
		out.say(" leads: ")
	}
	out.say(share(best.Metrics[accuracy]) + " right")
	for i, d := range above {
		out.say([]string{", ", " and "}[i])
		out.above(d, d.Against == Against(s.SuiteSummary))
	}
	if len(even) > 0 {
		out.say(", not told apart from ")
		out.variants(even[0].Against)
		out.say(span(even[0].Accuracy))
		if more := int64(len(even) - 1); more > 0 {
			out.say(" and " + number.Grouped(more) + " more")
		}
		out.say(shows(even[0]))
	}
	return out
}

// held are the differences of the best from those that it is proven to be above,
// of which the first variant and then the runner-up count, and from those that
// it is not told apart from.
func (s suite) held(best string, rest []string) (above, even []eval.Difference) {
	first := Against(s.SuiteSummary)
	for i, name := range rest {
		d, ok := Difference(s.SuiteSummary, best, name)
		switch {
		case !ok || !number.Known(d.Accuracy.Value):
		case d.State == eval.Even:
			even = append(even, d)
		case d.State == eval.Better && name == first:
			above = slices.Insert(above, 0, d)
		case d.State == eval.Better && i == 0:
			above = append(above, d)
		}
	}
	return above, even
}

// above says by how much; the table has the interval of what is against the first.
func (out *Sentence) above(d eval.Difference, inTable bool) {
	out.say(plain(*d.Accuracy.Value) + " points above ")
	out.variants(d.Against)
	switch c := d.Accuracy; {
	case !number.Known(c.Lo) || !number.Known(c.Hi):
	case inTable:
		out.aside(" (95 % interval " + plain(*c.Lo) + " to " + plain(*c.Hi) + "; " + number.Counted(d.Gained, "case") + " gained, " + number.Grouped(d.Lost) + " lost)")
	default:
		out.say(" (" + plain(*c.Lo) + " to " + plain(*c.Hi) + ")")
	}
}

// plain shows points that are said to be above: without the plus.
func plain(v float64) string { return strings.TrimPrefix(number.Points(v), "+") }

// span shows where a difference lies.
func span(c eval.Contrast) string {
	if !number.Known(c.Lo) || !number.Known(c.Hi) {
		return ""
	}
	return " (" + number.Points(*c.Lo) + " to " + number.Points(*c.Hi) + " points)"
}

// points shows a difference with its interval.
func points(c eval.Contrast) string {
	text := number.Points(*c.Value) + " points"
	if number.Known(c.Lo) && number.Known(c.Hi) {
		text += ", 95 % interval " + number.Points(*c.Lo) + " to " + number.Points(*c.Hi)
	}
	return text
}

// shows says what the set could have shown.
func shows(d eval.Difference) string {
	if !number.Known(d.Detectable) {
		return ""
	}
	return "; this set shows differences from " + plain(*d.Detectable) + " points on"
}
